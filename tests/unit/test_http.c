/* test_http.c -- Streamable HTTP as a byte stream: where bodies end, how large they may be, and
 * that one request's trouble is never the next one's. */
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

#define JSON_HEAD "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" MODERN

#define CHUNKED_HEAD JSON_HEAD "Transfer-Encoding: chunked\r\n\r\n"

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
        TEST_ASSERT_EQUAL(200, peer_status(chunked(DISCOVER, size, "", "")));
    }
    TEST_ASSERT_EQUAL(200, peer_status(chunked(DISCOVER, 30, ";name=value", "X-Trailer: 1\r\nY: 2\r\n")));
    TEST_ASSERT_EQUAL(200, peer_status(chunked(DISCOVER, 30, " ; x", "")));
    peer_still_responds();
}

static void bad_chunks_close_the_connection(void)
{
    static const char *const bad[] = {"\r\n",  "x\r\n",  "-1\r\n",       "FFFFFFFF\r\n", "123456789\r\n",
                                      ";\r\n", " 5\r\n", "2\r\n{}x\r\n", "1\r\n{}\r\n",  "0x2\r\n{}\r\n"};

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char request[1024];
        snprintf(request, sizeof request, CHUNKED_HEAD "%s", bad[i]);
        TEST_ASSERT_EQUAL_MESSAGE(400, peer_status(request), bad[i]);
        peer_has_closed();
    }
}

static void requests_in_a_row_are_answered_in_a_row(void)
{
    struct buf b = {0};

    for (int i = 0; i < 50; i++) {
        buf_puts(&b, "\r\n");
        buf_puts(&b, peer_post(MODERN, DISCOVER));
        char *text = chunked(DISCOVER, 13, "", "");
        buf_puts(&b, text);
        free(text);
    }
    const char *text = peer_exchange(buf_str(&b));
    for (int i = 0; i < 100; i++) {
        struct response r = peer_response(text);
        TEST_ASSERT_EQUAL(200, r.status);
        text = r.end;
    }
    TEST_ASSERT_EQUAL_STRING("", text);
}

