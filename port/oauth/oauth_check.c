/* oauth_check.c -- checks that our authorization server issued this token for this device
 *
 *     header . claims . signature        each in base64url; the first two are JSON
 *
 * The signature covers the first two as they are written. Everything is decoded in place. What is cheap to check comes
 * first and the signature last, so that most wrong tokens cost little; a token is trusted only after it. The algorithm is
 * ours, never the token's choice: "none", and an HMAC with the public key as its secret, are just other algorithms than
 * ES256. Only configured keys count: a key in the header, or the address of one, is ignored. */
#include "oauth_json.h"

#if SKR_OAUTH

#include "oauth_ec.h"
#include "sha256.h"
#include "skr_text.h"

#define NOT_A_JWT "not a signed token, or damaged"

/* A token in its parts. */
struct parts {
    struct skr_span header, claims;
    uint8_t signature[64];
    uint8_t signed_sha256[ROMFS_SHA256_SIZE]; /* of header and claims as they were written */
    uint8_t sha256[ROMFS_SHA256_SIZE];        /* of all of it */
};

/* Cuts off what is before the next dot. */
static bool part_cut(char **at, size_t *n, struct skr_span *part)
{
    const char *dot = memchr(*at, '.', *n);

    if (dot == NULL) {
        return false;
    }
    part->p = *at;
    part->n = (size_t)(dot - *at);
    *n -= part->n + 1;
    *at += part->n + 1;
    return true;
}

/* Decodes a part in place; it must be an object. */
static bool decode_object(struct skr_span *part)
{
    char *text = (char *)(uintptr_t)part->p; /* of the caller's token, which may be overwritten */

    return skr_decode_base64(*part, true, text, part->n, &part->n) && part->n > 0 && *text == '{' &&
           skr_json_check(text, part->n) == SKR_JSON_OK;
}

static bool token_split(char *token, size_t n, struct parts *parts)
{
    char *at = token;
    size_t left = n, length;
    struct romfs_sha256 all, some;

    if (!part_cut(&at, &left, &parts->header) || !part_cut(&at, &left, &parts->claims) || left == 0) {
        return false;
    }
    romfs_sha256_start(&some);
    romfs_sha256_add(&some, token, n - left - 1);
    all = some;
    romfs_sha256_finish(&some, parts->signed_sha256);
    romfs_sha256_add(&all, at - 1, left + 1);
    romfs_sha256_finish(&all, parts->sha256);
    /* A fourth part would have a dot, which is not of base64url. */
    return skr_decode_base64((struct skr_span){at, left}, true, (char *)parts->signature, 64, &length) && length == 64;
}

/* ---- The header ---- */

/* "typ": access tokens say so (RFC 9068); some servers only say that it is a JWT. Other kinds are for other uses. */
static bool is_access(struct skr_span type)
{
    struct skr_span inside = skr_scan_inside(type);

    return type.p == NULL || skr_span_eq_nocase(inside, SPAN("at+jwt")) || skr_span_eq_nocase(inside, SPAN("JWT")) ||
           skr_span_eq_nocase(inside, SPAN("application/at+jwt"));
}

/* A token that names no key is taken for one of our only key. */
static const struct skr_oauth_key *key_of(const struct skr_oauth *o, struct skr_span kid)
{
    if (kid.p == NULL) {
        return o->key_count == 1 ? &o->keys[0] : NULL;
    }
    for (size_t i = 0; i < o->key_count; i++) {
        if (skr_scan_is(kid, o->keys[i].kid)) {
            return &o->keys[i];
        }
    }
    return NULL;
}

static const char *check_header(const struct skr_oauth *o, struct skr_span header, const struct skr_oauth_key **key)
{
    struct skr_span alg, typ, crit, kid;

    if (!skr_oauth_member(header, "alg", &alg) || !skr_oauth_member(header, "typ", &typ) ||
        !skr_oauth_member(header, "crit", &crit) || !skr_oauth_member(header, "kid", &kid)) {
        return "a member of its header is there twice";
    }
    if (!skr_scan_is(alg, "ES256")) {
        return "not signed with ES256";
    }
    if (crit.p != NULL) {
        return "its header demands an extension (crit)";
    }
    if (!is_access(typ)) {
        return "not an access token (typ)";
    }
    *key = key_of(o, kid);
    return *key == NULL ? "signed with a key that is not known here" : NULL;
}

/* ---- The claims ---- */

struct claims {
    struct skr_span iss, aud, exp, nbf, sub, client, scope, cnf;
};

static bool read_claims(struct skr_span object, struct claims *claims)
{
    const struct {
        const char *name;
        struct skr_span *value;
    } members[] = {{"iss", &claims->iss},     {"aud", &claims->aud}, {"exp", &claims->exp},
                   {"nbf", &claims->nbf},     {"sub", &claims->sub}, {"client_id", &claims->client},
                   {"scope", &claims->scope}, {"cnf", &claims->cnf}};

    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        if (!skr_oauth_member(object, members[i].name, members[i].value)) {
            return false;
        }
    }
    return true;
}

static bool is_audience(struct skr_span aud, const char *resource)
{
    struct skr_span item;

    if (aud.n > 0 && *aud.p == '[') {
        while (skr_scan_item(&aud, &item)) {
            if (skr_scan_is(item, resource)) {
                return true;
            }
        }
        return false;
    }
    return skr_scan_is(aud, resource);
}

/* A date in seconds, as far as a clock of 32 bits goes; false when it is not a number. */
static bool read_date(struct skr_span number, uint32_t *out)
{
    bool rest;

    if (number.n == 0 || (*number.p != '-' && (*number.p < '0' || *number.p > '9'))) {
        return false;
    }
    int64_t seconds = skr_number_scaled(number, 0, &rest);
    *out = seconds < 0 ? 0 : seconds > UINT32_MAX ? UINT32_MAX : (uint32_t)seconds;
    return true;
}

