/* Access tokens: an authorization server's keys, the device's clock, what is remembered of a token, and what the core makes
 * of the verdict [AUTH-10] [AUTH-11]. Forged tokens of every kind are in tests/wire/conformance/clients/forged.mjs. */
#include <stdio.h>
#include <string.h>

#include "../../port/oauth/oauth.h"
#include "bearssl.h"
#include "issuer.h"
#include "peer.h"
#include "sha256.h"
#include "text/encode.h"
#include "unity.h"

#define ISSUER "https://login.example"
#define RESOURCE "https://pump.example:8443/mcp"
#define NOON 1800000000u

static struct skr_oauth oauth;
static uint32_t now;

static uint32_t clock_now(void *context)
{
    return *(const uint32_t *)context;
}

static enum skr_oauth_error keys(const char *jwks)
{
    return skr_oauth_keys(&oauth, jwks, strlen(jwks));
}

#define HEADER "{\"alg\":\"ES256\",\"kid\":\"k\"}"

/* A token that is valid from `from` until `until` for the user `sub`. */
static char *token_for(const char *sub, uint32_t from, uint32_t until)
{
    char claims[1024];

    snprintf(claims, sizeof claims,
             "{\"iss\":\"" ISSUER "\",\"aud\":\"" RESOURCE "\",\"sub\":\"%s\",\"nbf\":%u,\"exp\":%u,\"scope\":"
             "\"openid read\"}",
             sub, (unsigned)from, (unsigned)until);
    return issuer_token(HEADER, claims);
}

/* What is wrong with it; "": nothing. The token may be overwritten, so it is made anew each time. */
static const char *check(const char *sub, uint32_t from, uint32_t until, struct skr_bearer *bearer)
{
    char *token = token_for(sub, from, until);
    const char *wrong = skr_oauth_check(&oauth, token, strlen(token), bearer);

    return wrong != NULL ? wrong : "";
}

static enum skr_oauth_error open_with(const char *issuer, const char *resource, const char *read)
{
    const struct skr_oauth_config config = {
        .issuer = issuer, .resource = resource, .read = read, .clock = clock_now, .context = &now};

    return skr_oauth_open(&oauth, &config);
}

void setUp(void)
{
    now = NOON;
    TEST_ASSERT_EQUAL(SKR_OAUTH_OK, open_with(ISSUER, RESOURCE, NULL));
    TEST_ASSERT_EQUAL(SKR_OAUTH_OK, keys(issuer_set(issuer_key("\"kid\":\"k\","), "")));
}

void tearDown(void)
{
}

/* ---- Configuration ---- */

static void metadata_names_both_servers_and_is_below_the_host(void)
{
    TEST_ASSERT_EQUAL_STRING("https://pump.example:8443/.well-known/oauth-protected-resource/mcp", oauth.authority.url);
    TEST_ASSERT_EQUAL_STRING("/.well-known/oauth-protected-resource/mcp", oauth.authority.paths[0]);
    TEST_ASSERT_EQUAL_STRING("/.well-known/oauth-protected-resource", oauth.authority.paths[1]);
    TEST_ASSERT_EQUAL_STRING(
        "{\"resource\":\"" RESOURCE "\",\"authorization_servers\":[\"" ISSUER
        "\"],\"scopes_supported\":[\"read\",\"operate\"],\"bearer_methods_supported\":[\"header\"]}",
        oauth.authority.metadata.p);
    TEST_ASSERT_EQUAL(SKR_OAUTH_OK, open_with(ISSUER, "http://[::1]:7700/", NULL));
    TEST_ASSERT_EQUAL_STRING("http://[::1]:7700/.well-known/oauth-protected-resource", oauth.authority.url);
    TEST_ASSERT_EQUAL(SKR_OAUTH_OK, open_with(ISSUER, "https://pump.example", NULL));
    TEST_ASSERT_EQUAL_STRING("https://pump.example/.well-known/oauth-protected-resource", oauth.authority.url);
}

