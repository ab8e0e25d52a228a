/* lamp.c -- lamps that can go out by themselves. */
#include "board.h"

static struct {
    volatile bool on;
    volatile uint32_t left_ms;
} lamps[BOARD_LAMPS];

void lamp_set(unsigned n, bool on, uint32_t for_ms)
{
    uint32_t state = interrupts_off();

    lamps[n].on = on;
    lamps[n].left_ms = on ? for_ms : 0;
    board_lamp(n, on);
    interrupts_restore(state);
}

bool lamp_is_on(unsigned n)
{
    return lamps[n].on;
}

uint32_t lamp_left_ms(unsigned n)
{
    return lamps[n].left_ms;
}

void lamp_tick(void)
{
    for (unsigned n = 0; n < BOARD_LAMPS; n++) {
        if (lamps[n].left_ms > 0 && --lamps[n].left_ms == 0) {
            lamps[n].on = false;
            board_lamp(n, false);
        }
    }
}
