/* test_http_header.c -- what header lines decide: who may ask, how, and which requests are
 * so unclear that the connection must end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"
#include "unity.h"

void setUp(void)
{
    peer_start(SKR_HTTP_1, 512);
}

void tearDown(void)
{
}

static void is(int status, const char *head)
{
    char request[1024];

    snprintf(request, sizeof request, "%s\r\n\r\n", head);
    TEST_ASSERT_EQUAL_MESSAGE(status, peer_status(request), head);
}

static void refused_requests_leave_the_connection_in_step(void)
{
    is(404, "POST /other HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0");
    peer_still_responds();
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
    peer_still_responds();
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
        "PO\rST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0",
        "POST /m\rcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0",
        "nonsense",
        "POST",
        "POST /mcp",
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        is(400, bad[i]);
        peer_has_closed();
    }
    is(413, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999"); /* [HTTP-06] */
    peer_has_closed();
    is(501, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked");
    peer_has_closed();
    is(505, "POST /mcp HTTP/2.0\r\nHost: localhost\r\nContent-Length: 0");
    peer_has_closed();
    is(505, "POST /mcp http/1.1\r\nHost: localhost\r\nContent-Length: 0");
    peer_has_closed();
}

static void http_1_0_closes_unless_asked_to_stay(void)
{
    is(405, "GET /mcp HTTP/1.0");
    peer_has_closed();
    is(405, "GET /mcp HTTP/1.0\r\nConnection: keep-alive");
    peer_still_responds();
}

static void who_expects_100_is_told_to_continue(void)
{
    char *request = strdup(peer_post(MODERN "Expect: 100-continue\r\n", DISCOVER));
    char *body = strstr(request, "\r\n\r\n") + 4, first = *body;

    *body = '\0';
    TEST_ASSERT_EQUAL_STRING("HTTP/1.1 100 Continue\r\n\r\n", peer_exchange(request));
    *body = first;
    TEST_ASSERT_EQUAL(200, peer_response(peer_exchange(body)).status);
    TEST_ASSERT_EQUAL(200, peer_status(request)); /* the body is here already: no need to say it */
    free(request);
    peer_still_responds();
}

static void who_expects_100_with_chunks_is_told_to_continue(void)
{
    TEST_ASSERT_EQUAL_STRING(
        "HTTP/1.1 100 Continue\r\n\r\n",
        peer_exchange("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" MODERN
                      "Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n"));
}

