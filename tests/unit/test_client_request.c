/* test_client_request.c -- what transcripts cannot reach of tool calls with client requests: time, lost links, slots that run
 * out. The device is elicitor.h's. */
#include <stdio.h>
#include <string.h>

#include "elicitor.h"
#include "unity.h"

void setUp(void)
{
    asker_start();
}

void tearDown(void)
{
}

/* ---- Asking ---- */

/* [S2C-03] */
static void a_client_that_does_not_reply_is_waited_for_longer_than_a_handler_but_not_forever(void)
{
    asker_shake_hands();
    asker_call_legacy("ask");
    asker_expect(0, "\"method\":\"elicitation/create\"");
    TEST_ASSERT_TRUE(asker_tick(10));
    TEST_ASSERT_TRUE(asker_tick(SKR_CLIENT_REQUEST_MS - 20));
    TEST_ASSERT_EQUAL_STRING("", asker_heard(0));
    asker_tick(20);
    asker_expect(0, "\"text\":\"timed out: no reply came within 300000 ms\"}],\"isError\":true");
    TEST_ASSERT_FALSE(asker_tick(1));
}

/* A list of tasks that is being sent sees by these numbers that it is no longer true. */
static void every_change_of_a_tool_call_has_a_number_of_its_own(void)
{
    asker_shake_hands();
    uint32_t before = asker_server.counters.jobs;
    asker_call_legacy("both");
    uint32_t asked = asker_server.counters.jobs;
    TEST_ASSERT_GREATER_THAN(before, asked);
    asker_expect(0, "\"id\":1,\"method\":\"elicitation/create\"");
    asker_send(0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"decline\"}}\n");
    TEST_ASSERT_GREATER_THAN(asked, asker_server.counters.jobs);
}

static void a_peer_that_will_send_nothing_more_has_declined(void)
{
    asker_shake_hands();
    asker_call_legacy("ask");
    asker_expect(0, "\"method\":\"elicitation/create\"");
    skr_conn_rx_end(&asker_conns[0]);
    asker_expect(0, "\"text\":\"declined\"");
}

static void without_a_seed_a_state_cannot_be_given_away(void)
{
    static const uint8_t none[16];

    skr_server_seed(&asker_server, none);
    asker_call_modern("ask", "");
    asker_expect(
        0,
        "\"text\":\"cannot keep a state for the client: the device has no seed (skr_server_seed)\"}],\"isError\":true");
}

/* [STATE-03] */
static void a_state_is_good_for_a_while(void)
{
    char members[512];

    asker_call_modern("ask", "");
    const char *at = strstr(asker_heard(0), "\"requestState\":");
    TEST_ASSERT_NOT_NULL(at);
    snprintf(members, sizeof members, ",%.*s", (int)strcspn(at + 16, "\"") + 17, at);
    asker_tick(SKR_STATE_MS);
    asker_call_modern("ask", members);
    asker_expect(0, "\"input_required\"");
    asker_tick(1);
    asker_call_modern("ask", members);
    asker_expect(0, "\"error\":{\"code\":-32602,\"message\":\"requestState is not one of ours");
}

/* [STATE-04] Defect 11: a state may stand in a URL. As time passes its mark has every digit there is. */
static void a_state_is_base64url(void)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    char seen[256] = "", members[512];

    for (unsigned i = 0; i < 100; i++) {
        asker_call_modern("ask", "");
        const char *at = strstr(asker_heard(0), "\"requestState\":\"");
        TEST_ASSERT_NOT_NULL(at);
        size_t n = strcspn(at + 16, "\"");
        TEST_ASSERT_EQUAL_size_t_MESSAGE(n, strspn(at + 16, digits), at);
        TEST_ASSERT_EQUAL_size_t(23, n); /* 17 bytes, and no padding */
        for (size_t k = 0; k < n; k++) {
            seen[(unsigned char)at[16 + k]] = 1;
        }
        snprintf(members, sizeof members, ",%.*s", (int)n + 17, at);
        asker_call_modern("ask", members);
        asker_expect(0, "\"input_required\"");
        asker_tick(7);
    }
    TEST_ASSERT_TRUE(seen['-'] && seen['_']);
}

