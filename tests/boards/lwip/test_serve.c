/* Requests and responses over real lwIP: bytes in and out, whatever the segments, and the end of a connection. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cable.h"
#include "lwip/pbuf.h"
#include "unity.h"

#define PINGED "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 36\r\n\r\n" PONG

static struct peer a, b;
static char listed[16384]; /* the long response */

void setUp(void)
{
    cable_start();
}

void tearDown(void)
{
}

static size_t count(const char *text, const char *part)
{
    size_t found = 0;

    for (const char *at = text; (at = strstr(at, part)) != NULL; at++) {
        found++;
    }
    return found;
}

/* How many bytes the response has, with its head, as its Content-Length has it. */
static size_t promised(const char *text)
{
    const char *body = strstr(text, "\r\n\r\n"), *length = strstr(text, "Content-Length: ");

    TEST_ASSERT_TRUE(body != NULL && length != NULL);
    return (size_t)(body + 4 - text) + (size_t)atol(length + 16);
}

/* ---- Segments ---- */

static void a_ping_gets_a_response(void)
{
    uint32_t accepted = cable_net.counts.accepted;

    peer_open(&a, 2, HTTP_PORT);
    peer_send_text(&a, post(PING));
    TEST_ASSERT_EQUAL_STRING(PINGED, a.in);
    TEST_ASSERT_EQUAL(1, skr_lwip_in_use(&cable_net));
    TEST_ASSERT_EQUAL(accepted + 1, cable_net.counts.accepted);
    peer_finish(&a);
    TEST_ASSERT_TRUE(a.ended && !a.lost);
    TEST_ASSERT_EQUAL(0, skr_lwip_in_use(&cable_net));
}

static void a_long_answer_comes_in_full_segments(void)
{
    peer_open(&a, 2, HTTP_PORT);
    peer_send_text(&a, post(LIST));
    TEST_ASSERT_EQUAL(TCP_MSS, a.largest);
    TEST_ASSERT_GREATER_THAN(5 * TCP_MSS, a.n);
    TEST_ASSERT_EQUAL(promised(a.in), a.n);
    strcpy(listed, a.in);
}

static void the_answer_is_the_same_in_segments_of_any_size(void)
{
    static const uint16_t sizes[] = {64, 100, 300, 536, 1071};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        peer_make(&a, 2, HTTP_PORT);
        a.mss = sizes[i];
        TEST_ASSERT_TRUE(peer_connect(&a));
        peer_send_text(&a, post(LIST));
        TEST_ASSERT_EQUAL_STRING(listed, a.in);
        TEST_ASSERT_LESS_OR_EQUAL(sizes[i], a.largest);
        peer_finish(&a);
    }
}

static void the_answer_is_the_same_in_windows_of_any_size(void)
{
    static const uint16_t sizes[] = {50, 536, 700, 2000};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        peer_make(&a, 2, HTTP_PORT);
        a.window = sizes[i];
        TEST_ASSERT_TRUE(peer_connect(&a));
        peer_send_text(&a, post(LIST));
        cable_wait(60000);
        TEST_ASSERT_EQUAL_STRING(listed, a.in);
        peer_finish(&a);
    }
}

static void a_request_may_come_byte_by_byte(void)
{
    peer_open(&a, 2, HTTP_PORT);
    for (const char *p = post(PING); *p != '\0'; p++) {
        TEST_ASSERT_EQUAL(1, peer_send(&a, p, 1));
    }
    TEST_ASSERT_EQUAL_STRING(PINGED, a.in);
}

/* Sent again with what follows it: lwIP hands up empty buffers in front. */
static void a_segment_may_overlap_the_one_before(void)
{
    char line[600];

    sprintf(line, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"_meta\":{\"x\":\"%0400d\"}}}\n", 0);
    peer_open(&a, 2, LINE_PORT);
    peer_segment(&a, ACK | PSH, 0, line, 400);
    peer_segment(&a, ACK | PSH, 0, line, strlen(line));
    a.sent += (uint32_t)strlen(line);
    cable_turn();
    TEST_ASSERT_EQUAL_STRING(PONG "\n", a.in);
}

/* ---- Back-pressure ---- */

/* Asks without reading until the device takes no more; how many requests went. */
static size_t request_without_reading(struct peer *peer, const char *request)
{
    size_t asked = 0;

    peer->deaf = true;
    while (asked < 100 && peer_send(peer, request, strlen(request)) == strlen(request)) {
        asked++;
    }
    return asked;
}

