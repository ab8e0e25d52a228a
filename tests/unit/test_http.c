/* test_http.c -- Streamable HTTP: framing of requests, statuses of refusals, and a byte
 * stream that stays in step whatever came before. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "talk.h"
#include "unity.h"

#define DISCOVER "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{" META "}}"
#define MODERN "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: server/discover\r\n"
#define INITIALIZE \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\"," \
    "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}"
#define PING "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"

void setUp(void)
{
    talk_start(SKR_HTTP_1, 512);
}

void tearDown(void)
{
}

/* ---- Reading answers ---- */

struct response {
    int status;
    const char *head;
    const char *body;
    size_t length; /* of the body, as Content-Length says */
    const char *end;
};

static struct response parse(const char *text)
{
    struct response r = {0, text, "", 0, text};
    const char *body = strstr(text, "\r\n\r\n"), *length = strstr(text, "Content-Length: ");
    TEST_ASSERT_NOT_NULL_MESSAGE(body, text);
    TEST_ASSERT_EQUAL_MESSAGE(1, sscanf(text, "HTTP/1.1 %d ", &r.status), text);
    r.body = body + 4;
    r.length = length != NULL && length < body ? strtoul(length + 16, NULL, 10) : 0;
    TEST_ASSERT_TRUE_MESSAGE(strlen(r.body) >= r.length, text);
    r.end = r.body + r.length;
    return r;
}

/* One request, one answer, nothing else; the status. */
static int status_of(const char *request)
{
    const char *text = talk_ask(request);
    struct response r = parse(text);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", r.end, text);
    return r.status;
}

static void still_answers(void)
{
    TEST_ASSERT_FALSE(skr_conn_finished(&talk.conn));
    TEST_ASSERT_EQUAL(SKR_IDLE, skr_conn_doing(&talk.conn));
    TEST_ASSERT_EQUAL(200, status_of(talk_post(MODERN, DISCOVER)));
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

/* ---- Requests that are answered ---- */

static void a_modern_request_is_answered_with_json(void)
{
    const char *text = talk_ask(talk_post(MODERN, DISCOVER));
    struct response r = parse(text);
    TEST_ASSERT_EQUAL(200, r.status);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "Content-Type: application/json\r\n"), text);
    TEST_ASSERT_EQUAL('{', r.body[0]);
    TEST_ASSERT_EQUAL_STRING("", r.end);
    still_answers();
}

static void who_accepts_events_only_gets_an_event(void)
{
    const char *text = talk_ask("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                "Accept: text/event-stream\r\nContent-Length: 41\r\n\r\n" PING " ");
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "HTTP/1.1 400"), text); /* an error is JSON all the same */
    char request[1024];
    snprintf(request, sizeof request,
             "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" MODERN
             "Accept: text/event-stream\r\nContent-Length: %zu\r\n\r\n" DISCOVER,
             strlen(DISCOVER));
    text = talk_ask(request);
    struct response r = parse(text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "Content-Type: text/event-stream\r\n"), text);
    TEST_ASSERT_EQUAL(0, strncmp(r.body, "data: {", 7));
    TEST_ASSERT_EQUAL_STRING("\n\n", r.end - 2);
}

static void an_older_client_gets_a_session_and_must_show_it(void)
{
    char session[64] = "", headers[128];
    const char *text = talk_ask(talk_post("", INITIALIZE));
    const char *at = strstr(text, "Mcp-Session-Id: ");
    TEST_ASSERT_NOT_NULL_MESSAGE(at, text);
    TEST_ASSERT_EQUAL(1, sscanf(at, "Mcp-Session-Id: %63[0-9a-f]\r", session));
    TEST_ASSERT_EQUAL(32, strlen(session));
    TEST_ASSERT_EQUAL(400, status_of(talk_post("", PING)));
    snprintf(headers, sizeof headers, "Mcp-Session-Id: %s\r\n", session);
    TEST_ASSERT_EQUAL(200, status_of(talk_post(headers, PING)));
    session[0] = session[0] == '0' ? '1' : '0';
    snprintf(headers, sizeof headers, "Mcp-Session-Id: %s\r\n", session);
    TEST_ASSERT_EQUAL(404, status_of(talk_post(headers, PING)));
}

