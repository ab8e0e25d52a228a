/* test_job_stream.c -- jobs over streams of HTTP at moments that seldom come: lost, resumed, closed, sent again. */
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

static int log_and_end(struct skr_call *call)
{
    skr_progress(call, (int32_t)seen.calls, 3, "so far");
    skr_progress(call, -5, 0, NULL); /* it only ever goes on */
    skr_log(call, SKR_LOG_ERROR, "something");
    skr_log(call, SKR_LOG_DEBUG, "too little to be logged");
    return work(call);
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
static void one_session_does_not_reach_the_tool_calls_of_another(void)
{
    asker_does.run = log_and_end;
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

/* [CAN-02] [SSE-08] the stream is lost, and its client would rather not have the response */
static void a_tool_call_whose_client_is_away_can_be_cancelled(void)
{
    asker_does.run = log_and_end;
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

/* what has begun to leave is finished, even if a client cancels it */
static void a_response_that_is_leaving_is_not_cancelled(void)
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
    asker_does.run = log_and_end;
    asker_begin_session("2025-11-25");
    asker_post(0, CALL("7", "any"));
    asker_expect(0, "id: 1-0\n");
    asker_open_http(1);
    asker_send(1, "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nLast-Event-ID: 1-0\r\n\r\n");
    asker_expect(1, "HTTP/1.1 400");
    seen.let_go = true;
    asker_tick(1);
    asker_expect(0, "worked");
}

/* A device that changes nothing has no stream of its own, but runs have theirs. */
static void a_device_without_notifications_still_resumes_streams(void)
{
    asker_device.changes = 0;
    asker_start();
    asker_does.run = log_and_end;
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
static void the_end_of_a_deadline_is_reported_immediately_or_not_at_all(void)
{
    asker_does.run = log_and_end;
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
static void a_tool_call_that_nobody_waits_for_still_has_its_deadline(void)
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
static void a_client_request_over_a_lost_stream_without_ids_ends_the_tool_call(void)
{
    asker_begin_session("2025-06-18");
    asker_post(0, CALL("7", "ask"));
    asker_expect(0, "\"message\":\"Name?\"");
    skr_conn_close(&asker_conns[0]);
    asker_tick(1);
    TEST_ASSERT_FALSE(asker_tick(1)); /* its place is free */
}

/* [SESS-05] who waits still hears of it when the session is over; when the link is also lost, nobody does */
static void a_tool_call_without_session_and_link_is_ordered_to_end(void)
{
    char text[256];

    asker_does.run = log_and_end;
    asker_begin_session("2025-11-25");
    asker_post(0, CALL("7", "any"));
    asker_expect(0, "id: 1-0\n");
    asker_open_http(1);
    snprintf(text, sizeof text, "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: %s\r\n\r\n", asker_session);
    asker_send(1, text);
    TEST_ASSERT_NOT_NULL(strstr(asker_heard(1), "HTTP/1.1 2"));
    skr_conn_close(&asker_conns[0]); /* and now nobody waits */
    asker_tick(1);
    TEST_ASSERT_TRUE(seen.cancelled);
    seen.let_go = true;
    asker_tick(1);
    TEST_ASSERT_FALSE(asker_tick(1));
}

/* [SSE-08] the response itself is leaving on a connection that its client has lost, and its last bytes do not leave */
static void a_response_being_sent_is_sent_again_to_the_client_that_comes_back(void)
{
    size_t whole = 0;

    for (int lost = 0; lost < 2; lost++) {
        asker_start();
        seen.let_go = false;
        asker_does.run = log_and_end;
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

static void a_tool_call_whose_time_is_over_cannot_close_its_stream(void)
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
    asker_send(0, text);
    TEST_ASSERT_FALSE(stream.closed);
    seen.let_go = true;
    asker_tick(1);
    TEST_ASSERT_FALSE(stream.closed);
    asker_expect(0, "Content-Type: application/json\r\n");
}

/* ---- Batches over HTTP ---- */

/* however many others begin, a session with a run keeps its place */
static void a_session_with_a_tool_call_is_not_given_away(void)
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

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(one_session_does_not_reach_the_tool_calls_of_another);
    RUN_TEST(a_tool_call_whose_client_is_away_can_be_cancelled);
    RUN_TEST(a_tool_call_that_nobody_waits_for_still_has_its_deadline);
    RUN_TEST(a_client_request_over_a_lost_stream_without_ids_ends_the_tool_call);
    RUN_TEST(a_tool_call_without_session_and_link_is_ordered_to_end);
    RUN_TEST(a_response_being_sent_is_sent_again_to_the_client_that_comes_back);
    RUN_TEST(only_a_stream_that_can_be_resumed_can_be_closed);
    RUN_TEST(a_client_that_takes_only_json_has_no_stream_to_be_closed);
    RUN_TEST(a_response_that_is_leaving_is_not_cancelled);
    RUN_TEST(a_stream_is_resumed_only_with_its_session);
    RUN_TEST(a_device_without_notifications_still_resumes_streams);
    RUN_TEST(the_end_of_a_deadline_is_reported_immediately_or_not_at_all);
    RUN_TEST(a_tool_call_whose_time_is_over_cannot_close_its_stream);
    RUN_TEST(a_session_with_a_tool_call_is_not_given_away);
    return UNITY_END();
}
