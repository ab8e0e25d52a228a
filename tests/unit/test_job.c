/* test_job.c -- handlers that ask for time, and what ends a run early. */
#include <stdio.h>
#include <string.h>

#include "stale.h"
#include "unity.h"
#include "work.h"

#define BUSY "busy: its previous call has not ended yet"

void setUp(void)
{
    work_start();
}

void tearDown(void)
{
}

/* ---- Taking time [SK-S-05] ---- */

static void a_handler_that_asks_for_time_is_answered_when_it_is_done(void)
{
    work_call(0, "7", "wait", "\"n\":3");
    work_expect_silence(0);
    TEST_ASSERT_EQUAL_INT(SKR_WORKING, skr_conn_activity(&work_conns[0]));
    TEST_ASSERT_TRUE(work_tick(1));
    work_expect_silence(0);
    TEST_ASSERT_TRUE(work_tick(1)); /* done, but not sent */
    TEST_ASSERT_EQUAL_INT(SKR_RESPONDING, skr_conn_activity(&work_conns[0]));
    work_expect(0, "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"resultType\":\"complete\","
                   "\"content\":[{\"type\":\"text\",\"text\":\"...\"}],\"_meta\"");
    TEST_ASSERT_FALSE(work_tick(1));
    TEST_ASSERT_EQUAL_UINT(3, work_seen.calls);
    TEST_ASSERT_EQUAL_INT(SKR_IDLE, skr_conn_activity(&work_conns[0]));
}

static void a_handler_may_be_done_immediately(void)
{
    work_call(0, "1", "wait", "\"n\":1");
    work_expect(0, "\"text\":\".\"");
    work_execute(0, "2", "slow", "\"n\":1");
    work_expect(
        0,
        "\"id\":2,\"result\":{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\".\"}],\"isError\":false,");
    TEST_ASSERT_FALSE(work_tick(1));
    TEST_ASSERT_EQUAL_STRING("wait done 0;work.slow done 0;", work_seen.record);
}

static void a_script_is_answered_alike_and_says_that_it_did_not_fail(void)
{
    work_execute(0, "\"a\\u00e9\"", "slow", "");
    work_expect_silence(0);
    work_tick(1);
    work_expect(0, "\"id\":\"a\\u00e9\",\"result\":{\"resultType\":\"complete\","
                   "\"content\":[{\"type\":\"text\",\"text\":\"..\"}],\"isError\":false,");
}

static void a_client_of_the_older_era_gets_the_older_shape(void)
{
    work_send(0,
              "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
              "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n");
    work_heard(0);
    work_send(
        0,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"skills/execute\",\"params\":{\"name\":\"work\",\"script\":\"slow\"}}\n");
    work_tick(1);
    TEST_ASSERT_EQUAL_STRING(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"..\"}],"
        "\"isError\":false}}\n",
        work_heard(0));
}

static void other_requests_are_served_meanwhile(void)
{
    work_call(0, "1", "wait", "\"n\":4");
    for (int i = 0; i < 3; i++) {
        work_request(0, "2", "server/discover", "");
        work_expect(0, "\"id\":2,\"result\"");
        work_request(0, "3", "skills/list", "");
        work_expect(0, "\"id\":3,\"result\"");
        work_execute(0, "4", "quick", "\"line\":1");
        work_expect(0, "\"text\":\"{\\\"line\\\":1}\"");
        work_execute(1, "1", "quick", "\"line\":2");
        work_expect(1, "\"text\":\"{\\\"line\\\":2}\"");
        work_tick(1);
    }
    work_expect(0, "\"id\":1,\"result\"");
}

