/* test_client_request_rare.c -- tool calls with client requests, at moments that seldom come: streams closed or picked up while
 * they are in use, requests cancelled while a message is sent, tasks that change while a client reads about them.
 * The device is elicitor.h's. (defect 30) */
#include <stdio.h>
#include <string.h>

#include "elicitor.h"
#include "text/json.h"
#include "unity.h"

#define CALL(name)                                                                                                     \
    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"" name                             \
    "\",\"_meta\":{\"progressToken\":1}}}"
#define CANCEL "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%d}}"

void setUp(void)
{
    asker_start();
}

void tearDown(void)
{
}

static void hear_bytes(int which, size_t n)
{
    while (n-- > 0) {
        TEST_ASSERT_TRUE(asker_hear_a_byte(which));
    }
}

/* ---- Streams ---- */

/* [SSE-09] behind what was told already, when to come back stands alone; what is told while that leaves waits */
static void a_stream_can_be_closed_when_it_has_begun(void)
{
    for (int slow = 0; slow < 2; slow++) {
        asker_start();
        asker_shake_hands_over_http();
        asker_post(0, CALL("close"));
        asker_expect(0, "id: 1-0\ndata: \n\nid: 1-1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"");
        TEST_ASSERT_FALSE(skr_conn_finished(&asker_conns[0]));
        asker_tick(1);
        TEST_ASSERT_TRUE(asker_does.closed);
        if (slow) {
            hear_bytes(0, 3);
            asker_tick(1);
        }
        TEST_ASSERT_EQUAL_STRING("retry: 20\n\n", asker_heard(0));
        TEST_ASSERT_TRUE(skr_conn_finished(&asker_conns[0]));
        asker_tick(1);
        asker_resume(1, "1-1");
        const char *text = asker_heard(1);
        TEST_ASSERT_NOT_NULL_MESSAGE(
            strstr(
                text,
                "\r\n\r\nid: 1-2\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"error\","
                "\"logger\":\"close\",\"data\":\"at last\"}}\n\nid: 1-3\ndata: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":"
                "{\"content\":[{\"type\":\"text\",\"text\":\"closed\"}]}}\n\n"),
            text);
        TEST_ASSERT_TRUE(skr_conn_finished(&asker_conns[1]));
    }
}

/* [SSE-08] [SSE-10] the client has lost the first connection before anybody here could notice: between two messages, and
 * in the middle of one */
static void a_client_that_comes_back_takes_the_stream_from_the_older_connection(void)
{
    for (int middle = 0; middle < 2; middle++) {
        asker_start();
        asker_shake_hands_over_http();
        asker_post(0, CALL("tell"));
        if (middle) {
            hear_bytes(0, 300);
        } else {
            asker_expect(0, "id: 1-2\n");
        }
        asker_resume(1, "1-1");
        TEST_ASSERT_TRUE(skr_conn_finished(&asker_conns[0]));
        TEST_ASSERT_FALSE(asker_hear_a_byte(0));
        skr_conn_close(&asker_conns[0]); /* which is not a loss any more */
        asker_tick(1);
        asker_tick(1);
        const char *text = asker_heard(1);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"progress\":0}}\n\n"), text);
        TEST_ASSERT_NOT_NULL_MESSAGE(
            strstr(text, "\"id\":7,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"told\"}]}}\n\n"), text);
        TEST_ASSERT_TRUE(skr_conn_finished(&asker_conns[1]));
        TEST_ASSERT_FALSE(asker_tick(1)); /* its place is free */
    }
}

/* A stream is lost, and its run goes on to its end. */
static void call_and_hang_up(void)
{
    asker_shake_hands_over_http();
    asker_post(0, CALL("tell"));
    asker_expect(0, "id: 1-0\n");
    skr_conn_close(&asker_conns[0]);
    asker_tick(1);
    asker_tick(1);
}

