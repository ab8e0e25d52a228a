/* test_job_rare.c -- runs whose client goes, cancels or ends its session at moments that seldom come, and whom that may not
 * touch: the runs of other clients. The device is elicitor.h's; handlers are here. */
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

/* [STD-05] its answer is ready but has not begun to leave when the same id comes again */
static void an_id_whose_answer_is_ready_is_still_in_use(void)
{
    asker_shake_hands();
    asker_say(0, CALL("7", "any") "\n");
    seen.let_go = true;
    asker_tick(1);
    asker_say(0, CALL("7", "any") "\n");
    const char *text = asker_heard(0);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"id\":7,\"error\":{\"code\":-32600"), text);
    TEST_ASSERT_NOT_NULL_MESSAGE(
        strstr(text, "\"id\":7,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"worked\""), text);
    TEST_ASSERT_EQUAL(2, seen.calls);
    asker_say(0, CALL("7", "any") "\n"); /* now it is free */
    asker_expect(0, "\"text\":\"worked\"");
}

/* an answer that has nothing to do with a batch waits until the batch is through */
static void an_answer_on_a_line_waits_for_a_batch(void)
{
    asker_shake_hands_as(0, "2025-03-26");
    asker_say(0, CALL("1", "any") "\n[" CALL("2", "any") "]\n");
    TEST_ASSERT_EQUAL_STRING("", asker_heard(0));
    seen.let_go = true;
    asker_tick(1);
    TEST_ASSERT_EQUAL_STRING(
        "[{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"worked\"}]}}]\n"
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"worked\"}]}}\n",
        asker_heard(0));
}

/* [CAN-02] who is told to end is told once, and what is not cancelled by it */
static void a_run_is_cancelled_once_and_by_its_own_client(void)
{
    asker_shake_hands();
    asker_shake_hands_as(1, "2025-11-25");
    asker_say(0, CALL("1", "any") "\n");
    asker_say(1, CANCEL("1") "\n");
    asker_tick(1);
    TEST_ASSERT_FALSE(seen.cancelled);
    asker_say(0, CANCEL("1") "\n" CANCEL("1") "\n");
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
    asker_say(0,
              "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"any\",\"task\":{}}}\n");
    asker_expect(0, "\"task\":{");
    asker_say(0, CANCEL("1") "\n");
    asker_tick(1);
    TEST_ASSERT_FALSE(seen.cancelled);
}

static int tell_and_end(struct skr_call *call)
{
    skr_progress(call, (int32_t)seen.calls, 3, "so far");
    skr_progress(call, -5, 0, NULL); /* it only ever goes on */
    skr_log(call, SKR_LOG_ERROR, "something");
    skr_log(call, SKR_LOG_DEBUG, "too little to be told");
    return work(call);
}

/* The first note is leaving, more wait, and the run is over: time still has to be given to it. */
static void a_cancelled_run_whose_last_note_leaves_is_pending(void)
{
    asker_does.run = tell_and_end;
    asker_shake_hands();
    asker_say(0, CALL("1", "any") "\n");
    TEST_ASSERT_TRUE(asker_hear_a_byte(0));
    seen.let_go = true;
    asker_tick(1);
    asker_say(0, CANCEL("1") "\n");
    TEST_ASSERT_TRUE(asker_tick(1));
    const char *text = asker_heard(0);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"progress\":0,\"total\":3,\"message\":\"so far\"}}\n"), text);
    TEST_ASSERT_NULL_MESSAGE(strstr(text, "something"), text);
    asker_say(0, PING);
    TEST_ASSERT_NOT_NULL(strstr(asker_heard(0), PONG));
}

/* nobody is left who could reply */
static void the_end_of_one_line_is_no_news_for_another(void)
{
    asker_shake_hands();
    asker_shake_hands_as(1, "2025-11-25");
    asker_call_legacy("ask");
    asker_expect(0, "\"message\":\"Name?\"");
    asker_say(1, CALL("1", "any") "\n");
    skr_conn_rx_end(&asker_conns[1]);
    TEST_ASSERT_EQUAL_STRING("", asker_heard(0));
    asker_say(
        1, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\",\"content\":{}}}\n"); /* it was not asked */
    TEST_ASSERT_EQUAL_STRING("", asker_heard(0));
    asker_say(0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\",\"content\":{}}}\n");
    asker_expect(0, "\"text\":\"accepted\"");
}