static void a_lost_line_ends_a_tool_call_that_asks(void)
{
    asker_shake_hands();
    asker_call_legacy("ask");
    asker_expect(0, "\"method\":\"elicitation/create\"");
    skr_conn_close(&asker_conns[0]);
    asker_tick(1);
    TEST_ASSERT_FALSE(asker_tick(1)); /* its place is free */
}

/* ---- Telling ---- */

/* [PRG-02] */
static void what_does_not_rise_or_fit_is_not_told(void)
{
    unsigned progress = 0, messages = 0;

    asker_does.interim = 100; /* of each kind, in each of three calls */
    asker_shake_hands();
    asker_call_legacy("tell");
    asker_tick(1);
    asker_tick(1);
    const char *text = asker_heard(0);
    for (const char *p = text; (p = strstr(p, "notifications/")) != NULL; p++) {
        progress += strncmp(p, "notifications/progress", 22) == 0;
        messages += strncmp(p, "notifications/message", 21) == 0;
    }
    TEST_ASSERT_TRUE(progress >= 1 && progress <= 3);
    TEST_ASSERT_TRUE(messages >= 10 && messages < 100);
    TEST_ASSERT_NOT_NULL(strstr(text, "\"text\":\"told\""));
}

/* ---- Streams [SSE-08] ---- */

static void what_was_lost_with_the_connection_is_sent_again(void)
{
    asker_shake_hands_over_http();
    asker_post(
        0,
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"tell\",\"_meta\":{\"progressToken\":1}}}");
    asker_expect(0, "id: 1-0\ndata: \n\nid: 1-1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"");
    asker_tick(1);
    skr_conn_close(&asker_conns[0]); /* CAN-05: the run goes on */
    asker_tick(1);
    asker_resume(1, "1-1");
    const char *text = asker_heard(1);
    TEST_ASSERT_NOT_NULL_MESSAGE(
        strstr(
            text,
            "\r\n\r\nid: 1-3\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,\"progress\":0}}"),
        text);
    TEST_ASSERT_NOT_NULL_MESSAGE(
        strstr(text, "\"id\":7,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"told\"}]}}\n\n"), text);
    TEST_ASSERT_TRUE(skr_conn_finished(&asker_conns[1]));
}

/* A stream is lost, and its run goes on to its end. */
static void call_and_hang_up(void)
{
    asker_shake_hands_over_http();
    asker_post(0, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"tell\"}}");
    asker_expect(0, "id: 1-0\n");
    skr_conn_close(&asker_conns[0]);
    asker_tick(1);
    asker_tick(1);
}

static unsigned log_messages_in(const char *text)
{
    unsigned n = 0;

    for (; (text = strstr(text, "notifications/message")) != NULL; text++) {
        n++;
    }
    return n;
}

/* No client says that, but what it has seen is not known then. */
static void who_names_a_stream_and_no_event_gets_all_of_it(void)
{
    call_and_hang_up();
    asker_resume(1, "1");
    TEST_ASSERT_EQUAL(3, log_messages_in(asker_heard(1)));
}

static void what_nobody_comes_back_for_is_dropped(void)
{
    call_and_hang_up();
    asker_tick(SKR_RESUME_MS);
    asker_resume(1, "1-0");
    asker_expect(1, "HTTP/1.1 405 "); /* nothing is left of it, and it is not taken for the stream of news */
}

static void the_stream_of_one_session_is_not_given_to_another(void)
{
    call_and_hang_up();
    asker_session[0] = '\0';
    asker_shake_hands_over_http();
    asker_resume(1, "1-0");
    TEST_ASSERT_NULL(strstr(asker_heard(1), "told"));
}

static void a_client_request_on_a_lost_stream_is_sent_again(void)
{
    asker_shake_hands_over_http();
    asker_post(0, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\"}}");
    asker_expect(0, "id: 1-1\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"elicitation/create\"");
    skr_conn_close(&asker_conns[0]);
    asker_resume(1, "1-0");
    asker_expect(1, "id: 1-2\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"elicitation/create\"");
    asker_open_http(0);
    asker_post(0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\",\"content\":{}}}");
    asker_expect(0, "HTTP/1.1 202 Accepted");
    asker_expect(1, "\"text\":\"accepted\"");
}

/* A client that comes back in time is still asked; one that stays away keeps the tool busy no longer than that. */
static void a_client_request_whose_client_stays_away_ends_its_tool_call(void)
{
    asker_shake_hands_over_http();
    asker_post(0, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\"}}");
    asker_expect(0, "elicitation/create");
    asker_tick(1);
    skr_conn_close(&asker_conns[0]);
    TEST_ASSERT_TRUE(asker_tick(SKR_RESUME_MS - 1));
    asker_resume(1, "1-0");
    asker_expect(1, "elicitation/create");
    skr_conn_close(&asker_conns[1]);
    asker_tick(SKR_RESUME_MS);
    TEST_ASSERT_FALSE(asker_tick(1));
    asker_resume(1, "1-0");
    asker_expect(1, "HTTP/1.1 405 ");
    asker_open_http(0);
    asker_post(0, "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\"}}");
    asker_expect(0, "elicitation/create"); /* the tool is free */
}

/* What a client can do is in the id of its session. */
static void a_session_that_lost_its_place_can_still_be_asked(void)
{
    char mine[sizeof asker_session];

    asker_shake_hands_over_http();
    memcpy(mine, asker_session, sizeof mine);
    for (unsigned i = 0; i < SKR_SESSIONS; i++) {
        asker_begin_session("2025-11-25");
    }
    memcpy(asker_session, mine, sizeof mine);
    asker_open_http(1);
    asker_post(1, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\"}}");
    asker_expect(1, "elicitation/create");
}

static void a_client_request_that_was_seen_is_not_sent_again(void)
{
    asker_shake_hands_over_http();
    asker_post(0, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\"}}");
    asker_expect(0, "id: 1-1\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"elicitation/create\"");
    skr_conn_close(&asker_conns[0]);
    asker_resume(1, "1-1");
    TEST_ASSERT_NULL(strstr(asker_heard(1), "elicitation/create"));
}

/* [CAN-02] over HTTP, from another connection, while a stream is open */
static void a_cancelled_stream_just_ends(void)
{
    asker_shake_hands_over_http();
    asker_post(0, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\"}}");
    asker_expect(0, "elicitation/create");
    asker_open_http(1);
    asker_post(1, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":7}}");
    asker_expect(1, "HTTP/1.1 202 Accepted");
    TEST_ASSERT_EQUAL_STRING("", asker_heard(0));
    TEST_ASSERT_TRUE(skr_conn_finished(&asker_conns[0]));
    asker_tick(1);
    TEST_ASSERT_FALSE(asker_tick(1));
}

static void the_end_of_a_session_ends_what_it_could_have_picked_up(void)
{
    char text[256];

    asker_shake_hands_over_http();
    asker_post(0, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\"}}");
    asker_expect(0, "elicitation/create");
    skr_conn_close(&asker_conns[0]);
    asker_open_http(1);
    snprintf(text, sizeof text, "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: %s\r\n\r\n", asker_session);
    asker_send(1, text);
    asker_expect(1, "HTTP/1.1 200 OK");
    asker_tick(1);
    TEST_ASSERT_FALSE(asker_tick(1));
}

/* ---- Tasks ---- */

static void get_task(const char *id)
{
    char text[1024];

    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"%s\"," ASKER_META "}}\n",
             id);
    asker_send(0, text);
}

