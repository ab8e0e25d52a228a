/* oauth.h -- access tokens of an authorization server: signed ones, JWTs with ES256 (RFC 9068), checked by BearSSL. No I/O,
 * no heap; nothing is fetched. The port supplies the server's public keys and a clock.
 *
 *     static struct skr_oauth oauth;
 *     const struct skr_oauth_config config = {.issuer = "https://login.plant.example", .clock = seconds_since_1970,
 *                                             .resource = "https://pump7.plant.example/mcp"};
 *
 *     if (skr_oauth_open(&oauth, &config) != SKR_OAUTH_OK ||
 *         skr_oauth_keys(&oauth, jwks, sizeof jwks) != SKR_OAUTH_OK) halt();
 *     http.authority = &oauth.authority;
 *
 * The core then answers requests without a token with where to get one, and shows every token to skr_oauth_check. */
#ifndef SKR_OAUTH_H
#define SKR_OAUTH_H

#include "oauth_config.h"
#include "skillrom.h"

#ifdef __cplusplus
extern "C" {
#endif

struct skr_oauth_config {
    const char *issuer;   /* the server's URL, to the letter as its tokens have it in "iss" */
    const char *resource; /* this device's URL, as clients use it: a token must have it in "aud" */
    const char *read;     /* the scopes for both rights; NULL: "read" and "operate" */
    const char *operate;
    const char *update; /* the scope that allows updates, besides reading; NULL: no token does */
    /* Seconds since 1970; 0: the clock is not set yet, and every token is refused until it is. */
    uint32_t (*clock)(void *context);
    void *context;
};

enum skr_oauth_error {
    SKR_OAUTH_OK,
    SKR_OAUTH_BAD_URL,      /* not http:// or https:// and a host, too long, or with characters no URL has */
    SKR_OAUTH_BAD_SCOPE,    /* empty, too long, or with characters no scope has */
    SKR_OAUTH_NOT_KEYS,     /* not a JSON Web Key Set */
    SKR_OAUTH_PRIVATE_KEY,  /* a private key, which must not be on a device */
    SKR_OAUTH_BAD_KEY,      /* a key for ES256 that is no point of the curve, or whose name is too long or used twice */
    SKR_OAUTH_NO_KEY,       /* no key for ES256 */
    SKR_OAUTH_TOO_MANY_KEYS /* more than SKR_OAUTH_KEYS */
};

struct skr_oauth_key {
    uint8_t point[65]; /* uncompressed */
    char kid[SKR_OAUTH_KID];
};

/* A token that has been checked; only its hash is kept. */
struct skr_oauth_checked {
    uint8_t sha256[32];
    uint32_t from, until; /* seconds since 1970; until 0: a free row */
    struct skr_bearer bearer;
};

/* Its fields are private, except `authority`. */
struct skr_oauth {
    struct skr_authority authority;
    struct skr_oauth_config config;
    struct skr_oauth_key keys[SKR_OAUTH_KEYS];
    size_t key_count;
    struct skr_oauth_checked checked[SKR_OAUTH_REMEMBERED];
    size_t oldest; /* the row to be used next */
    char url[SKR_OAUTH_URL + 40];
    char metadata[SKR_OAUTH_METADATA];
};

/* Checks the configuration, which is copied; what it points to must outlive o, and o must stay where it is. */
enum skr_oauth_error skr_oauth_open(struct skr_oauth *o, const struct skr_oauth_config *config);

/* Reads the server's public keys, a JSON Web Key Set as it is at the server's "jwks_uri"; keys for other algorithms and
 * uses are left out. They are copied. */
enum skr_oauth_error skr_oauth_keys(struct skr_oauth *o, const char *jwks, size_t n);

/* As struct skr_authority wants it; `o` is a struct skr_oauth. */
const char *skr_oauth_check(void *o, char *token, size_t n, struct skr_bearer *bearer);

#ifdef __cplusplus
}
#endif

#endif
