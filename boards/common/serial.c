/* serial.c -- the rings between a UART's interrupt and the main loop.
 *
 * Each ring has one writer and one reader: `in` is filled by the interrupt and emptied by the main loop, `out` the
 * other way round. Counters run freely and are masked to an index when used, so the whole ring can be filled. Only
 * the writer changes `head`, only the reader `tail`; a half-done change is never seen because each is a single 16-bit
 * store. BARRIER keeps the compiler from freeing a slot before its byte has been read.
 *
 * When `in` is full the interrupt is turned off instead of dropping bytes: serial_drop turns it
 * on again. */
#include "board.h"

/* The sender may be 256 bytes ahead of us, which is what reliable frames count on. */
#define IN_SIZE 256u
/* Enough to cover the time the core needs for its next piece: 128 bytes are 11 ms at 115200 baud. */
#define OUT_SIZE 128u

#define BARRIER() __asm volatile("" ::: "memory")

static struct {
    volatile uint16_t head, tail;
    volatile bool stopped; /* the interrupt is off because the ring is full */
    uint8_t bytes[IN_SIZE];
} in;

static struct {
    volatile uint16_t head, tail;
    uint8_t bytes[OUT_SIZE];
} out;

static volatile uint32_t events;

/* ---- The main loop's side ---- */

size_t serial_peek(const uint8_t **bytes)
{
    uint16_t start = in.tail % IN_SIZE;
    uint16_t n = (uint16_t)(in.head - in.tail);

    BARRIER();
    *bytes = in.bytes + start;
    return n < IN_SIZE - start ? n : IN_SIZE - start;
}

void serial_drop(size_t n)
{
    BARRIER();
    in.tail = (uint16_t)(in.tail + n);
    if (n > 0 && in.stopped) {
        in.stopped = false;
        board_listen(true);
    }
}

size_t serial_room(uint8_t **bytes)
{
    uint16_t start = out.head % OUT_SIZE;
    uint16_t free = (uint16_t)(OUT_SIZE - (uint16_t)(out.head - out.tail));

    BARRIER();
    *bytes = out.bytes + start;
    return free < OUT_SIZE - start ? free : OUT_SIZE - start;
}

void serial_send(size_t n)
{
    if (n > 0) {
        uint32_t state = interrupts_off();
        out.head = (uint16_t)(out.head + n);
        board_send();
        interrupts_restore(state);
    }
}

void serial_print(const char *text)
{
    uint8_t *to;

    for (const char *p = text; *p != '\0';) {
        if (serial_room(&to) > 0) {
            *to = (uint8_t)*p++;
            serial_send(1);
        }
    }
}

uint32_t serial_events(void)
{
    return events;
}

/* ---- The interrupt's side ---- */

bool serial_has_room(void)
{
    bool room = (uint16_t)(in.head - in.tail) < IN_SIZE;

    if (!room) {
        in.stopped = true;
        board_listen(false);
    }
    return room;
}

void serial_received(uint8_t byte)
{
    in.bytes[in.head % IN_SIZE] = byte;
    BARRIER();
    in.head++;
    events++;
}

bool serial_next(uint8_t *byte)
{
    if (out.tail == out.head) {
        return false;
    }
    *byte = out.bytes[out.tail % OUT_SIZE];
    BARRIER();
    out.tail++;
    events++;
    return true;
}
