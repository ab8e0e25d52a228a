/* test_line.c -- one message a line: where lines end, and what becomes of those that are
 * too long. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"
#include "unity.h"

#define PING "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"
#define PONG "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"

void setUp(void)
{
    peer_start(SKR_LINE, 0);
}

void tearDown(void)
{
}

static void a_line_is_answered_with_a_line(void)
{
    TEST_ASSERT_EQUAL_STRING(PONG, peer_exchange(PING "\n"));
    TEST_ASSERT_EQUAL_STRING(PONG, peer_exchange(PING "\r\n"));
    TEST_ASSERT_EQUAL_STRING(PONG, peer_exchange("  " PING " \t\r\n"));
}

static void nothing_is_answered_before_the_line_ends(void)
{
    TEST_ASSERT_EQUAL_STRING("", peer_exchange(PING));
    TEST_ASSERT_EQUAL(SKR_RECEIVING, skr_conn_activity(&peer.conn));
    TEST_ASSERT_EQUAL_STRING(PONG, peer_exchange("\n"));
    TEST_ASSERT_EQUAL(SKR_IDLE, skr_conn_activity(&peer.conn));
}

static void empty_lines_are_passed_over(void)
{
    TEST_ASSERT_EQUAL_STRING("", peer_exchange("\n\r\n\n\r\n"));
    TEST_ASSERT_EQUAL_STRING(PONG, peer_exchange("\n\r\n" PING "\n\n"));
    TEST_ASSERT_EQUAL(SKR_IDLE, skr_conn_activity(&peer.conn));
}

static void many_lines_in_one_read_are_answered_in_order(void)
{
    struct buf requests = {0}, expected = {0};

    for (int i = 0; i < 2000; i++) {
        buf_printf(&requests, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"ping\"}\n", i);
        buf_printf(&expected, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{}}\n", i);
    }
    TEST_ASSERT_EQUAL_STRING(buf_str(&expected), peer_exchange(buf_str(&requests)));
}

static void notifications_and_responses_get_no_response(void)
{
    TEST_ASSERT_EQUAL_STRING("", peer_exchange("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"));
    TEST_ASSERT_EQUAL_STRING("", peer_exchange("{\"jsonrpc\":\"2.0\",\"method\":\"nonsense\",\"params\":[1]}\n"));
    TEST_ASSERT_EQUAL_STRING("", peer_exchange("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"));
    TEST_ASSERT_EQUAL_STRING("",
                             peer_exchange("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"\"}}\n"));
    TEST_ASSERT_EQUAL_STRING(PONG, peer_exchange(PING "\n"));
}

/* ---- Length ---- */

/* A ping of exactly n bytes without its line end. */
static char *ping_of(size_t n)
{
    static const char head[] = "{\"jsonrpc\":\"2.0\",\"id\":\"long\",\"method\":\"ping\",\"x\":\"", tail[] = "\"}";
    char *text = malloc(n + 2);

    memset(text, 'y', n);
    memcpy(text, head, sizeof head - 1);
    memcpy(text + n - 2, tail, 2);
    memcpy(text + n, "\n", 2);
    return text;
}

static void a_line_that_fills_the_buffer_with_its_end_is_answered(void)
{
    char *text = ping_of(SKR_REQUEST_MAX - 1);

    TEST_ASSERT_EQUAL_STRING("{\"jsonrpc\":\"2.0\",\"id\":\"long\",\"result\":{}}\n", peer_exchange(text));
    free(text);
}

static void a_line_one_byte_too_long_is_refused_with_its_id(void)
{
    for (size_t more = 0; more < 3; more++) {
        char *text = ping_of(SKR_REQUEST_MAX + more);
        const char *response = peer_exchange(text);
        TEST_ASSERT_NOT_NULL_MESSAGE(
            strstr(response, "{\"jsonrpc\":\"2.0\",\"id\":\"long\",\"error\":{\"code\":-32600"), response);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "SKR_REQUEST_MAX"), response);
        TEST_ASSERT_EQUAL_PTR(response + strlen(response) - 1, strchr(response, '\n')); /* one response */
        TEST_ASSERT_EQUAL_STRING(PONG, peer_exchange(PING "\n"));
        free(text);
    }
}

static void a_line_many_buffers_long_is_refused_once(void)
{
    char *text = ping_of(10 * SKR_REQUEST_MAX + 77);
    const char *response = peer_exchange(text);

    TEST_ASSERT_EQUAL_PTR(response + strlen(response) - 1, strchr(response, '\n'));
    TEST_ASSERT_EQUAL_STRING(PONG, peer_exchange(PING "\n"));
    free(text);
}