/* [TSK-14] */
static void a_task_is_kept_for_its_time(void)
{
    char id[33];

    asker_call_modern("task", "");
    const char *at = strstr(asker_heard(0), "\"taskId\":\"");
    TEST_ASSERT_NOT_NULL(at);
    snprintf(id, sizeof id, "%.32s", at + 10);
    get_task(id);
    asker_expect(0, "\"status\":\"working\"");
    asker_tick(30000); /* before its handler is called again */
    get_task(id);
    asker_expect(
        0,
        "\"status\":\"completed\",\"createdAt\":\"2026-01-01T00:00:00Z\",\"lastUpdatedAt\":\"2026-01-01T00:00:30Z\"");
    asker_tick(1000 + SKR_TASK_KEEP_MS - 30000);
    get_task(id);
    asker_expect(0, "No such task, or it is no longer kept");
}

static void a_lost_line_takes_its_tasks_with_it(void)
{
    asker_shake_hands();
    asker_send(0,
               "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"task\",\"task\":{}}}\n");
    asker_expect(0, "\"task\":{\"taskId\"");
    skr_conn_open(&asker_conns[0], &asker_server, SKR_LINE);
    asker_shake_hands();
    asker_send(0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tasks/list\"}\n");
    asker_expect(0, "\"result\":{\"tasks\":[]}");
}

