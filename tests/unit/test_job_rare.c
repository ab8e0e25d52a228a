/* test_job_rare.c -- tool calls whose client goes, cancels or ends its session at moments that seldom come, which may not
 * touch those of other clients. The device is elicitor.h's; handlers are here. */
#include <stdio.h>
#include <string.h>

#include "elicitor.h"
#include "unity.h"

#define CALL(id, name)                                                                                                 \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tools/call\",\"params\":{\"name\":\"" name                        \
    "\",\"_meta\":{\"progressToken\":1}}}"
#define CANCEL(id) "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":" id "}}"
#define PING "{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}\n"
#define PONG "{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"result\":{}}\n"

static struct {
    bool let_go, cancelled;
    unsigned calls;
} seen;

/* Works until it is let go, whether or not it is cancelled. */
static int work(struct skr_call *call)
{
    seen.calls++;
    seen.cancelled = skr_cancelled(call);
    if (!seen.let_go) {
        return SKR_PENDING;
    }
    skr_put(call, "worked");
    return 0;
}

void setUp(void)
{
    asker_start();
    asker_does.run = work;
    memset(&seen, 0, sizeof seen);
}

void tearDown(void)
{
}

/* ---- Lines ---- */

/* [STD-05] its response is ready but has not begun to leave when the same id comes again */
static void an_id_whose_response_is_ready_is_still_in_use(void)
{
    asker_shake_hands();
    asker_send(0, CALL("7", "any") "\n");
    seen.let_go = true;
    asker_tick(1);
    asker_send(0, CALL("7", "any") "\n");
    const char *text = asker_heard(0);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"id\":7,\"error\":{\"code\":-32600"), text);
    TEST_ASSERT_NOT_NULL_MESSAGE(
        strstr(text, "\"id\":7,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"worked\""), text);
    TEST_ASSERT_EQUAL(2, seen.calls);
    asker_send(0, CALL("7", "any") "\n"); /* now it is free */
    asker_expect(0, "\"text\":\"worked\"");
}

/* a response that has nothing to do with a batch waits until the batch is through */
static void a_response_on_a_line_waits_for_a_batch(void)
{
    asker_shake_hands_as(0, "2025-03-26");
    asker_send(0, CALL("1", "any") "\n[" CALL("2", "any") "]\n");
    TEST_ASSERT_EQUAL_STRING("", asker_heard(0));
    seen.let_go = true;
    asker_tick(1);
    TEST_ASSERT_EQUAL_STRING(
        "[{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"worked\"}]}}]\n"
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"worked\"}]}}\n",
        asker_heard(0));
}

/* [CAN-02] who is told to end is told once, and what is not cancelled by it */
static void a_tool_call_is_cancelled_once_and_by_its_own_client(void)
{
    asker_shake_hands();
    asker_shake_hands_as(1, "2025-11-25");
    asker_send(0, CALL("1", "any") "\n");
    asker_send(1, CANCEL("1") "\n");
    asker_tick(1);
    TEST_ASSERT_FALSE(seen.cancelled);
    asker_send(0, CANCEL("1") "\n" CANCEL("1") "\n");
    asker_tick(1);
    TEST_ASSERT_TRUE(seen.cancelled);
    seen.let_go = true;
    asker_tick(1);
    TEST_ASSERT_EQUAL_STRING("", asker_heard(0));
    TEST_ASSERT_FALSE(asker_tick(1));
}

/* [CAN-06] a task is cancelled by its id, not by that of the request which began it */
static void a_task_is_not_cancelled_by_the_id_of_its_request(void)
{
    asker_shake_hands();
    asker_send(0,
               "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"any\",\"task\":{}}}\n");
    asker_expect(0, "\"task\":{");
    asker_send(0, CANCEL("1") "\n");
    asker_tick(1);
    TEST_ASSERT_FALSE(seen.cancelled);
}

static int log_and_end(struct skr_call *call)
{
    skr_progress(call, (int32_t)seen.calls, 3, "so far");
    skr_progress(call, -5, 0, NULL); /* it only ever goes on */
    skr_log(call, SKR_LOG_ERROR, "something");
    skr_log(call, SKR_LOG_DEBUG, "too little to be logged");
    return work(call);
}

/* The first note is leaving, more wait, and the run is over: time still has to be given to it. */
static void a_cancelled_tool_call_whose_last_message_leaves_is_pending(void)
{
    asker_does.run = log_and_end;
    asker_shake_hands();
    asker_send(0, CALL("1", "any") "\n");
    TEST_ASSERT_TRUE(asker_hear_a_byte(0));
    seen.let_go = true;
    asker_tick(1);
    asker_send(0, CANCEL("1") "\n");
    TEST_ASSERT_TRUE(asker_tick(1));
    const char *text = asker_heard(0);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"progress\":0,\"total\":3,\"message\":\"so far\"}}\n"), text);
    TEST_ASSERT_NULL_MESSAGE(strstr(text, "something"), text);
    asker_send(0, PING);
    TEST_ASSERT_NOT_NULL(strstr(asker_heard(0), PONG));
}

/* nobody is left who could reply */
static void the_end_of_one_line_is_no_change_for_another(void)
{
    asker_shake_hands();
    asker_shake_hands_as(1, "2025-11-25");
    asker_call_legacy("ask");
    asker_expect(0, "\"message\":\"Name?\"");
    asker_send(1, CALL("1", "any") "\n");
    skr_conn_rx_end(&asker_conns[1]);
    TEST_ASSERT_EQUAL_STRING("", asker_heard(0));
    asker_send(
        1, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\",\"content\":{}}}\n"); /* it was not asked */
    TEST_ASSERT_EQUAL_STRING("", asker_heard(0));
    asker_send(0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\",\"content\":{}}}\n");
    asker_expect(0, "\"text\":\"accepted\"");
}