static void what_is_no_url_or_scope_is_refused(void)
{
    static const char *const urls[] = {"",           "https://",     "https:///mcp",         "ftp://pump.example",
                                       "pump.local", "https://a b/", "https://pump\"/mcp\"", "https://pump/mcp?x=1",
                                       NULL};
    char long_url[SKR_OAUTH_URL + 1];

    for (size_t i = 0; i < sizeof urls / sizeof urls[0]; i++) {
        TEST_ASSERT_EQUAL(SKR_OAUTH_BAD_URL, open_with(ISSUER, urls[i], NULL));
        TEST_ASSERT_EQUAL(SKR_OAUTH_BAD_URL, open_with(urls[i], RESOURCE, NULL));
    }
    memset(long_url, 'a', sizeof long_url);
    memcpy(long_url, "https://", 8);
    long_url[SKR_OAUTH_URL] = '\0';
    TEST_ASSERT_EQUAL(SKR_OAUTH_BAD_URL, open_with(ISSUER, long_url, NULL));
    long_url[SKR_OAUTH_URL - 1] = '\0';
    TEST_ASSERT_EQUAL(SKR_OAUTH_OK, open_with(long_url, long_url, NULL));
    TEST_ASSERT_EQUAL(SKR_OAUTH_BAD_SCOPE, open_with(ISSUER, RESOURCE, ""));
    TEST_ASSERT_EQUAL(SKR_OAUTH_BAD_SCOPE, open_with(ISSUER, RESOURCE, "two words"));
    TEST_ASSERT_EQUAL(SKR_OAUTH_BAD_SCOPE, open_with(ISSUER, RESOURCE, "quo\"ted"));
    TEST_ASSERT_EQUAL(SKR_OAUTH_BAD_SCOPE, open_with(ISSUER, RESOURCE, "0123456789012345678901234567890123"));
}

/* ---- Keys ---- */

static void keys_of_other_kinds_and_uses_are_left_out(void)
{
    static const char rsa[] = "{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\",\"kid\":\"r\"}";

    TEST_ASSERT_EQUAL(SKR_OAUTH_OK, keys(issuer_set(rsa, issuer_key("\"use\":\"sig\",\"alg\":\"ES256\","))));
    TEST_ASSERT_EQUAL(1, oauth.key_count);
    TEST_ASSERT_EQUAL(SKR_OAUTH_NO_KEY, keys(issuer_set(rsa, "")));
    TEST_ASSERT_EQUAL(SKR_OAUTH_NO_KEY, keys(issuer_set(issuer_key("\"use\":\"enc\","), "")));
    TEST_ASSERT_EQUAL(SKR_OAUTH_NO_KEY, keys(issuer_set(issuer_key("\"alg\":\"ES384\","), "")));
    TEST_ASSERT_EQUAL(SKR_OAUTH_NO_KEY, keys("{\"keys\":[]}"));
}

static void what_is_no_key_set_is_refused(void)
{
    static const char *const texts[] = {
        "", "{}", "[]", "null", "{\"keys\":{}}", "{\"keys\":1}", "\"", "{\"keys\":[}", "-----BEGIN", "{\"keys\":[]}x"};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        TEST_ASSERT_EQUAL_MESSAGE(SKR_OAUTH_NOT_KEYS, keys(texts[i]), texts[i]);
    }
    TEST_ASSERT_EQUAL(SKR_OAUTH_NO_KEY, keys("{\"keys\":[1,\"x\",null,[],{}]}"));
}

