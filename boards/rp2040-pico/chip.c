/* chip.c -- see chip.h. The lamps are the LED of the board (GPIO 25) and a second one that you may connect to GPIO 15. */
#include "chip.h"

#define RESETS_RESET 0x4000C000u
#define RESETS_DONE REGISTER(0x4000C008u)
#define PINS ((1u << 5) | (1u << 8)) /* IO_BANK0, PADS_BANK0 */

#define XOSC_CTRL REGISTER(0x40024000u)
#define XOSC_STATUS REGISTER(0x40024004u)
#define XOSC_STARTUP REGISTER(0x4002400Cu)
#define XOSC_ON 0x00FABAA0u /* enable, 1 to 15 MHz */
#define XOSC_STABLE (1u << 31)
#define XOSC_1_MS 47u /* in units of 256 periods */

#define CLK_REF_CTRL REGISTER(0x40008030u)
#define CLK_REF_SELECTED REGISTER(0x40008038u)
#define CLK_SYS_CTRL REGISTER(0x4000803Cu)
#define CLK_SYS_SELECTED REGISTER(0x40008044u)
#define REF_FROM_XOSC 2u

#define GPIO_CTRL(pin) REGISTER(0x40014004u + 8u * (pin))
#define FUNCTION_SIO 5u
#define SIO_OUT_SET REGISTER(0xD0000014u)
#define SIO_OUT_CLEAR REGISTER(0xD0000018u)
#define SIO_OUTPUT_SET REGISTER(0xD0000024u)

static const uint8_t lamp_pins[BOARD_LAMPS] = {25, 15};

void chip_unreset(uint32_t blocks)
{
    REGISTER(RESETS_RESET + CHIP_CLEAR) = blocks;
    while ((RESETS_DONE & blocks) != blocks) {
    }
}

void chip_pin(unsigned pin, uint32_t function)
{
    GPIO_CTRL(pin) = function;
}

void board_lamp(unsigned n, bool on)
{
    *(on ? &SIO_OUT_SET : &SIO_OUT_CLEAR) = 1u << lamp_pins[n];
}

static void start_clocks(void)
{
    XOSC_STARTUP = XOSC_1_MS;
    XOSC_CTRL = XOSC_ON;
    while ((XOSC_STATUS & XOSC_STABLE) == 0) {
    }
    CLK_REF_CTRL = REF_FROM_XOSC;
    while ((CLK_REF_SELECTED & 1u << REF_FROM_XOSC) == 0) {
    }
    CLK_SYS_CTRL = 0; /* from the reference clock */
    while ((CLK_SYS_SELECTED & 1u) == 0) {
    }
}

void chip_start(void)
{
    start_clocks();
    chip_unreset(PINS);
    for (unsigned n = 0; n < BOARD_LAMPS; n++) {
        SIO_OUTPUT_SET = 1u << lamp_pins[n];
        chip_pin(lamp_pins[n], FUNCTION_SIO);
    }
}

void board_fault(void)
{
    chip_reset();
}
