/* http_oauth.c -- tokens of an authorization server: the port's struct skr_authority. */
#include "wire/http_types.h"

#if SKR_OAUTH

bool skri_oauth_is_used(const struct skr_http_config *config)
{
    return config->authority != NULL;
}

const struct skr_grant *skri_oauth_find(struct skr_conn *c, struct skr_span token)
{
    const struct skr_authority *authority = c->srv->http.authority;

    if (authority == NULL) {
        return NULL;
    }
    c->http.reason = authority->check(authority->context, c->in + (token.p - c->in), token.n, &c->bearer);
    c->bearer.grant.name = c->bearer.name;
    return c->http.reason == NULL ? &c->bearer.grant : NULL;
}

bool skri_oauth_is_bearer(const struct skr_conn *c, const struct skr_grant *who)
{
    return who == &c->bearer.grant;
}

struct skr_span skri_oauth_reason(const struct skr_conn *c)
{
    return c->http.reason != NULL ? skr_span_of(c->http.reason) : NOTHING;
}

bool skri_oauth_is_metadata(const struct skr_conn *c, struct skr_span path)
{
    const struct skr_authority *authority = c->srv->http.authority;

    return authority != NULL && (skr_span_is(path, authority->paths[0]) || skr_span_is(path, authority->paths[1]));
}

#endif
