/* flash.c -- the Pico's flash chip: sectors of 4 KB, erased and programmed by functions of the boot ROM.
 *
 * The program runs from the same chip, which cannot be read meanwhile. So what calls these functions is in RAM,
 * interrupts are off, and what is programmed is copied to RAM before. USB waits: its controller tells the host to ask
 * again. Milliseconds of an erasure are lost to the clock. */
#include <string.h>

#include "chip.h"
#include "slots.h"

#define SECTOR 4096u
#define PAGE 256u
#define BLOCK 65536u
#define ERASE_BLOCK 0xD8u /* the chip's command for a whole block, which the ROM uses where one fits */

/* The ROM's functions are found by a code of two letters. Here are, by update.ld, addresses of the table of functions,
 * of another table, and of the function that searches. */
extern const uint16_t rom_tables[];
#define CODE(a, b) ((uint32_t)(a) | (uint32_t)(b) << 8)

struct rom {
    void (*connect)(void);
    void (*leave_xip)(void);
    void (*erase)(uint32_t at, size_t n, uint32_t block, uint8_t command);
    void (*program)(uint32_t at, const uint8_t *bytes, size_t n);
    void (*flush)(void);
    void (*enter_xip)(void);
};

static uintptr_t rom_function(uint32_t code)
{
    uintptr_t (*search)(const uint16_t *table, uint32_t code) =
        (uintptr_t(*)(const uint16_t *, uint32_t))(uintptr_t)rom_tables[2];

    return search((const uint16_t *)(uintptr_t)rom_tables[0], code);
}

static struct rom find_rom(void)
{
    return (struct rom){.connect = (void (*)(void))rom_function(CODE('I', 'F')),
                        .leave_xip = (void (*)(void))rom_function(CODE('E', 'X')),
                        .erase = (void (*)(uint32_t, size_t, uint32_t, uint8_t))rom_function(CODE('R', 'E')),
                        .program = (void (*)(uint32_t, const uint8_t *, size_t))rom_function(CODE('R', 'P')),
                        .flush = (void (*)(void))rom_function(CODE('F', 'C')),
                        .enter_xip = (void (*)(void))rom_function(CODE('C', 'X'))};
}

/* Programs a page; erases a sector where `page` is NULL. All that it uses is in RAM or in the ROM. */
__attribute__((section(".data.change"), noinline)) static void change(const struct rom *rom, uint32_t at,
                                                                      const uint8_t *page)
{
    rom->connect();
    rom->leave_xip();
    if (page != NULL) {
        rom->program(at, page, PAGE);
    } else {
        rom->erase(at, SECTOR, BLOCK, ERASE_BLOCK);
    }
    rom->flush();
    rom->enter_xip();
    SSI_SSIENR = 0; /* as boot.c has it: the ROM reads at a sixth of the clock */
    SSI_BAUDR = SSI_DIVIDER;
    SSI_SSIENR = 1;
}

static void change_undisturbed(uint32_t at, const uint8_t *page)
{
    struct rom rom = find_rom();
    uint32_t state = interrupts_off();

    change(&rom, at - CHIP_FLASH, page);
    interrupts_restore(state);
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
    if (n != SECTOR) {
        return false;
    }
    change_undisturbed(at, NULL);
    return true;
}

/* The ROM programs whole pages. Ones leave a cell as it is, so the rest of a page is ones. */
static bool flash_program(void *context, uint32_t at, const void *bytes, uint32_t n)
{
    uint8_t page[PAGE];

    (void)context;
    for (uint32_t done = 0, part; done < n; done += part) {
        uint32_t begin = (at + done) % PAGE;
        part = n - done < PAGE - begin ? n - done : PAGE - begin;
        memset(page, 0xFF, sizeof page);
        memcpy(page + begin, (const uint8_t *)bytes + done, part);
        change_undisturbed(at + done - begin, page);
    }
    return memcmp((const void *)(uintptr_t)at, bytes, n) == 0;
}

const struct skr_flash board_flash = {
    .unit = 4, .blank = 0xFF, .read = flash_read, .erase = flash_erase, .program = flash_program};
const uint32_t board_flash_sector = SECTOR;