/* What follows in further buffers is not looked at: it might seem to have another id, or none. */
static void a_line_many_buffers_long_is_refused_with_its_id(void)
{
    for (size_t buffers = 2; buffers < 5; buffers++) {
        char *text = ping_of(buffers * SKR_REQUEST_MAX + 77);
        const char *response = peer_exchange(text);
        TEST_ASSERT_EQUAL_MESSAGE(0, strncmp(response, "{\"jsonrpc\":\"2.0\",\"id\":\"long\",\"error\":", 37),
                                  response);
        free(text);
    }
}

static void what_queues_after_a_long_line_is_answered(void)
{
    struct buf text = {0};
    char *big = ping_of(2 * SKR_REQUEST_MAX);

    buf_puts(&text, PING "\n");
    buf_puts(&text, big);
    buf_puts(&text, PING "\n");
    const char *response = peer_exchange(buf_str(&text));
    TEST_ASSERT_EQUAL(0, strncmp(response, PONG, sizeof PONG - 1));
    TEST_ASSERT_EQUAL_STRING(PONG, response + strlen(response) - (sizeof PONG - 1));
    free(big);
}

static void the_id_of_a_long_line_of_nonsense_is_left_out(void)
{
    struct buf text = {0};

    buf_puts(&text, "{\"id\":1abc,\"x\":\"");
    while (text.n < 2 * SKR_REQUEST_MAX) {
        buf_puts(&text, "yyyyyyyyyyyyyyyy");
    }
    buf_puts(&text, "\"}\n");
    const char *response = peer_exchange(buf_str(&text));
    TEST_ASSERT_EQUAL_MESSAGE(0, strncmp(response, "{\"jsonrpc\":\"2.0\",\"error\":", 25), response);
}

static void a_short_line_after_queued_ones_has_the_whole_buffer(void)
{
    struct buf text = {0};
    char *big = ping_of(SKR_REQUEST_MAX - 1);

    buf_puts(&text, PING "\n" PING "\n");
    buf_puts(&text, big);
    TEST_ASSERT_EQUAL_STRING(PONG PONG "{\"jsonrpc\":\"2.0\",\"id\":\"long\",\"result\":{}}\n",
                             peer_exchange(buf_str(&text)));
    free(big);
}

static void a_request_that_timed_out_is_forgotten(void)
{
    peer_exchange("{\"jsonrpc\":\"2.0\",\"id\":1,\"meth");
    skr_conn_timed_out(&peer.conn);
    TEST_ASSERT_EQUAL(SKR_IDLE, skr_conn_activity(&peer.conn));
    TEST_ASSERT_EQUAL_STRING(PONG, peer_exchange(PING "\n"));
}

/* ---- Over TCP, where browsers are clients, too (defect 22) ---- */

#define NO_MESSAGE "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":\"A message must be a JSON object\"}}\n"

/* What comes of a text on a fresh TCP line, sent in pieces of `step` bytes; how it ends is told by skr_conn_finished. */
static const char *over_tcp(const char *text, size_t n, size_t step)
{
    peer_open(SKR_LINE_TCP);
    for (size_t at = 0; at < n; at += step) {
        (void)peer_send(text + at, n - at < step ? n - at : step);
        peer_drain();
    }
    return buf_str(&peer.out);
}

static void over_tcp_nothing_after_a_foreign_line_is_read(void)
{
    static const char *const texts[] = {
        "POST / HTTP/1.1\r\nHost: 127.0.0.1:7814\r\nContent-Type: text/plain\r\n\r\n\n" PING "\n",
        "GET /{ HTTP/1.1\r\n\r\n" PING "\n",
        "\r\n\r\nPOST / HTTP/1.1\r\n\r\n" PING "\n", /* blank lines are passed over, what follows is not */
        "  \tX: y\r\n" PING "\n",
        "\xEF\xBB\xBF" PING "\n" PING "\n",
        "1\n" PING "\n",
        "\"" PING "\"\n" PING "\n",
        "P", /* at its first byte: a browser may never send a line end */
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (size_t step = 1; step < 300; step *= 4) {
            TEST_ASSERT_EQUAL_STRING_MESSAGE(NO_MESSAGE, over_tcp(texts[i], strlen(texts[i]), step), texts[i]);
            TEST_ASSERT_TRUE_MESSAGE(skr_conn_finished(&peer.conn), texts[i]);
        }
    }
}