static void a_body_that_comes_before_the_100_has_left_is_answered(void)
{
    char *request = strdup(peer_post(MODERN "Expect: 100-continue\r\n", DISCOVER));
    size_t head = (size_t)(strstr(request, "\r\n\r\n") + 4 - request);

    peer_send(request, head);
    peer_send(request + head, strlen(request) - head);
    peer_drain();
    const char *text = buf_str(&peer.out);
    TEST_ASSERT_EQUAL(0, strncmp(text, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200", 37));
    free(request);
    peer_still_responds();
}

static void a_time_out_while_100_waits_to_leave_ends_cleanly(void)
{
    char *request = strdup(peer_post(MODERN "Expect: 100-continue\r\n", DISCOVER));

    peer_send(request, (size_t)(strstr(request, "\r\n\r\n") + 4 - request));
    skr_conn_timed_out(&peer.conn);
    peer_drain();
    TEST_ASSERT_NOT_NULL(strstr(buf_str(&peer.out), "HTTP/1.1 408"));
    TEST_ASSERT_TRUE(skr_conn_finished(&peer.conn));
    free(request);
}

static void while_100_waits_to_leave_there_is_something_to_send(void)
{
    char *request = strdup(peer_post(MODERN "Expect: 100-continue\r\n", DISCOVER));

    peer_send(request, (size_t)(strstr(request, "\r\n\r\n") + 4 - request));
    TEST_ASSERT_EQUAL(SKR_RESPONDING, skr_conn_activity(&peer.conn));
    peer_drain();
    TEST_ASSERT_EQUAL(SKR_RECEIVING, skr_conn_activity(&peer.conn));
    free(request);
}

static void bytes_of_a_header_that_are_no_utf8_do_not_reach_the_response(void)
{
    static const char *const versions[] = {"\xFF", "2026-07-28\xE9", "\xC3", "a\x01z", "\x7F", "\xF0\x9F\x98"};

    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        static const char *const bodies[] = {DISCOVER, LIST};
        for (size_t k = 0; k < 2; k++) {
            char headers[128];
            snprintf(headers, sizeof headers, "MCP-Protocol-Version: %s\r\nMcp-Method: server/discover\r\n",
                     versions[i]);
            struct response r = peer_response(peer_exchange(peer_post(headers, bodies[k])));
            TEST_ASSERT_EQUAL_MESSAGE(400, r.status, r.head);
            for (const char *p = r.body; *p != '\0'; p++) {
                TEST_ASSERT_TRUE_MESSAGE((unsigned char)*p < 0x80 && (unsigned char)*p >= 0x20, r.body);
            }
        }
    }
}

/* [ORG-01] [ORG-04] names, addresses and ports that are nearly right */
static void hosts_that_are_nearly_right_are_refused(void)
{
    static const char *const good[] = {"localhost",        "LOCALHOST:1", "127.0.0.1:65535", "[::1]:80",
                                       "[::ffff:1.2.3.4]", "[FE80::1]",   "192.168.0.7",     "pump.local:8"};
    static const char *const bad[] = {"localhost:",
                                      "localhost:1234567",
                                      "localhost:80/",
                                      "localhost:8a",
                                      "localhostx1",
                                      "1.2.3",
                                      "1.2.3.",
                                      "1.2.3-4",
                                      "1..2.3",
                                      "1.2.3.4444",
                                      "1.2.3.4.5",
                                      "1.2.3.4:",
                                      "[]",
                                      "[:]",
                                      "[::1",
                                      "[::g]",
                                      "[::1]x",
                                      "[::/]",
                                      "[::1].evil"};
    char head[128];

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        snprintf(head, sizeof head, "POST /mcp HTTP/1.1\r\nHost: %s\r\nContent-Length: 0", good[i]);
        is(415, head);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(head, sizeof head, "POST /mcp HTTP/1.1\r\nHost: %s\r\nContent-Length: 0", bad[i]);
        is(403, head);
    }
    peer_still_responds();
}

static char refused[128];

static void keep_refused(const struct skr_conn *from, const char *header, struct skr_span value)
{
    TEST_ASSERT_EQUAL_PTR(&peer.conn, from);
    snprintf(refused, sizeof refused, "%s: %.*s", header, (int)value.n, value.p);
}

/* A device that is on no machine of its own, so that localhost is another host; and what it logs. */
static void where_loopback_is_not_allowed_localhost_is_a_stranger(void)
{
    const struct skr_http_config config = {.path = "/mcp", .anyone = true, .refused = keep_refused};

    skr_server_http(&peer.server, &config);
    is(403, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0");
    TEST_ASSERT_EQUAL_STRING("Host: localhost", refused);
    is(403, "POST /mcp HTTP/1.1\r\nHost: 10.0.0.1\r\nOrigin: http://localhost\r\nContent-Length: 0");
    TEST_ASSERT_EQUAL_STRING("Origin: http://localhost", refused);
    is(415, "POST /mcp HTTP/1.1\r\nHost: 10.0.0.1\r\nContent-Length: 0");
}

static void headers_that_mean_nothing_here_change_nothing(void)
{
    TEST_ASSERT_EQUAL(
        200, peer_status(peer_post(MODERN "From: me\r\nCookie: a=b\r\nUser-Agent: x\r\nX-Request-Id: 1\r\n"
                                          "If-Modified-Since: 0\r\nX-Forwarded-Protocol: http\r\nX-Trace~1: 2\r\n"
                                          "Accept-Encoding: gzip\r\nConnection: upgrade\r\nConnection: keep-alive\r\n",
                                   DISCOVER)));
    peer_still_responds();
}

/* [HTTP-07] names are of token characters */
static void names_of_headers_with_other_characters_close_the_connection(void)
{
    static const char bad[][8] = {"X{", "X[", "X@", "X\"", "X/", "X\xFF"};
    char head[128];

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(head, sizeof head, "POST /mcp HTTP/1.1\r\nHost: localhost\r\n%s: 1", bad[i]);
        is(400, head);
        peer_has_closed();
    }
    static const char with_nul[] = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX\0: 1\r\n\r\n";
    peer.out.n = 0;
    peer_send(with_nul, sizeof with_nul - 1);
    peer_drain();
    TEST_ASSERT_EQUAL(400, peer_response(buf_str(&peer.out)).status);
    peer_has_closed();
}