/* A run of 2026-07-28 has no questions that a response could answer; one that was cancelled has none any more. */
static void a_response_reaches_only_a_run_that_waits_for_it(void)
{
    asker_shake_hands();
    asker_say(0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"little\"," ASKER_META
                 "}}\n");
    asker_does.run = work;
    asker_say(0, CALL("2", "any") "\n" CANCEL("2") "\n");
    unsigned calls = seen.calls;
    asker_say(0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\",\"content\":{}}}\n");
    TEST_ASSERT_EQUAL(calls, seen.calls);
    TEST_ASSERT_EQUAL_STRING("", asker_heard(0));
}

/* ---- One at a time ---- */

/* A tool that is not parallel is busy until its answer has left; a task of it that has ended does not count. */
static void a_tool_is_busy_until_its_answer_has_left(void)
{
    asker_shake_hands();
    asker_shake_hands_as(1, "2025-11-25");
    asker_say(0, CALL("1", "only") "\n");
    asker_say(1, CALL("2", "only") "\n");
    asker_expect(1, "busy: its previous call has not ended yet");
    seen.let_go = true;
    asker_tick(1);
    asker_say(1, CALL("3", "only") "\n");
    asker_expect(1, "busy: its previous call has not ended yet"); /* the answer waits in its place */
    asker_expect(0, "worked");
    asker_say(1,
              "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"only\",\"task\":{}}}\n");
    asker_expect(1, "\"task\":{");
    asker_say(1, CALL("5", "only") "\n");
    asker_expect(1, "worked");
}

/* ---- Sessions ---- */

static char first_session[33];

static void two_sessions(void)
{
    asker_begin_session("2025-11-25");
    memcpy(first_session, asker_session, sizeof first_session);
    asker_begin_session("2025-11-25");
    TEST_ASSERT_NOT_EQUAL(0, strcmp(first_session, asker_session));
}

static void swap_sessions(void)
{
    char other[33];
    memcpy(other, asker_session, sizeof other);
    memcpy(asker_session, first_session, sizeof other);
    memcpy(first_session, other, sizeof other);
}

/* neither by cancelling nor by a stream's number */
static void one_session_does_not_reach_the_runs_of_another(void)
{
    asker_does.run = tell_and_end;
    two_sessions();
    asker_post(0, CALL("7", "any"));
    asker_expect(0, "id: 1-0\n");
    swap_sessions();
    asker_open_http(1);
    asker_post(1, CANCEL("7"));
    asker_expect(1, "202 Accepted");
    asker_resume(2, "1-0");
    TEST_ASSERT_NULL(strstr(asker_heard(2), "id: 1-"));
    asker_tick(1);
    TEST_ASSERT_FALSE(seen.cancelled);
    seen.let_go = true;
    asker_tick(1);
    asker_expect(0, "worked");
}

/* [CAN-02] [SSE-08] the stream is lost, and its client would rather not have the answer */
static void a_run_whose_client_is_away_can_be_cancelled(void)
{
    asker_does.run = tell_and_end;
    asker_begin_session("2025-11-25");
    asker_post(0, CALL("7", "any"));
    asker_expect(0, "id: 1-0\n");
    skr_conn_close(&asker_conns[0]);
    asker_tick(1);
    TEST_ASSERT_FALSE(seen.cancelled);
    asker_open_http(1);
    asker_post(1, CANCEL("7"));
    asker_tick(1);
    TEST_ASSERT_TRUE(seen.cancelled);
    asker_resume(2, "1-0"); /* its handler still works, but nothing is owed */
    TEST_ASSERT_NULL(strstr(asker_heard(2), "id: 1-"));
    seen.let_go = true;
    asker_tick(1);
    TEST_ASSERT_FALSE(asker_tick(1));
}

/* what has begun to leave is finished, whoever cancels it */
static void an_answer_that_is_leaving_is_not_cancelled(void)
{
    asker_begin_session("2025-11-25");
    asker_post(0, CALL("7", "any"));
    seen.let_go = true;
    asker_tick(1);
    TEST_ASSERT_TRUE(asker_hear_a_byte(0));
    TEST_ASSERT_FALSE(asker_tick(1)); /* the port knows that it has bytes to send */
    asker_open_http(1);
    asker_post(1, CANCEL("7"));
    asker_expect(1, "202 Accepted");
    asker_expect(0, "worked");
}