static void a_session_that_was_ended_is_gone(void)
{
    char session[64], headers[128], request[256];
    sscanf(strstr(talk_ask(talk_post("", INITIALIZE)), "Mcp-Session-Id: "), "Mcp-Session-Id: %63[0-9a-f]\r", session);
    snprintf(request, sizeof request, "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: %s\r\n\r\n", session);
    snprintf(headers, sizeof headers, "Mcp-Session-Id: %s\r\n", session);
    TEST_ASSERT_EQUAL(200, status_of(talk_post(headers, PING)));
    TEST_ASSERT_EQUAL(200, status_of(request));
    TEST_ASSERT_EQUAL(404, status_of(talk_post(headers, PING)));
    TEST_ASSERT_EQUAL(404, status_of(request));
}

static void every_session_id_is_another(void)
{
    char last[64] = "", session[64];
    for (int i = 0; i < 2 * SKR_SESSIONS; i++) {
        sscanf(strstr(talk_ask(talk_post("", INITIALIZE)), "Mcp-Session-Id: "), "Mcp-Session-Id: %63[0-9a-f]\r", session);
        TEST_ASSERT_NOT_EQUAL(0, strcmp(last, session));
        strcpy(last, session);
    }
}

static void a_notification_is_accepted_without_a_body(void)
{
    const char *text = talk_ask(talk_post(MODERN, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}"));
    struct response r = parse(text);
    TEST_ASSERT_EQUAL(202, r.status);
    TEST_ASSERT_EQUAL(0, r.length);
    still_answers();
}

static void a_subscription_is_a_stream_of_events_that_ends(void)
{
    const char *text = talk_ask(talk_post("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n",
                                          "{\"jsonrpc\":\"2.0\",\"id\":\"s\",\"method\":\"subscriptions/listen\",\"params\":{"
                                          "\"notifications\":{}," META "}}"));
    struct response r = parse(text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "text/event-stream"), text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(r.body, "\"id\":\"s\""), text);
    still_answers();
}

static void answers_of_all_sizes_have_the_length_they_say(void)
{
    static const char *const uris[] = {"skill://alpha/data/all.txt", "skill://alpha/data/bytes.bin", "skill://alpha/long.txt",
                                       "skill://alpha/empty.txt", "skill://alpha/zeros.bin", "skill://nothing", "test://bytes"};
    char headers[256], body[512];
    for (size_t i = 0; i < sizeof uris / sizeof uris[0]; i++) {
        snprintf(headers, sizeof headers, "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: resources/read\r\nMcp-Name: %s\r\n",
                 uris[i]);
        snprintf(body, sizeof body,
                 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"%s\"," META "}}", uris[i]);
        TEST_ASSERT_EQUAL_MESSAGE(200, status_of(talk_post(headers, body)), uris[i]);
    }
    still_answers();
}

/* ---- Framing of bodies ---- */

#define CHUNKED_HEAD \
    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" MODERN "Transfer-Encoding: chunked\r\n\r\n"

static char *chunked(const char *body, size_t size, const char *extension, const char *trailers)
{
    struct buf b = {0};
    buf_puts(&b, CHUNKED_HEAD);
    for (size_t at = 0; at < strlen(body); at += size) {
        size_t n = strlen(body) - at < size ? strlen(body) - at : size;
        buf_printf(&b, "%zX%s\r\n", n, extension);
        buf_add(&b, body + at, n);
        buf_puts(&b, "\r\n");
    }
    buf_printf(&b, "0%s\r\n%s\r\n", extension, trailers);
    return buf_str(&b);
}