static void damaged_and_private_keys_are_refused(void)
{
    char text[1200];

    TEST_ASSERT_EQUAL(SKR_OAUTH_PRIVATE_KEY, keys(issuer_set(issuer_key("\"d\":\"AQAB\","), "")));
    strcpy(text, issuer_set(issuer_key(""), ""));
    char *y = strstr(text, "\"y\":\"") + 5;
    *y = *y == 'A' ? 'B' : 'A';
    TEST_ASSERT_EQUAL(SKR_OAUTH_BAD_KEY, keys(text)); /* no point of the curve */
    strcpy(y, "AAAA\"}]}");
    TEST_ASSERT_EQUAL(SKR_OAUTH_BAD_KEY, keys(text)); /* 3 bytes */
    TEST_ASSERT_EQUAL(SKR_OAUTH_BAD_KEY, keys(issuer_set("{\"kty\":\"EC\",\"crv\":\"P-256\"}", "")));
    TEST_ASSERT_EQUAL(SKR_OAUTH_BAD_KEY, keys(issuer_set(issuer_key("\"x\":\"AQAB\","), "")));
    TEST_ASSERT_EQUAL(SKR_OAUTH_BAD_KEY, keys(issuer_set(issuer_key("\"kid\":7,"), "")));
    strcpy(text, issuer_key("\"kid\":\"k\","));
    TEST_ASSERT_EQUAL(SKR_OAUTH_BAD_KEY, keys(issuer_set(text, issuer_key("\"kid\":\"\\u006b\",")))); /* k again */
}

static void there_may_be_as_many_keys_as_there_is_room_for(void)
{
    static char text[(SKR_OAUTH_KEYS + 1) * 300] = "{\"keys\":[";

    for (unsigned i = 0; i <= SKR_OAUTH_KEYS; i++) {
        char kid[24];
        size_t n = strlen(text);
        snprintf(kid, sizeof kid, "\"kid\":\"%u\",", i);
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", i > 0 ? "," : "", issuer_key(kid));
        strcpy(text + n, "]}");
        TEST_ASSERT_EQUAL(i < SKR_OAUTH_KEYS ? SKR_OAUTH_OK : SKR_OAUTH_TOO_MANY_KEYS, keys(text));
        text[n] = '\0';
    }
}

/* ---- Time ---- */

static void a_token_is_valid_from_its_first_to_its_last_second(void)
{
    struct skr_bearer bearer;

    TEST_ASSERT_EQUAL_STRING("", check("alice", NOON, NOON + 10, &bearer));
    now = NOON - SKR_OAUTH_LEEWAY_S;
    TEST_ASSERT_EQUAL_STRING("", check("alice", NOON, NOON + 10, &bearer));
    now = NOON - SKR_OAUTH_LEEWAY_S - 1;
    TEST_ASSERT_EQUAL_STRING("not valid yet", check("alice", NOON, NOON + 10, &bearer));
    TEST_ASSERT_EQUAL_STRING("not valid yet", check("bob", NOON, NOON + 10, &bearer));
    now = NOON + 10 + SKR_OAUTH_LEEWAY_S - 1;
    TEST_ASSERT_EQUAL_STRING("", check("alice", NOON, NOON + 10, &bearer));
    TEST_ASSERT_EQUAL_STRING("", check("carol", NOON, NOON + 10, &bearer));
    now++;
    TEST_ASSERT_EQUAL_STRING("expired", check("alice", NOON, NOON + 10, &bearer)); /* though it is remembered */
    TEST_ASSERT_EQUAL_STRING("expired", check("dave", NOON, NOON + 10, &bearer));
}

static void without_a_clock_no_token_is_accepted(void)
{
    struct skr_bearer bearer;

    TEST_ASSERT_EQUAL_STRING("", check("alice", 0, UINT32_MAX, &bearer));
    now = 0;
    TEST_ASSERT_EQUAL_STRING("the clock of this device is not set", check("alice", 0, UINT32_MAX, &bearer));
    TEST_ASSERT_EQUAL_STRING("the clock of this device is not set", check("bob", 0, UINT32_MAX, &bearer));
}

/* ---- Who it is ---- */

static void a_renewed_token_is_of_the_same_bearer_and_others_are_not(void)
{
    struct skr_bearer first, renewed, other;

    TEST_ASSERT_EQUAL_STRING("", check("alice", NOON, NOON + 10, &first));
    TEST_ASSERT_EQUAL_STRING("", check("alice", NOON, NOON + 20, &renewed));
    TEST_ASSERT_EQUAL_STRING("", check("bob", NOON, NOON + 10, &other));
    TEST_ASSERT_EQUAL_STRING("alice", first.name);
    TEST_ASSERT_EQUAL(SKR_MAY_READ, first.grant.rights);
    TEST_ASSERT_EQUAL_MEMORY(first.grant.sha256, renewed.grant.sha256, 32);
    TEST_ASSERT_NOT_EQUAL(0, memcmp(first.grant.sha256, other.grant.sha256, 32));
}

