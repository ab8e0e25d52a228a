/* rom.c -- what firmware made with the pico-sdk looks for in the boot ROM of an RP2040: a table of functions. rp2040js has no ROM,
 * and Raspberry Pi's is not ours to pass on. Linked at address 0. */
#include <stddef.h>
#include <stdint.h>

__asm__(".section .first, \"ax\"\n"
        ".word 0x20042000, 0, 0, 0\n"
        ".byte 'M', 'u', 1, 2\n" /* magic, and the version of the second revision */
        ".hword functions, data, look_up + 1, 0\n"
        "functions:\n"
        ".ascii \"MC\"\n.hword copy + 1\n.ascii \"C4\"\n.hword copy + 1\n"
        ".ascii \"MS\"\n.hword set + 1\n.ascii \"S4\"\n.hword set + 1\n"
        ".ascii \"P3\"\n.hword count + 1\n.ascii \"R3\"\n.hword reverse + 1\n"
        ".ascii \"L3\"\n.hword leading + 1\n.ascii \"T3\"\n.hword trailing + 1\n"
        "data:\n"
        ".word 0\n"
        ".text\n");

uint32_t look_up(const uint16_t *table, uint32_t code)
{
    for (; table[0] != 0; table += 2) {
        if (table[0] == code) {
            return table[1];
        }
    }
    return 0;
}

void *copy(uint8_t *to, const uint8_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        to[i] = from[i];
    }
    return to;
}

void *set(uint8_t *to, uint8_t byte, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        to[i] = byte;
    }
    return to;
}

uint32_t count(uint32_t x)
{
    uint32_t n = 0;

    for (; x != 0; x &= x - 1) {
        n++;
    }
    return n;
}

uint32_t reverse(uint32_t x)
{
    uint32_t y = 0;

    for (int i = 0; i < 32; i++, x >>= 1) {
        y = y << 1 | (x & 1);
    }
    return y;
}

uint32_t leading(uint32_t x)
{
    uint32_t n = 32;

    for (; x != 0; x >>= 1) {
        n--;
    }
    return n;
}

uint32_t trailing(uint32_t x)
{
    return leading(reverse(x));
}
