/* test_client_request_kept.c -- what is kept of clients and their tool calls, and for how long: capabilities, the slot of a
 * job, the tasks of a session. The device is elicitor.h's; handlers are here. */
#include <stdio.h>
#include <string.h>

#include "elicitor.h"
#include "unity.h"

#define SCHEMA "{\"type\":\"object\",\"properties\":{}}"
#define CALL(name) "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"" name "\"}}"
#define TASK(name)                                                                                                     \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"" name "\",\"task\":{}}}"

void setUp(void)
{
    asker_start();
}

void tearDown(void)
{
}

/* ---- What a client can do ---- */

static int sample(struct skr_call *call)
{
    struct skr_reply reply;

    if (!skr_sample(call, "what", "What?", 10, &reply)) {
        return SKR_PENDING;
    }
    skr_put(call, "asked");
    return 0;
}

/* Without sessions nobody knows what the client of a request said that it can do. */
static void without_sessions_an_older_client_can_do_nothing(void)
{
    struct skr_http_config config = asker_server.http;

    config.sessionless = true;
    skr_server_http(&asker_server, &config);
    asker_does.run = sample;
    asker_open_http(0);
    asker_post(0, CALL("any"));
    asker_expect(0, "\"text\":\"This needs a client that offers sampling\"");
}

static int name_root(struct skr_call *call)
{
    struct skr_span uri, name;
    struct skr_reply reply;

    if (!skr_list_roots(call, "roots", &reply)) {
        return SKR_PENDING;
    }
    for (unsigned i = 0; skr_reply_root(&reply, i, &uri, &name); i++) {
        skr_put_span(call, uri);
        skr_putf(call, " %d ", (int)name.n);
        skr_put_span(call, name);
        skr_put(call, ";");
    }
    return 0;
}

static void a_root_need_not_have_a_name(void)
{
    asker_does.run = name_root;
    asker_send(0,
               "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
               "\"capabilities\":{\"roots\":{}},\"clientInfo\":{\"name\":\"a\",\"version\":\"1\"}}}\n");
    asker_expect(0, "\"result\"");
    asker_call_legacy("any");
    asker_expect(0, "roots/list");
    asker_send(0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"roots\":[{\"uri\":\"file:///a\"},"
                  "{\"uri\":\"file:///b\",\"name\":\"B\"},{\"uri\":\"file:///c\"}]}}\n");
    asker_expect(0, "\"text\":\"file:///a 0 ;file:///b 1 B;file:///c 0 ;\"");
}

static int log_and_elicit(struct skr_call *call)
{
    struct skr_reply reply;

    skr_log(call, SKR_LOG_ERROR, "something");
    (void)skr_elicit_form(call, "one", "One?", SCHEMA, &reply);
    return SKR_PENDING;
}

/* In one call of the handler: each is sent, in that order. */
static void what_is_told_comes_before_what_is_asked(void)
{
    asker_does.run = log_and_elicit;
    asker_shake_hands();
    asker_call_legacy("any");
    const char *text = asker_heard(0), *logged = strstr(text, "notifications/message"), *asked = strstr(text, "One?");
    TEST_ASSERT_NOT_NULL_MESSAGE(logged, text);
    TEST_ASSERT_NOT_NULL_MESSAGE(asked, text);
    TEST_ASSERT_TRUE_MESSAGE(logged < asked, text);
}

/* ---- What a handler keeps ---- */

/* Any of its bytes makes it one. */
static void a_seed_may_begin_with_a_zero(void)
{
    uint8_t seed[16] = {0};

    skr_server_seed(&asker_server, seed);
    asker_call_modern("ask", "");
    asker_expect(0, "the device has no seed");
    for (unsigned i = 0; i < sizeof seed; i++) {
        seed[i] = 1;
        skr_server_seed(&asker_server, seed);
        asker_call_modern("ask", "");
        asker_expect(0, "\"requestState\":");
        seed[i] = 0;
    }
}

static int work_then_elicit(struct skr_call *call)
{
    bool *worked = SKR_JOB_STATE_OF(call, bool);
    struct skr_reply reply;

    if (!*worked) {
        *worked = true;
        return SKR_PENDING;
    }
    if (!skr_elicit_form(call, "one", "One?", SCHEMA, &reply)) {
        return SKR_PENDING;
    }
    skr_put(call, "asked");
    return 0;
}

/* [MRTR-03] The state is the client's then, and it may never come back. */
static void a_tool_call_that_asks_after_a_while_holds_no_slot_either(void)
{
    asker_does.run = work_then_elicit;
    for (unsigned i = 0; i <= SKR_JOBS; i++) {
        asker_call_modern("large", "");
        TEST_ASSERT_EQUAL_STRING("", asker_heard(0));
        asker_tick(1);
        asker_expect(0, "\"inputRequests\":{\"one\":");
    }
}

static bool replied;