static void names_are_decoded_and_bounded(void)
{
    struct skr_bearer bearer;
    char name[SKR_BEARER_NAME + 1];

    TEST_ASSERT_EQUAL_STRING("", check("J\\u00fcrgen \\\"J\\\"", NOON, NOON + 10, &bearer));
    TEST_ASSERT_EQUAL_STRING("J\xC3\xBCrgen \"J\"", bearer.name);
    memset(name, 'n', sizeof name);
    name[SKR_BEARER_NAME] = '\0';
    TEST_ASSERT_EQUAL_STRING("without a usable name (sub)", check(name, NOON, NOON + 10, &bearer));
    name[SKR_BEARER_NAME - 1] = '\0';
    TEST_ASSERT_EQUAL_STRING("", check(name, NOON, NOON + 10, &bearer));
    TEST_ASSERT_EQUAL_STRING(name, bearer.name);
    TEST_ASSERT_EQUAL_STRING("without a usable name (sub)", check("a\\u0000b", NOON, NOON + 10, &bearer));
    TEST_ASSERT_EQUAL_STRING("without a usable name (sub)", check("", NOON, NOON + 10, &bearer));
}

static void more_tokens_than_are_remembered_are_all_accepted(void)
{
    struct skr_bearer bearer;

    for (unsigned round = 0; round < 2; round++) {
        for (unsigned i = 0; i <= SKR_OAUTH_REMEMBERED; i++) {
            char name[16];
            snprintf(name, sizeof name, "user-%u", i);
            TEST_ASSERT_EQUAL_STRING("", check(name, NOON, NOON + 10, &bearer));
            TEST_ASSERT_EQUAL_STRING(name, bearer.name);
        }
    }
}

static void a_token_is_refused_whichever_byte_is_another(void)
{
    struct skr_bearer bearer;
    char whole[2048], token[2048];

    strcpy(whole, token_for("alice", NOON, NOON + 10));
    size_t n = strlen(whole);
    for (size_t i = 0; i < n - 1; i++) { /* the last digit has bits that mean nothing */
        strcpy(token, whole);
        token[i] = token[i] == 'A' ? 'B' : 'A';
        TEST_ASSERT_NOT_NULL(skr_oauth_check(&oauth, token, n, &bearer));
    }
}

static void a_token_is_refused_wherever_it_is_cut(void)
{
    struct skr_bearer bearer;
    char whole[2048], token[2048];

    strcpy(whole, token_for("alice", NOON, NOON + 10));
    for (size_t i = 0; i < strlen(whole); i++) {
        strcpy(token, whole);
        TEST_ASSERT_NOT_NULL(skr_oauth_check(&oauth, token, i, &bearer));
    }
}

/* What is wrong with a signed token that has these claims, and whatever else it needs; "": nothing. */
static const char *claimed(const char *header, const char *iss, const char *aud, const char *exp, const char *rest,
                           struct skr_bearer *bearer)
{
    static char claims[2048];

    snprintf(claims, sizeof claims, "{\"sub\":\"a\",\"iss\":%s,\"aud\":%s,\"exp\":%s%s}", iss, aud, exp, rest);
    char *token = issuer_token(header, claims);
    const char *wrong = skr_oauth_check(&oauth, token, strlen(token), bearer);
    return wrong != NULL ? wrong : "";
}

#define ISS "\"" ISSUER "\""
#define AUD "\"" RESOURCE "\""
#define LATER "1800000300"
#define NO_DATE "without a date when it expires (exp, nbf)"
#define NOT_OURS "for another resource (aud)"
#define NO_KEY "signed with a key that is not known here"

