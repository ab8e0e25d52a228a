/* test_http_response.c -- heads and bodies of HTTP responses: JSON or events, and always the length
 * that was promised. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"
#include "unity.h"

#define READ_LONG                                                                                                      \
    peer_post("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: resources/read\r\nMcp-Name: "                           \
              "skill://alpha/long.txt\r\n",                                                                            \
              "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{"                               \
              "\"uri\":\"skill://alpha/long.txt\"," META "}}")

void setUp(void)
{
    peer_start(SKR_HTTP_1, 512);
}

void tearDown(void)
{
}

static void a_modern_request_is_answered_with_json(void)
{
    const char *text = peer_exchange(peer_post(MODERN, DISCOVER));
    struct response r = peer_response(text);

    TEST_ASSERT_EQUAL(200, r.status);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "Content-Type: application/json\r\n"), text);
    TEST_ASSERT_EQUAL('{', r.body[0]);
    TEST_ASSERT_EQUAL_STRING("", r.end);
    peer_still_responds();
}

/* A port that writes one span at a time would otherwise send it in two packets. */
static void head_and_body_of_a_short_response_are_one_span(void)
{
    struct skr_span spans[SKR_TX_SPANS];

    TEST_ASSERT_EQUAL(200, peer_status(READ_LONG)); /* whatever was sent before */
    const char *request = peer_post("", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
    peer_send(request, strlen(request));
    TEST_ASSERT_EQUAL(1, skr_conn_txv(&peer.conn, spans, SKR_TX_SPANS));
    TEST_ASSERT_NOT_NULL(strstr(spans[0].p, "\r\n\r\n{\"jsonrpc\""));
}

static const char *exchange_for_events(const char *headers, const char *body)
{
    char request[1024];

    snprintf(request, sizeof request,
             "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%s"
             "Accept: text/event-stream\r\nContent-Length: %zu\r\n\r\n%s",
             headers, strlen(body), body);
    return peer_exchange(request);
}

static void who_accepts_events_only_gets_an_event(void)
{
    const char *text = exchange_for_events(MODERN, DISCOVER);
    struct response r = peer_response(text);

    TEST_ASSERT_EQUAL_MESSAGE(200, r.status, text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "Content-Type: text/event-stream\r\n"), text);
    TEST_ASSERT_EQUAL(0, strncmp(r.body, "data: {", 7));
    TEST_ASSERT_EQUAL_STRING("\n\n", r.end - 2);
    text = exchange_for_events("", LIST); /* an error is JSON all the same */
    TEST_ASSERT_EQUAL_MESSAGE(400, peer_response(text).status, text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "Content-Type: application/json\r\n"), text);
}

static void a_notification_is_accepted_without_a_body(void)
{
    const char *text = peer_exchange(peer_post(MODERN, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}"));
    struct response r = peer_response(text);

    TEST_ASSERT_EQUAL(202, r.status);
    TEST_ASSERT_EQUAL(0, r.length);
    peer_still_responds();
}

static void a_subscription_is_a_stream_of_events_that_ends(void)
{
    const char *text =
        peer_exchange(peer_post("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n",
                                "{\"jsonrpc\":\"2.0\",\"id\":\"s\",\"method\":\"subscriptions/listen\",\"params\":{"
                                "\"notifications\":{}," META "}}"));
    struct response r = peer_response(text);

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "text/event-stream"), text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(r.body, "\"id\":\"s\""), text);
    peer_still_responds();
}

static void responses_of_all_sizes_have_the_length_they_say(void)
{
    static const char *const uris[] = {"skill://alpha/data/all.txt",
                                       "skill://alpha/data/bytes.bin",
                                       "skill://alpha/long.txt",
                                       "skill://alpha/empty.txt",
                                       "skill://alpha/zeros.bin",
                                       "skill://nothing",
                                       "test://bytes"};
    char headers[256], body[512];

    for (size_t i = 0; i < sizeof uris / sizeof uris[0]; i++) {
        snprintf(headers, sizeof headers,
                 "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: resources/read\r\nMcp-Name: %s\r\n", uris[i]);
        snprintf(body, sizeof body,
                 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"%s\"," META "}}",
                 uris[i]);
        TEST_ASSERT_EQUAL_MESSAGE(200, peer_status(peer_post(headers, body)), uris[i]);
    }
    peer_still_responds();
}

