/* test_frame.c -- frames of port/uart/frame.c between the two ends of frame_ends.h. */
#include <string.h>

#include "frame_ends.h"
#include "unity.h"

void setUp(void)
{
    ends_begin();
}

void tearDown(void)
{
}

/* ---- Beginning and end ---- */

static void hello_is_answered_with_the_identity_and_the_limits(void)
{
    ends_connect();
    TEST_ASSERT_EQUAL_MEMORY("0123456789abcdef", ends.identity, SKR_FRAME_IDENTITY);
    TEST_ASSERT_EQUAL_UINT8(SKR_UART_RX_FRAME, ends.host.f.peer_frame);
    TEST_ASSERT_EQUAL_UINT8(1, ends.host.f.peer_open);
    TEST_ASSERT_EQUAL_UINT16(200, ends.device.f.resend_ms);
}

static void welcome_to_an_older_hello_is_not_taken(void)
{
    skr_frame_hello(&ends.host.f, 1, 200);
    ends_collect(&ends.host, &ends.up);
    ends_carry(&ends.up, &ends.device);
    ends_collect(&ends.device, &ends.down);
    skr_frame_hello(&ends.host.f, 2, 200);
    ends_carry(&ends.down, &ends.host);
    TEST_ASSERT_EQUAL_UINT8(SKR_FRAME_ASKED, ends.host.f.state);
    ends_settle();
    TEST_ASSERT_EQUAL_UINT8(SKR_FRAME_ON, ends.host.f.state);
}

static void hello_in_the_middle_begins_anew(void)
{
    ends_connect();
    ends_put_text(&ends.host, "half a request");
    ends_put_text(&ends.device, "half a response");
    ends_collect(&ends.host, &ends.up);
    ends_collect(&ends.device, &ends.down);
    ends.up.n = ends.down.n = 0;
    skr_frame_hello(&ends.host.f, 77, 200);
    ends_settle();
    TEST_ASSERT_EQUAL_size_t(0, ends.host.got_n + ends.device.got_n);
    ends_exchange(1000);
}

static void device_that_was_reset_says_so_at_the_next_frame(void)
{
    ends_connect();
    ends_exchange(100);
    ends_settle();
    skr_frame_open(&ends.device.f, ends.device.rx, SKR_UART_RX_FRAME, ends.device.tx, SKR_UART_TX_WINDOW);
    ends_put_text(&ends.host, "are you there");
    ends_settle();
    TEST_ASSERT_EQUAL_UINT(1, ends.host.events[SKR_FRAME_ENDED]);
    TEST_ASSERT_EQUAL_UINT8(SKR_FRAME_OFF, ends.host.f.state);
}

static void leaving_is_announced(void)
{
    ends_connect();
    skr_frame_leave(&ends.host.f, true);
    ends_settle();
    TEST_ASSERT_EQUAL_UINT(1, ends.device.events[SKR_FRAME_ENDED]);
    TEST_ASSERT_EQUAL_UINT8(SKR_FRAME_OFF, ends.device.f.state);
    TEST_ASSERT_EQUAL_UINT(0, ends.host.events[SKR_FRAME_ENDED]);
}

static void silence_ends_the_reliable_mode(void)
{
    ends_connect();
    ends_tick(SKR_UART_SILENCE_MS - 1);
    TEST_ASSERT_EQUAL_UINT8(SKR_FRAME_ON, ends.device.f.state);
    ends_tick(1);
    TEST_ASSERT_EQUAL_UINT(1, ends.device.events[SKR_FRAME_LOST]);
    TEST_ASSERT_EQUAL_UINT8(SKR_FRAME_OFF, ends.device.f.state);
}

static void polls_keep_an_idle_line_alive(void)
{
    ends_connect();
    for (unsigned i = 0; i < 20; i++) {
        ends_tick(SKR_UART_SILENCE_MS / 2);
        skr_frame_poll(&ends.host.f);
        ends_settle();
    }
    TEST_ASSERT_EQUAL_UINT8(SKR_FRAME_ON, ends.device.f.state);
    TEST_ASSERT_EQUAL_UINT8(SKR_FRAME_ON, ends.host.f.state);
}