/* [SSE-08] what is not an event's id is of no stream, and the GET is for the notifications */
static void ids_of_events_are_numbers_that_were_given(void)
{
    static const char *const others[] = {"x", "x-0", "-1", "-", "1x-0", "0-1", "0000000001-0", "9999999999-1", "2-0"};
    static const char *const ours[] = {"1", "1-", "1-0", "1-x", "1-70000", "1-4294967297"};

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        asker_start();
        call_and_hang_up();
        asker_resume(1, others[i]);
        TEST_ASSERT_NULL_MESSAGE(strstr(asker_heard(1), "told"), others[i]);
    }
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
        asker_start();
        call_and_hang_up();
        asker_resume(1, ours[i]);
        const char *text = asker_heard(1);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "told"), ours[i]);
        bool seen =
            i == 4; /* more than the number of any event; what is longer still is not a number, and all comes again */
        TEST_ASSERT_EQUAL_MESSAGE(seen, strstr(text, "\"progress\":0}}\n\n") == NULL, ours[i]);
    }
}

/* ---- Cancelled ---- */

/* [CAN-02] over HTTP, from another connection, while a question leaves */
static void a_stream_that_is_cancelled_in_the_middle_of_a_message_ends_after_it(void)
{
    char body[128];

    asker_shake_hands_over_http();
    asker_post(0, CALL("ask"));
    hear_bytes(0, 300);
    asker_open_http(1);
    snprintf(body, sizeof body, CANCEL, 7);
    asker_post(1, body);
    asker_expect(1, "HTTP/1.1 202 Accepted");
    const char *text = asker_heard(0);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "{\"name\":{\"type\":\"string\"}}}}}\n\n"), text);
    TEST_ASSERT_TRUE(skr_conn_finished(&asker_conns[0]));
    skr_conn_close(&asker_conns[0]);
    asker_tick(1);
    TEST_ASSERT_FALSE(asker_tick(1)); /* its place is free */
}

/* [CAN-02] [STD-01] on a line the message is finished, and no response follows */
static void a_line_that_is_cancelled_in_the_middle_of_a_message_finishes_it(void)
{
    char line[128];

    asker_shake_hands();
    asker_call_legacy("chat");
    hear_bytes(0, 20);
    snprintf(line, sizeof line, CANCEL "\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n", 1);
    asker_send(0, line);
    asker_tick(1);
    asker_tick(1);
    const char *text = asker_heard(0), *end = strrchr(text, '{');
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"}}\n{"), text);
    TEST_ASSERT_NULL_MESSAGE(strstr(text, "\"id\":1,"), text);
    TEST_ASSERT_EQUAL_STRING("{}}\n", end);
    for (int i = 0; i < 50; i++) {
        asker_tick(1);
    }
    TEST_ASSERT_EQUAL_STRING("", asker_heard(0));
}

static void who_asks_again_when_nobody_hears_is_given_up(void)
{
    asker_shake_hands();
    asker_call_legacy("insist");
    asker_expect(0, "\"message\":\"Name?\"");
    skr_conn_rx_end(&asker_conns[0]);
    TEST_ASSERT_EQUAL_STRING("", asker_heard(0));
    asker_tick(1);
    TEST_ASSERT_FALSE(asker_tick(1)); /* its place is free */
}

/* ---- Told while something else leaves ---- */

/* [S2C-02] the reply comes on another connection, before the question has left */
static void what_is_told_while_a_client_request_leaves_is_not_lost(void)
{
    asker_shake_hands_over_http();
    asker_open_http(1);
    asker_post(0, CALL("remark"));
    hear_bytes(0, 300);
    asker_post(1, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\",\"content\":{}}}");
    asker_expect(1, "HTTP/1.1 202 Accepted");
    const char *text = asker_heard(0);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"data\":\"thanks\"}}\n\n"), text);
    asker_tick(1);
    asker_expect(0, "\"text\":\"remarked\"");
}

