/* Who gets a slot of port/lwip, who has to give way, who is sent away, and how long anybody may take. */
#include <string.h>

#include "cable.h"
#include "unity.h"

#define PINGED "HTTP/1.1 200 OK\r\n"

static struct peer a, b, c, d, e;

void setUp(void)
{
    cable_start();
}

void tearDown(void)
{
}

static bool heard(const struct peer *peer, const char *part)
{
    return strstr(peer->in, part) != NULL;
}

/* A line that has had a response: it gives way to nobody. */
static void open_line(struct peer *peer, uint8_t host)
{
    peer_open(peer, host, LINE_PORT);
    peer_send_text(peer, PING "\n");
    TEST_ASSERT_EQUAL_STRING(PONG "\n", peer->in);
}

static void open_idle(struct peer *peer, uint8_t host)
{
    peer_open(peer, host, HTTP_PORT);
    peer_send_text(peer, post(PING));
    TEST_ASSERT_TRUE(heard(peer, PINGED));
    peer_forget(peer);
}

static void open_half(struct peer *peer, uint8_t host)
{
    peer_open(peer, host, HTTP_PORT);
    peer_send_text(peer, "POST /mcp HT");
}

/* Asks and does not read. */
static void request_deaf(struct peer *peer)
{
    peer->deaf = true;
    peer_send_text(peer, post(LIST));
}

static void open_deaf(struct peer *peer, uint8_t host)
{
    peer_open(peer, host, HTTP_PORT);
    request_deaf(peer);
}

/* ---- How long ---- */

static void who_says_nothing_is_closed_after_ten_seconds(void)
{
    uint32_t before = cable_net.counts.timed_out;

    peer_open(&a, 2, HTTP_PORT);
    cable_wait(9000);
    TEST_ASSERT_FALSE(a.ended);
    cable_wait(2000);
    TEST_ASSERT_TRUE(a.ended && !a.lost);
    TEST_ASSERT_EQUAL(0, a.n);
    TEST_ASSERT_EQUAL(before + 1, cable_net.counts.timed_out);
}

static void half_a_request_gets_408_after_ten_seconds(void)
{
    open_half(&a, 2);
    for (unsigned second = 1; second < 10; second++) {
        peer_send_text(&a, "T"); /* more of it does not help */
        cable_wait(1000);
        TEST_ASSERT_FALSE(a.ended);
    }
    cable_wait(2000);
    TEST_ASSERT_TRUE(a.ended && heard(&a, "HTTP/1.1 408 "));
}

static void who_does_not_read_is_reset_after_ten_seconds(void)
{
    uint32_t lost = cable_net.counts.lost;

    open_deaf(&a, 2);
    cable_wait(9000);
    TEST_ASSERT_EQUAL(1, skr_lwip_in_use(&cable_net));
    cable_wait(2000);
    TEST_ASSERT_TRUE(a.lost);
    TEST_ASSERT_EQUAL(lost, cable_net.counts.lost); /* it was not the peer who went */
    TEST_ASSERT_EQUAL(0, cable_in_use());
}

static void an_idle_connection_stays_for_75_seconds(void)
{
    open_idle(&a, 2);
    cable_wait(74000);
    TEST_ASSERT_FALSE(a.ended);
    cable_wait(2000);
    TEST_ASSERT_TRUE(a.ended && !a.lost);
}

static void a_line_stays_as_long_as_its_peer_lives(void)
{
    open_line(&a, 2);
    cable_wait(200000);
    TEST_ASSERT_FALSE(a.ended);
    peer_send_text(&a, "{");
    cable_wait(200000);
    TEST_ASSERT_FALSE(a.ended); /* a line that is not complete is dropped, no more */
    a.deaf = true;
    cable_wait(200000);
    TEST_ASSERT_EQUAL(0, cable_in_use());
}

/* ---- Who gives way ---- */

static void an_idle_one_gives_way_when_the_newcomer_asks(void)
{
    open_line(&a, 2);
    open_line(&b, 3);
    open_idle(&c, 4);
    open_idle(&d, 5);
    peer_open(&e, 6, HTTP_PORT);
    TEST_ASSERT_FALSE(c.ended || d.ended);
    peer_send_text(&e, post(PING));
    TEST_ASSERT_TRUE(heard(&e, PINGED));
    TEST_ASSERT_TRUE(c.ended != d.ended);
    TEST_ASSERT_FALSE(a.ended || b.ended);
}

static void the_longest_idle_gives_way(void)
{
    open_idle(&a, 2);
    open_line(&b, 3);
    cable_wait(3000);
    open_idle(&c, 4);
    cable_wait(3000);
    open_idle(&d, 5);
    peer_send_text(&a, post(PING)); /* now c is it */
    peer_open(&e, 6, HTTP_PORT);
    peer_send_text(&e, post(PING));
    TEST_ASSERT_TRUE(c.ended && !a.ended && !b.ended && !d.ended);
}