static void who_does_not_read_cannot_send_for_ever_and_then_gets_all(void)
{
    peer_open(&a, 2, HTTP_PORT);
    size_t asked = request_without_reading(&a, post(LIST));
    TEST_ASSERT_GREATER_THAN(1, asked);
    TEST_ASSERT_LESS_THAN(100, asked);
    TEST_ASSERT_EQUAL(0, a.n);
    a.deaf = false;
    peer_finish(&a);
    cable_wait(5000);
    TEST_ASSERT_GREATER_OR_EQUAL(asked, count(a.in, "HTTP/1.1 200 OK"));
    TEST_ASSERT_EQUAL_STRING_LEN(listed, a.in, strlen(listed));
}

/* One span of ROM is larger than all that may be under way. */
static void a_large_constant_waits_for_room(void)
{
    peer_open(&a, 2, HTTP_PORT);
    a.deaf = true;
    peer_send_text(&a, "GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n");
    TEST_ASSERT_EQUAL(TCP_SND_BUF, cable_net.slots[0].written);
    a.deaf = false;
    cable_wait(5000);
    TEST_ASSERT_GREATER_THAN(TCP_SND_BUF, a.n);
    TEST_ASSERT_EQUAL(promised(a.in), a.n);
}

static void tiny_segments_do_not_fill_the_pool(void)
{
    const char *request = post(LIST);

    peer_open(&a, 2, HTTP_PORT);
    a.deaf = true;
    while (cable_net.slots[0].held == NULL) {
        peer_send_text(&a, request);
    }
    for (unsigned i = 0; i < 20; i++) {
        peer_segment(&a, ACK | PSH, 0, request, 1);
        a.sent++;
        cable_turn();
    }
    TEST_ASSERT_LESS_OR_EQUAL(SKR_LWIP_HELD + 1, pbuf_clen(cable_net.slots[0].held));
    peer_open(&b, 3, HTTP_PORT);
    peer_send_text(&b, post(PING));
    TEST_ASSERT_EQUAL_STRING(PINGED, b.in);
}

static void many_requests_at_once_are_all_answered(void)
{
    char requests[4096] = "";

    for (unsigned i = 0; i < 10; i++) {
        strcat(requests, post(PING));
    }
    peer_open(&a, 2, HTTP_PORT);
    peer_send_text(&a, requests);
    TEST_ASSERT_EQUAL(10, count(a.in, PINGED));
    TEST_ASSERT_EQUAL(10 * strlen(PINGED), a.n);
}

/* ---- The end ---- */

static void who_half_closes_gets_the_answers(void)
{
    char requests[4096];

    strcpy(requests, post(LIST));
    strcat(requests, post(LIST));
    peer_open(&a, 2, HTTP_PORT);
    a.deaf = true;
    peer_send_text(&a, requests);
    peer_finish(&a);
    a.deaf = false;
    cable_wait(5000);
    TEST_ASSERT_EQUAL(2 * strlen(listed), a.n);
    TEST_ASSERT_TRUE(a.ended && !a.lost);
}

/* Its end comes when the device still holds what it has no room for. */
static void also_who_has_sent_more_than_there_is_room_for(void)
{
    const char *request = post(LIST);
    size_t asked = 0;

    peer_open(&a, 2, HTTP_PORT);
    a.deaf = true;
    while (cable_net.slots[0].held == NULL) {
        peer_send_text(&a, request);
        asked++;
    }
    peer_finish(&a);
    TEST_ASSERT_NOT_NULL(cable_net.slots[0].held);
    a.deaf = false;
    cable_wait(5000);
    TEST_ASSERT_EQUAL(asked * strlen(listed), a.n);
    TEST_ASSERT_TRUE(a.ended && !a.lost);
}

static void a_last_line_needs_no_end(void)
{
    peer_open(&a, 2, LINE_PORT);
    peer_send_text(&a, PING);
    TEST_ASSERT_EQUAL(0, a.n);
    peer_finish(&a);
    TEST_ASSERT_EQUAL_STRING(PONG "\n", a.in);
    TEST_ASSERT_TRUE(a.ended && !a.lost);
}

