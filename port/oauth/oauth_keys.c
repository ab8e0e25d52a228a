/* oauth_keys.c -- the public keys of an authorization server, out of a JSON Web Key Set (RFC 7517). */
#include "oauth_json.h"

#if SKR_OAUTH

#include "oauth_ec.h"
#include "skr_text.h"

/* One coordinate of the point: 32 bytes, in base64url. */
static bool coordinate(struct skr_span key, const char *name, uint8_t out[32])
{
    struct skr_span value;
    char text[44];
    size_t n;

    return skr_oauth_member(key, name, &value) && skr_oauth_text(value, text, sizeof text) &&
           skr_decode_base64(skr_span_of(text), true, (char *)out, 32, &n) && n == 32;
}

/* True when the key has this member with this value, or does not have it. */
static bool may_be(struct skr_span key, const char *member, const char *wanted)
{
    struct skr_span value = skr_scan_get(key, member);

    return value.p == NULL || skr_scan_is(value, wanted);
}

static bool is_for_us(struct skr_span key)
{
    return skr_scan_is(skr_scan_get(key, "kty"), "EC") && skr_scan_is(skr_scan_get(key, "crv"), "P-256") &&
           may_be(key, "use", "sig") && may_be(key, "alg", "ES256");
}

static bool is_new(const struct skr_oauth *o, const char *kid)
{
    for (size_t i = 0; i < o->key_count; i++) {
        if (strcmp(o->keys[i].kid, kid) == 0) {
            return false;
        }
    }
    return true;
}

static enum skr_oauth_error add_key(struct skr_oauth *o, struct skr_span key)
{
    struct skr_span kid;

    if (skr_scan_get(key, "d").p != NULL) {
        return SKR_OAUTH_PRIVATE_KEY;
    }
    if (!is_for_us(key)) {
        return SKR_OAUTH_OK;
    }
    if (o->key_count == SKR_OAUTH_KEYS) {
        return SKR_OAUTH_TOO_MANY_KEYS;
    }
    struct skr_oauth_key *to = &o->keys[o->key_count];
    to->point[0] = 4;
    to->kid[0] = '\0';
    if (!coordinate(key, "x", to->point + 1) || !coordinate(key, "y", to->point + 33) || !skr_oauth_is_point(to) ||
        !skr_oauth_member(key, "kid", &kid) || (kid.p != NULL && !skr_oauth_text(kid, to->kid, sizeof to->kid)) ||
        !is_new(o, to->kid)) {
        return SKR_OAUTH_BAD_KEY;
    }
    o->key_count++;
    return SKR_OAUTH_OK;
}

enum skr_oauth_error skr_oauth_keys(struct skr_oauth *o, const char *jwks, size_t n)
{
    struct skr_span key, keys;
    enum skr_oauth_error wrong = SKR_OAUTH_OK;

    if (skr_json_check(jwks, n) != SKR_JSON_OK) {
        return SKR_OAUTH_NOT_KEYS;
    }
    while (n > 0 && *jwks != '{' && *jwks != '[') { /* whitespace, or a value of another kind */
        jwks++;
        n--;
    }
    keys = skr_scan_get((struct skr_span){jwks, n}, "keys");
    if (keys.p == NULL || *keys.p != '[') {
        return SKR_OAUTH_NOT_KEYS;
    }
    o->key_count = 0;
    while (wrong == SKR_OAUTH_OK && skr_scan_item(&keys, &key)) {
        wrong = add_key(o, key);
    }
    return wrong == SKR_OAUTH_OK && o->key_count == 0 ? SKR_OAUTH_NO_KEY : wrong;
}

#endif