/* ---- Payload ---- */

static void payload_arrives_both_ways_in_order(void)
{
    ends_connect();
    ends_exchange(5000);
}

static void numbers_wrap_around(void)
{
    ends_connect();
    ends_exchange(150000);
}

static void numbers_wrap_around_on_a_noisy_line(void)
{
    ends_connect();
    ends.noise = 500;
    ends_exchange(150000);
}

static void every_byte_value_survives_and_no_control_byte_is_on_the_line(void)
{
    uint8_t all[256];

    ends_connect();
    for (unsigned i = 0; i < 256; i++) {
        all[i] = (uint8_t)i;
    }
    TEST_ASSERT_EQUAL_size_t(sizeof all, skr_frame_put(&ends.host.f, all, sizeof all));
    while (ends.device.got_n < sizeof all) {
        ends_collect(&ends.host, &ends.up);
        TEST_ASSERT_TRUE(ends.up.n > 0);
        for (size_t i = 0; i < ends.up.n; i++) {
            bool starts = ends.up.bytes[i] == SKR_FRAME_START, escapes = ends.up.bytes[i] == SKR_FRAME_ESCAPE;
            TEST_ASSERT_TRUE(ends.up.bytes[i] >= 0x20 || starts || escapes);
        }
        ends_carry(&ends.up, &ends.device);
        ends_collect(&ends.device, &ends.down);
        ends_carry(&ends.down, &ends.host);
    }
    TEST_ASSERT_EQUAL_MEMORY(all, ends.device.got, sizeof all);
}

static void device_frame_on_the_line_is_never_longer_than_its_buffer_allows(void)
{
    uint8_t worst[512];

    ends_connect();
    memset(worst, 1, sizeof worst);
    skr_frame_put(&ends.host.f, worst, sizeof worst);
    ends_collect(&ends.host, &ends.up);
    TEST_ASSERT_TRUE(ends.up.n <= SKR_UART_RX_FRAME + SKR_UART_BARE_FRAME);
}

/* ---- Loss ---- */

static void lost_frame_is_sent_again_after_a_poll(void)
{
    ends_connect();
    ends_put_text(&ends.host, "once");
    ends_collect(&ends.host, &ends.up);
    ends.up.n = 0;
    ends_tick(199);
    ends_settle();
    TEST_ASSERT_EQUAL_size_t(0, ends.device.got_n);
    ends_tick(1);
    ends_settle();
    TEST_ASSERT_EQUAL_size_t(4, ends.device.got_n);
    TEST_ASSERT_EQUAL_size_t(0, skr_frame_unsent(&ends.host.f));
}

static void lost_acknowledgement_does_not_repeat_payload(void)
{
    ends_connect();
    ends_put_text(&ends.host, "once");
    ends_collect(&ends.host, &ends.up);
    ends_carry(&ends.up, &ends.device);
    ends_collect(&ends.device, &ends.down);
    ends.down.n = 0;
    ends_tick(200);
    ends_settle();
    TEST_ASSERT_EQUAL_size_t(4, ends.device.got_n);
    TEST_ASSERT_EQUAL_size_t(0, skr_frame_unsent(&ends.host.f));
}

static void damaged_frame_is_sent_again_immediately(void)
{
    ends_connect();
    ends_put_text(&ends.host, "instant");
    ends_collect(&ends.host, &ends.up);
    ends.up.bytes[9] ^= 4;
    ends_settle();
    TEST_ASSERT_EQUAL_size_t(7, ends.device.got_n);
}

static void gap_between_frames_is_noticed_immediately(void)
{
    uint8_t bytes[SKR_UART_TX_WINDOW] = {0};

    ends_connect();
    memset(bytes, 'a', sizeof bytes);
    TEST_ASSERT_EQUAL_size_t(sizeof bytes, skr_frame_put(&ends.device.f, bytes, sizeof bytes));
    ends_collect(&ends.device, &ends.down); /* two frames; the first is lost whole */
    size_t second = ends.down.n;
    while (ends.down.bytes[--second] != SKR_FRAME_START) {
    }
    TEST_ASSERT_TRUE(second > 0);
    memmove(ends.down.bytes, ends.down.bytes + second, ends.down.n - second);
    ends.down.n -= second;
    ends_settle();
    TEST_ASSERT_EQUAL_size_t(sizeof bytes, ends.host.got_n);
}