static void the_body_of_a_refused_request_is_skipped(void)
{
    const char *text = peer_exchange("POST /other HTTP/1.1\r\nHost: localhost\r\nContent-Length: 40\r\n\r\n"
                                     "GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\nxx");

    TEST_ASSERT_EQUAL(404, peer_response(text).status);
    TEST_ASSERT_EQUAL_STRING("", peer_response(text).end);
    text = peer_exchange("POST /other HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                         "4\r\nGET \r\n2\r\n\r\n\r\n0\r\n\r\n");
    TEST_ASSERT_EQUAL(404, peer_response(text).status);
    TEST_ASSERT_EQUAL_STRING("", peer_response(text).end);
    peer_still_responds();
}

static void a_body_too_large_is_refused_and_skipped(void)
{
    struct buf b = {0};

    buf_printf(&b,
               "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
               "%d\r\n\r\n",
               3 * SKR_REQUEST_MAX);
    for (int i = 0; i < 3 * SKR_REQUEST_MAX; i++) {
        buf_puts(&b, "{");
    }
    TEST_ASSERT_EQUAL(413, peer_status(buf_str(&b)));
    peer_still_responds();
}

static void chunks_too_large_together_are_refused_and_skipped(void)
{
    char *body = malloc(2 * SKR_REQUEST_MAX + 1);

    memset(body, 'x', 2 * SKR_REQUEST_MAX);
    body[2 * SKR_REQUEST_MAX] = '\0';
    static const size_t sizes[] = {1000, SKR_REQUEST_MAX - 40, 2 * SKR_REQUEST_MAX};
    for (size_t i = 0; i < 3; i++) {
        char *text = chunked(body, sizes[i], "", "");
        TEST_ASSERT_EQUAL(413, peer_status(text));
        free(text);
        peer_still_responds();
    }
    free(body);
}

static size_t largest_body(const char *(*request)(size_t n))
{
    size_t fits = 1, large = 2 * SKR_REQUEST_MAX;

    while (large - fits > 1) {
        size_t n = fits + (large - fits) / 2;
        *(peer_status(request(n)) == 413 ? &large : &fits) = n;
    }
    return fits;
}

static const char *in_one_piece(size_t n)
{
    static char text[200 + 2 * SKR_REQUEST_MAX];

    snprintf(text, sizeof text, "%sContent-Length: %zu\r\n\r\n%*s", JSON_HEAD, n, (int)n, "");
    return text;
}

static const char *in_one_chunk(size_t n)
{
    static char text[200 + 2 * SKR_REQUEST_MAX];

    snprintf(text, sizeof text, "%sTransfer-Encoding: chunked\r\n\r\n%zX\r\n%*s\r\n0\r\n\r\n", JSON_HEAD, n, (int)n,
             "");
    return text;
}

/* Chunks are gathered where they arrive, and the lines between them need a little of that. */
static void chunks_hold_all_but_room_for_a_line_of_what_fits_in_one_piece(void)
{
    TEST_ASSERT_EQUAL(32, largest_body(in_one_piece) - largest_body(in_one_chunk));
}

static void headers_too_large_are_refused(void)
{
    struct buf b = {0};

    buf_puts(&b, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: ");
    for (int i = 0; i < SKR_HTTP_HEADER_MAX; i++) {
        buf_puts(&b, "y");
    }
    buf_puts(&b, "\r\n\r\n");
    TEST_ASSERT_EQUAL(431, peer_status(buf_str(&b)));
    peer_has_closed();
    b.n = 0;
    buf_puts(&b, "POST /mcp HTTP/1.1\r\nHost: localhost\r\n");
    for (int i = 0; i < SKR_HTTP_HEADER_MAX / 8; i++) {
        buf_puts(&b, "X: yyyy\r\n");
    }
    TEST_ASSERT_EQUAL(431, peer_status(buf_str(&b)));
    peer_has_closed();
    b.n = 0;
    for (int i = 0; i < 2 * SKR_REQUEST_MAX; i++) {
        buf_puts(&b, "y");
    }
    TEST_ASSERT_EQUAL(431, peer_status(buf_str(&b)));
    peer_has_closed();
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
    buf_printf(&b,
               "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" MODERN
               "%sContent-Length: %zu\r\n\r\n%s",
               buf_str(&headers), body.n, buf_str(&body));
    TEST_ASSERT_EQUAL(200, peer_status(buf_str(&b)));
    peer_still_responds();
}

static void a_client_that_wants_to_close_gets_its_response_first(void)
{
    const char *text = peer_exchange(peer_post(MODERN "Connection: close\r\n", DISCOVER));

    TEST_ASSERT_EQUAL(200, peer_response(text).status);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "Connection: close\r\n"), text);
    peer_has_closed();
}

static void what_follows_the_last_request_of_a_connection_is_not_read(void)
{
    struct buf b = {0};

    buf_puts(&b, peer_post(MODERN "Connection: close\r\n", DISCOVER));
    size_t n = b.n;
    char *alone = strdup(peer_exchange(buf_str(&b)));
    buf_puts(&b, peer_post(MODERN, DISCOVER));
    for (size_t with = n; with <= b.n; with++) {
        peer_open(SKR_HTTP_1);
        peer_send(buf_str(&b), with);
        peer_drain();
        skr_conn_rx_done(&peer.conn, 0); /* a port that was woken for nothing */
        peer_drain();
        TEST_ASSERT_EQUAL_STRING(alone, buf_str(&peer.out));
        TEST_ASSERT_TRUE(skr_conn_finished(&peer.conn));
    }
    free(alone);
}

