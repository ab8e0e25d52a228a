/* http_auth.c -- bearer tokens: checks the token of a request before any of it is read as MCP.
 *
 * Only the token identifies a client: no session, no earlier request on the same connection (AUTH-02). A token is
 * checked when its header line has come, so that it is never kept, and the verdict is given after the last line. Tokens
 * of a table are known here; signed ones are passed to the port's struct skr_authority (http_oauth.c). */
#include "sha256.h"
#include "wire/http_types.h"

#if SKR_AUTH

enum token_shown { SHOWN_NOTHING, SHOWN_OTHER, SHOWN_TOKEN };

/* The grant with this hash, NULL when none has it. Takes the same steps whichever it is and wherever they differ, so
 * that nobody learns a hash byte by byte (AUTH-06). */
static const struct skr_grant *find_grant(const struct skr_http_config *config, const uint8_t sha256[ROMFS_SHA256_SIZE])
{
    size_t found = 0; /* 1 + its number */

    for (size_t i = 0; i < config->grant_count; i++) {
        uint32_t differs = 0;
        for (unsigned k = 0; k < ROMFS_SHA256_SIZE; k++) {
            differs |= (uint32_t)(config->grants[i].sha256[k] ^ sha256[k]);
        }
        size_t same = (size_t)0 - ((differs - 1) >> 31); /* all bits or none, without a branch */
        found += (i + 1 - found) & same;
    }
    return found > 0 ? &config->grants[found - 1] : NULL;
}

static bool needs_token(const struct skr_http_config *config)
{
    return config->grant_count > 0 || (SKR_OAUTH && skri_oauth_is_used(config));
}

/* The owner of a token, which is in the connection's buffer; NULL if it is invalid. */
static const struct skr_grant *token_owner(struct skr_conn *c, struct skr_span token)
{
    uint8_t sha256[ROMFS_SHA256_SIZE];

    romfs_sha256_of(token.p, token.n, sha256);
    const struct skr_grant *found = find_grant(&c->srv->http, sha256);
    if (SKR_OAUTH && found == NULL) {
        found = skri_oauth_find(c, token);
    }
    return found;
}

void skri_http_authorization(struct skr_conn *c, struct skr_span value)
{
    struct skr_http *h = &c->http;
    struct skr_span scheme = {value.p, 7};
    bool document = HTTP_HAS_DOCUMENTS && h->document != HTTP_NO_DOCUMENT;

    if (h->refuse != SKR_NO_ERROR || document || !needs_token(&c->srv->http)) {
        return; /* whatever it is, it changes nothing, and need not cost anything */
    }
    if (h->shown != SHOWN_NOTHING) {
        skri_http_break(c, SKR_HTTP_BAD_HEADER); /* another reader might take the other one */
    }
    h->shown = SHOWN_OTHER;
    if (value.n > scheme.n && skr_span_eq_nocase(scheme, SPAN("Bearer "))) {
        h->shown = SHOWN_TOKEN;
        c->last_session.genuine = false; /* perhaps not for this one */
        h->who = token_owner(c, skr_span_from(value, scheme.n));
    }
}

void skr_server_set_grants(struct skr_server *s, const struct skr_grant *grants, size_t count)
{
    s->http.grants = grants;
    s->http.grant_count = count;
}

bool skr_conn_keep_grant(struct skr_conn *c)
{
    if (SKR_HTTP_SAME) {
        skri_http_forget_head(c); /* the previous rows let it in */
    }
    const struct skr_grant *who = c->wire == SKR_HTTP_1 ? c->http.who : NULL;
    if (SKR_OAUTH && skri_oauth_is_bearer(c, who)) {
        who = NULL;
    }
    if (who != NULL) {
        c->http.who = find_grant(&c->srv->http, who->sha256);
    }
    return who == NULL || c->http.who != NULL;
}

void skri_http_check_token(struct skr_conn *c)
{
    const struct skr_http *h = &c->http;
    bool open = c->srv->http.anyone && !needs_token(&c->srv->http);

    if (h->who == NULL && h->refuse == SKR_NO_ERROR && !open) {
        skri_http_refuse(c, h->shown == SHOWN_TOKEN ? SKR_HTTP_BAD_TOKEN : SKR_HTTP_NO_TOKEN);
        skri_http_log_refused(c, "Authorization", SKR_OAUTH ? skri_oauth_reason(c) : NOTHING);
    }
    if (SKR_OAUTH && h->who != NULL && h->who->rights == 0) { /* a row of `grants` has some */
        skri_http_refuse(c, SKR_HTTP_NO_SCOPE);
    }
}

#if SKR_OAUTH
void skri_oauth_put_challenge(struct skr_conn *c, enum skr_rpc_error error)
{
    const struct skr_authority *authority = c->srv->http.authority;
    bool few = error == SKR_NO_RIGHT || error == SKR_NO_RIGHT_TO_UPDATE || error == SKR_HTTP_NO_SCOPE;

    if (c->http.reason != NULL || few) {
        skri_http_put(c, few ? "error=\"insufficient_scope" : "error=\"invalid_token\", error_description=\"");
        skri_http_put(c, few ? "" : c->http.reason);
        skri_http_put(c, "\", ");
    }
    skri_http_put(c, "resource_metadata=\"");
    skri_http_put(c, authority->url);
    skri_http_put(c, "\", scope=\"");
    skri_http_put(c, error == SKR_NO_RIGHT_TO_UPDATE && authority->update != NULL ? authority->update
                     : error == SKR_NO_RIGHT                                      ? authority->operate
                                                                                  : authority->read);
    skri_http_put(c, "\"");
}
#endif

/* NULL for other errors. */
static const char *challenge_of(enum skr_rpc_error error)
{
    switch (error) {
    case SKR_HTTP_NO_SCOPE:
    case SKR_NO_RIGHT: return "error=\"insufficient_scope\", scope=\"operate\"";
#if SKR_UPDATE
    case SKR_NO_RIGHT_TO_UPDATE: return "error=\"insufficient_scope\", scope=\"update\"";
#endif
    case SKR_HTTP_NO_TOKEN: return "realm=\"mcp\"";
    case SKR_HTTP_BAD_TOKEN: return "error=\"invalid_token\"";
    default: return NULL;
    }
}

void skri_http_put_challenge(struct skr_conn *c)
{
    enum skr_rpc_error error = (enum skr_rpc_error)c->response.envelope.error;
    const char *challenge = challenge_of(error);

    if (challenge != NULL) {
        skri_http_put(c, "\r\nWWW-Authenticate: Bearer ");
        if (SKR_OAUTH && skri_oauth_is_used(&c->srv->http)) {
            skri_oauth_put_challenge(c, error);
        } else {
            skri_http_put(c, challenge);
        }
    }
}

#endif
