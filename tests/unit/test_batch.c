/* test_batch.c -- JSON-RPC batches, which only 2025-03-26 has: on a line and over HTTP. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"
#include "unity.h"

#define ONE "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"
#define TWO "{\"jsonrpc\":\"2.0\",\"id\":\"two\",\"method\":\"ping\"}"
#define NOTIFICATION "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}"
#define PONG_ONE "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"
#define PONG_TWO "{\"jsonrpc\":\"2.0\",\"id\":\"two\",\"result\":{}}"

void setUp(void)
{
    peer_start(SKR_LINE, 512);
    peer_initialize("2025-03-26");
}

void tearDown(void)
{
}

static void a_batch_is_answered_with_a_batch(void)
{
    TEST_ASSERT_EQUAL_STRING("[" PONG_ONE "]\n", peer_exchange("[" ONE "]\n"));
    TEST_ASSERT_EQUAL_STRING("[" PONG_ONE "," PONG_TWO "]\n", peer_exchange("[" ONE "," TWO "]\n"));
    TEST_ASSERT_EQUAL_STRING("[" PONG_ONE "," PONG_TWO "]\n", peer_exchange(" [ " ONE " ,\t" TWO " ] \r\n"));
    TEST_ASSERT_EQUAL_STRING(PONG_ONE "\n", peer_exchange(ONE "\n"));
}

static void notifications_in_a_batch_have_no_place_in_the_response(void)
{
    TEST_ASSERT_EQUAL_STRING("[" PONG_ONE "," PONG_TWO "]\n",
                             peer_exchange("[" NOTIFICATION "," ONE "," NOTIFICATION "," TWO "," NOTIFICATION "]\n"));
    TEST_ASSERT_EQUAL_STRING("", peer_exchange("[" NOTIFICATION "]\n"));
    TEST_ASSERT_EQUAL_STRING("", peer_exchange("[" NOTIFICATION "," NOTIFICATION "]\n"));
    TEST_ASSERT_EQUAL_STRING(PONG_ONE "\n", peer_exchange(ONE "\n"));
}

static void an_empty_batch_is_an_invalid_request(void)
{
    const char *response = peer_exchange("[ ]\n");

    TEST_ASSERT_EQUAL_MESSAGE(0, strncmp(response, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600", 39), response);
    TEST_ASSERT_EQUAL_STRING(PONG_ONE "\n", peer_exchange(ONE "\n"));
}

static void elements_that_are_no_requests_get_errors_of_their_own(void)
{
    const char *response = peer_exchange("[1," ONE ",[],[" ONE "],\"],\",{},null]\n");
    unsigned errors = 0;

    for (const char *p = response; (p = strstr(p, "\"code\":-32600")) != NULL; p++) {
        errors++;
    }
    TEST_ASSERT_EQUAL_MESSAGE(6, errors, response);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, PONG_ONE), response);
    TEST_ASSERT_EQUAL_STRING("]\n", response + strlen(response) - 2);
}

static void brackets_and_commas_in_strings_divide_nothing(void)
{
    const char *response = peer_exchange("[{\"jsonrpc\":\"2.0\",\"id\":\"],[{\\\"\",\"method\":\"ping\"}," ONE "]\n");

    TEST_ASSERT_EQUAL_STRING("[{\"jsonrpc\":\"2.0\",\"id\":\"],[{\\\"\",\"result\":{}}," PONG_ONE "]\n", response);
}

static void initialize_and_modern_requests_cannot_be_in_a_batch(void)
{
    const char *response =
        peer_exchange("[{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
                      "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}]\n");

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"id\":5,\"error\":{\"code\":-32600"), response);
    char request[1024];
    snprintf(request, sizeof request, "[%.*s]\n", (int)strlen(peer_modern("tools/list", "")) - 1,
             peer_modern("tools/list", ""));
    response = peer_exchange(request);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"error\":{\"code\":-32600"), response);
    TEST_ASSERT_EQUAL_STRING("[" PONG_ONE "]\n", peer_exchange("[" ONE "]\n")); /* and nothing has changed */
}

static void other_versions_have_no_batches(void)
{
    static const char *const versions[] = {"2024-11-05", "2025-06-18", "2025-11-25"};

    for (size_t i = 0; i < 3; i++) {
        peer_open(SKR_LINE);
        peer_initialize(versions[i]);
        const char *response = peer_exchange("[" ONE "]\n");
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "A batch is not part of this protocol version"), response);
    }
    peer_open(SKR_LINE);
    TEST_ASSERT_NOT_NULL(strstr(peer_exchange("[" ONE "]\n"), "A batch is not part of this protocol version"));
}

static struct buf large_batch(void)
{
    struct buf b = {0};