/* The values that are kept of a head are remembered after it, where there is room for both. */
static void a_head_with_a_long_value_is_read_again_each_time(void)
{
    char version[700];

    memset(version, 'v', sizeof version - 1);
    version[sizeof version - 1] = '\0';
    struct buf headers = {0};
    buf_printf(&headers, "Mcp-Protocol-Version: %s\r\n", version);
    char *request = strdup(peer_post(buf_str(&headers), DISCOVER));
    char *first = strdup(peer_exchange(request));
    TEST_ASSERT_EQUAL(400, peer_response(first).status);
    TEST_ASSERT_EQUAL_STRING(first, peer_exchange(request));
    peer_still_responds();
    free(first);
    free(request);
}

static void a_request_that_takes_too_long_gets_408(void)
{
    static const char request[] = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                  "Content-Length: 10\r\n\r\n12345";

    for (size_t n = 1; n < sizeof request; n++) {
        peer_open(SKR_HTTP_1);
        peer_send(request, n);
        peer_drain();
        TEST_ASSERT_EQUAL(SKR_RECEIVING, skr_conn_activity(&peer.conn));
        skr_conn_timed_out(&peer.conn);
        peer_drain();
        TEST_ASSERT_EQUAL(408, peer_response(buf_str(&peer.out)).status);
        TEST_ASSERT_TRUE(skr_conn_finished(&peer.conn));
    }
}

static void an_idle_connection_that_timed_out_is_closed_silently(void)
{
    skr_conn_timed_out(&peer.conn);
    peer_drain();
    TEST_ASSERT_EQUAL(0, peer.out.n);
    TEST_ASSERT_TRUE(skr_conn_finished(&peer.conn));
}

static void wherever_requests_are_cut_the_responses_are_the_same(void)
{
    struct buf b = {0};

    buf_puts(&b, peer_post(MODERN, DISCOVER));
    char *text = chunked(DISCOVER, 40, ";a", "T: 1\r\n");
    buf_puts(&b, text);
    buf_puts(&b, "GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n");
    buf_puts(&b, "POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc");
    buf_puts(&b, peer_post("", LIST));
    const char *requests = buf_str(&b);
    char *expected = strdup(peer_exchange(requests));
    for (size_t a = 0; a <= b.n; a++) {
        peer_open(SKR_HTTP_1);
        peer_send(requests, a);
        peer_drain();
        peer_send(requests + a, b.n - a);
        peer_drain();
        TEST_ASSERT_EQUAL_STRING(expected, buf_str(&peer.out));
    }
    for (size_t portion = 1; portion < 40; portion++) {
        peer_open(SKR_HTTP_1);
        peer.take = portion % 7;
        for (size_t a = 0; a < b.n; a += portion) {
            peer_send(requests + a, b.n - a < portion ? b.n - a : portion);
            if (portion % 2 == 0) {
                peer_drain();
            }
        }
        peer_drain();
        TEST_ASSERT_EQUAL_STRING(expected, buf_str(&peer.out));
    }
    free(expected);
    free(text);
}

/* Extensions and trailers may be long, but a line of them must fit the buffer. */
static void a_line_between_chunks_that_never_ends_closes_the_connection(void)
{
    static const char *const before[] = {"1;x", "1\r\n{", "0\r\nT: "};
    static char endless[2 * SKR_REQUEST_MAX];

    memset(endless, 'x', sizeof endless);
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) {
        peer.out.n = 0;
        TEST_ASSERT_TRUE(peer_send(CHUNKED_HEAD, strlen(CHUNKED_HEAD)));
        TEST_ASSERT_TRUE(peer_send(before[i], strlen(before[i])));
        TEST_ASSERT_FALSE(peer_send(endless, sizeof endless));
        peer_drain();
        TEST_ASSERT_EQUAL_MESSAGE(431, peer_response(buf_str(&peer.out)).status, before[i]);
        peer_has_closed();
    }
}