/* Each of them fits, but not both. */
static int elicit_too_much(struct skr_call *call)
{
    static char text[SKR_JOB_OUTPUT_MAX * 5 / 8];
    struct skr_reply reply;

    memset(text, 'q', sizeof text - 1);
    replied = skr_elicit_form(call, "one", text, SCHEMA, &reply) || skr_elicit_form(call, "two", text, SCHEMA, &reply);
    return SKR_PENDING;
}

static void client_requests_share_the_room_for_output(void)
{
    asker_does.run = elicit_too_much;
    asker_call_modern("large", "");
    asker_expect(0, "the client request exceeds SKR_JOB_OUTPUT_MAX (65536 bytes)");
    TEST_ASSERT_FALSE(replied);
}

static int elicit_and_put(struct skr_call *call)
{
    struct skr_reply reply;

    (void)skr_elicit_form(call, "one", "One?", SCHEMA, &reply);
    for (unsigned i = 0; i < SKR_JOB_OUTPUT_MAX; i++) {
        skr_put(call, "x");
    }
    return SKR_PENDING;
}

/* Next to it is that of another run. */
static void what_is_put_after_a_client_request_stays_in_its_room(void)
{
    asker_does.run = elicit_and_put;
    asker_shake_hands();
    memset(asker_server.job_output[1], 'o', SKR_JOB_OUTPUT_MAX);
    asker_call_legacy("large");
    asker_expect(0, "One?");
    TEST_ASSERT_EACH_EQUAL_CHAR('o', asker_server.job_output[1], SKR_JOB_OUTPUT_MAX);
}

static int elicit_then_work(struct skr_call *call)
{
    unsigned *calls = SKR_JOB_STATE_OF(call, unsigned);
    struct skr_reply reply;

    switch ((*calls)++) {
    case 0: (void)skr_elicit_form(call, "one", "One?", SCHEMA, &reply); return SKR_PENDING;
    case 1:
        if (skr_elicit_form(call, "one", "One?", SCHEMA, &reply)) {
            skr_put(call, "asked, ");
        }
        return SKR_PENDING;
    default: skr_put(call, "worked"); return 0;
    }
}

/* It is put after the question, and moves when that goes. */
static void what_is_put_with_the_last_reply_is_part_of_the_result(void)
{
    asker_does.run = elicit_then_work;
    asker_shake_hands();
    asker_call_legacy("any");
    asker_expect(0, "One?");
    asker_send(0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\",\"content\":{}}}\n");
    asker_tick(1);
    asker_expect(0, "\"text\":\"asked, worked\"");
}

static int elicit_once(struct skr_call *call)
{
    bool *asked = SKR_JOB_STATE_OF(call, bool);
    struct skr_reply reply;

    if (!*asked) {
        *asked = true;
        (void)skr_elicit_form(call, "one", "One?", SCHEMA, &reply);
    }
    return SKR_PENDING;
}

/* The handler does not care, and goes on. */
static void a_tool_call_whose_client_request_gets_no_reply_says_so(void)
{
    asker_does.run = elicit_once;
    asker_shake_hands();
    asker_call_legacy("any");
    asker_expect(0, "One?");
    asker_tick(1);
    asker_tick(SKR_CLIENT_REQUEST_MS);
    asker_expect(0, "\"text\":\"timed out: no reply came within ");
}

/* ---- Tasks ---- */

static const char *task_of(const char *text)
{
    static char task[33];
    const char *at = strstr(text, "\"taskId\":\"");

    TEST_ASSERT_NOT_NULL_MESSAGE(at, text);
    snprintf(task, sizeof task, "%.32s", at + 10);
    return task;
}

static const char *preferred;

/* Asks for both, and is content with the one that it prefers. */
static int want_either(struct skr_call *call)
{
    unsigned *calls = SKR_JOB_STATE_OF(call, unsigned);
    struct skr_reply reply;

    switch ((*calls)++) {
    case 0: break; /* it becomes a task only if it does not ask immediately */
    case 1:
        (void)skr_elicit_form(call, "one", "One?", SCHEMA, &reply);
        (void)skr_elicit_form(call, "two", "Two?", SCHEMA, &reply);
        break;
    default: replied = skr_elicit_form(call, preferred, "?", SCHEMA, &reply);
    }
    return SKR_PENDING;
}

/* [TSK-07] Whichever of them was answered: one that is not asked again is not open any more. */
static void what_a_task_no_longer_asks_is_not_open(void)
{
    static const char *const keys[] = {"one", "two"};

    asker_does.run = want_either;
    for (unsigned i = 0; i < 2; i++) {
        char text[512];
        preferred = keys[i];
        asker_call_modern("any", "");
        const char *task = task_of(asker_heard(0));
        asker_tick(1);
        snprintf(text, sizeof text,
                 "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tasks/update\",\"params\":{\"taskId\":\"%s\","
                 "\"inputResponses\":{\"%s\":{\"action\":\"accept\",\"content\":{}}}," ASKER_META "}}\n",
                 task, keys[i]);
        asker_send(0, text);
        asker_expect(0, "\"result\":{");
        TEST_ASSERT_TRUE(replied);
        snprintf(text, sizeof text,
                 "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"%s\"," ASKER_META
                 "}}\n",
                 task);
        asker_send(0, text);
        asker_expect(0, "\"status\":\"working\"");
    }
}