/* [SSE-08] without a session nobody has a stream to come back to */
static void a_stream_is_resumed_only_with_its_session(void)
{
    asker_does.run = tell_and_end;
    asker_begin_session("2025-11-25");
    asker_post(0, CALL("7", "any"));
    asker_expect(0, "id: 1-0\n");
    asker_open_http(1);
    asker_say(1, "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nLast-Event-ID: 1-0\r\n\r\n");
    asker_expect(1, "HTTP/1.1 400");
    seen.let_go = true;
    asker_tick(1);
    asker_expect(0, "worked");
}

/* A device that changes nothing has no stream of its own, but runs have theirs. */
static void a_device_without_news_still_resumes_streams(void)
{
    asker_device.changes = 0;
    asker_start();
    asker_does.run = tell_and_end;
    asker_begin_session("2025-11-25");
    asker_post(0, CALL("7", "any"));
    asker_expect(0, "id: 1-0\n");
    skr_conn_close(&asker_conns[0]);
    asker_resume(1, "1-/"); /* no number of an event: all of them again */
    asker_expect(1, "id: 1-3\n");
    asker_resume(2, "9-1");
    asker_expect(2, "HTTP/1.1 405");
    asker_device.changes = SKR_CHANGES_TOOLS;
}

/* Its time is over, and its client gone before it could be told: nobody comes back for that. */
static void the_end_of_a_deadline_is_told_at_once_or_not_at_all(void)
{
    asker_does.run = tell_and_end;
    asker_begin_session("2025-11-25");
    asker_post(0, CALL("7", "any"));
    asker_expect(0, "id: 1-0\n");
    asker_tick(1);
    asker_tick(1000);
    TEST_ASSERT_TRUE(seen.cancelled);
    skr_conn_close(&asker_conns[0]);
    asker_resume(1, "1-0");
    TEST_ASSERT_NULL(strstr(asker_heard(1), "timed out"));
}

/* [CAN-05] without a stream nobody can come back, but nobody has cancelled either: it works until its time is over */
static void a_run_that_nobody_waits_for_still_has_its_deadline(void)
{
    asker_begin_session("2025-11-25");
    asker_post(0, CALL("7", "any"));
    skr_conn_close(&asker_conns[0]);
    asker_tick(1);
    TEST_ASSERT_FALSE(seen.cancelled);
    asker_tick(1000);
    TEST_ASSERT_TRUE(seen.cancelled);
    seen.let_go = true;
    asker_tick(1);
    TEST_ASSERT_FALSE(asker_tick(1));
}

/* a client of a version without event ids cannot come back for a question */
static void a_question_over_a_lost_stream_without_ids_ends_the_run(void)
{
    asker_begin_session("2025-06-18");
    asker_post(0, CALL("7", "ask"));
    asker_expect(0, "\"message\":\"Name?\"");
    skr_conn_close(&asker_conns[0]);
    asker_tick(1);
    TEST_ASSERT_FALSE(asker_tick(1)); /* its place is free */
}

/* [SESS-05] whoever waits still hears of it when the session is over; when the link is lost, too, nobody does */
static void a_run_without_session_and_link_is_told_to_end(void)
{
    char text[256];
    asker_does.run = tell_and_end;
    asker_begin_session("2025-11-25");
    asker_post(0, CALL("7", "any"));
    asker_expect(0, "id: 1-0\n");
    asker_open_http(1);
    snprintf(text, sizeof text, "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: %s\r\n\r\n", asker_session);
    asker_say(1, text);
    TEST_ASSERT_NOT_NULL(strstr(asker_heard(1), "HTTP/1.1 2"));
    skr_conn_close(&asker_conns[0]); /* and now nobody waits */
    asker_tick(1);
    TEST_ASSERT_TRUE(seen.cancelled);
    seen.let_go = true;
    asker_tick(1);
    TEST_ASSERT_FALSE(asker_tick(1));
}