static void lost_poll_is_sent_again_after_four_times_the_wait(void)
{
    ends_connect();
    ends_put_text(&ends.host, "once");
    ends_collect(&ends.host, &ends.up);
    ends_tick(200);
    ends_collect(&ends.host, &ends.up);
    ends.up.n = 0;
    ends_tick(799);
    ends_settle();
    TEST_ASSERT_EQUAL_size_t(0, ends.device.got_n);
    ends_tick(1);
    ends_settle();
    TEST_ASSERT_EQUAL_size_t(4, ends.device.got_n);
}

static void peer_that_never_answers_is_given_up(void)
{
    size_t sent = 0;

    ends_connect();
    ends_put_text(&ends.host, "anybody");
    for (unsigned i = 0; i < 2000 && ends.host.f.state == SKR_FRAME_ON; i++) {
        ends_collect(&ends.host, &ends.up);
        sent += ends.up.n;
        ends.up.n = 0;
        ends_tick(200);
    }
    TEST_ASSERT_EQUAL_UINT(1, ends.host.events[SKR_FRAME_LOST]);
    TEST_ASSERT_TRUE(sent <= SKR_UART_RX_BUFFER);
}

static void corrupt_length_costs_only_its_frame(void)
{
    ends_connect();
    ends_put_text(&ends.host, "first");
    ends_collect(&ends.host, &ends.up);
    ends.up.bytes[2] = 0xFF; /* the length: more than a device takes */
    ends_settle();
    TEST_ASSERT_EQUAL_size_t(5, ends.device.got_n);
    ends_put_text(&ends.host, "next");
    ends_collect(&ends.host, &ends.up);
    ends.up.bytes[2] = 0x20 + 60; /* more than there is: the next frame ends it */
    ends_carry(&ends.up, &ends.device);
    ends_tick(200);
    ends_settle();
    TEST_ASSERT_EQUAL_size_t(9, ends.device.got_n);
    TEST_ASSERT_EQUAL_MEMORY("firstnext", ends.device.got, 9);
}

static void garbage_between_frames_is_text_and_changes_nothing(void)
{
    ends_connect();
    ends_put_text(&ends.host, "in a frame");
    memcpy(ends.up.bytes, "boot: noise\r\n", 13);
    ends.up.n = 13;
    ends_collect(&ends.host, &ends.up);
    ends_settle();
    TEST_ASSERT_EQUAL_MEMORY("boot: noise\r\n", ends.device.text, 13);
    TEST_ASSERT_EQUAL_size_t(10, ends.device.got_n);
}

static void line_end_frees_from_a_frame_that_never_ends(void)
{
    static const char start[] = "\x01\x40\x5ehalf a frame\n{\"then\":1}\n";

    for (size_t i = 0; i < sizeof start - 1; i++) {
        ends_on_byte(&ends.device, (uint8_t)start[i]);
    }
    TEST_ASSERT_EQUAL_size_t(12, ends.device.text_n);
    TEST_ASSERT_EQUAL_MEMORY("\n{\"then\":1}\n", ends.device.text, 12);
}

static void megabyte_of_noise_then_hello(void)
{
    for (unsigned long i = 0; i < 1048576; i++) {
        ends_on_byte(&ends.device, (uint8_t)ends_chance());
        ends.device.text_n = 0;
    }
    ends.down.n = 0;
    ends_connect();
    ends_exchange(1000);
}

static void noisy_lines_deliver_everything_once(void)
{
    for (unsigned rate = 100; rate <= 1600; rate *= 2) {
        setUp();
        ends.seed = rate;
        ends_connect();
        ends.noise = rate;
        ends_exchange(20000);
    }
}

/* ---- Flow control ---- */

