/* test_request_log.c -- the log of finished requests: skr_server_log_to. */
#include <stdio.h>
#include <string.h>

#include "peer.h"
#include "unity.h"

static char logged[512];
static uint32_t clock_ms;
static size_t sent; /* bytes of all responses */

static uint32_t now(void)
{
    return clock_ms;
}

static void finished(const struct skr_conn *from, const struct skr_finished *what)
{
    size_t n = strlen(logged);

    TEST_ASSERT_EQUAL_PTR(&peer.conn, from);
    sent += what->sent;
    snprintf(logged + n, sizeof logged - n, "%s(%s) %u %d%s%s %s %u;", what->method, what->name, what->status,
             (int)what->code, what->failed ? " failed" : "", what->cut_off ? " cut" : "",
             what->sent > 0 ? "sent" : "nothing", (unsigned)what->took_ms);
}

static const struct skr_request_log request_log = {.finished = finished, .clock_ms = now};

static void start(enum skr_wire wire)
{
    peer_start(wire, 0);
    skr_server_log_to(&peer.server, &request_log);
    peer_open(wire);
    logged[0] = '\0';
    sent = 0;
    clock_ms = UINT32_MAX - 1; /* it wraps around */
}

void setUp(void)
{
    start(SKR_LINE);
}

void tearDown(void)
{
}

#define CALL(members) "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{" members "," META "}}\n"

static void a_line_is_told_with_what_it_is_about(void)
{
    peer_send(CALL("\"name\":\"echo\""), strlen(CALL("\"name\":\"echo\"")));
    clock_ms += 5;
    peer_drain();
    TEST_ASSERT_EQUAL_STRING("tools/call(echo) 0 0 sent 5;", logged);
    logged[0] = '\0';
    peer_exchange(peer_modern("resources/read", "\"uri\":\"skill://alpha/SKILL.md\""));
    peer_exchange(peer_modern("resources/read", "\"uri\":\"skill://nothing\""));
    peer_exchange(peer_modern("tasks/get", "\"taskId\":\"x\",\"uri\":7"));
    peer_exchange(peer_modern("server/discover", ""));
    TEST_ASSERT_EQUAL_STRING(
        "resources/read(skill://alpha/SKILL.md) 0 0 sent 0;resources/read(skill://nothing) 0 -32602 sent 0;"
        "tasks/get(x) 0 -32601 sent 0;server/discover() 0 0 sent 0;",
        logged);
}

static void a_tool_that_fails_is_told_as_such(void)
{
    peer_exchange(CALL("\"name\":\"fail\""));
    TEST_ASSERT_EQUAL_STRING("tools/call(fail) 0 0 failed sent 0;", logged);
}

/* The texts are the client's: what does not fit is cut, and what is not text is not logged. */
static void long_names_are_cut_and_others_left_out(void)
{
    char text[1024], name[2 * SKR_LOG_TEXT], expected[2 * SKR_LOG_TEXT];

    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(text, sizeof text, CALL("\"name\":\"%s\""), name);
    peer_exchange(text);
    snprintf(expected, sizeof expected, "tools/call(%.*s) 0 -32602 sent 0;", SKR_LOG_TEXT - 1, name);
    TEST_ASSERT_EQUAL_STRING(expected, logged);
    logged[0] = '\0';
    peer_exchange("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}\nnonsense\n");
    TEST_ASSERT_EQUAL_STRING("() 0 -32600 sent 0;() 0 -32700 sent 0;", logged);
}

/* Defect 62: the log is UTF-8. */
static void long_names_are_cut_between_characters(void)
{
    char text[1024], name[2 * SKR_LOG_TEXT], expected[2 * SKR_LOG_TEXT];

    for (size_t before = 0; before < 3; before++) {
        memset(name, 'n', before);
        for (size_t n = before; n + 4 < sizeof name; n += 3) {
            memcpy(name + n, "\xE2\x82\xAC", 4);
        }
        size_t whole = before + (SKR_LOG_TEXT - 1 - before) / 3 * 3;
        snprintf(text, sizeof text, CALL("\"name\":\"%s\""), name);
        logged[0] = '\0';
        peer_exchange(text);
        snprintf(expected, sizeof expected, "tools/call(%.*s) 0 -32602 sent 0;", (int)whole, name);
        TEST_ASSERT_EQUAL_STRING(expected, logged);
    }
}

