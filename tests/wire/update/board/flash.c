/* flash.c -- the flash of an nRF51: pages of 1 KB, words that are programmed bit by bit. */
#include "flash.h"

#include <string.h>

#include "board.h"
#include "slots.h"

#define NVMC(offset) REGISTER(0x4001E000u + (offset))
#define NVMC_READY NVMC(0x400u)
#define NVMC_CONFIG NVMC(0x504u)
#define NVMC_ERASE_PAGE NVMC(0x508u)
#define READ_ONLY 0u
#define WRITE 1u
#define ERASE 2u

static void wait(void)
{
    while (NVMC_READY == 0) {
    }
}

static bool flash_read(void *context, uint32_t at, void *to, uint32_t n)
{
    (void)context;
    memcpy(to, (const void *)(uintptr_t)at, n);
    return true;
}

static bool flash_erase(void *context, uint32_t at, uint32_t n)
{
    (void)context;
    if (n != SLOTS_PAGE) {
        return false;
    }
    NVMC_CONFIG = ERASE;
    wait();
    NVMC_ERASE_PAGE = at;
    wait();
    NVMC_CONFIG = READ_ONLY;
    return true;
}

static bool flash_program(void *context, uint32_t at, const void *bytes, uint32_t n)
{
    (void)context;
    NVMC_CONFIG = WRITE;
    for (uint32_t i = 0; i < n; i += 4) {
        uint32_t word;
        memcpy(&word, (const uint8_t *)bytes + i, 4);
        wait();
        REGISTER(at + i) = word;
    }
    wait();
    NVMC_CONFIG = READ_ONLY;
    return memcmp((const void *)(uintptr_t)at, bytes, n) == 0;
}

const struct skr_flash slots_flash = {
    .unit = 4, .blank = 0xFF, .read = flash_read, .erase = flash_erase, .program = flash_program};