static void a_body_may_come_in_chunks_of_any_size(void)
{
    for (size_t size = 1; size <= strlen(DISCOVER); size++) {
        TEST_ASSERT_EQUAL(200, status_of(chunked(DISCOVER, size, "", "")));
    }
    TEST_ASSERT_EQUAL(200, status_of(chunked(DISCOVER, 30, ";name=value", "X-Trailer: 1\r\nY: 2\r\n")));
    TEST_ASSERT_EQUAL(200, status_of(chunked(DISCOVER, 30, " ; x", "")));
    still_answers();
}

static void bad_chunks_close_the_connection(void)
{
    static const char *const bad[] = {"\r\n", "x\r\n", "-1\r\n", "FFFFFFFF\r\n", "123456789\r\n", ";\r\n", " 5\r\n",
                                      "2\r\n{}x\r\n", "1\r\n{}\r\n", "0x2\r\n{}\r\n"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char request[1024];
        snprintf(request, sizeof request, CHUNKED_HEAD "%s", bad[i]);
        TEST_ASSERT_EQUAL_MESSAGE(400, status_of(request), bad[i]);
        has_closed();
    }
}

static void requests_in_a_row_are_answered_in_a_row(void)
{
    struct buf b = {0};
    for (int i = 0; i < 50; i++) {
        buf_puts(&b, "\r\n");
        buf_puts(&b, talk_post(MODERN, DISCOVER));
        char *text = chunked(DISCOVER, 13, "", "");
        buf_puts(&b, text);
        free(text);
    }
    const char *text = talk_ask(buf_str(&b));
    for (int i = 0; i < 100; i++) {
        struct response r = parse(text);
        TEST_ASSERT_EQUAL(200, r.status);
        text = r.end;
    }
    TEST_ASSERT_EQUAL_STRING("", text);
}

static void who_expects_100_is_told_to_continue(void)
{
    char *request = strdup(talk_post(MODERN "Expect: 100-continue\r\n", DISCOVER));
    char *body = strstr(request, "\r\n\r\n") + 4, first = *body;
    *body = '\0';
    TEST_ASSERT_EQUAL_STRING("HTTP/1.1 100 Continue\r\n\r\n", talk_ask(request));
    *body = first;
    TEST_ASSERT_EQUAL(200, parse(talk_ask(body)).status);
    TEST_ASSERT_EQUAL(200, status_of(request)); /* the body is here already: no need to say it */
    free(request);
    still_answers();
}

