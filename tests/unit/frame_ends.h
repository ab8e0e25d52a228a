/* frame_ends.h -- two ends of port/uart/frame.c, a line between them that can lose, flip and double bytes, and a clock that moves
 * only when a test moves it. */
#ifndef TESTS_FRAME_ENDS_H
#define TESTS_FRAME_ENDS_H

#include <stdbool.h>

#include "../../port/uart/frame.h"

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

extern struct frame_ends {
    struct end host, device;
    struct line up, down; /* to the device, to the host */
    uint32_t now_ms;
    uint8_t identity[SKR_FRAME_IDENTITY];
    unsigned noise;          /* one byte in so many is damaged; 0: none */
    unsigned long damage_at; /* until the next one */
    uint32_t seed;
} ends;

/* Both ends at the start, and a line without noise. */
void ends_begin(void);

/* A random number. */
uint32_t ends_chance(void);

void ends_on_byte(struct end *e, uint8_t byte);
void ends_collect(struct end *e, struct line *to);
void ends_carry(struct line *from, struct end *to);

/* Moves all bytes that are to be sent, once. False when there were none. */
bool ends_step(void);

/* Until nothing moves any more, without time passing. */
void ends_settle(void);

void ends_tick(uint32_t ms);
void ends_connect(void);

/* Sends n bytes each way, moving the clock when nothing else moves. */
void ends_exchange(size_t n);

void ends_put_text(struct end *e, const char *text);

#endif
