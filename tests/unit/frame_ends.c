/* frame_ends.c -- see frame_ends.h. */
#include "frame_ends.h"

#include <string.h>

#include "unity.h"

struct frame_ends ends;

uint32_t ends_chance(void)
{
    ends.seed = ends.seed * 1664525u + 1013904223u;
    return ends.seed >> 8;
}

void ends_begin(void)
{
    memset(&ends.host, 0, sizeof ends.host);
    memset(&ends.device, 0, sizeof ends.device);
    ends.up.n = ends.down.n = 0;
    ends.now_ms = 0xFFFFF000u; /* the clock wraps around early in every test */
    ends.noise = 0;
    ends.seed = 1;
    skr_frame_open(&ends.host.f, ends.host.rx, sizeof ends.host.rx, ends.host.tx, sizeof ends.host.tx);
    skr_frame_open(&ends.device.f, ends.device.rx, SKR_UART_RX_FRAME, ends.device.tx, SKR_UART_TX_WINDOW);
}

void ends_collect(struct end *e, struct line *to)
{
    to->n += skr_frame_tx(&e->f, to->bytes + to->n, sizeof to->bytes - to->n);
}

void ends_on_byte(struct end *e, uint8_t byte)
{
    const uint8_t *bytes;
    enum skr_frame_event event = skr_frame_rx(&e->f, byte);

    e->events[event]++;
    if (event == SKR_FRAME_TEXT && e->text_n < sizeof e->text) {
        e->text[e->text_n++] = byte;
    } else if (event == SKR_FRAME_HELLO) {
        memcpy(skr_frame_welcome(&e->f), "0123456789abcdef", SKR_FRAME_IDENTITY);
    } else if (event == SKR_FRAME_WELCOMED) {
        skr_frame_accept(&e->f, ends.identity);
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
    switch (ends_chance() % 3) {
    case 0: ends_on_byte(e, (uint8_t)(byte ^ 1u << ends_chance() % 8)); break;
    case 1: break;
    default: ends_on_byte(e, byte); ends_on_byte(e, byte);
    }
}

void ends_carry(struct line *from, struct end *to)
{
    static struct line moving; /* a response may be put on the line meanwhile, but not arrive now */

    moving.n = from->n;
    memcpy(moving.bytes, from->bytes, from->n);
    from->n = 0;
    for (size_t i = 0; i < moving.n; i++) {
        if (ends.noise > 0 && ends.damage_at-- == 0) {
            ends.damage_at = ends_chance() % (2 * ends.noise);
            damaged(to, moving.bytes[i]);
        } else {
            ends_on_byte(to, moving.bytes[i]);
        }
    }
}

bool ends_step(void)
{
    ends_collect(&ends.host, &ends.up);
    ends_collect(&ends.device, &ends.down);
    bool moved = ends.up.n + ends.down.n > 0;
    ends_carry(&ends.up, &ends.device);
    ends_carry(&ends.down, &ends.host);
    return moved;
}

void ends_tick(uint32_t ms)
{
    ends.now_ms += ms;
    ends.host.events[skr_frame_tick(&ends.host.f, ends.now_ms)]++;
    ends.device.events[skr_frame_tick(&ends.device.f, ends.now_ms)]++;
}

void ends_settle(void)
{
    while (ends_step()) {
    }
}

void ends_connect(void)
{
    ends_tick(0);
    skr_frame_hello(&ends.host.f, 0x1234, 200);
    ends_settle();
    TEST_ASSERT_EQUAL_UINT(1, ends.host.events[SKR_FRAME_WELCOMED]);
    TEST_ASSERT_EQUAL_UINT8(SKR_FRAME_ON, ends.host.f.state);
    TEST_ASSERT_EQUAL_UINT8(SKR_FRAME_ON, ends.device.f.state);
}

void ends_exchange(size_t n)
{
    static uint8_t out[200000];
    size_t from_host = 0, from_device = 0;
    unsigned long turns = 0;

    TEST_ASSERT_TRUE(n <= sizeof out);
    for (size_t i = 0; i < n; i++) {
        out[i] = (uint8_t)(i * 7 + i / 251);
    }
    ends.host.got_n = ends.device.got_n = 0;
    while (ends.host.got_n < n || ends.device.got_n < n) {
        from_host += skr_frame_put(&ends.host.f, out + from_host, n - from_host);
        from_device += skr_frame_put(&ends.device.f, out + from_device, n - from_device);
        if (!ends_step()) {
            ends_tick(50);
        }
        TEST_ASSERT_TRUE_MESSAGE(++turns < 1000000, "it does not come to an end");
        TEST_ASSERT_EQUAL_UINT8_MESSAGE(SKR_FRAME_ON, ends.host.f.state, "given up");
    }
    TEST_ASSERT_EQUAL_MEMORY(out, ends.device.got, n);
    TEST_ASSERT_EQUAL_MEMORY(out, ends.host.got, n);
    TEST_ASSERT_EQUAL_size_t(n, ends.host.got_n);
    TEST_ASSERT_EQUAL_size_t(n, ends.device.got_n);
}

void ends_put_text(struct end *e, const char *text)
{
    TEST_ASSERT_EQUAL_size_t(strlen(text), skr_frame_put(&e->f, text, strlen(text)));
}