static void its_response_waits_until_another_has_left(void)
{
    const void *bytes;

    work_call(0, "1", "wait", "");
    static const char list[] =
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n{\"jsonrpc\":\"2.0\",\"id\":3,\"meth";
    skr_conn_rx(&work_conns[0], list, sizeof list - 1);
    TEST_ASSERT_TRUE(skr_conn_tx(&work_conns[0], &bytes) > 5);
    skr_conn_tx_done(&work_conns[0], 5); /* in the middle of the response to 2, and of request 3 */
    work_tick(1);
    const char *rest = work_heard(0);
    TEST_ASSERT_EQUAL_STRING_LEN("nrpc\":\"2.0\",\"id\":2,\"result\":{}}\n{\"jsonrpc\":\"2.0\",\"id\":1,", rest, 50);
    work_send(0, "od\":\"ping\"}\n");
    work_expect(0, "\"id\":3,\"result\":{}");
}

static void its_response_may_come_while_a_line_is_dropped(void)
{
    static char half[SKR_REQUEST_MAX];

    memset(half, 'x', sizeof half);
    memcpy(half, "{\"id\":77,\"a\":\"", 14);
    work_call(0, "1", "wait", "");
    for (int i = 0; i < 2; i++) {
        TEST_ASSERT_EQUAL_size_t(sizeof half, skr_conn_rx(&work_conns[0], half, sizeof half));
    }
    work_tick(1);
    work_expect(0, "\"id\":1,\"result\"");
    work_send(0, "\n");
    work_expect(0, "\"id\":77,\"error\":{\"code\":-32600");
}

static void a_handler_may_ask_for_time_only_with_a_deadline(void)
{
    work_execute(0, "1", "hasty", "");
    work_expect_reason(0, "hasty", "fault");
    TEST_ASSERT_FALSE(work_tick(1));
}

static void what_must_be_repeated_has_to_fit(void)
{
    static char id[SKR_JOB_TEXT + 3];

    memset(id, 'i', sizeof id - 1);
    id[0] = id[SKR_JOB_TEXT + 1] = '"'; /* two bytes too many */
    work_call(0, id, "wait", "");
    work_expect(
        0, "\"error\":{\"code\":-32600,\"message\":\"id, name and script have more bytes than SKR_JOB_TEXT in all\"}");
    id[SKR_JOB_TEXT - 1] = '"';
    id[SKR_JOB_TEXT] = '\0';
    work_call(0, id, "wait", "");
    work_tick(1);
    TEST_ASSERT_NOT_NULL(strstr(work_heard(0), id));
}

/* ---- One run at a time [SK-S-05], and a record of all [SK-S-13] ---- */

static void a_tool_that_runs_is_busy_for_everybody(void)
{
    work_execute(0, "1", "slow", "");
    work_execute(1, "1", "slow", "");
    work_expect_reason(1, "slow", "busy");
    work_execute(0, "2", "slow", "");
    work_expect_reason(0, "slow", "busy");
    work_call(1, "2", "work.slow", "");
    work_expect(1, "\"text\":\"" BUSY "\"}],\"isError\":true");
    work_tick(1);
    work_expect(0, "\"id\":1,\"result\"");
    work_execute(1, "3", "slow", "\"n\":1");
    work_expect(1, "\"id\":3,\"result\"");
    TEST_ASSERT_EQUAL_STRING("work.slow busy 0;work.slow busy 0;work.slow busy 0;work.slow done 0;work.slow done 0;",
                             work_seen.record);
}

static void tool_calls_that_there_is_no_room_for_get_an_error(void)
{
    for (int i = 1; i <= SKR_JOBS; i++) {
        char id[8];
        snprintf(id, sizeof id, "%d", i);
        work_call(0, id, "waits", "");
    }
    work_expect_silence(0);
    work_call(0, "90", "waits", "");
    work_expect(0,
                "\"id\":90,\"result\":{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"busy: ");
    work_execute(0, "91", "quick", "\"line\":1"); /* what needs no time needs no room */
    work_expect(0, "\"id\":91,\"result\"");
    work_tick(1);
    const char *text = work_heard(0);
    for (int i = 1; i <= SKR_JOBS; i++) {
        char id[16];
        snprintf(id, sizeof id, "\"id\":%d,", i);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, id), text);
    }
    work_call(0, "92", "waits", "\"n\":1");
    work_expect(0, "\"text\":\".\"");
}