/* A run of 2026-07-28 has no questions that a response could answer; one that was cancelled has none any more. */
static void a_response_reaches_only_a_tool_call_that_waits_for_it(void)
{
    asker_shake_hands();
    asker_send(0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"little\"," ASKER_META
                  "}}\n");
    asker_does.run = work;
    asker_send(0, CALL("2", "any") "\n" CANCEL("2") "\n");
    unsigned calls = seen.calls;
    asker_send(0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\",\"content\":{}}}\n");
    TEST_ASSERT_EQUAL(calls, seen.calls);
    TEST_ASSERT_EQUAL_STRING("", asker_heard(0));
}

/* ---- One at a time ---- */

/* A tool that is not parallel is busy until its response has left; a task of it that has ended does not count. */
static void a_tool_is_busy_until_its_response_has_left(void)
{
    asker_shake_hands();
    asker_shake_hands_as(1, "2025-11-25");
    asker_send(0, CALL("1", "only") "\n");
    asker_send(1, CALL("2", "only") "\n");
    asker_expect(1, "busy: its previous call has not ended yet");
    seen.let_go = true;
    asker_tick(1);
    asker_send(1, CALL("3", "only") "\n");
    asker_expect(1, "busy: its previous call has not ended yet"); /* the response waits in its place */
    asker_expect(0, "worked");
    asker_send(1,
               "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"only\",\"task\":{}}}\n");
    asker_expect(1, "\"task\":{");
    asker_send(1, CALL("5", "only") "\n");
    asker_expect(1, "worked");
}

/* ---- Batches over HTTP ---- */

/* its response is a part of the batch's */
static void an_element_of_a_batch_is_not_cancelled(void)
{
    asker_begin_session("2025-03-26");
    asker_post(0, "[" CALL("7", "any") "]");
    asker_open_http(1);
    asker_post(1, CANCEL("7"));
    asker_tick(1);
    TEST_ASSERT_FALSE(seen.cancelled);
    seen.let_go = true;
    asker_tick(1);
    asker_expect(0, "worked");
}

static int log_much(struct skr_call *call)
{
    static char text[200];

    memset(text, 'x', sizeof text - 1);
    skr_log(call, SKR_LOG_ERROR, text);
    return work(call);
}

/* messages that have left make room for new ones */
static void log_messages_take_the_place_of_older_ones(void)
{
    asker_does.run = log_much;
    asker_shake_hands();
    asker_call_legacy("any");
    for (int i = 0; i < 100; i++) {
        asker_expect(0, "xxx\"}}\n");
        asker_tick(1);
    }
}

/* The same over HTTP, where another client can cancel it meanwhile. */
static void what_is_cancelled_while_its_messages_leave_is_pending(void)
{
    asker_does.run = log_and_end;
    asker_begin_session("2025-11-25");
    asker_post(0, CALL("7", "any"));
    TEST_ASSERT_TRUE(asker_hear_a_byte(0));
    seen.let_go = true;
    asker_tick(1);
    asker_open_http(1);
    asker_post(1, CANCEL("7"));
    TEST_ASSERT_TRUE(asker_tick(1));
    (void)asker_heard(0);
    TEST_ASSERT_FALSE(asker_tick(1));
}

/* [SUB-01] what cannot be watched is not promised; the rest is */
static void a_device_that_changes_no_content_has_nothing_to_watch(void)
{
    asker_send(0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{"
                  "\"toolsListChanged\":true,\"resourceSubscriptions\":[\"test://x\"]}," ASKER_META "}}\n");
    const char *text = asker_heard(0);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"notifications\":{\"toolsListChanged\":true}"), text);
}

static char logged[128];

static uint32_t no_time(void)
{
    return 0;
}

static void finished(const struct skr_conn *from, const struct skr_finished *what)
{
    (void)from;
    snprintf(logged, sizeof logged, "%s(%s) %u", what->method, what->name, what->status);
}

static void a_stream_is_logged_when_its_response_has_left(void)
{
    static const struct skr_request_log request_log = {.finished = finished, .clock_ms = no_time};

    asker_does.run = log_and_end;
    asker_begin_session("2025-11-25");
    skr_server_log_to(&asker_server, &request_log);
    asker_post(0, CALL("7", "any"));
    asker_expect(0, "id: 1-0\n");
    TEST_ASSERT_EQUAL_STRING("", logged);
    seen.let_go = true;
    asker_tick(1);
    asker_expect(0, "worked");
    TEST_ASSERT_EQUAL_STRING("tools/call(any) 200", logged);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(an_id_whose_response_is_ready_is_still_in_use);
    RUN_TEST(a_response_on_a_line_waits_for_a_batch);
    RUN_TEST(a_tool_call_is_cancelled_once_and_by_its_own_client);
    RUN_TEST(a_task_is_not_cancelled_by_the_id_of_its_request);
    RUN_TEST(a_cancelled_tool_call_whose_last_message_leaves_is_pending);
    RUN_TEST(the_end_of_one_line_is_no_change_for_another);
    RUN_TEST(a_response_reaches_only_a_tool_call_that_waits_for_it);
    RUN_TEST(a_tool_is_busy_until_its_response_has_left);
    RUN_TEST(an_element_of_a_batch_is_not_cancelled);
    RUN_TEST(log_messages_take_the_place_of_older_ones);
    RUN_TEST(what_is_cancelled_while_its_messages_leave_is_pending);
    RUN_TEST(a_device_that_changes_no_content_has_nothing_to_watch);
    RUN_TEST(a_stream_is_logged_when_its_response_has_left);
    return UNITY_END();
}
