/* pico.h -- what TinyUSB's driver for the RP2040 expects of the Pico SDK, without the SDK: the registers' structs come from its
 * headers, which are fetched, and the few functions that the driver calls are here. */
#ifndef PICO_H
#define PICO_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "board.h"

#define PICO_RP2040 1
#define NUM_BANK0_GPIOS 30
#define USB_MAX_ENDPOINTS 3 /* control, notices, data: descriptors.c; the driver keeps 64 bytes of RAM for each */
#define USBCTRL_IRQ 5u

#define __force_inline inline __attribute__((always_inline))
#define __unused __attribute__((unused))
#define __no_inline_not_in_flash_func(name) name
#define remove_volatile_cast(type, value) ((type)(uintptr_t)(value))
#define valid_params_if(part, test) ((void)0)
#define hard_assert(test) ((test) ? (void)0 : board_fault())
#define panic(...) board_fault()

typedef unsigned int uint;

/* The controller's own clock runs at 48 MHz; so does the processor. */
static inline void busy_wait_at_least_cycles(uint32_t cycles)
{
    for (volatile uint32_t left = cycles; left > 0; left--) {
    }
}

/* 1 is B0 and B1, 2 is B2: from it on a transfer can be aborted. */
static inline uint8_t rp2040_chip_version(void)
{
    return (uint8_t)(REGISTER(0x40000000u) >> 28);
}

/* Microseconds; board_init starts the timer. */
static inline uint32_t time_us_32(void)
{
    return REGISTER(0x40054028u);
}

#define RESETS_RESET_USBCTRL_BITS (1u << 24)

static inline void reset_block(uint32_t blocks)
{
    REGISTER(0x4000E000u) = blocks; /* sets bits of RESETS_RESET */
}

static inline void unreset_block_wait(uint32_t blocks)
{
    REGISTER(0x4000F000u) = blocks; /* clears them */
    while ((REGISTER(0x4000C008u) & blocks) != blocks) {
    }
}

/* The vector table names USB_Handler, which calls the driver; there is nothing to add. */
#define irq_add_shared_handler(irq, handler, order) ((void)(handler))
#define irq_remove_handler(irq, handler) ((void)0)

static inline void irq_set_enabled(uint irq, bool on)
{
    REGISTER(on ? 0xE000E100u : 0xE000E180u) = 1u << irq;
}

#endif