/* [SSE-08] the answer itself is leaving on a connection that its client has lost, and its last bytes do not leave */
static void an_answer_in_mid_air_is_sent_again_to_whoever_comes_back(void)
{
    size_t whole = 0;
    for (int lost = 0; lost < 2; lost++) {
        asker_start();
        seen.let_go = false;
        asker_does.run = tell_and_end;
        asker_begin_session("2025-11-25");
        asker_post(0, CALL("7", "any"));
        asker_expect(0, "id: 1-2\n");
        seen.let_go = true;
        asker_tick(1);
        for (size_t i = 0; i + 5 < whole; i++) {
            TEST_ASSERT_TRUE(asker_hear_a_byte(0));
        }
        if (!lost) {
            whole = strlen(asker_heard(0));
        }
    }
    asker_resume(1, "1-4");
    const char *text = asker_heard(1);
    TEST_ASSERT_NOT_NULL_MESSAGE(
        strstr(text, "\"id\":7,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"worked\"}]}}\n\n"), text);
    asker_resume(2, "1-4"); /* nothing is owed any more */
    TEST_ASSERT_NULL(strstr(asker_heard(2), "worked"));
}

/* ---- Closing a stream ---- */

static struct {
    bool closed, again;
} stream;

/* Tells, then closes its stream at every call. */
static int close_always(struct skr_call *call)
{
    skr_log(call, SKR_LOG_ERROR, "something");
    stream.again = stream.closed;
    stream.closed = skr_close_stream(call, 5);
    return work(call);
}

/* [SSE-09] */
static void only_a_stream_that_can_be_resumed_can_be_closed(void)
{
    asker_does.run = close_always;
    asker_shake_hands();
    asker_call_legacy("any"); /* on a line there is no stream */
    TEST_ASSERT_FALSE(stream.closed);
    asker_start();
    asker_does.run = close_always;
    asker_begin_session("2025-06-18"); /* nor one with ids */
    asker_post(0, CALL("7", "any"));
    TEST_ASSERT_FALSE(stream.closed);
    asker_start();
    asker_does.run = close_always;
    asker_begin_session("2025-11-25");
    asker_post(0, CALL("7", "any"));
    TEST_ASSERT_TRUE(stream.closed);
    asker_expect(0, "retry: 5\n");
    TEST_ASSERT_TRUE(skr_conn_finished(&asker_conns[0]));
    asker_tick(1); /* its client is away */
    TEST_ASSERT_FALSE(stream.closed);
    asker_open_http(1);
    asker_post(1, CANCEL("7"));
    asker_tick(1);
    TEST_ASSERT_FALSE(stream.closed);
}

static bool closed_when_cancelled;

static int close_when_cancelled(struct skr_call *call)
{
    skr_log(call, SKR_LOG_ERROR, "something");
    closed_when_cancelled = skr_cancelled(call) && skr_close_stream(call, 5);
    return work(call);
}

static void a_run_whose_time_is_over_cannot_close_its_stream(void)
{
    asker_does.run = close_when_cancelled;
    asker_begin_session("2025-11-25");
    asker_post(0, CALL("7", "any"));
    asker_tick(1);
    asker_tick(1000);
    TEST_ASSERT_TRUE(seen.cancelled);
    TEST_ASSERT_FALSE(closed_when_cancelled);
    asker_expect(0, "timed out: not done within 1000 ms");
}

static void a_client_that_takes_only_json_has_no_stream_to_be_closed(void)
{
    char text[512];
    asker_does.run = close_always;
    asker_begin_session("2025-11-25");
    snprintf(text, sizeof text,
             "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json\r\n"
             "Mcp-Session-Id: %s\r\nContent-Length: %zu\r\n\r\n%s",
             asker_session, strlen(CALL("7", "any")), CALL("7", "any"));
    asker_say(0, text);
    TEST_ASSERT_FALSE(stream.closed);
    seen.let_go = true;
    asker_tick(1);
    TEST_ASSERT_FALSE(stream.closed);
    asker_expect(0, "Content-Type: application/json\r\n");
}

/* ---- Batches over HTTP ---- */

/* its answer is a part of the batch's */
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

/* however many others begin, a session with a run keeps its place */
static void a_session_with_a_run_is_not_given_away(void)
{
    asker_begin_session("2025-11-25");
    memcpy(first_session, asker_session, sizeof first_session);
    asker_open_http(1);
    asker_post(1, CALL("7", "any"));
    for (int i = 0; i < SKR_SESSIONS + 1; i++) {
        asker_begin_session("2025-11-25");
    }
    swap_sessions();
    asker_open_http(2);
    asker_post(2, CANCEL("7"));
    asker_tick(1);
    TEST_ASSERT_TRUE(seen.cancelled);
}