static void over_tcp_tls_and_stun_are_no_messages(void)
{
    static const char hello[] = "\x16\x03\x01\n" PING "\n", stun[] = "\x00\x03\n" PING "\n";

    TEST_ASSERT_EQUAL_STRING(NO_MESSAGE, over_tcp(hello, sizeof hello - 1, 64));
    TEST_ASSERT_TRUE(skr_conn_finished(&peer.conn));
    TEST_ASSERT_EQUAL_STRING(NO_MESSAGE, over_tcp(stun, sizeof stun - 1, 64));
    TEST_ASSERT_TRUE(skr_conn_finished(&peer.conn));
}

static void over_tcp_what_came_before_a_foreign_line_is_answered(void)
{
    static const char text[] = PING "\n" PING "\nX: y\n" PING "\n";

    for (size_t step = 1; step < 300; step *= 4) {
        TEST_ASSERT_EQUAL_STRING(PONG PONG NO_MESSAGE, over_tcp(text, sizeof text - 1, step));
        TEST_ASSERT_TRUE(skr_conn_finished(&peer.conn));
    }
}

static void over_tcp_messages_are_served_as_on_any_line(void)
{
    static const char text[] = "\n\r\n  " PING " \r\n{broken}\n[]\n" PING "\n";

    for (size_t step = 1; step < 300; step *= 4) {
        const char *response = over_tcp(text, sizeof text - 1, step);
        TEST_ASSERT_EQUAL(0, strncmp(response, PONG, sizeof PONG - 1));
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "-32700"), response);
        TEST_ASSERT_EQUAL_STRING(PONG, response + strlen(response) - (sizeof PONG - 1));
        TEST_ASSERT_FALSE(skr_conn_finished(&peer.conn));
    }
}

static void over_tcp_a_line_that_is_too_long_ends_nothing(void)
{
    char *big = ping_of(2 * SKR_REQUEST_MAX);
    const char *response = over_tcp(big, strlen(big), 1000);

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "SKR_REQUEST_MAX"), response);
    TEST_ASSERT_EQUAL_STRING(PONG, peer_exchange(PING "\n"));
    free(big);
}

/* ---- Splits ---- */

static void wherever_a_line_is_cut_the_response_is_the_same(void)
{
    static const char text[] =
        "\r\n" PING "\r\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"x\\u00e9\"}\nnonsense\n" PING "\n";
    size_t n = sizeof text - 1;
    char *expected = strdup(peer_exchange(text));

    for (size_t a = 0; a <= n; a++) {
        for (size_t b = a; b <= n; b += 1 + (b - a) / 8) {
            peer_open(SKR_LINE);
            peer_send(text, a);
            peer_drain();
            peer_send(text + a, b - a);
            peer_send(text + b, n - b);
            peer_drain();
            TEST_ASSERT_EQUAL_STRING(expected, buf_str(&peer.out));
        }
    }
    free(expected);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_line_is_answered_with_a_line);
    RUN_TEST(nothing_is_answered_before_the_line_ends);
    RUN_TEST(empty_lines_are_passed_over);
    RUN_TEST(many_lines_in_one_read_are_answered_in_order);
    RUN_TEST(notifications_and_responses_get_no_response);
    RUN_TEST(a_line_that_fills_the_buffer_with_its_end_is_answered);
    RUN_TEST(a_line_one_byte_too_long_is_refused_with_its_id);
    RUN_TEST(a_line_many_buffers_long_is_refused_once);
    RUN_TEST(a_line_many_buffers_long_is_refused_with_its_id);
    RUN_TEST(what_queues_after_a_long_line_is_answered);
    RUN_TEST(the_id_of_a_long_line_of_nonsense_is_left_out);
    RUN_TEST(a_short_line_after_queued_ones_has_the_whole_buffer);
    RUN_TEST(a_request_that_timed_out_is_forgotten);
    RUN_TEST(over_tcp_nothing_after_a_foreign_line_is_read);
    RUN_TEST(over_tcp_tls_and_stun_are_no_messages);
    RUN_TEST(over_tcp_what_came_before_a_foreign_line_is_answered);
    RUN_TEST(over_tcp_messages_are_served_as_on_any_line);
    RUN_TEST(over_tcp_a_line_that_is_too_long_ends_nothing);
    RUN_TEST(wherever_a_line_is_cut_the_response_is_the_same);
    return UNITY_END();
}
