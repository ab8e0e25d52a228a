/* http_auth.c -- who asks: the token of a request, before anything of it is read as MCP.
 *
 * Nothing but the token says who somebody is: no session, no earlier request on the same connection (AUTH-02). A token is
 * checked when its header line has come, so that it is never kept, and the verdict is given after the last line. Another
 * way to tell who somebody is belongs into find_out(). */
#include "sha256.h"
#include "wire/http_types.h"

#if SKR_AUTH

enum token_shown { SHOWN_NOTHING, SHOWN_OTHER, SHOWN_TOKEN };

/* The grant with this hash, NULL when none has it. Takes the same steps whichever it is and wherever they differ, so that
 * nobody learns a hash byte by byte (AUTH-06). */
static const struct skr_grant *find_grant(const struct skr_http_config *config, const uint8_t sha256[SHA256_SIZE])
{
    size_t found = 0; /* 1 + its number */
    for (size_t i = 0; i < config->grant_count; i++) {
        uint32_t differs = 0;
        for (unsigned k = 0; k < SHA256_SIZE; k++) {
            differs |= (uint32_t)(config->grants[i].sha256[k] ^ sha256[k]);
        }
        size_t same = (size_t)0 - ((differs - 1) >> 31); /* all bits or none, without a branch */
        found += (i + 1 - found) & same;
    }
    return found > 0 ? &config->grants[found - 1] : NULL;
}

/* Whose token it is; NULL: nobody's. */
static const struct skr_grant *find_out(const struct skr_http_config *config, struct skr_span token)
{
    uint8_t sha256[SHA256_SIZE];
    sha256_of(token.p, token.n, sha256);
    return find_grant(config, sha256);
}

void skri_http_authorization(struct skr_conn *c, struct skr_span value)
{
    struct skr_http *h = &c->http;
    struct skr_span scheme = {value.p, 7};
    if (h->refuse != SKR_NO_FAULT || c->srv->http.grant_count == 0) {
        return; /* whatever it is, it changes nothing, and need not cost anything */
    }
    if (h->shown != SHOWN_NOTHING) {
        skri_http_break(c, SKR_HTTP_BAD_HEADER); /* another reader might take the other one */
    }
    h->shown = SHOWN_OTHER;
    if (value.n > scheme.n && skri_span_eq_nocase(scheme, SPAN("Bearer "))) {
        h->shown = SHOWN_TOKEN;
        h->who = find_out(&c->srv->http, skri_span_from(value, scheme.n));
    }
}

void skri_http_check_token(struct skr_conn *c)
{
    const struct skr_http *h = &c->http;
    bool open = c->srv->http.grant_count == 0 && c->srv->http.anyone;
    if (!open && h->who == NULL && h->refuse == SKR_NO_FAULT) {
        skri_http_refuse(c, h->shown == SHOWN_TOKEN ? SKR_HTTP_BAD_TOKEN : SKR_HTTP_NO_TOKEN);
        skri_http_tell_refused(c, "Authorization", SPAN(""));
    }
}

const char *skri_http_challenge(enum skr_fault fault)
{
    switch (fault) {
    case SKR_NO_RIGHT: return "error=\"insufficient_scope\", scope=\"operate\"";
    case SKR_HTTP_NO_TOKEN: return "realm=\"mcp\"";
    case SKR_HTTP_BAD_TOKEN: return "error=\"invalid_token\"";
    default: return NULL;
    }
}

#endif