static void peer_without_room_gets_nothing_more(void)
{
    char request[SKR_UART_RX_FRAME];
    const uint8_t *bytes;

    ends_connect();
    memset(request, 'r', sizeof request);
    skr_frame_put(&ends.host.f, request, sizeof request);
    skr_frame_put(&ends.host.f, request, sizeof request);
    ends_collect(&ends.host, &ends.up);
    for (size_t i = 0; i < ends.up.n; i++) { /* as a device whose core has no room: nothing is taken */
        skr_frame_rx(&ends.device.f, ends.up.bytes[i]);
    }
    ends.up.n = 0;
    ends_collect(&ends.device, &ends.down);
    ends_carry(&ends.down, &ends.host);
    ends_collect(&ends.host, &ends.up);
    TEST_ASSERT_EQUAL_size_t(0, ends.up.n);
    skr_frame_taken(&ends.device.f, skr_frame_payload(&ends.device.f, &bytes));
    ends_settle();
    TEST_ASSERT_EQUAL_size_t(sizeof request, ends.device.got_n); /* the second; the first was taken by hand */
}

/* A handler that blocks: the device looks at nothing for a minute, while the host has much
 * to send. Whatever comes must fit the receive buffer, and nothing is lost. */
static void busy_device_is_not_overrun(void)
{
    static uint8_t requests[1000];
    size_t fill = 0;

    ends_connect();
    TEST_ASSERT_EQUAL_size_t(sizeof requests, skr_frame_put(&ends.host.f, requests, sizeof requests));
    skr_frame_put(&ends.device.f, requests, SKR_UART_TX_WINDOW); /* responses are also under way */
    ends_collect(&ends.device, &ends.down);
    ends_carry(&ends.down, &ends.host);
    for (unsigned i = 0; i < 65; i++) {
        ends_collect(&ends.host, &ends.up);
        fill = ends.up.n;
        ends.now_ms += 1000;
        skr_frame_tick(&ends.host.f, ends.now_ms);
    }
    TEST_ASSERT_TRUE(fill <= SKR_UART_RX_BUFFER);
    TEST_ASSERT_EQUAL_UINT8(SKR_FRAME_ON, ends.host.f.state);
    while (ends.device.got_n < sizeof requests) {
        if (!ends_step()) {
            ends_tick(50);
        }
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(hello_is_answered_with_the_identity_and_the_limits);
    RUN_TEST(welcome_to_an_older_hello_is_not_taken);
    RUN_TEST(hello_in_the_middle_begins_anew);
    RUN_TEST(device_that_was_reset_says_so_at_the_next_frame);
    RUN_TEST(leaving_is_announced);
    RUN_TEST(silence_ends_the_reliable_mode);
    RUN_TEST(polls_keep_an_idle_line_alive);
    RUN_TEST(payload_arrives_both_ways_in_order);
    RUN_TEST(numbers_wrap_around);
    RUN_TEST(numbers_wrap_around_on_a_noisy_line);
    RUN_TEST(every_byte_value_survives_and_no_control_byte_is_on_the_line);
    RUN_TEST(device_frame_on_the_line_is_never_longer_than_its_buffer_allows);
    RUN_TEST(lost_frame_is_sent_again_after_a_poll);
    RUN_TEST(lost_acknowledgement_does_not_repeat_payload);
    RUN_TEST(damaged_frame_is_sent_again_immediately);
    RUN_TEST(gap_between_frames_is_noticed_immediately);
    RUN_TEST(lost_poll_is_sent_again_after_four_times_the_wait);
    RUN_TEST(peer_that_never_answers_is_given_up);
    RUN_TEST(corrupt_length_costs_only_its_frame);
    RUN_TEST(garbage_between_frames_is_text_and_changes_nothing);
    RUN_TEST(line_end_frees_from_a_frame_that_never_ends);
    RUN_TEST(megabyte_of_noise_then_hello);
    RUN_TEST(noisy_lines_deliver_everything_once);
    RUN_TEST(peer_without_room_gets_nothing_more);
    RUN_TEST(busy_device_is_not_overrun);
    return UNITY_END();
}