static void what_was_asked_on_a_line_is_answered_after_its_end(void)
{
    peer_open(&a, 2, LINE_PORT);
    peer_send_text(&a, SLOW "\n");
    peer_finish(&a);
    cable_wait(1000);
    TEST_ASSERT_FALSE(a.ended);
    cable_wait(3000);
    TEST_ASSERT_EQUAL(1, count(a.in, "computed"));
    TEST_ASSERT_TRUE(a.ended && !a.lost);
}

static void over_http_hanging_up_cancels(void)
{
    peer_open(&a, 2, HTTP_PORT);
    peer_send_text(&a, post(SLOW));
    TEST_ASSERT_EQUAL(1, skr_lwip_in_use(&cable_net));
    peer_finish(&a);
    TEST_ASSERT_EQUAL(0, skr_lwip_in_use(&cable_net));
    TEST_ASSERT_EQUAL(0, count(a.in, "computed"));
}

/* Then it has asked more, and waits for the responses. */
static void unless_there_is_more_to_read(void)
{
    char request[1024];
    size_t asked = 0;

    strcpy(request, post(LIST));
    peer_open(&a, 2, HTTP_PORT);
    peer_send_text(&a, post(SLOW));
    while (cable_net.slots[0].held == NULL) {
        peer_send_text(&a, request);
        asked++;
    }
    peer_finish(&a);
    TEST_ASSERT_EQUAL(1, skr_lwip_in_use(&cable_net));
    cable_wait(5000);
    TEST_ASSERT_EQUAL(1, count(a.in, "computed"));
    TEST_ASSERT_EQUAL(1 + asked, count(a.in, "HTTP/1.1 200 OK"));
    TEST_ASSERT_TRUE(a.ended && !a.lost);
}

static void a_handler_that_needs_time_is_answered_when_it_is_done(void)
{
    peer_open(&a, 2, HTTP_PORT);
    peer_send_text(&a, post(SLOW));
    cable_wait(2000);
    TEST_ASSERT_EQUAL(0, count(a.in, "computed"));
    cable_wait(2000);
    TEST_ASSERT_EQUAL(1, count(a.in, "computed"));
}

static void a_reset_frees_the_slot(void)
{
    uint32_t lost = cable_net.counts.lost;

    peer_open(&a, 2, HTTP_PORT);
    (void)request_without_reading(&a, post(LIST));
    peer_reset(&a);
    TEST_ASSERT_EQUAL(0, skr_lwip_in_use(&cable_net));
    TEST_ASSERT_EQUAL(lost + 1, cable_net.counts.lost);
    TEST_ASSERT_EQUAL(0, cable_in_use());
}

/* What does not start as a request does is answered and ended. */
static void the_last_answer_frees_the_slot_and_what_comes_then_is_discarded(void)
{
    peer_open(&a, 2, HTTP_PORT);
    peer_send_text(&a, "nonsense\r\n\r\n");
    TEST_ASSERT_EQUAL(1, count(a.in, "HTTP/1.1 400 "));
    TEST_ASSERT_TRUE(a.ended && !a.lost);
    TEST_ASSERT_EQUAL(0, skr_lwip_in_use(&cable_net));
    TEST_ASSERT_EQUAL(5 * TCP_WND, peer_send(&a, listed, 5 * TCP_WND));
    peer_finish(&a);
    TEST_ASSERT_FALSE(a.lost);
}

static void who_does_not_close_after_that_is_reset(void)
{
    peer_open(&a, 2, HTTP_PORT);
    peer_send_text(&a, "nonsense\r\n\r\n");
    cable_wait(3000);
    TEST_ASSERT_TRUE(a.lost);
    TEST_ASSERT_EQUAL(0, cable_in_use());
}

/* What is held when the last response is complete counts as read, so that the peer can send all that it wants. */
static void what_is_held_behind_the_last_request_is_discarded(void)
{
    char request[1024];
    const char *text = post(LIST), *rest = strchr(text, '\n') + 1;

    sprintf(request, "%.*sConnection: close\r\n%s", (int)(rest - text), text, rest);
    peer_open(&a, 2, HTTP_PORT);
    a.deaf = true;
    peer_send_text(&a, request);
    while (peer_send(&a, listed, TCP_WND) == TCP_WND) {
    }
    a.deaf = false;
    for (unsigned i = 0; i < 40 && !a.ended; i++) {
        cable_wait(250);
    }
    TEST_ASSERT_EQUAL(1, count(a.in, "HTTP/1.1 200 OK"));
    TEST_ASSERT_TRUE(a.ended && !a.lost);
    TEST_ASSERT_EQUAL(2 * TCP_WND, peer_send(&a, listed, 2 * TCP_WND));
}