static int tell_much(struct skr_call *call)
{
    static char text[200];
    memset(text, 'x', sizeof text - 1);
    skr_log(call, SKR_LOG_ERROR, text);
    return work(call);
}

/* messages that have left make room for new ones */
static void log_messages_take_the_place_of_older_ones(void)
{
    asker_does.run = tell_much;
    asker_shake_hands();
    asker_call_legacy("any");
    for (int i = 0; i < 100; i++) {
        asker_expect(0, "xxx\"}}\n");
        asker_tick(1);
    }
}

/* The same over HTTP, where somebody else can cancel it meanwhile. */
static void what_is_cancelled_while_its_notes_leave_is_pending(void)
{
    asker_does.run = tell_and_end;
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
    asker_say(0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{"
                 "\"toolsListChanged\":true,\"resourceSubscriptions\":[\"test://x\"]}," ASKER_META "}}\n");
    const char *text = asker_heard(0);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"notifications\":{\"toolsListChanged\":true}"), text);
}

static char told[128];

static uint32_t no_time(void)
{
    return 0;
}

static void finished(const struct skr_conn *from, const struct skr_finished *what)
{
    (void)from;
    snprintf(told, sizeof told, "%s(%s) %u", what->method, what->name, what->status);
}

static void a_stream_is_logged_when_its_answer_has_left(void)
{
    static const struct skr_request_log request_log = {.finished = finished, .clock_ms = no_time};
    asker_does.run = tell_and_end;
    asker_begin_session("2025-11-25");
    skr_server_log_to(&asker_server, &request_log);
    asker_post(0, CALL("7", "any"));
    asker_expect(0, "id: 1-0\n");
    TEST_ASSERT_EQUAL_STRING("", told);
    seen.let_go = true;
    asker_tick(1);
    asker_expect(0, "worked");
    TEST_ASSERT_EQUAL_STRING("tools/call(any) 200", told);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(an_id_whose_answer_is_ready_is_still_in_use);
    RUN_TEST(an_answer_on_a_line_waits_for_a_batch);
    RUN_TEST(a_run_is_cancelled_once_and_by_its_own_client);
    RUN_TEST(a_task_is_not_cancelled_by_the_id_of_its_request);
    RUN_TEST(a_cancelled_run_whose_last_note_leaves_is_pending);
    RUN_TEST(the_end_of_one_line_is_no_news_for_another);
    RUN_TEST(a_response_reaches_only_a_run_that_waits_for_it);
    RUN_TEST(a_tool_is_busy_until_its_answer_has_left);
    RUN_TEST(one_session_does_not_reach_the_runs_of_another);
    RUN_TEST(a_run_whose_client_is_away_can_be_cancelled);
    RUN_TEST(a_run_that_nobody_waits_for_still_has_its_deadline);
    RUN_TEST(a_question_over_a_lost_stream_without_ids_ends_the_run);
    RUN_TEST(a_run_without_session_and_link_is_told_to_end);
    RUN_TEST(an_answer_in_mid_air_is_sent_again_to_whoever_comes_back);
    RUN_TEST(only_a_stream_that_can_be_resumed_can_be_closed);
    RUN_TEST(a_client_that_takes_only_json_has_no_stream_to_be_closed);
    RUN_TEST(an_element_of_a_batch_is_not_cancelled);
    RUN_TEST(an_answer_that_is_leaving_is_not_cancelled);
    RUN_TEST(a_stream_is_resumed_only_with_its_session);
    RUN_TEST(a_device_without_news_still_resumes_streams);
    RUN_TEST(the_end_of_a_deadline_is_told_at_once_or_not_at_all);
    RUN_TEST(a_run_whose_time_is_over_cannot_close_its_stream);
    RUN_TEST(a_session_with_a_run_is_not_given_away);
    RUN_TEST(log_messages_take_the_place_of_older_ones);
    RUN_TEST(what_is_cancelled_while_its_notes_leave_is_pending);
    RUN_TEST(a_device_that_changes_no_content_has_nothing_to_watch);
    RUN_TEST(a_stream_is_logged_when_its_answer_has_left);
    return UNITY_END();
}