/* Checks that a token is valid now, by a clock that may differ somewhat from the server's. */
static const char *check_dates(uint32_t from, uint32_t until, uint32_t now)
{
    if (now == 0) {
        return "the clock of this device is not set";
    }
    if ((uint64_t)now >= (uint64_t)until + SKR_OAUTH_LEEWAY_S) {
        return "expired";
    }
    return (uint64_t)now + SKR_OAUTH_LEEWAY_S < from ? "not valid yet" : NULL;
}

/* Words of the scope, separated by spaces. Who may update may also read: a release is read back before it is confirmed. */
static uint8_t rights_of(const struct skr_oauth *o, struct skr_span scope)
{
    struct skr_span rest = skr_scan_inside(scope);
    uint8_t rights = 0, update = 0;

    while (rest.n > 0) {
        const char *blank = memchr(rest.p, ' ', rest.n);
        struct skr_span word = {rest.p, blank != NULL ? (size_t)(blank - rest.p) : rest.n};
        uint8_t right = skr_span_is(word, o->config.operate) ? SKR_MAY_OPERATE
                        : skr_span_is(word, o->config.read)  ? SKR_MAY_READ
                                                             : 0;
        rights = right > rights ? right : rights;
        if (o->config.update != NULL && skr_span_is(word, o->config.update)) {
            rights = rights > 0 ? rights : SKR_MAY_READ;
            update = SKR_MAY_UPDATE;
        }
        rest = skr_span_from(rest, blank != NULL ? word.n + 1 : word.n);
    }
    return rights | update;
}

/* Names the person or program and the client they use, which may not touch each other's sessions. The hashed text
 * begins with a word, so that it cannot be a token of a table. */
static bool name_bearer(const struct claims *claims, struct skr_bearer *bearer)
{
    static const char domain[] = "oauth";
    struct romfs_sha256 hash;

    if (!skr_oauth_text(claims->sub, bearer->name, sizeof bearer->name) || bearer->name[0] == '\0') {
        return false;
    }
    romfs_sha256_start(&hash);
    romfs_sha256_add(&hash, domain, sizeof domain);
    romfs_sha256_add(&hash, bearer->name, strlen(bearer->name) + 1);
    romfs_sha256_add(&hash, claims->client.p, claims->client.n);
    romfs_sha256_finish(&hash, bearer->grant.sha256);
    return true;
}

static const char *check_claims(const struct skr_oauth *o, struct skr_span object, struct skr_oauth_checked *checked)
{
    struct claims claims;

    if (!read_claims(object, &claims)) {
        return "a claim is there twice";
    }
    if (!skr_scan_is(claims.iss, o->config.issuer)) {
        return "of another issuer (iss)";
    }
    if (!is_audience(claims.aud, o->config.resource)) {
        return "for another resource (aud)";
    }
    checked->from = 0;
    if (!read_date(claims.exp, &checked->until) || (claims.nbf.p != NULL && !read_date(claims.nbf, &checked->from))) {
        return "without a date when it expires (exp, nbf)";
    }
    if (claims.cnf.p != NULL) {
        return "bound to a key that was not shown (cnf)";
    }
    checked->bearer.grant.rights = rights_of(o, claims.scope);
    return name_bearer(&claims, &checked->bearer) ? NULL : "without a usable name (sub)";
}

/* ---- All of it ---- */

static const struct skr_oauth_checked *find_checked(const struct skr_oauth *o, const uint8_t sha256[ROMFS_SHA256_SIZE])
{
    for (size_t i = 0; i < SKR_OAUTH_REMEMBERED; i++) {
        if (o->checked[i].until != 0 && memcmp(o->checked[i].sha256, sha256, ROMFS_SHA256_SIZE) == 0) {
            return &o->checked[i];
        }
    }
    return NULL;
}

static const char *check_new(struct skr_oauth *o, struct parts *parts, uint32_t now, struct skr_oauth_checked *checked)
{
    const struct skr_oauth_key *key;
    const char *wrong = NULL;

    if (!decode_object(&parts->header) || !decode_object(&parts->claims)) {
        return NOT_A_JWT;
    }
    if ((wrong = check_header(o, parts->header, &key)) != NULL ||
        (wrong = check_claims(o, parts->claims, checked)) != NULL ||
        (wrong = check_dates(checked->from, checked->until, now)) != NULL) {
        return wrong;
    }
    return skr_oauth_is_signature(key, parts->signed_sha256, parts->signature) ? NULL : "its signature is wrong";
}

const char *skr_oauth_check(void *context, char *token, size_t n, struct skr_bearer *bearer)
{
    struct skr_oauth *o = context;
    struct parts parts;
    struct skr_oauth_checked fresh;
    uint32_t now = o->config.clock(o->config.context);

    if (n > SKR_OAUTH_TOKEN_MAX) {
        return "too long for this device";
    }
    if (!token_split(token, n, &parts)) {
        return NOT_A_JWT;
    }
    const struct skr_oauth_checked *checked = find_checked(o, parts.sha256);
    const char *wrong =
        checked != NULL ? check_dates(checked->from, checked->until, now) : check_new(o, &parts, now, &fresh);
    if (wrong != NULL) {
        return wrong;
    }
    if (checked == NULL) {
        memcpy(fresh.sha256, parts.sha256, sizeof fresh.sha256);
        o->checked[o->oldest] = fresh;
        checked = &o->checked[o->oldest];
        o->oldest = (o->oldest + 1) % SKR_OAUTH_REMEMBERED;
    }
    *bearer = checked->bearer;
    return NULL;
}

#endif
