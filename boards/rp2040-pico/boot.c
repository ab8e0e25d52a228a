/* boot.c -- the second stage of an RP2040's start. The boot ROM copies the first 256 bytes of
 * flash to RAM, checks them and jumps there; they have to set up how the flash chip is read.
 *
 * This uses the plain read command 03h, which every flash chip knows, at half the processor's
 * clock. Other commands are several times as fast but differ from chip to chip; at 115200 baud
 * the line is slower than either. The code runs from where it was copied to, so it calls
 * nothing. */
#include "chip.h"

#define SSI_CTRLR0 REGISTER(0x18000000u)
#define SSI_CTRLR1 REGISTER(0x18000004u)
#define SSI_SPI_CTRLR0 REGISTER(0x180000F4u)

#define FRAMES_OF_32_BITS (31u << 16)
#define COMMAND_THEN_READ (3u << 8)
#define READ_COMMAND (0x03u << 24)
#define COMMAND_8_BITS (2u << 8)
#define ADDRESS_24_BITS (6u << 2)

#define VTOR REGISTER(0xE000ED08u)
#define VECTORS 0x10000100u /* board.ld puts the program there */

__attribute__((section(".boot"), used, noreturn)) static void boot(void)
{
    SSI_SSIENR = 0;
    SSI_BAUDR = SSI_DIVIDER;
    SSI_CTRLR0 = FRAMES_OF_32_BITS | COMMAND_THEN_READ;
    SSI_CTRLR1 = 0;
    SSI_SPI_CTRLR0 = READ_COMMAND | COMMAND_8_BITS | ADDRESS_24_BITS;
    SSI_SSIENR = 1;
    VTOR = VECTORS;
    __asm volatile("msr msp, %0\n\tbx %1" ::"r"(REGISTER(VECTORS)), "r"(REGISTER(VECTORS + 4u)));
    __builtin_unreachable();
}
