/* token.c -- who a user is, as strangers and flash have it: signed tokens and the keys of their server (port/oauth), and the record of
 * tokens in a board's flash.
 *
 * A token is accepted only if the server has signed these very bytes, for this device, and it has not expired; then its bearer
 * again is the same, and one altered bit makes it nobody's. Signing stands in for the curve, whose arithmetic is BearSSL's: what is
 * signed here has its hash for a signature, which no input contains by chance. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../unit/stale.h"
#include "../../wire/hostile/judge.h"
#include "oauth.h"
#include "oauth_ec.h"
#include "sha256.h"
#include "skr_access.h"
#include "text/encode.h"

#define ISSUER "https://login.example"
#define RESOURCE "https://pump.example/mcp"
#define INPUT_MAX 4000
#define NOW 1800000000u
#define RECORD_MAX 524 /* a record with all its rows */

/* The first byte of an input. */
enum how {
    KEYS = 1,    /* a key set, */
    RECORD = 2,  /* or a record: its checksum is fixed */
    WRITTEN = 4, /* a token as it is written; else header and claims in JSON, cut at 0xFF, */
    SIGNED = 8,  /* which the server has signed, */
    LATER = 16,  /* and which is shown when some have expired, */
    UNSET = 32,  /* or before the clock is set */
};

static struct skr_oauth oauth;
static uint32_t now;

static void must(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "token: it does not hold that %s\n", what);
        abort();
    }
}

static uint32_t the_time(void *context)
{
    (void)context;
    return now;
}

/* ---- In place of the curve (oauth_ec.h) ---- */

static void sign(const uint8_t sha256[32], uint8_t signature[64])
{
    memcpy(signature, sha256, 32);
    romfs_sha256_of(sha256, 32, signature + 32);
}

bool skr_oauth_is_point(const struct skr_oauth_key *key)
{
    return key->point[0] == 4 && (key->point[64] & 1) == 0;
}

bool skr_oauth_is_signature(const struct skr_oauth_key *key, const uint8_t sha256[32], const uint8_t signature[64])
{
    uint8_t expected[64];

    must(key >= oauth.keys && key < oauth.keys + oauth.key_count, "a signature is checked with a key that is known");
    sign(sha256, expected);
    return memcmp(expected, signature, sizeof expected) == 0;
}

/* ---- Tokens ---- */

static size_t put_base64(char *to, const void *bytes, size_t n)
{
    struct skr_carry carry = {0};
    struct skr_encoding e = {.from = bytes, .n = n, .out = to, .room = 2 * INPUT_MAX, .url = true};

    skr_encode_base64(&e, &carry, true);
    return e.made;
}

/* A token of the input; returns its length. */
static size_t make_token(const uint8_t *data, size_t size, uint8_t how, char *token)
{
    uint8_t hash[32], signature[64] = {0};

    if (how & WRITTEN) {
        memcpy(token, data, size);
        return size;
    }
    const uint8_t *cut = memchr(data, 0xFF, size);
    size_t header = cut != NULL ? (size_t)(cut - data) : size;
    size_t n = put_base64(token, data, header);
    token[n++] = '.';
    n += cut != NULL ? put_base64(token + n, cut + 1, size - header - 1) : 0;
    if (how & SIGNED) {
        romfs_sha256_of(token, n, hash);
        sign(hash, signature);
    }
    token[n++] = '.';
    return n + put_base64(token + n, signature, sizeof signature);
}

/* Shown as the core shows it, in a block of its own size. */
static const char *show(const char *token, size_t n, struct skr_bearer *bearer)
{
    char *copy = malloc(n);

    memcpy(copy, token, n);
    make_stale(bearer, sizeof *bearer);
    const char *wrong = oauth.authority.check(oauth.authority.context, copy, n, bearer);
    free(copy);
    return wrong;
}

static void check_reason(const char *reason)
{
    for (; *reason != '\0'; reason++) {
        must(*reason >= ' ' && *reason <= '~' && *reason != '"' && *reason != '\\', "a reason fits a header");
    }
}

/* A second opinion, where claims are written plainly: what stands behind `name`; NULL: it is there more than once, or not at all. */
static const char *only_member(const uint8_t *claims, size_t n, const char *name)
{
    static char text[INPUT_MAX + 1];

    memcpy(text, claims, n);
    text[n] = '\0';
    char *first = strstr(text, name);
    if (strlen(text) != n || first == NULL || strstr(first + 1, name) != NULL) {
        return NULL;
    }
    first += strlen(name);
    return first + strspn(first, " \t\r\n");
}

static uint8_t rights_of(const char *scope)
{
    char words[INPUT_MAX + 3];

    (void)snprintf(words, sizeof words, " %.*s ", (int)strcspn(scope, "\""), scope);
    return strstr(words, " operate ") != NULL ? SKR_MAY_OPERATE : strstr(words, " read ") != NULL ? SKR_MAY_READ : 0;
}

