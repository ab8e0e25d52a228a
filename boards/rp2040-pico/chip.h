/* chip.h -- what both builds of the Pico share: the crystal, the lamps, blocks that are held in reset. */
#ifndef CHIP_H
#define CHIP_H

#include "board.h"

#define CHIP_CLEAR 0x3000u /* writing to a register's address plus this clears bits of it */

#define CHIP_FLASH 0x10000000u

/* The controller that reads flash, at half the processor's clock. */
#define SSI_SSIENR REGISTER(0x18000008u)
#define SSI_BAUDR REGISTER(0x18000014u)
#define SSI_DIVIDER 2u

/* Lets the blocks with these bits in RESETS out of reset, and waits until they are. */
void chip_unreset(uint32_t blocks);

/* Processor and peripherals from the 12 MHz crystal; pins on, lamps off. */
void chip_start(void);

/* Gives a pin to a peripheral. */
void chip_pin(unsigned pin, uint32_t function);

#endif
