/* test_http_header.c -- what header lines decide: who may ask, how, and which requests are
 * so unclear that the connection must end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "talk.h"
#include "unity.h"

#define LIST "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}"

void setUp(void)
{
    talk_start(SKR_HTTP_1, 512);
}

void tearDown(void)
{
}

static void still_answers(void)
{
    TEST_ASSERT_FALSE(skr_conn_finished(&talk.conn));
    TEST_ASSERT_EQUAL(SKR_IDLE, skr_conn_doing(&talk.conn));
    TEST_ASSERT_EQUAL(200, talk_status(talk_post(MODERN, DISCOVER)));
}

static void has_closed(void)
{
    size_t room;
    TEST_ASSERT_TRUE(skr_conn_finished(&talk.conn));
    skr_conn_rx_room(&talk.conn, &room);
    TEST_ASSERT_EQUAL(0, room);
    talk_open(SKR_HTTP_1);
    still_answers();
}

static void is(int status, const char *head)
{
    char request[1024];
    snprintf(request, sizeof request, "%s\r\n\r\n", head);
    TEST_ASSERT_EQUAL_MESSAGE(status, talk_status(request), head);
}

static void refused_requests_leave_the_connection_in_step(void)
{
    is(404, "POST /other HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0");
    still_answers();
    is(404, "POST /mcpx HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0");
    is(405, "GET /mcp HTTP/1.1\r\nHost: localhost");
    is(405, "PUT /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0");
    is(405, "OPTIONS /mcp HTTP/1.1\r\nHost: localhost");
    is(403, "POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0");
    is(403, "POST /mcp HTTP/1.1\r\nHost: localhost.evil.example\r\nContent-Length: 0");
    is(403, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\nContent-Length: 0");
    is(403, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\nContent-Length: 0");
    is(400, "POST /mcp HTTP/1.1\r\nContent-Length: 0");
    is(415, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 0");
    is(406, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: "
            "image/png\r\nContent-Length: 0");
    is(400, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 0");
    is(400, "DELETE /mcp HTTP/1.1\r\nHost: localhost");
    still_answers();
}

static void requests_that_two_readers_would_read_differently_close_the_connection(void)
{
    static const char *const bad[] = {
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 5",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: +5",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5, 5",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0x5",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length:",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nContent-Length: 5",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length : 5",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\n folded: x",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\n\tfolded",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nno colon",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\n: nothing",
        "nonsense",
        "POST",
        "POST /mcp",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        is(400, bad[i]);
        has_closed();
    }
    is(413, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999"); /* [HTTP-06] */
    has_closed();
    is(501, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked");
    has_closed();
    is(505, "POST /mcp HTTP/2.0\r\nHost: localhost\r\nContent-Length: 0");
    has_closed();
    is(505, "POST /mcp http/1.1\r\nHost: localhost\r\nContent-Length: 0");
    has_closed();
}

static void http_1_0_closes_unless_asked_to_stay(void)
{
    is(405, "GET /mcp HTTP/1.0");
    has_closed();
    is(405, "GET /mcp HTTP/1.0\r\nConnection: keep-alive");
    still_answers();
}

static void who_expects_100_is_told_to_continue(void)
{
    char *request = strdup(talk_post(MODERN "Expect: 100-continue\r\n", DISCOVER));
    char *body = strstr(request, "\r\n\r\n") + 4, first = *body;
    *body = '\0';
    TEST_ASSERT_EQUAL_STRING("HTTP/1.1 100 Continue\r\n\r\n", talk_ask(request));
    *body = first;
    TEST_ASSERT_EQUAL(200, talk_response(talk_ask(body)).status);
    TEST_ASSERT_EQUAL(200, talk_status(request)); /* the body is here already: no need to say it */
    free(request);
    still_answers();
}

static void who_expects_100_with_chunks_is_told_to_continue(void)
{
    TEST_ASSERT_EQUAL_STRING(
        "HTTP/1.1 100 Continue\r\n\r\n",
        talk_ask("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" MODERN
                 "Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n"));
}

static void a_body_that_comes_before_the_100_has_left_is_answered(void)
{
    char *request = strdup(talk_post(MODERN "Expect: 100-continue\r\n", DISCOVER));
    size_t head = (size_t)(strstr(request, "\r\n\r\n") + 4 - request);
    talk_send(request, head);
    talk_send(request + head, strlen(request) - head);
    talk_drain();
    const char *text = buf_str(&talk.out);
    TEST_ASSERT_EQUAL(0, strncmp(text, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200", 37));
    free(request);
    still_answers();
}

static void a_time_out_while_100_waits_to_leave_ends_cleanly(void)
{
    char *request = strdup(talk_post(MODERN "Expect: 100-continue\r\n", DISCOVER));
    talk_send(request, (size_t)(strstr(request, "\r\n\r\n") + 4 - request));
    skr_conn_timed_out(&talk.conn);
    talk_drain();
    TEST_ASSERT_NOT_NULL(strstr(buf_str(&talk.out), "HTTP/1.1 408"));
    TEST_ASSERT_TRUE(skr_conn_finished(&talk.conn));
    free(request);
}

static void bytes_of_a_header_that_are_no_utf8_do_not_reach_the_answer(void)
{
    static const char *const versions[] = {"\xFF", "2026-07-28\xE9", "\xC3", "a\x01z", "\x7F", "\xF0\x9F\x98"};
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        static const char *const bodies[] = {DISCOVER, LIST};
        for (size_t k = 0; k < 2; k++) {
            char headers[128];
            snprintf(headers, sizeof headers, "MCP-Protocol-Version: %s\r\nMcp-Method: server/discover\r\n",
                     versions[i]);
            struct response r = talk_response(talk_ask(talk_post(headers, bodies[k])));
            TEST_ASSERT_EQUAL_MESSAGE(400, r.status, r.head);
            for (const char *p = r.body; *p != '\0'; p++) {
                TEST_ASSERT_TRUE_MESSAGE((unsigned char)*p < 0x80 && (unsigned char)*p >= 0x20, r.body);
            }
        }
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(refused_requests_leave_the_connection_in_step);
    RUN_TEST(requests_that_two_readers_would_read_differently_close_the_connection);
    RUN_TEST(http_1_0_closes_unless_asked_to_stay);
    RUN_TEST(who_expects_100_is_told_to_continue);
    RUN_TEST(who_expects_100_with_chunks_is_told_to_continue);
    RUN_TEST(a_body_that_comes_before_the_100_has_left_is_answered);
    RUN_TEST(a_time_out_while_100_waits_to_leave_ends_cleanly);
    RUN_TEST(bytes_of_a_header_that_are_no_utf8_do_not_reach_the_answer);
    return UNITY_END();
}
