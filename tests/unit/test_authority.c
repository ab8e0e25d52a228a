/* test_authority.c -- tokens that an authorization server gives: what the core tells those who have none, a bad one, or one
 * that allows too little [AUTH-04] [AUTH-10]. How such tokens are checked is in test_oauth.c. */
#include <stdio.h>
#include <string.h>

#include "peer.h"
#include "unity.h"

#define METADATA "{\"resource\":\"https://pump.example/mcp\"}"
#define WHERE "resource_metadata=\"https://pump.example/about\""

/* The token says what it may do. */
static const char *check(void *context, char *token, size_t n, struct skr_bearer *bearer)
{
    TEST_ASSERT_NULL(context);
    bool reads = n == 4 && memcmp(token, "read", n) == 0, nothing = n == 4 && memcmp(token, "idle", n) == 0;
    if (!reads && !nothing) {
        return "it is not one of ours";
    }
    memset(bearer, 0, sizeof *bearer);
    snprintf(bearer->name, sizeof bearer->name, "alice");
    bearer->grant.rights = reads ? SKR_MAY_READ : 0;
    return NULL;
}

static const struct skr_authority authority = {.check = check,
                                               .metadata = {METADATA, sizeof METADATA - 1},
                                               .paths = {"/about", "/about/mcp"},
                                               .url = "https://pump.example/about",
                                               .read = "pump:read",
                                               .operate = "pump:run"};

void setUp(void)
{
    peer_start(SKR_HTTP_1, 0);
    const struct skr_http_config config = {.path = "/mcp", .loopback = true, .authority = &authority};
    skr_server_http(&peer.server, &config);
    peer_open(SKR_HTTP_1);
}

void tearDown(void)
{
}

static void is(int status, const char *challenge, const char *request)
{
    struct response r = peer_response(peer_exchange(request));

    TEST_ASSERT_EQUAL_MESSAGE(status, r.status, r.head);
    TEST_ASSERT_EQUAL_STRING("", r.end);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(r.head, challenge), r.head);
}

#define CALL(tool)                                                                                                     \
    peer_post("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: " tool                          \
              "\r\nAuthorization: Bearer read\r\n",                                                                    \
              "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"" tool "\"," META "}}")

static void who_has_no_token_is_told_where_to_get_one(void)
{
    is(401, "\r\nWWW-Authenticate: Bearer " WHERE ", scope=\"pump:read\"\r\n", peer_post(MODERN, DISCOVER));
    is(401, "\r\nWWW-Authenticate: Bearer " WHERE ", scope=\"pump:read\"\r\n",
       peer_post(MODERN "Authorization: Basic read\r\n", DISCOVER));
}

static void who_has_a_bad_one_is_told_why(void)
{
    is(401,
       "\r\nWWW-Authenticate: Bearer error=\"invalid_token\", error_description=\"it is not one of ours\", " WHERE
       ", scope=\"pump:read\"\r\n",
       peer_post(MODERN "Authorization: Bearer what\r\n", DISCOVER));
}

static void who_may_do_too_little_is_told_which_scope_is_missing(void)
{
    is(403, "\r\nWWW-Authenticate: Bearer error=\"insufficient_scope\", " WHERE ", scope=\"pump:read\"\r\n",
       peer_post(MODERN "Authorization: Bearer idle\r\n", DISCOVER));
    is(403, "\r\nWWW-Authenticate: Bearer error=\"insufficient_scope\", " WHERE ", scope=\"pump:run\"\r\n",
       CALL("echo"));
}

static void who_may_read_reads_and_is_known_by_name(void)
{
    TEST_ASSERT_NULL(skr_conn_who(&peer.conn));
    const char *request = peer_post(MODERN "Authorization: bearer read\r\n", DISCOVER);
    peer_send(request, strlen(request));
    TEST_ASSERT_EQUAL_STRING("alice", skr_conn_who(&peer.conn));
    peer_drain();
    TEST_ASSERT_EQUAL(200, peer_response(buf_str(&peer.out)).status);
    TEST_ASSERT_NULL(skr_conn_who(&peer.conn)); /* nothing of it is left for the next request [AUTH-02] */
}

/* Two readers might take one token each; but where nothing depends on a token it is not looked at. */
static void a_second_token_is_refused_where_tokens_count(void)
{
    is(400, "Connection: close",
       peer_post(MODERN "Authorization: Bearer read\r\nAuthorization: Bearer read\r\n", DISCOVER));
    peer_open(SKR_HTTP_1);
    is(404, "404",
       "POST /other HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n"
       "Content-Length: 0\r\n\r\n");
    is(200, METADATA,
       "GET /about HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n");
    const struct skr_http_config open = {.path = "/mcp", .loopback = true, .anyone = true};
    skr_server_http(&peer.server, &open);
    is(200, "200 OK", peer_post(MODERN "Authorization: Bearer a\r\nAuthorization: Bearer b\r\n", DISCOVER));
}

/* The reader asks for it before anything else, on a link that may be slow. */
static void metadata_leaves_with_its_head_immediately(void)
{
    static const char request[] = "GET /about HTTP/1.1\r\nHost: localhost\r\n\r\n";
    struct skr_span spans[SKR_TX_SPANS];
    size_t total = 0;

    peer_send(request, sizeof request - 1);
    size_t count = skr_conn_txv(&peer.conn, spans, SKR_TX_SPANS);
    for (size_t i = 0; i < count; i++) {
        total += spans[i].n;
    }
    skr_conn_tx_done(&peer.conn, total);
    TEST_ASSERT_EQUAL(0, skr_conn_txv(&peer.conn, spans, SKR_TX_SPANS));
    TEST_ASSERT_GREATER_THAN(sizeof METADATA, total);
}

static void metadata_is_for_everybody_and_needs_no_connection_that_stays(void)
{
    is(200, METADATA, "GET /about/mcp HTTP/1.1\r\nHost: localhost\r\n\r\n");
    TEST_ASSERT_FALSE(skr_conn_finished(&peer.conn));
    is(200, "\r\nConnection: close\r\n\r\n" METADATA,
       "GET /about HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    TEST_ASSERT_TRUE(skr_conn_finished(&peer.conn));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(who_has_no_token_is_told_where_to_get_one);
    RUN_TEST(who_has_a_bad_one_is_told_why);
    RUN_TEST(who_may_do_too_little_is_told_which_scope_is_missing);
    RUN_TEST(who_may_read_reads_and_is_known_by_name);
    RUN_TEST(a_second_token_is_refused_where_tokens_count);
    RUN_TEST(metadata_leaves_with_its_head_immediately);
    RUN_TEST(metadata_is_for_everybody_and_needs_no_connection_that_stays);
    return UNITY_END();
}