static void half_a_request_gives_way_after_a_second(void)
{
    open_half(&a, 2);
    open_half(&b, 3);
    open_half(&c, 4);
    open_half(&d, 5);
    peer_open(&e, 6, HTTP_PORT);
    peer_send_text(&e, post(PING));
    TEST_ASSERT_TRUE(heard(&e, "HTTP/1.1 503 ") && e.ended);
    cable_wait(2500);
    peer_open(&e, 6, HTTP_PORT);
    peer_send_text(&e, post(PING));
    TEST_ASSERT_TRUE(heard(&e, PINGED));
    TEST_ASSERT_EQUAL(1, a.ended + b.ended + c.ended + d.ended);
    TEST_ASSERT_TRUE(heard(&a, " 408 ") || heard(&b, " 408 ") || heard(&c, " 408 ") || heard(&d, " 408 "));
}

static void a_request_that_comes_fast_enough_does_not(void)
{
    char part[301] = "";

    memset(part, ' ', 300);
    open_line(&a, 2);
    open_line(&b, 3);
    open_line(&c, 4);
    peer_open(&d, 5, HTTP_PORT);
    peer_send_text(
        &d, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2000\r\n\r\n");
    for (unsigned i = 0; i < 5; i++) {
        peer_send_text(&d, part);
        cable_wait(500);
    }
    peer_open(&e, 6, HTTP_PORT);
    peer_send_text(&e, post(PING));
    TEST_ASSERT_TRUE(heard(&e, "HTTP/1.1 503 "));
    TEST_ASSERT_FALSE(d.ended);
}

static void the_slowest_reader_gives_way_and_is_reset(void)
{
    open_deaf(&a, 2);
    peer_make(&b, 3, HTTP_PORT);
    b.mss = 100;
    TEST_ASSERT_TRUE(peer_connect(&b));
    request_deaf(&b);
    open_deaf(&c, 4);
    open_line(&d, 5);
    for (unsigned i = 0; i < 5; i++) {
        cable_wait(500);
        b.seen += 100; /* it reads a little: lwIP counts whole segments */
        peer_acknowledge(&b);
    }
    peer_open(&e, 6, HTTP_PORT);
    peer_send_text(&e, post(PING));
    TEST_ASSERT_TRUE(heard(&e, PINGED));
    TEST_ASSERT_TRUE(a.lost || c.lost);
    TEST_ASSERT_FALSE(b.lost || d.lost);
}

static void who_has_never_asked_gives_way_after_a_second(void)
{
    peer_open(&a, 2, HTTP_PORT);
    open_line(&b, 3);
    open_line(&c, 4);
    peer_open(&d, 5, LINE_PORT); /* two lines of three, and this */
    cable_wait(1500);
    peer_open(&e, 6, HTTP_PORT);
    peer_send_text(&e, post(PING));
    TEST_ASSERT_TRUE(heard(&e, PINGED));
    TEST_ASSERT_TRUE(a.ended || d.ended);
}

static void a_newcomer_that_leaves_or_says_nothing_takes_nothing(void)
{
    open_line(&a, 2);
    open_line(&b, 3);
    open_line(&c, 4);
    open_idle(&d, 5);
    peer_open(&e, 6, HTTP_PORT);
    peer_finish(&e);
    TEST_ASSERT_TRUE(e.ended && !d.ended);
    peer_open(&e, 6, HTTP_PORT);
    cable_wait(11000);
    TEST_ASSERT_TRUE(e.lost && !d.ended);
}

/* lwIP has no more connections: it ends those that are worth least. */
static void nor_do_many_of_them_keep_others_out(void)
{
    static struct peer silent[SKR_LWIP_SPARE];

    open_line(&a, 2);
    open_line(&b, 3);
    open_line(&c, 4);
    open_idle(&d, 5);
    for (unsigned i = 0; i < SKR_LWIP_SPARE; i++) {
        peer_open(&silent[i], 6, HTTP_PORT);
        cable_wait(500);
    }
    peer_open(&e, 7, HTTP_PORT);
    peer_send_text(&e, post(PING));
    TEST_ASSERT_TRUE(heard(&e, PINGED));
    TEST_ASSERT_TRUE(silent[0].lost);
    TEST_ASSERT_FALSE(a.ended || b.ended || c.ended);
}

static void a_newcomer_may_find_a_slot_that_has_become_free(void)
{
    open_line(&a, 2);
    open_line(&b, 3);
    open_line(&c, 4);
    open_idle(&d, 5);
    peer_open(&e, 6, HTTP_PORT);
    peer_finish(&a);
    peer_send_text(&e, post(PING));
    TEST_ASSERT_TRUE(heard(&e, PINGED));
    TEST_ASSERT_FALSE(d.ended);
}

/* ---- Who is sent away ---- */

static void one_address_leaves_a_slot_for_others(void)
{
    uint32_t refused = cable_net.counts.refused;

    open_line(&a, 2);
    open_line(&b, 2);
    open_line(&c, 2);
    peer_open(&d, 2, HTTP_PORT);
    peer_send_text(&d, post(PING));
    TEST_ASSERT_TRUE(d.ended && heard(&d, "HTTP/1.1 503 ") && heard(&d, "Retry-After: 1\r\n"));
    TEST_ASSERT_EQUAL(refused + 1, cable_net.counts.refused);
    open_idle(&e, 3);
}

static void beyond_that_it_displaces_its_own(void)
{
    open_idle(&a, 3);
    open_idle(&b, 2);
    open_idle(&c, 2);
    open_idle(&d, 2);
    cable_wait(1000);
    peer_open(&e, 2, HTTP_PORT);
    peer_send_text(&e, post(PING));
    TEST_ASSERT_TRUE(heard(&e, PINGED));
    TEST_ASSERT_FALSE(a.ended);
    TEST_ASSERT_EQUAL(1, b.ended + c.ended + d.ended);
}

static void lines_leave_a_slot_for_http(void)
{
    open_line(&a, 2);
    open_line(&b, 3);
    open_line(&c, 4);
    peer_open(&d, 5, LINE_PORT);
    TEST_ASSERT_TRUE(d.ended && d.n == 0);
    open_idle(&e, 6);
}

static void a_line_displaces_a_line_that_never_spoke(void)
{
    open_line(&a, 2);
    open_line(&b, 3);
    peer_open(&c, 4, LINE_PORT);
    cable_wait(1500);
    open_idle(&d, 5);
    peer_open(&e, 6, LINE_PORT);
    peer_send_text(&e, PING "\n");
    TEST_ASSERT_EQUAL_STRING(PONG "\n", e.in);
    TEST_ASSERT_TRUE(c.ended && !d.ended);
}

static void with_tls_too(void)
{
    open_line(&a, 2);
    open_line(&b, 3);
    open_line(&c, 4);
    open_deaf(&d, 5);
    peer_open(&e, 6, TLS_PORT);
    peer_send_text(&e, "\x16\x03\x01");
    TEST_ASSERT_EQUAL(sizeof skr_tls_busy, e.n);
    TEST_ASSERT_EQUAL_MEMORY(skr_tls_busy, e.in, sizeof skr_tls_busy);
    TEST_ASSERT_TRUE(e.ended);
}

static void who_says_nothing_to_tls_is_closed(void)
{
    peer_open(&a, 2, TLS_PORT);
    cable_wait(11000);
    TEST_ASSERT_TRUE(a.ended && !a.lost);
}

static void who_sends_what_is_no_tls_is_told(void)
{
    peer_open(&a, 2, TLS_PORT);
    peer_send_text(&a, post(PING));
    cable_wait(1000);
    TEST_ASSERT_TRUE(a.ended && heard(&a, "HTTP/1.1 400 "));
}

/* ---- Received data ---- */

/* Answers that nobody reads, and requests after them, hold buffers until there is none for a newcomer's first frame. */
static void who_blocks_everybody_is_reset(void)
{
    struct peer *const rude[] = {&a, &b, &c, &d};
    const char *request = post(LIST);

    for (unsigned i = 0; i < 4; i++) {
        peer_open(rude[i], (uint8_t)(2 + i), HTTP_PORT);
        rude[i]->deaf = true;
    }
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned k = 0; k < 20 && peer_send(rude[i], request, strlen(request)) > 0; k++) {
        }
    }
    cable_wait(3000);
    TEST_ASSERT_TRUE(a.lost || b.lost || c.lost || d.lost);
    peer_open(&e, 7, HTTP_PORT);
    peer_send_text(&e, post(PING));
    TEST_ASSERT_TRUE(heard(&e, PINGED));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(who_says_nothing_is_closed_after_ten_seconds);
    RUN_TEST(half_a_request_gets_408_after_ten_seconds);
    RUN_TEST(who_does_not_read_is_reset_after_ten_seconds);
    RUN_TEST(an_idle_connection_stays_for_75_seconds);
    RUN_TEST(a_line_stays_as_long_as_its_peer_lives);
    RUN_TEST(an_idle_one_gives_way_when_the_newcomer_asks);
    RUN_TEST(the_longest_idle_gives_way);
    RUN_TEST(half_a_request_gives_way_after_a_second);
    RUN_TEST(a_request_that_comes_fast_enough_does_not);
    RUN_TEST(the_slowest_reader_gives_way_and_is_reset);
    RUN_TEST(who_has_never_asked_gives_way_after_a_second);
    RUN_TEST(a_newcomer_that_leaves_or_says_nothing_takes_nothing);
    RUN_TEST(nor_do_many_of_them_keep_others_out);
    RUN_TEST(a_newcomer_may_find_a_slot_that_has_become_free);
    RUN_TEST(one_address_leaves_a_slot_for_others);
    RUN_TEST(beyond_that_it_displaces_its_own);
    RUN_TEST(lines_leave_a_slot_for_http);
    RUN_TEST(a_line_displaces_a_line_that_never_spoke);
    RUN_TEST(with_tls_too);
    RUN_TEST(who_says_nothing_to_tls_is_closed);
    RUN_TEST(who_sends_what_is_no_tls_is_told);
    RUN_TEST(who_blocks_everybody_is_reset);
    return UNITY_END();
}