/* ---- Tasks that change while a client hears of them ---- */

static char task_id[33];

static void keep_task(const char *text)
{
    const char *at = strstr(text, "\"taskId\":\"");

    TEST_ASSERT_NOT_NULL_MESSAGE(at, text);
    snprintf(task_id, sizeof task_id, "%.32s", at + 10);
}

/* Takes all places, so that the task's is used again; a client alone may not have them all. */
static void crowd_out(void)
{
    asker_tick(1000 + SKR_TASK_KEEP_MS);
    asker_tick(1);
    for (int i = 0; i < SKR_JOBS; i++) {
        int client = 1 + i % 2;
        asker_send(client,
                   "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"task\"," ASKER_META
                   "}}\n");
        (void)asker_heard(client);
    }
}

static void request_task(void)
{
    char text[512];

    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"%s\"," ASKER_META "}}\n",
             task_id);
    asker_send(0, text);
}

/* [STD-01] What has come out on line 0 is whole, and about this task. */
static void expect_whole(const char *beginning)
{
    const char *text = asker_heard(0);

    TEST_ASSERT_EQUAL_STRING_LEN(beginning, text, strlen(beginning));
    TEST_ASSERT_EQUAL(SKR_JSON_OK, skr_json_check(text, strlen(text)));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"status\":\"working\""), text);
}

/* Defect 51 */
static void a_response_about_a_task_that_is_no_more_is_whole(void)
{
    asker_shake_hands();
    asker_call_modern("task", "");
    crowd_out(); /* before the response has begun to leave */
    expect_whole("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"task\",");
}

/* Defect 51 */
static void so_is_what_tasks_get_says_while_it_works(void)
{
    asker_shake_hands();
    asker_call_modern("task", "");
    keep_task(asker_heard(0));
    request_task();
    crowd_out();
    expect_whole("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"resultType\":\"complete\",\"taskId\":");
}

/* Defect 51 */
static void so_is_a_list_of_tasks_when_one_ends(void)
{
    asker_shake_hands();
    asker_send(0,
               "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"task\",\"task\":{}}}\n");
    keep_task(asker_heard(0));
    asker_send(0, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tasks/list\"}\n");
    asker_tick(1);
    crowd_out();
    expect_whole("{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"tasks\":[{\"taskId\":");
}

/* Defect 51 */
static void so_is_what_tasks_cancel_says_of_one_that_is_over(void)
{
    char text[256];

    asker_shake_hands();
    asker_send(0,
               "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"task\",\"task\":{}}}\n");
    keep_task(asker_heard(0));
    asker_tick(1);
    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tasks/cancel\",\"params\":{\"taskId\":\"%s\"}}\n", task_id);
    asker_send(0, text);
    crowd_out();
    asker_expect(0, task_id);
}

static char letter;
static bool structured;
static unsigned thousands;

/* Says so many thousand letters, as text or as an object. */
static int log_a_lot(struct skr_call *call)
{
    char text[1001];
    bool *again = SKR_JOB_STATE_OF(call, bool);

    if (!*again) {
        *again = true;
        return SKR_PENDING;
    }
    memset(text, letter, sizeof text - 1);
    text[sizeof text - 1] = '\0';
    if (structured) {
        skr_begin_structured(call);
        skr_write_object(call, NULL);
    }
    for (unsigned i = 0; i < thousands; i++) {
        if (structured) {
            skr_write_string(call, "a", text);
        } else {
            skr_put(call, text);
        }
    }
    if (structured) {
        skr_write_end(call);
    }
    return 0;
}