static void check_bearer(const struct skr_bearer *bearer, const uint8_t *claims, size_t n)
{
    char quoted[SKR_BEARER_NAME + 2] = "\"";
    size_t length = strnlen(bearer->name, sizeof bearer->name);

    must(length > 0 && length < sizeof bearer->name, "a user who is let in has a name");
    memcpy(quoted + 1, bearer->name, length);
    quoted[length + 1] = '"';
    must(memchr(bearer->name, '"', length) != NULL || memchr(bearer->name, '\\', length) != NULL ||
             judge_json(quoted, length + 2),
         "a name is text");
    must(bearer->grant.rights <= SKR_MAY_OPERATE, "rights are known ones");
    must(memchr(claims, '\\', n) != NULL || (memmem(claims, n, ISSUER, strlen(ISSUER)) != NULL &&
                                             memmem(claims, n, RESOURCE, strlen(RESOURCE)) != NULL),
         "a token is of this server, for this device");
    if (memchr(claims, '\\', n) == NULL) {
        const char *scope = only_member(claims, n, "\"scope\":\""), *exp = only_member(claims, n, "\"exp\":");
        must(scope == NULL || rights_of(scope) == bearer->grant.rights, "rights are those of the scope");
        must(exp == NULL || exp[strspn(exp, "0123456789")] == '.' || exp[strspn(exp, "0123456789")] == 'e' ||
                 exp[strspn(exp, "0123456789")] == 'E' || *exp == '-' ||
                 oauth.checked[0].until ==
                     (strtoull(exp, NULL, 10) < UINT32_MAX ? strtoull(exp, NULL, 10) : UINT32_MAX),
             "it expires when it says");
    }
}

static void tokens(const uint8_t *data, size_t size, uint8_t how)
{
    static char token[3 * INPUT_MAX];
    struct skr_bearer bearer, again;
    size_t n = make_token(data, size, how, token);

    memset(oauth.checked, 0, sizeof oauth.checked);
    oauth.oldest = 0;
    now = how & UNSET ? 0 : how & LATER ? NOW + 100000000u : NOW;
    const char *wrong = show(token, n, &bearer);
    if (wrong != NULL) {
        check_reason(wrong);
        return;
    }
    must((how & (SIGNED | WRITTEN)) == SIGNED && now != 0, "nobody gets in without a signature, or without a clock");
    const uint8_t *cut = memchr(data, 0xFF, size); /* after it are the claims */
    must(cut != NULL, "nobody gets in without claims");
    check_bearer(&bearer, cut + 1, size - (size_t)(cut + 1 - data));
    must(show(token, n, &again) == NULL && strcmp(bearer.name, again.name) == 0 &&
             memcmp(bearer.grant.sha256, again.grant.sha256, 32) == 0 && bearer.grant.rights == again.grant.rights,
         "who comes back is the same");
    token[size % (n - 90)] ^= 1;
    must(show(token, n, &again) != NULL, "an altered token is nobody's");
    token[size % (n - 90)] ^= 1;
    uint32_t until = oauth.checked[0].until;
    now = UINT32_MAX;
    must((show(token, n, &again) == NULL) == ((uint64_t)now < (uint64_t)until + SKR_OAUTH_LEEWAY_S), "it expires");
}

/* ---- Keys and records ---- */

static void keys(const uint8_t *data, size_t size)
{
    static struct skr_oauth other;
    char *copy = malloc(size);

    memcpy(copy, data, size);
    make_stale(other.keys, sizeof other.keys);
    other.key_count = 0;
    if (skr_oauth_keys(&other, copy, size) == SKR_OAUTH_OK) {
        must(judge_json(copy, size), "a key set is JSON");
        must(other.key_count > 0 && other.key_count <= SKR_OAUTH_KEYS, "there is a key, and there are not too many");
        for (size_t i = 0; i < other.key_count; i++) {
            must(other.keys[i].point[0] == 4 && memchr(other.keys[i].kid, '\0', SKR_OAUTH_KID) != NULL,
                 "a key is a point with a name");
        }
    }
    free(copy);
}

static void records(const uint8_t *data, size_t size)
{
    uint8_t *flash = malloc(RECORD_MAX);
    struct skr_grant grants[SKR_ACCESS_ROWS];

    memset(flash, 0xFF, RECORD_MAX);
    memcpy(flash, data, size < RECORD_MAX ? size : RECORD_MAX);
    if (flash[4] <= SKR_ACCESS_ROWS && flash[5] == 0) {
        uint32_t crc = romfs_crc32(0, flash + 12, flash[4] * 64u);
        for (int i = 0; i < 4; i++) {
            flash[8 + i] = (uint8_t)(crc >> 8 * i);
        }
    }
    make_stale(grants, sizeof grants);
    size_t count = skr_access_record(flash, RECORD_MAX, grants);
    must(count <= SKR_ACCESS_ROWS && (count == 0 || (memcmp(flash, "SKRT", 4) == 0 && flash[4] == count)),
         "a record has the rows it says, or none");
    for (size_t i = 0; i < count; i++) {
        must(grants[i].name > (char *)flash && grants[i].name + strlen(grants[i].name) < (char *)flash + RECORD_MAX &&
                 grants[i].name[0] != '\0',
             "a row has a name");
        must(grants[i].rights == SKR_MAY_READ || grants[i].rights == SKR_MAY_OPERATE, "a row has a right");
    }
    free(flash);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size > INPUT_MAX) {
        return 0;
    }
    uint8_t how = data[0];
    if (how & KEYS) {
        keys(data + 1, size - 1);
    } else if (how & RECORD) {
        records(data + 1, size - 1);
    } else {
        tokens(data + 1, size - 1, how);
    }
    return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static const char set[] =
        "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"a\",\"x\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\","
        "\"y\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}]}";
    static const struct skr_oauth_config config = {.issuer = ISSUER, .resource = RESOURCE, .clock = the_time};

    (void)argc;
    (void)argv;
    must(skr_oauth_open(&oauth, &config) == SKR_OAUTH_OK, "the configuration is sound");
    must(skr_oauth_keys(&oauth, set, sizeof set - 1) == SKR_OAUTH_OK, "the keys are sound");
    return 0;
}