/* Claims that are signed but make no sense: they are never taken for more than they are. */
static const struct {
    const char *header, *iss, *aud, *exp, *rest, *wrong;
} odd[] = {
    {HEADER, ISS, AUD, LATER, "", ""},
    {HEADER, "\"https:\\/\\/login.ex\\u0061mple\"", AUD, LATER, "", ""}, /* another spelling of the same */
    {HEADER, ISS, AUD, "null", "", NO_DATE},
    {HEADER, ISS, AUD, "true", "", NO_DATE},
    {HEADER, ISS, AUD, "\"" LATER "\"", "", NO_DATE},
    {HEADER, ISS, AUD, "[" LATER "]", "", NO_DATE},
    {HEADER, ISS, AUD, "{\"exp\":" LATER "}", "", NO_DATE},
    {HEADER, ISS, AUD, "0", "", "expired"},
    {HEADER, ISS, AUD, "-0", "", "expired"},
    {HEADER, ISS, AUD, "-" LATER, "", "expired"},
    {HEADER, ISS, AUD, "-1e400", "", "expired"},
    {HEADER, ISS, AUD, "1e-400", "", "expired"},
    {HEADER, ISS, AUD, "18e8", "", ""}, /* just now, and clocks may differ */
    {HEADER, ISS, AUD, "1e9", "", "expired"},
    {HEADER, ISS, AUD, "18446744073709551617", "", ""}, /* does not wrap to 1 */
    {HEADER, ISS, AUD, LATER, ",\"nbf\":null", NO_DATE},
    {HEADER, ISS, AUD, LATER, ",\"nbf\":\"0\"", NO_DATE},
    {HEADER, ISS, AUD, LATER, ",\"nbf\":18446744073709551617", "not valid yet"},
    {HEADER, ISS, AUD, LATER, ",\"nbf\":1e400", "not valid yet"},
    {HEADER, ISS, "7", LATER, "", NOT_OURS},
    {HEADER, ISS, "null", LATER, "", NOT_OURS},
    {HEADER, ISS, "[]", LATER, "", NOT_OURS},
    {HEADER, ISS, "{}", LATER, "", NOT_OURS},
    {HEADER, ISS, "[[" AUD "]]", LATER, "", NOT_OURS},
    {HEADER, ISS, "[{\"a\":" AUD "}]", LATER, "", NOT_OURS},
    {HEADER, ISS, "{" AUD ":" AUD "}", LATER, "", NOT_OURS},
    {HEADER, ISS, "\"" RESOURCE "\\u0000\"", LATER, "", NOT_OURS},
    {HEADER, ISS, "\"" RESOURCE "/\"", LATER, "", NOT_OURS},
    {HEADER, ISS, "\"" RESOURCE " https://other.example\"", LATER, "", NOT_OURS},
    {HEADER, "[" ISS "]", AUD, LATER, "", "of another issuer (iss)"},
    {HEADER, "\"" ISSUER "\\u0000\"", AUD, LATER, "", "of another issuer (iss)"},
    {HEADER, ISS, AUD, LATER, ",\"cnf\":null", "bound to a key that was not shown (cnf)"},
    {"{\"alg\":\"ES256\",\"kid\":\"../k\"}", ISS, AUD, LATER, "", NO_KEY},
    {"{\"alg\":\"ES256\",\"kid\":\"k\\u0000\"}", ISS, AUD, LATER, "", NO_KEY},
    {"{\"alg\":\"ES256\",\"kid\":\"K\"}", ISS, AUD, LATER, "", NO_KEY},
    {"{\"alg\":\"ES256\",\"kid\":\"\"}", ISS, AUD, LATER, "", NO_KEY},
    {"{\"alg\":\"ES256\",\"kid\":null}", ISS, AUD, LATER, "", NO_KEY},
    {"{\"alg\":\"ES256\",\"kid\":[\"k\"]}", ISS, AUD, LATER, "", NO_KEY},
    {"{\"alg\":[\"ES256\"],\"kid\":\"k\"}", ISS, AUD, LATER, "", "not signed with ES256"},
    {"{\"alg\":null,\"kid\":\"k\"}", ISS, AUD, LATER, "", "not signed with ES256"},
    {"{\"kid\":\"k\"}", ISS, AUD, LATER, "", "not signed with ES256"},
    {"{\"alg\":\"ES256\\u0000\",\"kid\":\"k\"}", ISS, AUD, LATER, "", "not signed with ES256"},
    {"{\"alg\":\"ES256\",\"typ\":7}", ISS, AUD, LATER, "", "not an access token (typ)"},
    {"{\"alg\":\"ES256\",\"crit\":null}", ISS, AUD, LATER, "", "its header demands an extension (crit)"},
};

