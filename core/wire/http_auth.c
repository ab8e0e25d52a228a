/* http_auth.c -- who asks: the token of a request, before anything of it is read as MCP.
 *
 * Nothing but the token says who somebody is: no session, no earlier request on the same connection (AUTH-02). A token is
 * looked at when its header line has come, so that it is never kept, and the verdict is given behind the last one. Another
 * way to tell who somebody is belongs into find_out(). */
#include "sha256.h"
#include "wire/http_types.h"

#if SKR_AUTH

enum token_shown {
    SHOWN_NONE,
    SHOWN_KNOWN,
    SHOWN_UNKNOWN,
    SHOWN_UNCLEAR, /* two of them, or none behind its name */
};

/* 1 + the number of the grant with this hash; 0: none has it. Takes the same steps whichever it is and wherever they
 * differ, so that nobody learns a hash byte by byte (AUTH-06). */
static size_t find_grant(const struct skr_http_config *config, const uint8_t sha256[SHA256_SIZE])
{
    size_t found = 0;
    for (size_t i = 0; i < config->grant_count; i++) {
        uint32_t differs = 0;
        for (unsigned k = 0; k < SHA256_SIZE; k++) {
            differs |= (uint32_t)(config->grants[i].sha256[k] ^ sha256[k]);
        }
        size_t same = (size_t)0 - ((differs - 1) >> 31); /* all bits or none, without a branch */
        found = (found & ~same) | ((i + 1) & same);
    }
    return found;
}

static enum token_shown find_out(const struct skr_http_config *config, struct skr_span token, struct skr_who *who)
{
    uint8_t sha256[SHA256_SIZE];
    sha256_of(token.p, token.n, sha256);
    size_t found = find_grant(config, sha256);
    if (found == 0) {
        return SHOWN_UNKNOWN;
    }
    who->name = config->grants[found - 1].name;
    who->rights = config->grants[found - 1].rights;
    memcpy(who->id, sha256, sizeof who->id);
    return SHOWN_KNOWN;
}

void skri_http_authorization(struct skr_conn *c, struct skr_span value)
{
    struct skr_who *who = &c->http.who;
    struct skr_span scheme = {value.p, value.n < 6 ? value.n : 6};
    if (c->http.refuse != SKR_NO_FAULT || c->srv->http.grant_count == 0) {
        return; /* whatever it is, it changes nothing, and need not cost anything */
    }
    if (who->shown != SHOWN_NONE) {
        who->shown = SHOWN_UNCLEAR;
        who->rights = 0;
    } else if (skri_span_eq_nocase(scheme, SPAN("Bearer")) && (value.n == 6 || value.p[6] == ' ')) {
        struct skr_span token = skri_span_from(value, value.n > 6 ? 7 : 6);
        bool clear = token.n > 0 && memchr(token.p, ' ', token.n) == NULL;
        who->shown = (uint8_t)(clear ? find_out(&c->srv->http, token, who) : SHOWN_UNCLEAR);
    }
}

void skri_http_check_token(struct skr_conn *c)
{
    static const uint8_t faults[] = {
        [SHOWN_NONE] = SKR_HTTP_NO_TOKEN,
        [SHOWN_KNOWN] = SKR_NO_FAULT,
        [SHOWN_UNKNOWN] = SKR_HTTP_BAD_TOKEN,
        [SHOWN_UNCLEAR] = SKR_HTTP_TWO_TOKENS,
    };
    struct skr_who *who = &c->http.who;
    if (c->srv->http.grant_count == 0 && c->srv->http.anyone) {
        who->rights = SKR_MAY_OPERATE;
    } else if (who->shown != SHOWN_KNOWN && c->http.refuse == SKR_NO_FAULT) {
        skri_http_refuse(c, (enum skr_fault)faults[who->shown]);
        skri_http_tell_refused(c, "Authorization", SPAN(""));
    }
}

#define CHALLENGE "\r\nWWW-Authenticate: Bearer realm=\"mcp\""

const char *skri_http_challenge(enum skr_fault fault)
{
    switch (fault) {
    case SKR_HTTP_NO_TOKEN: return CHALLENGE;
    case SKR_HTTP_BAD_TOKEN: return CHALLENGE ", error=\"invalid_token\"";
    case SKR_HTTP_TWO_TOKENS: return CHALLENGE ", error=\"invalid_request\"";
    case SKR_NO_RIGHT: return CHALLENGE ", error=\"insufficient_scope\", scope=\"operate\"";
    default: return "";
    }
}

#endif