static void notifications_on_a_line_are_not_told(void)
{
    peer_exchange("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
    TEST_ASSERT_EQUAL_STRING("", logged);
}

static void http_logs_its_status_and_what_has_no_method_its_verb(void)
{
    start(SKR_HTTP_1);
    peer_exchange(peer_post(MODERN, DISCOVER));
    peer_exchange("GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n");
    peer_exchange("BREW /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n");
    peer_exchange(peer_post("", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"));
    TEST_ASSERT_EQUAL_STRING("server/discover() 200 0 sent 0;GET() 405 0 sent 0;() 405 0 sent 0;"
                             "notifications/initialized() 202 0 sent 0;",
                             logged);
    logged[0] = '\0';
    peer_exchange("GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n"); /* the page for people */
    TEST_ASSERT_EQUAL_STRING("GET() 200 0 sent 0;", logged);
    logged[0] = '\0';
    peer_exchange("GET /other HTTP/1.1\r\n");
    skr_conn_timed_out(&peer.conn);
    peer_drain();
    TEST_ASSERT_EQUAL_STRING("GET() 408 -32600 sent 0;", logged);
}

static int wait_once(struct skr_call *call)
{
    bool *again = SKR_JOB_STATE_OF(call, bool);

    *again = !*again;
    return *again ? SKR_PENDING : 0;
}

/* Other requests go on meanwhile: each is logged when its own response has left. */
static void a_tool_call_is_logged_when_it_is_answered_or_lost(void)
{
    static const struct skr_tool slow = {.name = "echo", .run = wait_once, .deadline_ms = 1000};
    static const struct skr_device device = {.tools = &slow, .tool_count = 1};

    for (int lost = 0; lost < 2; lost++) {
        start(SKR_LINE);
        TEST_ASSERT_EQUAL(0, skr_server_init(&peer.server, &device, peer.image.p, peer.image.n));
        skr_server_log_to(&peer.server, &request_log);
        peer_open(SKR_LINE);
        TEST_ASSERT_EQUAL_STRING("", peer_exchange(CALL("\"name\":\"echo\"")));
        peer_exchange("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\",\"params\":{" META "}}\n");
        clock_ms += 7;
        if (lost) {
            skr_conn_close(&peer.conn);
        } else {
            skr_server_tick(&peer.server, 1);
            peer_drain();
            TEST_ASSERT_EQUAL(peer.out.n, sent);
        }
        TEST_ASSERT_EQUAL_STRING(lost ? "ping() 0 -32601 sent 0;tools/call(echo) 0 0 cut nothing 7;"
                                      : "ping() 0 -32601 sent 0;tools/call(echo) 0 0 sent 7;",
                                 logged);
    }
}

static void a_response_that_is_cut_off_is_logged_so(void)
{
    const void *bytes;

    peer_send(CALL("\"name\":\"echo\""), strlen(CALL("\"name\":\"echo\"")));
    TEST_ASSERT_TRUE(skr_conn_tx(&peer.conn, &bytes) > 1);
    skr_conn_tx_done(&peer.conn, 1);
    skr_conn_close(&peer.conn);
    TEST_ASSERT_EQUAL_STRING("tools/call(echo) 0 0 cut sent 0;", logged);
    skr_conn_close(&peer.conn); /* it is logged once */
    TEST_ASSERT_EQUAL_STRING("tools/call(echo) 0 0 cut sent 0;", logged);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_line_is_told_with_what_it_is_about);
    RUN_TEST(a_tool_that_fails_is_told_as_such);
    RUN_TEST(long_names_are_cut_and_others_left_out);
    RUN_TEST(long_names_are_cut_between_characters);
    RUN_TEST(notifications_on_a_line_are_not_told);
    RUN_TEST(http_logs_its_status_and_what_has_no_method_its_verb);
    RUN_TEST(a_tool_call_is_logged_when_it_is_answered_or_lost);
    RUN_TEST(a_response_that_is_cut_off_is_logged_so);
    return UNITY_END();
}