static void claims_of_the_wrong_type_are_refused(void)
{
    struct skr_bearer bearer;

    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        char row[16];
        snprintf(row, sizeof row, "row %zu", i);
        const char *wrong = claimed(odd[i].header, odd[i].iss, odd[i].aud, odd[i].exp, odd[i].rest, &bearer);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(odd[i].wrong, wrong, row);
    }
}

static void no_claim_may_be_there_twice(void)
{
    static const char *const names[] = {"iss", "aud", "exp", "nbf", "sub", "client_id", "scope", "cnf"};
    struct skr_bearer bearer;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char twice[100];
        snprintf(twice, sizeof twice, ",\"%s\":1,\"\\u00%02x%s\":1", names[i], (unsigned)names[i][0], names[i] + 1);
        TEST_ASSERT_EQUAL_STRING("a claim is there twice", claimed(HEADER, ISS, AUD, LATER, twice, &bearer));
    }
}

static void claims_may_be_as_deep_as_any_json(void)
{
    struct skr_bearer bearer;
    char rest[1500];

    for (size_t depth = 1; depth <= 700; depth += depth < SKR_JSON_DEPTH + 2 ? 1 : 100) {
        size_t n = (size_t)snprintf(rest, sizeof rest, ",\"x\":");
        memset(rest + n, '[', depth);
        memset(rest + n + depth, ']', depth);
        rest[n + 2 * depth] = '\0';
        const char *wrong = claimed(HEADER, ISS, AUD, LATER, rest, &bearer);
        TEST_ASSERT_EQUAL_STRING(depth < SKR_JSON_DEPTH ? "" : "not a signed token, or damaged", wrong);
    }
}

/* ---- Over HTTP ---- */