static void who_expects_100_with_chunks_is_told_to_continue(void)
{
    TEST_ASSERT_EQUAL_STRING("HTTP/1.1 100 Continue\r\n\r\n",
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

/* ---- Refusals ---- */

static void is(int status, const char *head)
{
    char request[1024];
    snprintf(request, sizeof request, "%s\r\n\r\n", head);
    TEST_ASSERT_EQUAL_MESSAGE(status, status_of(request), head);
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
    is(406, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: image/png\r\nContent-Length: 0");
    is(400, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 0");
    is(400, "DELETE /mcp HTTP/1.1\r\nHost: localhost");
    still_answers();
}

static void the_body_of_a_refused_request_is_skipped(void)
{
    const char *text = talk_ask("POST /other HTTP/1.1\r\nHost: localhost\r\nContent-Length: 40\r\n\r\n"
                                "GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\nxx");
    TEST_ASSERT_EQUAL(404, parse(text).status);
    TEST_ASSERT_EQUAL_STRING("", parse(text).end);
    text = talk_ask("POST /other HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                    "4\r\nGET \r\n2\r\n\r\n\r\n0\r\n\r\n");
    TEST_ASSERT_EQUAL(404, parse(text).status);
    TEST_ASSERT_EQUAL_STRING("", parse(text).end);
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
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nContent-Length: 5",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length : 5",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\n folded: x",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\n\tfolded",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nno colon",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\n: nothing",
        "nonsense", "POST", "POST /mcp", "POST  HTTP/1.1",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        is(400, bad[i]);
        has_closed();
    }
    is(501, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked");
    has_closed();
    is(505, "POST /mcp HTTP/2.0\r\nHost: localhost\r\nContent-Length: 0");
    has_closed();
    is(505, "POST /mcp http/1.1\r\nHost: localhost\r\nContent-Length: 0");
    has_closed();
}

static void a_body_too_large_is_refused_and_skipped(void)
{
    struct buf b = {0};
    buf_printf(&b, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
               3 * SKR_REQUEST_MAX);
    for (int i = 0; i < 3 * SKR_REQUEST_MAX; i++) {
        buf_puts(&b, "{");
    }
    TEST_ASSERT_EQUAL(413, status_of(buf_str(&b)));
    still_answers();
}

static void chunks_too_large_together_are_refused_and_skipped(void)
{
    char *body = malloc(2 * SKR_REQUEST_MAX + 1);
    memset(body, 'x', 2 * SKR_REQUEST_MAX);
    body[2 * SKR_REQUEST_MAX] = '\0';
    static const size_t sizes[] = {1000, SKR_REQUEST_MAX - 40, 2 * SKR_REQUEST_MAX};
    for (size_t i = 0; i < 3; i++) {
        char *text = chunked(body, sizes[i], "", "");
        TEST_ASSERT_EQUAL(413, status_of(text));
        free(text);
        still_answers();
    }
    free(body);
}

static void headers_too_large_are_refused(void)
{
    struct buf b = {0};
    buf_puts(&b, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: ");
    for (int i = 0; i < SKR_HTTP_HEADER_MAX; i++) {
        buf_puts(&b, "y");
    }
    buf_puts(&b, "\r\n\r\n");
    TEST_ASSERT_EQUAL(431, status_of(buf_str(&b)));
    has_closed();
    b.n = 0;
    buf_puts(&b, "POST /mcp HTTP/1.1\r\nHost: localhost\r\n");
    for (int i = 0; i < SKR_HTTP_HEADER_MAX / 8; i++) {
        buf_puts(&b, "X: yyyy\r\n");
    }
    TEST_ASSERT_EQUAL(431, status_of(buf_str(&b)));
    has_closed();
    b.n = 0;
    for (int i = 0; i < 2 * SKR_REQUEST_MAX; i++) {
        buf_puts(&b, "y");
    }
    TEST_ASSERT_EQUAL(431, status_of(buf_str(&b)));
    has_closed();
}

static void many_long_headers_cost_no_room_for_the_body(void)
{
    struct buf headers = {0}, body = {0};
    for (int i = 0; i < SKR_HTTP_HEADER_MAX / 64 - 8; i++) {
        buf_puts(&headers, "X-Filler: 12345678901234567890123456789012345678901234567890\r\n");
    }
    buf_puts(&body, DISCOVER);
    while (body.n < SKR_REQUEST_MAX - 100) {
        buf_puts(&body, " ");
    }
    struct buf b = {0};
    buf_printf(&b, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" MODERN
                   "%sContent-Length: %zu\r\n\r\n%s", buf_str(&headers), body.n, buf_str(&body));
    TEST_ASSERT_EQUAL(200, status_of(buf_str(&b)));
    still_answers();
}

/* ---- Ends ---- */

static void a_client_that_wants_to_close_gets_its_answer_first(void)
{
    const char *text = talk_ask(talk_post(MODERN "Connection: close\r\n", DISCOVER));
    TEST_ASSERT_EQUAL(200, parse(text).status);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "Connection: close\r\n"), text);
    has_closed();
}

static void http_1_0_closes_unless_asked_to_stay(void)
{
    is(405, "GET /mcp HTTP/1.0");
    has_closed();
    is(405, "GET /mcp HTTP/1.0\r\nConnection: keep-alive");
    still_answers();
}

static void a_request_that_takes_too_long_gets_408(void)
{
    static const char request[] = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                  "Content-Length: 10\r\n\r\n12345";
    for (size_t n = 1; n < sizeof request; n++) {
        talk_open(SKR_HTTP_1);
        talk_send(request, n);
        talk_drain();
        TEST_ASSERT_EQUAL(SKR_RECEIVING, skr_conn_doing(&talk.conn));
        skr_conn_timed_out(&talk.conn);
        talk_drain();
        TEST_ASSERT_EQUAL(408, parse(buf_str(&talk.out)).status);
        TEST_ASSERT_TRUE(skr_conn_finished(&talk.conn));
    }
}

static void an_idle_connection_that_timed_out_is_closed_silently(void)
{
    skr_conn_timed_out(&talk.conn);
    talk_drain();
    TEST_ASSERT_EQUAL(0, talk.out.n);
    TEST_ASSERT_TRUE(skr_conn_finished(&talk.conn));
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

/* ---- What is quoted ---- */

static void bytes_of_a_header_that_are_no_utf8_do_not_reach_the_answer(void)
{
    static const char *const versions[] = {"\xFF", "2026-07-28\xE9", "\xC3", "a\x01z", "\x7F", "\xF0\x9F\x98"};
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        static const char *const bodies[] = {DISCOVER, PING};
        for (size_t k = 0; k < 2; k++) {
            char headers[128];
            snprintf(headers, sizeof headers, "MCP-Protocol-Version: %s\r\nMcp-Method: server/discover\r\n", versions[i]);
            struct response r = parse(talk_ask(talk_post(headers, bodies[k])));
            TEST_ASSERT_EQUAL_MESSAGE(400, r.status, r.head);
            for (const char *p = r.body; *p != '\0'; p++) {
                TEST_ASSERT_TRUE_MESSAGE((unsigned char)*p < 0x80 && (unsigned char)*p >= 0x20, r.body);
            }
        }
    }
}

/* ---- Damage ---- */

/* The length was promised before the damage showed; only closing tells the client. */
static void an_answer_broken_off_by_damage_closes_the_connection(void)
{
    char *copy = sample_exact_copy(talk.image.p, talk.image.n);
    TEST_ASSERT_EQUAL(ROMFS_OK, romfs_mount(&talk.server.fs, copy, talk.image.n));
    const struct romfs_node *node = romfs_find(&talk.server.fs, "alpha/long.txt", 14);
    memset(copy + node->data + node->stored / 2, 0xFF, node->stored / 2);
    talk_ask(talk_post("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: resources/read\r\nMcp-Name: skill://alpha/long.txt\r\n",
                       "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{"
                       "\"uri\":\"skill://alpha/long.txt\"," META "}}"));
    TEST_ASSERT_TRUE(skr_conn_finished(&talk.conn));
    free(copy);
}

/* A byte of a text file that turned into a control character makes its escaped form longer
 * than the image says. */
static void a_text_longer_than_recorded_does_not_get_the_stream_out_of_step(void)
{
    static const char bytes[] = {'\n', 'x', 1};
    talk_start(SKR_HTTP_1, 0);
    char *copy = sample_exact_copy(talk.image.p, talk.image.n);
    TEST_ASSERT_EQUAL(ROMFS_OK, romfs_mount(&talk.server.fs, copy, talk.image.n));
    const struct romfs_node *node = romfs_find(&talk.server.fs, "alpha/long.txt", 14);
    for (size_t i = 0; i < sizeof bytes; i++) {
        copy[node->data + 5] = bytes[i];
        talk_open(SKR_HTTP_1);
        const char *text = talk_ask(talk_post(
            "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: resources/read\r\nMcp-Name: skill://alpha/long.txt\r\n",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"skill://alpha/long.txt\"," META "}}"));
        const char *body = strstr(text, "\r\n\r\n") + 4;
        size_t promised = strtoul(strstr(text, "Content-Length: ") + 16, NULL, 10);
        TEST_ASSERT_TRUE_MESSAGE(strlen(body) <= promised, "more bytes than promised");
        TEST_ASSERT_TRUE_MESSAGE(strlen(body) == promised || skr_conn_finished(&talk.conn), "fewer, and the connection stays");
    }
    free(copy);
}

/* ---- Splits ---- */

static void wherever_requests_are_cut_the_answers_are_the_same(void)
{
    struct buf b = {0};
    buf_puts(&b, talk_post(MODERN, DISCOVER));
    char *text = chunked(DISCOVER, 40, ";a", "T: 1\r\n");
    buf_puts(&b, text);
    buf_puts(&b, "GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n");
    buf_puts(&b, "POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc");
    buf_puts(&b, talk_post("", PING));
    const char *requests = buf_str(&b);
    char *expected = strdup(talk_ask(requests));
    for (size_t a = 0; a <= b.n; a++) {
        talk_open(SKR_HTTP_1);
        talk_send(requests, a);
        talk_drain();
        talk_send(requests + a, b.n - a);
        talk_drain();
        TEST_ASSERT_EQUAL_STRING(expected, buf_str(&talk.out));
    }
    for (size_t portion = 1; portion < 40; portion++) {
        talk_open(SKR_HTTP_1);
        talk.take = portion % 7;
        for (size_t a = 0; a < b.n; a += portion) {
            talk_send(requests + a, b.n - a < portion ? b.n - a : portion);
            if (portion % 2 == 0) {
                talk_drain();
            }
        }
        talk_drain();
        TEST_ASSERT_EQUAL_STRING(expected, buf_str(&talk.out));
    }
    free(expected);
    free(text);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_modern_request_is_answered_with_json);
    RUN_TEST(who_accepts_events_only_gets_an_event);
    RUN_TEST(an_older_client_gets_a_session_and_must_show_it);
    RUN_TEST(a_session_that_was_ended_is_gone);
    RUN_TEST(every_session_id_is_another);
    RUN_TEST(a_notification_is_accepted_without_a_body);
    RUN_TEST(a_subscription_is_a_stream_of_events_that_ends);
    RUN_TEST(answers_of_all_sizes_have_the_length_they_say);
    RUN_TEST(a_body_may_come_in_chunks_of_any_size);
    RUN_TEST(bad_chunks_close_the_connection);
    RUN_TEST(requests_in_a_row_are_answered_in_a_row);
    RUN_TEST(who_expects_100_is_told_to_continue);
    RUN_TEST(who_expects_100_with_chunks_is_told_to_continue);
    RUN_TEST(a_body_that_comes_before_the_100_has_left_is_answered);
    RUN_TEST(refused_requests_leave_the_connection_in_step);
    RUN_TEST(the_body_of_a_refused_request_is_skipped);
    RUN_TEST(requests_that_two_readers_would_read_differently_close_the_connection);
    RUN_TEST(a_body_too_large_is_refused_and_skipped);
    RUN_TEST(chunks_too_large_together_are_refused_and_skipped);
    RUN_TEST(headers_too_large_are_refused);
    RUN_TEST(many_long_headers_cost_no_room_for_the_body);
    RUN_TEST(a_client_that_wants_to_close_gets_its_answer_first);
    RUN_TEST(http_1_0_closes_unless_asked_to_stay);
    RUN_TEST(a_request_that_takes_too_long_gets_408);
    RUN_TEST(an_idle_connection_that_timed_out_is_closed_silently);
    RUN_TEST(a_time_out_while_100_waits_to_leave_ends_cleanly);
    RUN_TEST(bytes_of_a_header_that_are_no_utf8_do_not_reach_the_answer);
    RUN_TEST(an_answer_broken_off_by_damage_closes_the_connection);
    RUN_TEST(a_text_longer_than_recorded_does_not_get_the_stream_out_of_step);
    RUN_TEST(wherever_requests_are_cut_the_answers_are_the_same);
    return UNITY_END();
}
