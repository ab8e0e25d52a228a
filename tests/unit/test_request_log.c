/* test_request_log.c -- what a program is told of each request that is over: skr_server_log_to. */
#include <stdio.h>
#include <string.h>

#include "peer.h"
#include "unity.h"

static char told[512];
static uint32_t clock_ms;
static size_t sent; /* bytes of all answers */

static uint32_t now(void)
{
    return clock_ms;
}

static void finished(const struct skr_conn *from, const struct skr_finished *what)
{
    size_t n = strlen(told);
    TEST_ASSERT_EQUAL_PTR(&talk.conn, from);
    sent += what->sent;
    snprintf(told + n, sizeof told - n, "%s(%s) %u %d%s%s %s %u;", what->method, what->name, what->status,
             (int)what->code, what->failed ? " failed" : "", what->cut_off ? " cut" : "",
             what->sent > 0 ? "sent" : "nothing", (unsigned)what->took_ms);
}

static const struct skr_request_log request_log = {.finished = finished, .clock_ms = now};

static void start(enum skr_wire wire)
{
    talk_start(wire, 0);
    skr_server_log_to(&talk.server, &request_log);
    talk_open(wire);
    told[0] = '\0';
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
    talk_send(CALL("\"name\":\"echo\""), strlen(CALL("\"name\":\"echo\"")));
    clock_ms += 5;
    talk_drain();
    TEST_ASSERT_EQUAL_STRING("tools/call(echo) 0 0 sent 5;", told);
    told[0] = '\0';
    talk_ask(talk_modern("resources/read", "\"uri\":\"skill://alpha/SKILL.md\""));
    talk_ask(talk_modern("resources/read", "\"uri\":\"skill://nothing\""));
    talk_ask(talk_modern("tasks/get", "\"taskId\":\"x\",\"uri\":7"));
    talk_ask(talk_modern("server/discover", ""));
    TEST_ASSERT_EQUAL_STRING(
        "resources/read(skill://alpha/SKILL.md) 0 0 sent 0;resources/read(skill://nothing) 0 -32602 sent 0;"
        "tasks/get(x) 0 -32601 sent 0;server/discover() 0 0 sent 0;",
        told);
}

static void a_tool_that_fails_is_told_as_such(void)
{
    talk_ask(CALL("\"name\":\"fail\""));
    TEST_ASSERT_EQUAL_STRING("tools/call(fail) 0 0 failed sent 0;", told);
}

/* The texts are the client's: what does not fit is cut, and what is no text is not told. */
static void long_names_are_cut_and_others_left_out(void)
{
    char text[1024], name[2 * SKR_LOG_TEXT], expected[2 * SKR_LOG_TEXT];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(text, sizeof text, CALL("\"name\":\"%s\""), name);
    talk_ask(text);
    snprintf(expected, sizeof expected, "tools/call(%.*s) 0 -32602 sent 0;", SKR_LOG_TEXT - 1, name);
    TEST_ASSERT_EQUAL_STRING(expected, told);
    told[0] = '\0';
    talk_ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}\nnonsense\n");
    TEST_ASSERT_EQUAL_STRING("() 0 -32600 sent 0;() 0 -32700 sent 0;", told);
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
        told[0] = '\0';
        talk_ask(text);
        snprintf(expected, sizeof expected, "tools/call(%.*s) 0 -32602 sent 0;", (int)whole, name);
        TEST_ASSERT_EQUAL_STRING(expected, told);
    }
}

static void notifications_on_a_line_are_not_told(void)
{
    talk_ask("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
    TEST_ASSERT_EQUAL_STRING("", told);
}

static void http_tells_its_status_and_what_has_no_method_its_verb(void)
{
    start(SKR_HTTP_1);
    talk_ask(talk_post(MODERN, DISCOVER));
    talk_ask("GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n");
    talk_ask("BREW /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n");
    talk_ask(talk_post("", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"));
    TEST_ASSERT_EQUAL_STRING("server/discover() 200 0 sent 0;GET() 405 0 sent 0;() 405 0 sent 0;"
                             "notifications/initialized() 202 0 sent 0;",
                             told);
    told[0] = '\0';
    talk_ask("GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n"); /* the page for people */
    TEST_ASSERT_EQUAL_STRING("GET() 200 0 sent 0;", told);
    told[0] = '\0';
    talk_ask("GET /other HTTP/1.1\r\n");
    skr_conn_timed_out(&talk.conn);
    talk_drain();
    TEST_ASSERT_EQUAL_STRING("GET() 408 -32600 sent 0;", told);
}

static int wait_once(struct skr_call *call)
{
    bool *again = SKR_JOB_STATE_OF(call, bool);
    *again = !*again;
    return *again ? SKR_PENDING : 0;
}

/* Other requests go on meanwhile: each is told when its own answer has left. */
static void a_run_is_told_when_it_is_answered_or_lost(void)
{
    static const struct skr_tool slow = {.name = "echo", .run = wait_once, .deadline_ms = 1000};
    static const struct skr_device device = {.tools = &slow, .tool_count = 1};
    for (int lost = 0; lost < 2; lost++) {
        start(SKR_LINE);
        TEST_ASSERT_EQUAL(0, skr_server_init(&talk.server, &device, talk.image.p, talk.image.n));
        skr_server_log_to(&talk.server, &request_log);
        talk_open(SKR_LINE);
        TEST_ASSERT_EQUAL_STRING("", talk_ask(CALL("\"name\":\"echo\"")));
        talk_ask("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\",\"params\":{" META "}}\n");
        clock_ms += 7;
        if (lost) {
            skr_conn_close(&talk.conn);
        } else {
            skr_server_tick(&talk.server, 1);
            talk_drain();
            TEST_ASSERT_EQUAL(talk.out.n, sent);
        }
        TEST_ASSERT_EQUAL_STRING(lost ? "ping() 0 -32601 sent 0;tools/call(echo) 0 0 cut nothing 7;"
                                      : "ping() 0 -32601 sent 0;tools/call(echo) 0 0 sent 7;",
                                 told);
    }
}

static void an_answer_that_is_cut_off_is_told_so(void)
{
    const void *bytes;
    talk_send(CALL("\"name\":\"echo\""), strlen(CALL("\"name\":\"echo\"")));
    TEST_ASSERT_TRUE(skr_conn_tx(&talk.conn, &bytes) > 1);
    skr_conn_tx_done(&talk.conn, 1);
    skr_conn_close(&talk.conn);
    TEST_ASSERT_EQUAL_STRING("tools/call(echo) 0 0 cut sent 0;", told);
    skr_conn_close(&talk.conn); /* it is told once */
    TEST_ASSERT_EQUAL_STRING("tools/call(echo) 0 0 cut sent 0;", told);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_line_is_told_with_what_it_is_about);
    RUN_TEST(a_tool_that_fails_is_told_as_such);
    RUN_TEST(long_names_are_cut_and_others_left_out);
    RUN_TEST(long_names_are_cut_between_characters);
    RUN_TEST(notifications_on_a_line_are_not_told);
    RUN_TEST(http_tells_its_status_and_what_has_no_method_its_verb);
    RUN_TEST(a_run_is_told_when_it_is_answered_or_lost);
    RUN_TEST(an_answer_that_is_cut_off_is_told_so);
    return UNITY_END();
}
