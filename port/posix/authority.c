/* authority.c -- see authority.h. */
#include "authority.h"

#include "../carrier.h"
#include "console.h"

#if SKR_TLS && SKR_OAUTH

#include <string.h>
#include <time.h>

#include "../oauth/oauth.h"
#include "trusted.h"

#define SCOPES "read,operate,update"

static struct skr_oauth oauth;
static char scopes[3 * SKR_OAUTH_SCOPE];

static uint32_t clock_s(void *none)
{
    time_t now = time(NULL);

    (void)none;
    return now > 0 && (uint64_t)now <= UINT32_MAX ? (uint32_t)now : 0;
}

/* READ,OPERATE[,UPDATE] */
static bool read_scopes(const char *text, struct skr_oauth_config *config)
{
    const char **const names[] = {&config->read, &config->operate, &config->update};
    size_t count = 0;

    if (strlen(text) >= sizeof scopes) {
        return false;
    }
    strcpy(scopes, text);
    for (char *at = scopes; at != NULL; count++) {
        if (count == sizeof names / sizeof names[0]) {
            return false;
        }
        *names[count] = at;
        at = strchr(at, ',');
        if (at != NULL) {
            *at++ = '\0';
        }
    }
    return count >= 2;
}

static bool check_result(const struct posix_options *options, enum skr_oauth_error wrong)
{
    const char *keys = options->oauth_keys;

    switch (wrong) {
    case SKR_OAUTH_OK: return true;
    case SKR_OAUTH_BAD_URL:
        host_log(
            "--oauth-issuer and --oauth-resource: give URLs of less than %d bytes, as in https://login.example and "
            "https://pump.example/mcp",
            SKR_OAUTH_URL);
        break;
    case SKR_OAUTH_BAD_SCOPE:
        host_log(
            "--oauth-scopes %s: give two or three scopes of at most %d bytes, as in pump:read,pump:operate,pump:update",
            options->oauth_scopes != NULL ? options->oauth_scopes : SCOPES, SKR_OAUTH_SCOPE - 1);
        break;
    case SKR_OAUTH_NOT_KEYS:
        host_log("%s: not a JSON Web Key Set; it is at the jwks_uri of %s/.well-known/openid-configuration", keys,
                 options->oauth_issuer);
        break;
    case SKR_OAUTH_PRIVATE_KEY:
        host_log("%s: contains a private key, with which anybody could sign; use the public set", keys);
        break;
    case SKR_OAUTH_BAD_KEY:
        host_log("%s: a key is damaged, or its kid is used twice or has more than %d bytes", keys, SKR_OAUTH_KID - 1);
        break;
    case SKR_OAUTH_NO_KEY:
        host_log("%s: no key for ES256 (EC, P-256); let %s sign access tokens with ES256", keys, options->oauth_issuer);
        break;
    case SKR_OAUTH_TOO_MANY_KEYS:
        host_log("%s: more than %d keys for ES256; remove old ones", keys, SKR_OAUTH_KEYS);
        break;
    }
    return false;
}

bool posix_authority_load(const struct posix_options *options, const struct skr_authority **authority)
{
    static char text[POSIX_KEYS];
    struct skr_oauth_config config = {
        .issuer = options->oauth_issuer, .resource = options->oauth_resource, .clock = clock_s};

    if (!read_scopes(options->oauth_scopes != NULL ? options->oauth_scopes : SCOPES, &config)) {
        return check_result(options, SKR_OAUTH_BAD_SCOPE);
    }
    enum skr_oauth_error error = skr_oauth_open(&oauth, &config);

    if (error == SKR_OAUTH_OK && options->update == NULL) { /* checked all the same, but no token allows updates */
        config.update = NULL;
        error = skr_oauth_open(&oauth, &config);
    }
    if (!check_result(options, error) || !posix_trusted_read(options->oauth_keys, "a key", text, sizeof text) ||
        !check_result(options, skr_oauth_keys(&oauth, text, strlen(text)))) {
        return false;
    }
    *authority = &oauth.authority;
    return true;
}

#else

bool posix_authority_load(const struct posix_options *options, const struct skr_authority **authority)
{
    (void)options;
    (void)authority;
    host_log("--oauth-issuer: this program was built without BearSSL, or with SKR_OAUTH 0 (port/oauth/README.md)");
    return false;
}

#endif