static unsigned to_put;

static int put_much(struct skr_call *call)
{
    for (unsigned i = 0; i < to_put; i++) {
        skr_put(call, "x");
    }
    return 0;
}

/* Bodies that fit in the buffer with their head, that just do not, and all between. */
static void responses_about_as_large_as_the_buffer_have_the_length_they_say(void)
{
    static const struct skr_tool tool = {.name = "echo", .run = put_much};
    static const struct skr_device device = {.tools = &tool, .tool_count = 1};
    const char *request = peer_post("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n",
                                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
                                    "\"name\":\"echo\"," META "}}");

    peer.server.device = &device;
    for (to_put = SKR_TX_SCRATCH - 700; to_put < SKR_TX_SCRATCH; to_put++) {
        struct response r = peer_response(peer_exchange(request));
        TEST_ASSERT_EQUAL(200, r.status);
        TEST_ASSERT_EQUAL_STRING("", r.end);
        TEST_ASSERT_EQUAL('}', r.end[-1]);
    }
}

/* [VER-22] what a client lacks is a bad request of it */
static void a_client_that_offers_too_little_gets_an_error_status(void)
{
    TEST_ASSERT_EQUAL(
        400, peer_status(peer_post("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: need\r\n",
                                   "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
                                   "\"name\":\"need\"," META "}}")));
}

/* The length was promised before the damage showed; only closing tells the client. */
static void a_response_broken_off_by_damage_closes_the_connection(void)
{
    char *copy = sample_exact_copy(peer.image.p, peer.image.n);

    TEST_ASSERT_EQUAL(ROMFS_OK, romfs_mount(&peer.server.images[0], copy, peer.image.n));
    const struct romfs_node *node = romfs_find(peer.server.fs, "alpha/long.txt", 14);
    memset(copy + node->data + node->stored / 2, 0xFF, node->stored / 2);
    peer_exchange(READ_LONG);
    TEST_ASSERT_TRUE(skr_conn_finished(&peer.conn));
    free(copy);
}

/* A byte of a text file that turned into a control character makes its escaped form longer
 * than the image says. */
static void a_text_longer_than_recorded_does_not_get_the_stream_out_of_step(void)
{
    static const char bytes[] = {'\n', 'x', 1};

    peer_start_raw_text(SKR_HTTP_1);
    char *copy = sample_exact_copy(peer.image.p, peer.image.n);
    TEST_ASSERT_EQUAL(ROMFS_OK, romfs_mount(&peer.server.images[0], copy, peer.image.n));
    const struct romfs_node *node = romfs_find(peer.server.fs, "alpha/long.txt", 14);
    for (size_t i = 0; i < sizeof bytes; i++) {
        copy[node->data + 5] = bytes[i];
        peer_open(SKR_HTTP_1);
        const char *text = peer_exchange(READ_LONG);
        const char *body = strstr(text, "\r\n\r\n") + 4;
        size_t promised = strtoul(strstr(text, "Content-Length: ") + 16, NULL, 10);
        TEST_ASSERT_TRUE_MESSAGE(strlen(body) <= promised, "more bytes than promised");
        TEST_ASSERT_TRUE_MESSAGE(strlen(body) == promised || skr_conn_finished(&peer.conn),
                                 "fewer, and the connection stays");
    }
    free(copy);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_modern_request_is_answered_with_json);
    RUN_TEST(head_and_body_of_a_short_response_are_one_span);
    RUN_TEST(who_accepts_events_only_gets_an_event);
    RUN_TEST(a_notification_is_accepted_without_a_body);
    RUN_TEST(a_subscription_is_a_stream_of_events_that_ends);
    RUN_TEST(responses_of_all_sizes_have_the_length_they_say);
    RUN_TEST(responses_about_as_large_as_the_buffer_have_the_length_they_say);
    RUN_TEST(a_client_that_offers_too_little_gets_an_error_status);
    RUN_TEST(a_response_broken_off_by_damage_closes_the_connection);
    RUN_TEST(a_text_longer_than_recorded_does_not_get_the_stream_out_of_step);
    return UNITY_END();
}