#define CALL_TASK                                                                                                      \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"task\"," ASKER_META "}}\n"

/* Defect 27: who holds as many as it may leaves some to others. */
static void tasks_of_one_client_leave_places_to_another(void)
{
    for (unsigned i = 0; i < SKR_CLIENT_TASKS; i++) {
        asker_send(0, CALL_TASK);
        asker_expect(0, "\"resultType\":\"task\"");
    }
    asker_send(0, CALL_TASK);
    asker_expect(0, "busy: this client has as many unfinished tasks as one may have");
    asker_send(1, CALL_TASK);
    asker_expect(1, "\"resultType\":\"task\"");
}

/* Defect 27: what has ended and is never fetched was in everybody's way until its time was over. */
static void tasks_that_nobody_fetches_are_in_nobodys_way(void)
{
    for (unsigned i = 0; i < 3 * SKR_JOBS; i++) {
        int which = i % 2 != 0;
        asker_send(which, CALL_TASK);
        asker_expect(which, "\"resultType\":\"task\"");
        asker_tick(1);
    }
    asker_send(1, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"tell\"," ASKER_META
                  "}}\n");
    asker_tick(1);
    asker_tick(1);
    asker_expect(1, "\"text\":\"told\"");
}

/* ---- Changes [LCH-01] [SUB-04] ---- */

static void changes_of_the_firmware_are_sent_to_clients_that_were_promised_them(void)
{
    asker_shake_hands();
    asker_send(
        1,
        "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"toolsListChanged\":true,"
        "\"promptsListChanged\":true}," ASKER_META "}}\n");
    asker_expect(1, "\"notifications\":{\"toolsListChanged\":true},");
    skr_server_notify(&asker_server, SKR_CHANGES_TOOLS | SKR_CHANGES_PROMPTS);
    skr_server_notify(&asker_server, SKR_CHANGES_TOOLS);
    TEST_ASSERT_EQUAL_STRING("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n", asker_heard(0));
    TEST_ASSERT_EQUAL_STRING("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\",\"params\":{"
                             "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":9}}}\n",
                             asker_heard(1));
    skr_server_notify(&asker_server, SKR_CHANGES_RESOURCES); /* nobody was promised that */
    TEST_ASSERT_EQUAL_STRING("", asker_heard(0));
    TEST_ASSERT_EQUAL_STRING("", asker_heard(1));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_client_that_does_not_reply_is_waited_for_longer_than_a_handler_but_not_forever);
    RUN_TEST(every_change_of_a_tool_call_has_a_number_of_its_own);
    RUN_TEST(a_peer_that_will_send_nothing_more_has_declined);
    RUN_TEST(without_a_seed_a_state_cannot_be_given_away);
    RUN_TEST(a_state_is_good_for_a_while);
    RUN_TEST(a_state_is_base64url);
    RUN_TEST(a_lost_line_ends_a_tool_call_that_asks);
    RUN_TEST(what_does_not_rise_or_fit_is_not_told);
    RUN_TEST(what_was_lost_with_the_connection_is_sent_again);
    RUN_TEST(who_names_a_stream_and_no_event_gets_all_of_it);
    RUN_TEST(what_nobody_comes_back_for_is_dropped);
    RUN_TEST(the_stream_of_one_session_is_not_given_to_another);
    RUN_TEST(a_client_request_on_a_lost_stream_is_sent_again);
    RUN_TEST(a_client_request_whose_client_stays_away_ends_its_tool_call);
    RUN_TEST(a_session_that_lost_its_place_can_still_be_asked);
    RUN_TEST(a_client_request_that_was_seen_is_not_sent_again);
    RUN_TEST(a_cancelled_stream_just_ends);
    RUN_TEST(the_end_of_a_session_ends_what_it_could_have_picked_up);
    RUN_TEST(a_task_is_kept_for_its_time);
    RUN_TEST(a_lost_line_takes_its_tasks_with_it);
    RUN_TEST(tasks_of_one_client_leave_places_to_another);
    RUN_TEST(tasks_that_nobody_fetches_are_in_nobodys_way);
    RUN_TEST(changes_of_the_firmware_are_sent_to_clients_that_were_promised_them);
    return UNITY_END();
}