/* ---- Another image ---- */

/* Erases the old image as soon as it may be. */
static void wait_for_the_rest(struct peer *peer)
{
    peer->deaf = false;
    for (unsigned i = 0; i < 400 && skr_lwip_uses_old_image(&cable_net); i++) {
        cable_wait(250);
    }
    TEST_ASSERT_FALSE(skr_lwip_uses_old_image(&cable_net));
    cable_erase_old();
    cable_wait(5000);
}

static void an_answer_under_way_keeps_its_image_until_the_peer_has_it(void)
{
    peer_open(&a, 2, HTTP_PORT);
    TEST_ASSERT_FALSE(skr_lwip_uses_old_image(&cable_net));
    a.deaf = true;
    peer_send_text(&a, post(LIST));
    cable_swap();
    TEST_ASSERT_TRUE(skr_lwip_uses_old_image(&cable_net));
    wait_for_the_rest(&a);
    TEST_ASSERT_EQUAL_STRING(listed, a.in);
    peer_forget(&a);
    peer_send_text(&a, post(LIST));
    TEST_ASSERT_EQUAL_STRING(listed, a.in);
}

static void also_when_its_connection_has_given_up_its_slot(void)
{
    peer_open(&a, 2, HTTP_PORT);
    a.deaf = true;
    peer_send_text(&a, "nonsense\r\n\r\n");
    TEST_ASSERT_EQUAL(0, skr_lwip_in_use(&cable_net));
    cable_swap();
    TEST_ASSERT_TRUE(skr_lwip_uses_old_image(&cable_net));
    wait_for_the_rest(&a);
    peer_open(&b, 3, HTTP_PORT);
    peer_send_text(&b, post(PING));
    TEST_ASSERT_EQUAL_STRING(PINGED, b.in);
}

/* ---- Streams ---- */

static void a_stream_gets_news_and_stays_alive(void)
{
    peer_open(&a, 2, HTTP_PORT);
    peer_send_text(&a, post(LISTEN));
    TEST_ASSERT_EQUAL(1, count(a.in, "acknowledged"));
    peer_forget(&a);
    skr_server_notify(&cable_server, SKR_CHANGES_TOOLS);
    cable_turn();
    TEST_ASSERT_EQUAL(1, count(a.in, "notifications/tools/list_changed"));
    peer_forget(&a);
    cable_wait(40000);
    TEST_ASSERT_EQUAL(2, count(a.in, ":\n"));
    peer_finish(&a);
    TEST_ASSERT_EQUAL(0, skr_lwip_in_use(&cable_net));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_ping_gets_a_response);
    RUN_TEST(a_long_answer_comes_in_full_segments);
    RUN_TEST(the_answer_is_the_same_in_segments_of_any_size);
    RUN_TEST(the_answer_is_the_same_in_windows_of_any_size);
    RUN_TEST(a_request_may_come_byte_by_byte);
    RUN_TEST(a_segment_may_overlap_the_one_before);
    RUN_TEST(who_does_not_read_cannot_send_for_ever_and_then_gets_all);
    RUN_TEST(a_large_constant_waits_for_room);
    RUN_TEST(tiny_segments_do_not_fill_the_pool);
    RUN_TEST(many_requests_at_once_are_all_answered);
    RUN_TEST(who_half_closes_gets_the_answers);
    RUN_TEST(also_who_has_sent_more_than_there_is_room_for);
    RUN_TEST(a_last_line_needs_no_end);
    RUN_TEST(what_was_asked_on_a_line_is_answered_after_its_end);
    RUN_TEST(over_http_hanging_up_cancels);
    RUN_TEST(unless_there_is_more_to_read);
    RUN_TEST(a_handler_that_needs_time_is_answered_when_it_is_done);
    RUN_TEST(a_reset_frees_the_slot);
    RUN_TEST(the_last_answer_frees_the_slot_and_what_comes_then_is_discarded);
    RUN_TEST(who_does_not_close_after_that_is_reset);
    RUN_TEST(what_is_held_behind_the_last_request_is_discarded);
    RUN_TEST(an_answer_under_way_keeps_its_image_until_the_peer_has_it);
    RUN_TEST(also_when_its_connection_has_given_up_its_slot);
    RUN_TEST(a_stream_gets_news_and_stays_alive);
    return UNITY_END();
}