    buf_puts(&b, "[");
    for (int i = 0; i < 200; i++) {
        buf_printf(&b, "%s{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":{\"uri\":\"skill://alpha/%s\"}}",
                   i > 0 ? "," : "", i, i % 3 == 0 ? "ping" : "resources/read",
                   i % 3 == 1 ? "long.txt" : "data/b\\u0079tes.bin");
    }
    buf_puts(&b, "]");
    return b;
}

static void a_large_batch_is_answered_the_same_in_any_portions(void)
{
    struct buf b = large_batch();

    buf_puts(&b, "\n" ONE "\n");
    char *expected = strdup(peer_exchange(buf_str(&b)));
    for (size_t portion = 1; portion < 3000; portion = portion * 3 + 1) {
        peer_open(SKR_LINE);
        peer_initialize("2025-03-26");
        peer.take = portion;
        for (size_t at = 0; at < b.n; at += portion) {
            peer_send(b.p + at, b.n - at < portion ? b.n - at : portion);
            peer_drain();
        }
        TEST_ASSERT_EQUAL_STRING(expected, buf_str(&peer.out));
        peer.take = 0;
    }
    free(expected);
}

/* ---- Over HTTP ---- */

static char session[128];

static void start_http(void)
{
    static const char initialize[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-"
        "26\","
        "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}";
    char id[33] = "";

    peer_start(SKR_HTTP_1, 512);
    const char *at = strstr(peer_exchange(peer_post("", initialize)), "Mcp-Session-Id: ");
    TEST_ASSERT_NOT_NULL(at);
    sscanf(at, "Mcp-Session-Id: %32[0-9a-f]", id);
    snprintf(session, sizeof session, "Mcp-Session-Id: %s\r\n", id);
}

/* The chunks of the response joined, its end checked; NULL when it is broken. */
static const char *joined(const char *text)
{
    static struct buf body;
    const char *p = strstr(text, "\r\n\r\n");

    body.n = 0;
    if (p == NULL || strstr(text, "Transfer-Encoding: chunked") == NULL) {
        return NULL;
    }
    for (p += 4;;) {
        char *end;
        size_t n = strtoul(p, &end, 16);
        if (end == p || strncmp(end, "\r\n", 2) != 0 || strlen(end + 2) < n + 2 ||
            strncmp(end + 2 + n, "\r\n", 2) != 0) {
            return NULL;
        }
        buf_add(&body, end + 2, n);
        p = end + 2 + n + 2;
        if (n == 0) {
            return *p == '\0' ? buf_str(&body) : NULL;
        }
    }
}

static void over_http_a_batch_leaves_in_chunks(void)
{
    start_http();
    TEST_ASSERT_EQUAL_STRING("[" PONG_ONE "," PONG_TWO "]",
                             joined(peer_exchange(peer_post(session, "[" ONE "," NOTIFICATION "," TWO "]"))));
    TEST_ASSERT_EQUAL(200, peer_status(peer_post(MODERN, DISCOVER)));
    TEST_ASSERT_EQUAL(202, peer_status(peer_post(session, "[" NOTIFICATION "," NOTIFICATION "]")));
    TEST_ASSERT_EQUAL(400, peer_status(peer_post(session, "[]")));
    TEST_ASSERT_EQUAL(200, peer_status(peer_post(MODERN, DISCOVER)));
}

static void over_http_a_large_batch_is_whole_in_any_portions(void)
{
    struct buf b = {0}, batch = large_batch();

    start_http();
    buf_printf(&b,
               "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%sContent-Length: "
               "%zu\r\n\r\n%s",
               session, batch.n, buf_str(&batch));
    char *expected = strdup(peer_exchange(buf_str(&b)));
    TEST_ASSERT_NOT_NULL(joined(expected));
    for (size_t take = 1; take < 20000; take = take * 5 + 1) {
        peer.take = take;
        TEST_ASSERT_EQUAL_STRING(expected, peer_exchange(buf_str(&b)));
    }
    peer.take = 0;
    TEST_ASSERT_EQUAL(200, peer_status(peer_post(MODERN, DISCOVER)));
    free(expected);
}

/* ---- Damage in the middle ---- */

#define READ                                                                                                           \
    "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"resources/read\",\"params\":{\"uri\":\"skill://alpha/"                 \
    "long.txt\"}}"

/* Breaks the deflated file of the image being served. The copy is to be freed. */
static char *damage(void)
{
    char *copy = sample_exact_copy(peer.image.p, peer.image.n);

    TEST_ASSERT_EQUAL(ROMFS_OK, romfs_mount(&peer.server.images[0], copy, peer.image.n));
    const struct romfs_node *node = romfs_find(peer.server.fs, "alpha/long.txt", 14);
    TEST_ASSERT_TRUE((node->flags & ROMFS_DEFLATE) != 0);
    memset(copy + node->data + node->stored / 2, 0xFF, node->stored / 2);
    return copy;
}

static void on_a_line_damage_costs_no_more_than_the_batch(void)
{
    char *copy = damage();
    const char *response = peer_exchange("[" ONE "," READ "," TWO "]\n");

    TEST_ASSERT_EQUAL_MESSAGE('\n', response[strlen(response) - 1], response);
    TEST_ASSERT_EQUAL_STRING(PONG_ONE "\n", peer_exchange(ONE "\n"));
    free(copy);
}

static void over_http_damage_in_a_batch_ends_the_connection(void)
{
    start_http();
    char *copy = damage();
    const char *response = peer_exchange(peer_post(session, "[" ONE "," READ "," TWO "]"));
    TEST_ASSERT_TRUE_MESSAGE(joined(response) != NULL || skr_conn_finished(&peer.conn),
                             "broken chunks, and the connection goes on");
    free(copy);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_batch_is_answered_with_a_batch);
    RUN_TEST(notifications_in_a_batch_have_no_place_in_the_response);
    RUN_TEST(an_empty_batch_is_an_invalid_request);
    RUN_TEST(elements_that_are_no_requests_get_errors_of_their_own);
    RUN_TEST(brackets_and_commas_in_strings_divide_nothing);
    RUN_TEST(initialize_and_modern_requests_cannot_be_in_a_batch);
    RUN_TEST(other_versions_have_no_batches);
    RUN_TEST(a_large_batch_is_answered_the_same_in_any_portions);
    RUN_TEST(over_http_a_batch_leaves_in_chunks);
    RUN_TEST(over_http_a_large_batch_is_whole_in_any_portions);
    RUN_TEST(on_a_line_damage_costs_no_more_than_the_batch);
    RUN_TEST(over_http_damage_in_a_batch_ends_the_connection);
    return UNITY_END();
}