/* ---- Deadlines [SK-S-06] ---- */

static void at_the_deadline_the_client_is_told_and_a_late_result_is_dropped(void)
{
    work_execute(0, "1", "stubborn", "");
    work_tick(100); /* the deadline is counted from here */
    work_tick(999);
    work_expect_silence(0);
    TEST_ASSERT_FALSE(work_seen.cancelled);
    work_tick(1);
    TEST_ASSERT_TRUE(work_seen.cancelled);
    const char *text = work_heard(0);
    TEST_ASSERT_NOT_NULL_MESSAGE(
        strstr(text, "\"message\":\"timed out: not done within 1000 ms\",\"data\":{\"script\":\"stubborn\","
                     "\"name\":\"work\",\"reason\":\"timeout\"}}}\n"),
        text);
    work_execute(0, "2", "stubborn", "");
    work_expect_reason(0, "stubborn", "busy");
    TEST_ASSERT_TRUE(work_tick(100000));
    work_seen.let_go = true;
    TEST_ASSERT_FALSE(work_tick(1));
    work_expect_silence(0);
    work_seen.let_go = false;
    work_execute(0, "3", "stubborn", "");
    work_seen.let_go = true;
    work_tick(1);
    work_expect(0, "\"id\":3,\"result\"");
    TEST_ASSERT_EQUAL_STRING("work.stubborn timeout 1000;work.stubborn busy 0;work.stubborn done 0;", work_seen.record);
}

static void a_tool_that_times_out_is_a_failed_result(void)
{
    work_call(0, "1", "work.stubborn", "");
    work_tick(0);
    work_tick(5000);
    work_expect(0, "\"text\":\"timed out: not done within 1000 ms\"}],\"isError\":true");
}

/* Defect 75: no run could take longer than a minute. The clock wraps around during the first of them, and during one of the
 * last, which last 50 days together. */
static void a_tool_call_may_take_minutes_and_hours_up_to_the_limit(void)
{
    static const struct {
        const char *tool;
        uint32_t ms;
    } rows[] = {
        {"wait", 100000}, {"wait_minutes", 600000}, {"wait_hours", 21600000}, {"wait_days", SKR_JOB_DEADLINE_MAX_MS}};
    char expected[64];

    for (unsigned i = 0; i < 3 + 50; i++) {
        unsigned row = i < 3 ? i : 3;
        work_seen.cancelled = false;
        work_call(0, "1", rows[row].tool, "\"n\":1000");
        work_tick(0);
        work_tick(rows[row].ms - 1);
        work_expect_silence(0);
        TEST_ASSERT_FALSE(work_seen.cancelled);
        work_tick(1);
        snprintf(expected, sizeof expected, "timed out: not done within %u ms", (unsigned)rows[row].ms);
        work_expect(0, expected);
        TEST_ASSERT_TRUE(work_seen.cancelled);
        TEST_ASSERT_FALSE(work_tick(1));
    }
}

/* ---- Nobody waits any more [SK-S-07] [CAN-02] [CAN-05] ---- */

