/* Tests of port/uart/frame.c: two ends, a line between them that can lose, flip and double
 * bytes, and a clock that only moves when told to. */
#include <stdlib.h>
#include <string.h>

#include "../../port/uart/frame.h"
#include "unity.h"

#define LINE_MAX_BYTES 65536

struct line {
    uint8_t bytes[LINE_MAX_BYTES];
    size_t n;
};

struct end {
    struct skr_frame f;
    uint8_t rx[223], tx[1024];
    uint8_t got[200000];
    size_t got_n;
    uint8_t text[4096];
    size_t text_n;
    unsigned events[SKR_FRAME_LOST + 1];
};

static struct end host, device;
static struct line up, down; /* to the device, to the host */
static uint32_t now_ms;
static uint8_t identity[SKR_FRAME_IDENTITY];
static unsigned noise;          /* one byte in so many is damaged; 0: none */
static unsigned long damage_at; /* until the next one */
static uint32_t seed;

static uint32_t chance(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

void setUp(void)
{
    memset(&host, 0, sizeof host);
    memset(&device, 0, sizeof device);
    up.n = down.n = 0;
    now_ms = 0xFFFFF000u; /* the clock wraps around early in every test */
    noise = 0;
    seed = 1;
    skr_frame_open(&host.f, host.rx, sizeof host.rx, host.tx, sizeof host.tx);
    skr_frame_open(&device.f, device.rx, SKR_UART_RX_FRAME, device.tx, SKR_UART_TX_WINDOW);
}

void tearDown(void)
{
}

static void collect(struct end *e, struct line *to)
{
    to->n += skr_frame_tx(&e->f, to->bytes + to->n, sizeof to->bytes - to->n);
}

static void on_byte(struct end *e, uint8_t byte)
{
    const uint8_t *bytes;
    enum skr_frame_event event = skr_frame_rx(&e->f, byte);

    e->events[event]++;
    if (event == SKR_FRAME_TEXT && e->text_n < sizeof e->text) {
        e->text[e->text_n++] = byte;
    } else if (event == SKR_FRAME_HELLO) {
        memcpy(skr_frame_welcome(&e->f), "0123456789abcdef", SKR_FRAME_IDENTITY);
    } else if (event == SKR_FRAME_WELCOMED) {
        skr_frame_accept(&e->f, identity);
    }
    size_t n = skr_frame_payload(&e->f, &bytes);
    TEST_ASSERT_TRUE(e->got_n + n <= sizeof e->got);
    memcpy(e->got + e->got_n, bytes, n);
    e->got_n += n;
    skr_frame_taken(&e->f, n);
}

/* What noise makes of a byte: it is flipped, dropped or doubled. */
static void damaged(struct end *e, uint8_t byte)
{
    switch (chance() % 3) {
    case 0: on_byte(e, (uint8_t)(byte ^ 1u << chance() % 8)); break;
    case 1: break;
    default: on_byte(e, byte); on_byte(e, byte);
    }
}

static void carry(struct line *from, struct end *to)
{
    static struct line moving; /* an answer may be put on the line meanwhile, but not arrive now */
    moving.n = from->n;
    memcpy(moving.bytes, from->bytes, from->n);
    from->n = 0;
    for (size_t i = 0; i < moving.n; i++) {
        if (noise > 0 && damage_at-- == 0) {
            damage_at = chance() % (2 * noise);
            damaged(to, moving.bytes[i]);
        } else {
            on_byte(to, moving.bytes[i]);
        }
    }
}

static bool step(void)
{
    collect(&host, &up);
    collect(&device, &down);
    bool moved = up.n + down.n > 0;
    carry(&up, &device);
    carry(&down, &host);
    return moved;
}

static void tick(uint32_t ms)
{
    now_ms += ms;
    host.events[skr_frame_tick(&host.f, now_ms)]++;
    device.events[skr_frame_tick(&device.f, now_ms)]++;
}

/* Until nothing moves any more, without time passing. */
static void settle(void)
{
    while (step()) {
    }
}

static void connect(void)
{
    tick(0);
    skr_frame_hello(&host.f, 0x1234, 200);
    settle();
    TEST_ASSERT_EQUAL_UINT(1, host.events[SKR_FRAME_WELCOMED]);
    TEST_ASSERT_EQUAL_UINT8(SKR_FRAME_ON, host.f.state);
    TEST_ASSERT_EQUAL_UINT8(SKR_FRAME_ON, device.f.state);
}

/* Sends n bytes each way, moving the clock when nothing else moves. */
static void exchange(size_t n)
{
    static uint8_t out[200000];
    size_t from_host = 0, from_device = 0;
    unsigned long turns = 0;

    TEST_ASSERT_TRUE(n <= sizeof out);
    for (size_t i = 0; i < n; i++) {
        out[i] = (uint8_t)(i * 7 + i / 251);
    }
    host.got_n = device.got_n = 0;
    while (host.got_n < n || device.got_n < n) {
        from_host += skr_frame_put(&host.f, out + from_host, n - from_host);
        from_device += skr_frame_put(&device.f, out + from_device, n - from_device);
        if (!step()) {
            tick(50);
        }
        TEST_ASSERT_TRUE_MESSAGE(++turns < 1000000, "it does not come to an end");
        TEST_ASSERT_EQUAL_UINT8_MESSAGE(SKR_FRAME_ON, host.f.state, "given up");
    }
    TEST_ASSERT_EQUAL_MEMORY(out, device.got, n);
    TEST_ASSERT_EQUAL_MEMORY(out, host.got, n);
    TEST_ASSERT_EQUAL_size_t(n, host.got_n);
    TEST_ASSERT_EQUAL_size_t(n, device.got_n);
}

static void put_text(struct end *e, const char *text)
{
    TEST_ASSERT_EQUAL_size_t(strlen(text), skr_frame_put(&e->f, text, strlen(text)));
}

/* ---- Beginning and end ---- */

static void hello_is_answered_with_the_identity_and_the_limits(void)
{
    connect();
    TEST_ASSERT_EQUAL_MEMORY("0123456789abcdef", identity, SKR_FRAME_IDENTITY);
    TEST_ASSERT_EQUAL_UINT8(SKR_UART_RX_FRAME, host.f.peer_frame);
    TEST_ASSERT_EQUAL_UINT8(1, host.f.peer_open);
    TEST_ASSERT_EQUAL_UINT16(200, device.f.resend_ms);
}

static void welcome_to_an_older_hello_is_not_taken(void)
{
    skr_frame_hello(&host.f, 1, 200);
    collect(&host, &up);
    carry(&up, &device);
    collect(&device, &down);
    skr_frame_hello(&host.f, 2, 200);
    carry(&down, &host);
    TEST_ASSERT_EQUAL_UINT8(SKR_FRAME_ASKED, host.f.state);
    settle();
    TEST_ASSERT_EQUAL_UINT8(SKR_FRAME_ON, host.f.state);
}

static void hello_in_the_middle_begins_anew(void)
{
    connect();
    put_text(&host, "half a request");
    put_text(&device, "half an answer");
    collect(&host, &up);
    collect(&device, &down);
    up.n = down.n = 0;
    skr_frame_hello(&host.f, 77, 200);
    settle();
    TEST_ASSERT_EQUAL_size_t(0, host.got_n + device.got_n);
    exchange(1000);
}

static void device_that_was_reset_says_so_at_the_next_frame(void)
{
    connect();
    exchange(100);
    settle();
    skr_frame_open(&device.f, device.rx, SKR_UART_RX_FRAME, device.tx, SKR_UART_TX_WINDOW);
    put_text(&host, "are you there");
    settle();
    TEST_ASSERT_EQUAL_UINT(1, host.events[SKR_FRAME_ENDED]);
    TEST_ASSERT_EQUAL_UINT8(SKR_FRAME_OFF, host.f.state);
}

static void leaving_is_told(void)
{
    connect();
    skr_frame_leave(&host.f, true);
    settle();
    TEST_ASSERT_EQUAL_UINT(1, device.events[SKR_FRAME_ENDED]);
    TEST_ASSERT_EQUAL_UINT8(SKR_FRAME_OFF, device.f.state);
    TEST_ASSERT_EQUAL_UINT(0, host.events[SKR_FRAME_ENDED]);
}

static void silence_ends_the_reliable_mode(void)
{
    connect();
    tick(SKR_UART_SILENCE_MS - 1);
    TEST_ASSERT_EQUAL_UINT8(SKR_FRAME_ON, device.f.state);
    tick(1);
    TEST_ASSERT_EQUAL_UINT(1, device.events[SKR_FRAME_LOST]);
    TEST_ASSERT_EQUAL_UINT8(SKR_FRAME_OFF, device.f.state);
}

static void questions_keep_an_idle_line_alive(void)
{
    connect();
    for (unsigned i = 0; i < 20; i++) {
        tick(SKR_UART_SILENCE_MS / 2);
        skr_frame_poll(&host.f);
        settle();
    }
    TEST_ASSERT_EQUAL_UINT8(SKR_FRAME_ON, device.f.state);
    TEST_ASSERT_EQUAL_UINT8(SKR_FRAME_ON, host.f.state);
}

/* ---- Payload ---- */

static void payload_arrives_both_ways_in_order(void)
{
    connect();
    exchange(5000);
}

static void numbers_wrap_around(void)
{
    connect();
    exchange(150000);
}

static void numbers_wrap_around_on_a_noisy_line(void)
{
    connect();
    noise = 500;
    exchange(150000);
}

static void every_byte_value_survives_and_no_control_byte_is_on_the_line(void)
{
    uint8_t all[256];
    connect();
    for (unsigned i = 0; i < 256; i++) {
        all[i] = (uint8_t)i;
    }
    TEST_ASSERT_EQUAL_size_t(sizeof all, skr_frame_put(&host.f, all, sizeof all));
    while (device.got_n < sizeof all) {
        collect(&host, &up);
        TEST_ASSERT_TRUE(up.n > 0);
        for (size_t i = 0; i < up.n; i++) {
            bool starts = up.bytes[i] == SKR_FRAME_START, escapes = up.bytes[i] == SKR_FRAME_ESCAPE;
            TEST_ASSERT_TRUE(up.bytes[i] >= 0x20 || starts || escapes);
        }
        carry(&up, &device);
        collect(&device, &down);
        carry(&down, &host);
    }
    TEST_ASSERT_EQUAL_MEMORY(all, device.got, sizeof all);
}

static void device_frame_on_the_line_is_never_longer_than_its_buffer_allows(void)
{
    uint8_t worst[512];
    connect();
    memset(worst, 1, sizeof worst);
    skr_frame_put(&host.f, worst, sizeof worst);
    collect(&host, &up);
    TEST_ASSERT_TRUE(up.n <= SKR_UART_RX_FRAME + SKR_UART_BARE_FRAME);
}

/* ---- Loss ---- */

static void lost_frame_is_sent_again_after_a_question(void)
{
    connect();
    put_text(&host, "once");
    collect(&host, &up);
    up.n = 0;
    tick(199);
    settle();
    TEST_ASSERT_EQUAL_size_t(0, device.got_n);
    tick(1);
    settle();
    TEST_ASSERT_EQUAL_size_t(4, device.got_n);
    TEST_ASSERT_EQUAL_size_t(0, skr_frame_unsent(&host.f));
}

static void lost_acknowledgement_does_not_repeat_payload(void)
{
    connect();
    put_text(&host, "once");
    collect(&host, &up);
    carry(&up, &device);
    collect(&device, &down);
    down.n = 0;
    tick(200);
    settle();
    TEST_ASSERT_EQUAL_size_t(4, device.got_n);
    TEST_ASSERT_EQUAL_size_t(0, skr_frame_unsent(&host.f));
}

static void damaged_frame_is_sent_again_at_once(void)
{
    connect();
    put_text(&host, "at once");
    collect(&host, &up);
    up.bytes[9] ^= 4;
    settle();
    TEST_ASSERT_EQUAL_size_t(7, device.got_n);
}

static void gap_between_frames_is_noticed_at_once(void)
{
    uint8_t bytes[SKR_UART_TX_WINDOW] = {0};
    connect();
    memset(bytes, 'a', sizeof bytes);
    TEST_ASSERT_EQUAL_size_t(sizeof bytes, skr_frame_put(&device.f, bytes, sizeof bytes));
    collect(&device, &down); /* two frames; the first is lost whole */
    size_t second = down.n;
    while (down.bytes[--second] != SKR_FRAME_START) {
    }
    TEST_ASSERT_TRUE(second > 0);
    memmove(down.bytes, down.bytes + second, down.n - second);
    down.n -= second;
    settle();
    TEST_ASSERT_EQUAL_size_t(sizeof bytes, host.got_n);
}

static void lost_question_is_asked_again_after_four_times_the_wait(void)
{
    connect();
    put_text(&host, "once");
    collect(&host, &up);
    tick(200);
    collect(&host, &up);
    up.n = 0;
    tick(799);
    settle();
    TEST_ASSERT_EQUAL_size_t(0, device.got_n);
    tick(1);
    settle();
    TEST_ASSERT_EQUAL_size_t(4, device.got_n);
}

static void peer_that_never_answers_is_given_up(void)
{
    size_t sent = 0;
    connect();
    put_text(&host, "anybody");
    for (unsigned i = 0; i < 2000 && host.f.state == SKR_FRAME_ON; i++) {
        collect(&host, &up);
        sent += up.n;
        up.n = 0;
        tick(200);
    }
    TEST_ASSERT_EQUAL_UINT(1, host.events[SKR_FRAME_LOST]);
    TEST_ASSERT_TRUE(sent <= SKR_UART_RX_BUFFER);
}

static void corrupt_length_costs_only_its_frame(void)
{
    connect();
    put_text(&host, "first");
    collect(&host, &up);
    up.bytes[2] = 0xFF; /* the length: more than a device takes */
    settle();
    TEST_ASSERT_EQUAL_size_t(5, device.got_n);
    put_text(&host, "next");
    collect(&host, &up);
    up.bytes[2] = 0x20 + 60; /* more than there is: the next frame ends it */
    carry(&up, &device);
    tick(200);
    settle();
    TEST_ASSERT_EQUAL_size_t(9, device.got_n);
    TEST_ASSERT_EQUAL_MEMORY("firstnext", device.got, 9);
}

static void garbage_between_frames_is_text_and_changes_nothing(void)
{
    connect();
    put_text(&host, "in a frame");
    memcpy(up.bytes, "boot: noise\r\n", 13);
    up.n = 13;
    collect(&host, &up);
    settle();
    TEST_ASSERT_EQUAL_MEMORY("boot: noise\r\n", device.text, 13);
    TEST_ASSERT_EQUAL_size_t(10, device.got_n);
}

static void line_end_frees_from_a_frame_that_never_ends(void)
{
    static const char start[] = "\x01\x40\x5ehalf a frame\n{\"then\":1}\n";
    for (size_t i = 0; i < sizeof start - 1; i++) {
        on_byte(&device, (uint8_t)start[i]);
    }
    TEST_ASSERT_EQUAL_size_t(12, device.text_n);
    TEST_ASSERT_EQUAL_MEMORY("\n{\"then\":1}\n", device.text, 12);
}

static void megabyte_of_noise_then_hello(void)
{
    for (unsigned long i = 0; i < 1048576; i++) {
        on_byte(&device, (uint8_t)chance());
        device.text_n = 0;
    }
    down.n = 0;
    connect();
    exchange(1000);
}

static void noisy_lines_deliver_everything_once(void)
{
    for (unsigned rate = 100; rate <= 1600; rate *= 2) {
        setUp();
        seed = rate;
        connect();
        noise = rate;
        exchange(20000);
    }
}

/* ---- Flow control ---- */

static void peer_without_room_gets_nothing_more(void)
{
    char request[SKR_UART_RX_FRAME];
    const uint8_t *bytes;
    connect();
    memset(request, 'r', sizeof request);
    skr_frame_put(&host.f, request, sizeof request);
    skr_frame_put(&host.f, request, sizeof request);
    collect(&host, &up);
    for (size_t i = 0; i < up.n; i++) { /* as a device whose core has no room: nothing is taken */
        skr_frame_rx(&device.f, up.bytes[i]);
    }
    up.n = 0;
    collect(&device, &down);
    carry(&down, &host);
    collect(&host, &up);
    TEST_ASSERT_EQUAL_size_t(0, up.n);
    skr_frame_taken(&device.f, skr_frame_payload(&device.f, &bytes));
    settle();
    TEST_ASSERT_EQUAL_size_t(sizeof request, device.got_n); /* the second; the first was taken by hand */
}

/* A handler that blocks: the device looks at nothing for a minute, while the host has much
 * to send. Whatever comes must fit the receive buffer, and nothing is lost. */
static void busy_device_is_not_overrun(void)
{
    static uint8_t requests[1000];
    size_t fill = 0;
    connect();
    TEST_ASSERT_EQUAL_size_t(sizeof requests, skr_frame_put(&host.f, requests, sizeof requests));
    skr_frame_put(&device.f, requests, SKR_UART_TX_WINDOW); /* answers are under way, too */
    collect(&device, &down);
    carry(&down, &host);
    for (unsigned i = 0; i < 65; i++) {
        collect(&host, &up);
        fill = up.n;
        now_ms += 1000;
        skr_frame_tick(&host.f, now_ms);
    }
    TEST_ASSERT_TRUE(fill <= SKR_UART_RX_BUFFER);
    TEST_ASSERT_EQUAL_UINT8(SKR_FRAME_ON, host.f.state);
    while (device.got_n < sizeof requests) {
        if (!step()) {
            tick(50);
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
    RUN_TEST(leaving_is_told);
    RUN_TEST(silence_ends_the_reliable_mode);
    RUN_TEST(questions_keep_an_idle_line_alive);
    RUN_TEST(payload_arrives_both_ways_in_order);
    RUN_TEST(numbers_wrap_around);
    RUN_TEST(numbers_wrap_around_on_a_noisy_line);
    RUN_TEST(every_byte_value_survives_and_no_control_byte_is_on_the_line);
    RUN_TEST(device_frame_on_the_line_is_never_longer_than_its_buffer_allows);
    RUN_TEST(lost_frame_is_sent_again_after_a_question);
    RUN_TEST(lost_acknowledgement_does_not_repeat_payload);
    RUN_TEST(damaged_frame_is_sent_again_at_once);
    RUN_TEST(gap_between_frames_is_noticed_at_once);
    RUN_TEST(lost_question_is_asked_again_after_four_times_the_wait);
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