/* The room behind a body that fills the buffer is used again for each trailer. */
static void trailers_need_only_the_room_of_one_line(void)
{
    static char body[SKR_REQUEST_MAX];
    struct buf b = {0};

    memset(body, ' ', sizeof body);
    memcpy(body, DISCOVER, sizeof DISCOVER - 1);
    size_t n = sizeof body - 64;
    buf_puts(&b, CHUNKED_HEAD);
    buf_printf(&b, "%zX\t;x\r\n", n);
    buf_add(&b, body, n);
    buf_puts(&b, "\r\n0\r\n");
    for (int i = 0; i < 40; i++) {
        buf_puts(&b, "Trailer: 1\r\n");
    }
    buf_puts(&b, "\r\n");
    for (size_t at = 0; at < b.n; at += 7) { /* they do not all arrive simultaneously */
        TEST_ASSERT_TRUE(peer_send(b.p + at, b.n - at < 7 ? b.n - at : 7));
    }
    peer_drain();
    TEST_ASSERT_EQUAL(200, peer_response(buf_str(&peer.out)).status);
    peer_still_responds();
}

static void trailers_may_be_as_long_as_headers(void)
{
    static char trailers[SKR_HTTP_HEADER_MAX];

    memset(trailers, 't', sizeof trailers);
    memcpy(trailers, "T: ", 3);
    memcpy(trailers + sizeof trailers - 5, "\r\n", 3); /* an empty line follows them */
    TEST_ASSERT_EQUAL(200, peer_status(chunked(DISCOVER, sizeof DISCOVER, "", trailers)));
    peer_still_responds();
    memcpy(trailers + sizeof trailers - 5, "t\r\n", 4);
    TEST_ASSERT_EQUAL(200, peer_status(chunked(DISCOVER, sizeof DISCOVER, "", trailers)));
    peer_still_responds();
    memcpy(trailers + sizeof trailers - 4, "t\r\n", 4);
    TEST_ASSERT_EQUAL(431, peer_status(chunked(DISCOVER, sizeof DISCOVER, "", trailers)));
    peer_has_closed();
}

/* While a response is leaving, a timeout is the port's to judge: it sees whether bytes move. */
static void a_time_out_in_the_middle_of_a_response_changes_nothing(void)
{
    const void *bytes;
    const char *request = peer_post(MODERN, DISCOVER);

    peer_send(request, strlen(request));
    skr_conn_timed_out(&peer.conn);
    TEST_ASSERT_TRUE(skr_conn_tx(&peer.conn, &bytes) > 0);
    skr_conn_timed_out(&peer.conn);
    peer_drain();
    TEST_ASSERT_EQUAL(200, peer_response(buf_str(&peer.out)).status);
    peer_still_responds();
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_body_may_come_in_chunks_of_any_size);
    RUN_TEST(bad_chunks_close_the_connection);
    RUN_TEST(requests_in_a_row_are_answered_in_a_row);
    RUN_TEST(the_body_of_a_refused_request_is_skipped);
    RUN_TEST(a_body_too_large_is_refused_and_skipped);
    RUN_TEST(chunks_too_large_together_are_refused_and_skipped);
    RUN_TEST(chunks_hold_all_but_room_for_a_line_of_what_fits_in_one_piece);
    RUN_TEST(headers_too_large_are_refused);
    RUN_TEST(many_long_headers_cost_no_room_for_the_body);
    RUN_TEST(a_client_that_wants_to_close_gets_its_response_first);
    RUN_TEST(what_follows_the_last_request_of_a_connection_is_not_read);
    RUN_TEST(a_head_with_a_long_value_is_read_again_each_time);
    RUN_TEST(a_request_that_takes_too_long_gets_408);
    RUN_TEST(an_idle_connection_that_timed_out_is_closed_silently);
    RUN_TEST(wherever_requests_are_cut_the_responses_are_the_same);
    RUN_TEST(a_line_between_chunks_that_never_ends_closes_the_connection);
    RUN_TEST(trailers_need_only_the_room_of_one_line);
    RUN_TEST(trailers_may_be_as_long_as_headers);
    RUN_TEST(a_time_out_in_the_middle_of_a_response_changes_nothing);
    return UNITY_END();
}