static int never_end(struct skr_call *call)
{
    (void)call;
    return SKR_PENDING;
}

/* Their handlers may go on for a while, but a client without a session has not begun them. */
static void tasks_of_a_session_that_has_ended_count_for_nobody(void)
{
    char text[512];

    asker_does.run = never_end;
    asker_shake_hands_over_http();
    for (unsigned i = 0; i < SKR_CLIENT_TASKS; i++) {
        asker_post(0, TASK("any"));
        asker_expect(0, "\"status\":\"working\"");
    }
    asker_post(0, TASK("any"));
    asker_expect(0, "as many unfinished tasks as one may have");
    snprintf(text, sizeof text, "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: %s\r\n\r\n", asker_session);
    asker_send(0, text);
    asker_expect(0, "HTTP/1.1 200 ");
    static const char body[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"any\"," ASKER_META "}}";
    char request[1024];
    snprintf(request, sizeof request,
             "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
             "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n"
             "Mcp-Method: tools/call\r\nMcp-Name: any\r\nContent-Length: %zu\r\n\r\n%s",
             sizeof body - 1, body);
    asker_send(0, request);
    asker_expect(0, "\"status\":\"working\"");
}

/* What a handler puts may be any bytes, also some that would be a run of this session. */
static void a_session_that_ends_touches_nothing_but_tool_calls(void)
{
    struct skr_job looks_like_one;
    char text[512];

    memset(&looks_like_one, 0, sizeof looks_like_one);
    looks_like_one.call.tool = &asker_device.tools[0];
    looks_like_one.conn = &asker_conns[1];
    looks_like_one.session = 1;
    memcpy(asker_server.job_output, &looks_like_one, sizeof looks_like_one);
    asker_shake_hands_over_http();
    snprintf(text, sizeof text, "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: %s\r\n\r\n", asker_session);
    asker_send(0, text);
    asker_expect(0, "HTTP/1.1 200 ");
    TEST_ASSERT_EQUAL_MEMORY(&looks_like_one, asker_server.job_output, sizeof looks_like_one);
}

/* They are limited because they stay; a call that is waited for is not one of them. */
static void who_has_as_many_tasks_as_one_may_have_can_still_call(void)
{
    asker_does.run = never_end;
    for (unsigned i = 0; i < SKR_CLIENT_TASKS; i++) {
        asker_call_modern("any", "");
        asker_expect(0, "\"status\":\"working\"");
    }
    asker_send(0, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"any\","
                  "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                  "\"io.modelcontextprotocol/clientCapabilities\":{}}}}\n");
    TEST_ASSERT_EQUAL_STRING("", asker_heard(0)); /* it runs */
    asker_tick(1000);
    asker_tick(1000);
    asker_expect(0, "\"id\":2,\"result\":{");
}

/* However short its deadline is. */
static void a_tool_with_any_deadline_may_be_a_task(void)
{
    static const struct skr_tool tool = {.name = "any", .run = never_end, .deadline_ms = 1, .task = SKR_TASK_REQUIRED};
    struct skr_device device = asker_device;

    device.tools = &tool;
    device.tool_count = 1;
    asker_server.device = &device;
    asker_shake_hands();
    asker_send(0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n");
    asker_expect(0, "\"execution\":{\"taskSupport\":\"required\"}");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(without_sessions_an_older_client_can_do_nothing);
    RUN_TEST(a_root_need_not_have_a_name);
    RUN_TEST(what_is_told_comes_before_what_is_asked);
    RUN_TEST(a_seed_may_begin_with_a_zero);
    RUN_TEST(a_tool_call_that_asks_after_a_while_holds_no_slot_either);
    RUN_TEST(client_requests_share_the_room_for_output);
    RUN_TEST(what_is_put_after_a_client_request_stays_in_its_room);
    RUN_TEST(what_is_put_with_the_last_reply_is_part_of_the_result);
    RUN_TEST(a_tool_call_whose_client_request_gets_no_reply_says_so);
    RUN_TEST(what_a_task_no_longer_asks_is_not_open);
    RUN_TEST(who_has_as_many_tasks_as_one_may_have_can_still_call);
    RUN_TEST(tasks_of_a_session_that_has_ended_count_for_nobody);
    RUN_TEST(a_session_that_ends_touches_nothing_but_tool_calls);
    RUN_TEST(a_tool_with_any_deadline_may_be_a_task);
    return UNITY_END();
}