static void a_cancelled_request_is_not_answered(void)
{
    work_execute(0, "\"x\"", "slow", "\"n\":1000");
    work_tick(1);
    work_send(0, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n");
    work_send(0, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":{}}}\n");
    work_send(0, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}\n");
    work_send(1, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"x\"}}\n");
    TEST_ASSERT_TRUE(work_tick(1));
    TEST_ASSERT_FALSE(work_seen.cancelled);
    work_send(0, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"x\"}}\n");
    TEST_ASSERT_EQUAL_INT(SKR_IDLE, skr_conn_activity(&work_conns[0]));
    TEST_ASSERT_FALSE(work_tick(1));
    TEST_ASSERT_TRUE(work_seen.cancelled);
    work_expect_silence(0);
    TEST_ASSERT_EQUAL_STRING("work.slow cancelled 1;", work_seen.record);
    work_execute(0, "2", "slow", "\"n\":1");
    work_expect(0, "\"id\":2,\"result\"");
}

static void a_result_that_was_not_sent_yet_can_be_cancelled(void)
{
    const void *bytes;

    work_call(0, "1", "wait", "");
    static const char ping[] = "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n";
    static const char cancel[] =
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n";
    skr_conn_rx(&work_conns[0], ping, sizeof ping - 1);
    TEST_ASSERT_TRUE(skr_conn_tx(&work_conns[0], &bytes) > 0);
    work_tick(1);
    skr_conn_rx(&work_conns[0], cancel, sizeof cancel - 1);
    work_expect(0, "\"id\":2,\"result\"");
    TEST_ASSERT_FALSE(work_tick(1));
}

static void a_link_that_goes_away_cancels(void)
{
    work_execute(0, "1", "slow", "\"n\":1000");
    work_tick(1);
    skr_conn_close(&work_conns[0]);
    TEST_ASSERT_FALSE(work_tick(1));
    TEST_ASSERT_TRUE(work_seen.cancelled);
}

static void the_next_link_hears_nothing_of_it(void)
{
    for (int close_first = 0; close_first < 2; close_first++) {
        work_seen.let_go = false;
        work_execute(0, "1", "stubborn", "");
        if (close_first != 0) {
            skr_conn_close(&work_conns[0]);
        }
        make_stale(&work_conns[0], sizeof work_conns[0]);
        skr_conn_open(&work_conns[0], &work_server, SKR_LINE);
        TEST_ASSERT_EQUAL_INT(SKR_IDLE, skr_conn_activity(&work_conns[0]));
        TEST_ASSERT_TRUE(work_tick(1));
        work_seen.let_go = true;
        TEST_ASSERT_FALSE(work_tick(1));
        work_expect_silence(0);
    }
}

static void a_link_lost_in_the_middle_of_the_response_frees_the_tool(void)
{
    const void *bytes;

    for (int lost = 0; lost < 2; lost++) {
        work_call(0, "1", "wait", "");
        work_tick(1);
        TEST_ASSERT_TRUE(skr_conn_tx(&work_conns[0], &bytes) > 9);
        skr_conn_tx_done(&work_conns[0], 9);
        skr_conn_open(&work_conns[0], &work_server, SKR_LINE);
    }
    work_call(0, "1", "wait", "\"n\":1");
    work_expect(0, "\"text\":\".\"");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_handler_that_asks_for_time_is_answered_when_it_is_done);
    RUN_TEST(a_handler_may_be_done_immediately);
    RUN_TEST(a_script_is_answered_alike_and_says_that_it_did_not_fail);
    RUN_TEST(a_client_of_the_older_era_gets_the_older_shape);
    RUN_TEST(other_requests_are_served_meanwhile);
    RUN_TEST(its_response_waits_until_another_has_left);
    RUN_TEST(its_response_may_come_while_a_line_is_dropped);
    RUN_TEST(a_handler_may_ask_for_time_only_with_a_deadline);
    RUN_TEST(what_must_be_repeated_has_to_fit);
    RUN_TEST(a_tool_that_runs_is_busy_for_everybody);
    RUN_TEST(tool_calls_that_there_is_no_room_for_get_an_error);
    RUN_TEST(at_the_deadline_the_client_is_told_and_a_late_result_is_dropped);
    RUN_TEST(a_tool_that_times_out_is_a_failed_result);
    RUN_TEST(a_tool_call_may_take_minutes_and_hours_up_to_the_limit);
    RUN_TEST(a_cancelled_request_is_not_answered);
    RUN_TEST(a_result_that_was_not_sent_yet_can_be_cancelled);
    RUN_TEST(a_link_that_goes_away_cancels);
    RUN_TEST(the_next_link_hears_nothing_of_it);
    RUN_TEST(a_link_lost_in_the_middle_of_the_response_frees_the_tool);
    return UNITY_END();
}
