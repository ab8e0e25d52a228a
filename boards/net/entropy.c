/* entropy.c -- numbers that are hard to guess, from the timing of events.
 *
 * Neither board has a source of random numbers. What they have is the exact time at which frames arrive, to one
 * processor cycle. That is good enough against blind guessing, and weak against someone who watches the network
 * closely; on a chip with a generator, feed entropy_stir from it before the first connection is served. Session ids
 * are made from this (skr_http_config). */
#include "board.h"
#include "net.h"

#define SYST_CVR REGISTER(0xE000E018u) /* counts cycles within a millisecond */

static uint32_t pool[4] = {0x9E3779B9u, 0x7F4A7C15u, 0xBF58476Du, 0x94D049BBu};
static uint32_t at;

static uint32_t scramble(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x85EBCA6Bu;
    x ^= x >> 13;
    x *= 0xC2B2AE35u;
    return x ^ x >> 16;
}

void entropy_stir(uint32_t with)
{
    at++;
    pool[at % 4u] = scramble(pool[at % 4u] ^ with ^ SYST_CVR) + pool[(at + 1u) % 4u];
}

uint32_t entropy_word(void)
{
    entropy_stir(clock_ms());
    return scramble(pool[0] ^ scramble(pool[1] ^ scramble(pool[2] ^ scramble(pool[3] ^ at))));
}