static const char *request(const char *token)
{
    static char text[4096];
    static const char body[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

    snprintf(text, sizeof text,
             "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%s%s%sContent-Length: "
             "%zu\r\n\r\n%s",
             token != NULL ? "Authorization: Bearer " : "", token != NULL ? token : "", token != NULL ? "\r\n" : "",
             sizeof body - 1, body);
    return text;
}

static void start_http(void)
{
    peer_start(SKR_HTTP_1, 0);
    struct skr_http_config config = peer.server.http;
    config.authority = &oauth.authority;
    skr_server_http(&peer.server, &config);
    peer_open(SKR_HTTP_1);
}

static void the_core_shows_tokens_to_the_authority_and_names_it_to_others(void)
{
    static const char where[] = "resource_metadata=\"https://pump.example:8443/.well-known/oauth-protected-resource/"
                                "mcp\", scope=\"read\"\r\n";

    start_http();
    TEST_ASSERT_NOT_NULL(strstr(peer_exchange(request(token_for("alice", NOON, NOON + 10))), "200 OK"));
    const char *none = peer_exchange(request(NULL));
    TEST_ASSERT_NOT_NULL(strstr(none, "401 Unauthorized"));
    TEST_ASSERT_NOT_NULL(strstr(none, "WWW-Authenticate: Bearer resource_metadata="));
    TEST_ASSERT_NOT_NULL(strstr(none, where));
    const char *old = peer_exchange(request(token_for("alice", NOON, NOON - 100)));
    TEST_ASSERT_NOT_NULL(strstr(old, "401 Unauthorized"));
    TEST_ASSERT_NOT_NULL(strstr(old, "error=\"invalid_token\", error_description=\"expired\", resource_metadata="));
    TEST_ASSERT_NOT_NULL(strstr(old, where));
    TEST_ASSERT_NOT_NULL(strstr(peer_exchange(request(token_for("alice", NOON, NOON + 10))), "200 OK"));
}

static void the_longest_challenge_fits(void)
{
    static char url[SKR_OAUTH_URL], scope[SKR_OAUTH_SCOPE];

    memset(url, 'u', sizeof url - 1);
    memcpy(url, "https://", 8);
    memset(scope, 's', sizeof scope - 1);
    TEST_ASSERT_EQUAL(SKR_OAUTH_OK, open_with(url, url, scope));
    TEST_ASSERT_EQUAL(SKR_OAUTH_OK, keys(issuer_set(issuer_key("\"kid\":\"another\","), "")));
    start_http();
    const char *said = peer_exchange(request(token_for("alice", NOON, NOON + 10)));
    TEST_ASSERT_NOT_NULL(strstr(said, "signed with a key that is not known here"));
    TEST_ASSERT_NOT_NULL(strstr(said, scope));
    TEST_ASSERT_LESS_THAN(512, strstr(said, "\r\n\r\n") + 4 - said);
    struct response r = peer_response(said); /* it is longer than the room for a head in front of a body */
    TEST_ASSERT_EQUAL(401, r.status);
    TEST_ASSERT_EQUAL_STRING("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":\"No such token\"}}", r.body);
    TEST_ASSERT_EQUAL_STRING("", r.end);
}

static void metadata_is_for_everybody(void)
{
    start_http();
    const char *said = peer_exchange("GET /.well-known/oauth-protected-resource HTTP/1.1\r\nHost: localhost\r\n\r\n");
    TEST_ASSERT_NOT_NULL(strstr(said, "200 OK"));
    TEST_ASSERT_NOT_NULL(strstr(said, oauth.metadata));
    said = peer_exchange("HEAD /.well-known/oauth-protected-resource/mcp HTTP/1.1\r\nHost: localhost\r\n\r\n");
    TEST_ASSERT_NOT_NULL(strstr(said, "200 OK"));
    TEST_ASSERT_NULL(strstr(said, "authorization_servers"));
    said = peer_exchange("DELETE /.well-known/oauth-protected-resource HTTP/1.1\r\nHost: localhost\r\n\r\n");
    TEST_ASSERT_NOT_NULL(strstr(said, "405 Method Not Allowed\r\nAllow: GET, HEAD\r\n"));
    said = peer_exchange("GET /.well-known/oauth-protected-resource HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    TEST_ASSERT_NOT_NULL(strstr(said, "403 Forbidden"));
    said = peer_exchange("GET /.well-known/oauth-authorization-server HTTP/1.1\r\nHost: localhost\r\n\r\n");
    TEST_ASSERT_NOT_NULL(strstr(said, "404 Not Found"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(metadata_names_both_servers_and_is_below_the_host);
    RUN_TEST(what_is_no_url_or_scope_is_refused);
    RUN_TEST(keys_of_other_kinds_and_uses_are_left_out);
    RUN_TEST(what_is_no_key_set_is_refused);
    RUN_TEST(damaged_and_private_keys_are_refused);
    RUN_TEST(there_may_be_as_many_keys_as_there_is_room_for);
    RUN_TEST(a_token_is_valid_from_its_first_to_its_last_second);
    RUN_TEST(without_a_clock_no_token_is_accepted);
    RUN_TEST(a_renewed_token_is_of_the_same_bearer_and_others_are_not);
    RUN_TEST(names_are_decoded_and_bounded);
    RUN_TEST(more_tokens_than_are_remembered_are_all_accepted);
    RUN_TEST(a_token_is_refused_whichever_byte_is_another);
    RUN_TEST(a_token_is_refused_wherever_it_is_cut);
    RUN_TEST(claims_of_the_wrong_type_are_refused);
    RUN_TEST(no_claim_may_be_there_twice);
    RUN_TEST(claims_may_be_as_deep_as_any_json);
    RUN_TEST(the_core_shows_tokens_to_the_authority_and_names_it_to_others);
    RUN_TEST(the_longest_challenge_fits);
    RUN_TEST(metadata_is_for_everybody);
    return UNITY_END();
}