/* [HTTP-06] two readers agree about it; whatever follows the body is the next request */
static void the_same_length_twice_is_one_length(void)
{
    char headers[128];

    snprintf(headers, sizeof headers, MODERN "Content-Length: %zu\r\n", strlen(DISCOVER));
    TEST_ASSERT_EQUAL(200, peer_status(peer_post(headers, DISCOVER)));
    peer_still_responds();
}

static void a_type_is_needed_and_any_kind_of_text_is_a_stream(void)
{
    is(415, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type:\r\nContent-Length: 0");
    is(400, "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: image/png"); /* it has no body to be shown */
    char request[1024];
    snprintf(request, sizeof request,
             "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: text/*\r\n" MODERN
             "Content-Length: %zu\r\n\r\n" DISCOVER,
             strlen(DISCOVER));
    struct response r = peer_response(peer_exchange(request));
    TEST_ASSERT_EQUAL(200, r.status);
    TEST_ASSERT_NOT_NULL(strstr(r.head, "Content-Type: text/event-stream"));
}

/* [HDR-06] a tab is a character of a header's value like any other, a control character is not */
static void a_tab_inside_a_name_is_kept(void)
{
    static const char body[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"a\\tb\"," META "}}";

#define CALLED "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: "
    TEST_ASSERT_NOT_NULL(strstr(peer_exchange(peer_post(CALLED "a\tb\r\n", body)), "\"code\":-32602"));
    TEST_ASSERT_NOT_NULL(strstr(peer_exchange(peer_post(CALLED "a\x01"
                                                               "b\r\n",
                                                        body)),
                                "\"code\":-32020"));
}

/* [HDR-06] whatever the body says: DEL is also a control character */
static void a_name_with_a_delete_in_it_is_not_compared(void)
{
    static const char body[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"a\\u007f\"," META "}}";

    TEST_ASSERT_NOT_NULL(strstr(peer_exchange(peer_post(CALLED "a\x7F\r\n", body)), "\"code\":-32020"));
}

/* Nothing but more bytes can follow a header that is cut off, and a port may say that none came. */
static void a_port_that_reports_no_bytes_changes_nothing(void)
{
    peer_exchange("POST /mcp HTTP/1.1\r\nHo");
    skr_conn_rx_done(&peer.conn, 0);
    TEST_ASSERT_EQUAL(SKR_RECEIVING, skr_conn_activity(&peer.conn));
    peer_exchange("st: localhost\r\nContent-Length: x\r\n\r\n");
    TEST_ASSERT_TRUE(skr_conn_finished(&peer.conn));
    skr_conn_rx_done(&peer.conn, 0);
    peer_drain();
    TEST_ASSERT_TRUE(skr_conn_finished(&peer.conn));
    peer_has_closed();
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
    RUN_TEST(while_100_waits_to_leave_there_is_something_to_send);
    RUN_TEST(bytes_of_a_header_that_are_no_utf8_do_not_reach_the_response);
    RUN_TEST(hosts_that_are_nearly_right_are_refused);
    RUN_TEST(where_loopback_is_not_allowed_localhost_is_a_stranger);
    RUN_TEST(headers_that_mean_nothing_here_change_nothing);
    RUN_TEST(names_of_headers_with_other_characters_close_the_connection);
    RUN_TEST(the_same_length_twice_is_one_length);
    RUN_TEST(a_type_is_needed_and_any_kind_of_text_is_a_stream);
    RUN_TEST(a_tab_inside_a_name_is_kept);
    RUN_TEST(a_name_with_a_delete_in_it_is_not_compared);
    RUN_TEST(a_port_that_reports_no_bytes_changes_nothing);
    return UNITY_END();
}
