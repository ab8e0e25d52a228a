/* flash.h -- what an update needs of a flash: three functions and two numbers. */
#ifndef SKR_FLASH_H
#define SKR_FLASH_H

#include <stdbool.h>
#include <stdint.h>

#include "update_config.h"

struct skr_flash {
    /* The unit is programmed as a whole, and never again before it is erased, because it may have an error-correcting
     * code: 8 bytes on an STM32L4, 16 on a U5, 32 on an H7. Without such a code (a QSPI chip, an nRF) it is the
     * smallest piece that can be programmed. A power of two, 1 to SKR_FLASH_UNIT_MAX. */
    uint32_t unit;
    uint8_t blank; /* what an erased byte reads: 0xFF, on a few chips 0 */

    /* Each returns when it is done; false when it failed. A read fails when the bytes have an error that the code
     * cannot correct, which a power cut may leave behind. For program, `at` and `n` are multiples of the unit; erase
     * gets the start and the length of one sector. */
    bool (*read)(void *context, uint32_t at, void *to, uint32_t n);
    bool (*erase)(void *context, uint32_t at, uint32_t n);
    bool (*program)(void *context, uint32_t at, const void *bytes, uint32_t n);
    void *context;
};

#endif