/* A task says "a"s; while its client hears of that, others take its place and say "b"s. */
static const char *hear_of_a_task_that_is_no_more(const char *tool)
{
    char call[256];

    letter = 'a';
    asker_does.run = log_a_lot;
    asker_shake_hands();
    asker_call_modern(tool, "");
    keep_task(asker_heard(0));
    asker_tick(1);
    request_task();
    hear_bytes(0, 300);
    letter = 'b';
    snprintf(call, sizeof call,
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\"," ASKER_META "}}\n",
             tool);
    for (int i = 0; i < 2 * SKR_JOBS; i++) {
        int client = 1 + i % 2;
        asker_send(client, call);
        (void)asker_heard(client);
        asker_tick(1);
    }
    const char *text = asker_heard(0);
    TEST_ASSERT_NULL_MESSAGE(strstr(text, "bb"), text);
    TEST_ASSERT_EQUAL('\n', text[strlen(text) - 1]);
    return text;
}

/* [TSK-14] Defect 51: nobody gets what another one's tool says. */
static void a_result_that_is_no_more_breaks_off(void)
{
    structured = false;
    thousands = 2 * SKR_TX_SCRATCH / 1000; /* more than a connection has room for */
    const char *text = hear_of_a_task_that_is_no_more("any");
    TEST_ASSERT_LESS_OR_EQUAL(SKR_TX_SCRATCH + 1, strlen(text));
    request_task();
    asker_expect(0, "No such task, or it is no longer kept");
}

/* Defect 51: whatever of it is long enough to be sent in place */
static void a_result_for_which_there_is_room_is_copied(void)
{
    structured = true;
    thousands = 2;
    const char *text = hear_of_a_task_that_is_no_more("exact");
    TEST_ASSERT_EQUAL(SKR_JSON_OK, skr_json_check(text, strlen(text)));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"structuredContent\":{\"a\":\"aaa"), text);
}

/* ---- Questions that cannot be asked, or are not wanted any more ---- */

static unsigned calls;

static int fill_and_wait(struct skr_call *call)
{
    bool *filled = SKR_JOB_STATE_OF(call, bool);

    for (unsigned i = 0; !*filled && i < SKR_JOB_OUTPUT_MAX; i++) {
        skr_put(call, "\x01");
    }
    *filled = true;
    calls++;
    return SKR_PENDING;
}

/* After the last place is what the first has put out. */
static void when_every_place_is_taken_those_are_called_and_nothing_else(void)
{
    char text[300];

    asker_does.run = fill_and_wait;
    calls = 0;
    for (unsigned i = 0; i < SKR_JOBS; i++) {
        snprintf(text, sizeof text,
                 "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"tools/call\",\"params\":{\"name\":\"large\"," ASKER_META
                 "}}\n",
                 i + 1);
        asker_send(0, text);
    }
    TEST_ASSERT_EQUAL(SKR_JOBS, calls);
    TEST_ASSERT_TRUE(asker_tick(1));
    TEST_ASSERT_EQUAL(2 * SKR_JOBS, calls);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(when_every_place_is_taken_those_are_called_and_nothing_else);
    RUN_TEST(a_stream_can_be_closed_when_it_has_begun);
    RUN_TEST(a_client_that_comes_back_takes_the_stream_from_the_older_connection);
    RUN_TEST(ids_of_events_are_numbers_that_were_given);
    RUN_TEST(a_stream_that_is_cancelled_in_the_middle_of_a_message_ends_after_it);
    RUN_TEST(a_line_that_is_cancelled_in_the_middle_of_a_message_finishes_it);
    RUN_TEST(who_asks_again_when_nobody_hears_is_given_up);
    RUN_TEST(what_is_told_while_a_client_request_leaves_is_not_lost);
    RUN_TEST(a_response_about_a_task_that_is_no_more_is_whole);
    RUN_TEST(so_is_what_tasks_get_says_while_it_works);
    RUN_TEST(so_is_a_list_of_tasks_when_one_ends);
    RUN_TEST(so_is_what_tasks_cancel_says_of_one_that_is_over);
    RUN_TEST(a_result_that_is_no_more_breaks_off);
    RUN_TEST(a_result_for_which_there_is_room_is_copied);
    return UNITY_END();
}
