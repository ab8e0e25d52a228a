/* board.c -- Raspberry Pi Pico (RP2040) on its own USB plug. The controller wants 48 MHz, made of the 12 MHz crystal by a PLL; the
 * processor runs from the same. */
#include "chip.h"

const char board_name[] = "rp2040-pico";
const uint32_t board_hz = 48000000;

#define RESETS_RESET 0x4000C000u
#define RESETS_DONE REGISTER(0x4000C008u)
#define UNRESET_PLL (1u << 13)   /* PLL_USB */
#define UNRESET_TIMER (1u << 21) /* TIMER */

#define PLL_CS REGISTER(0x4002C000u)
#define PLL_PWR 0x4002C004u
#define PLL_FBDIV REGISTER(0x4002C008u)
#define PLL_PRIM REGISTER(0x4002C00Cu)
#define PLL_LOCKED (1u << 31)
#define PLL_TIMES_40 40u                    /* 480 MHz, */
#define PLL_BY_5_BY_2 (5u << 16 | 2u << 12) /* then 48 */
#define PWR_VCO_AND_MAIN (1u << 5 | 1u << 0)
#define PWR_DIVIDERS (1u << 3)

#define CLK_SYS_CTRL REGISTER(0x4000803Cu)
#define CLK_SYS_SELECTED REGISTER(0x40008044u)
#define CLK_USB_CTRL REGISTER(0x40008054u)
#define SYS_FROM_PLL_USB (1u << 5)
#define SYS_FROM_OTHERS 1u
#define USB_ON (1u << 11) /* from PLL_USB */

#define WATCHDOG_TICK REGISTER(0x4005802Cu)
#define TICK_OF_12_MHZ (1u << 9 | 12u) /* the timer counts microseconds */

#define USB_IRQ 5u

void USB_Handler(void);

static void start_pll(void)
{
    chip_unreset(UNRESET_PLL);
    PLL_CS = 1;
    PLL_FBDIV = PLL_TIMES_40;
    REGISTER(PLL_PWR + CHIP_CLEAR) = PWR_VCO_AND_MAIN;
    while ((PLL_CS & PLL_LOCKED) == 0) {
    }
    PLL_PRIM = PLL_BY_5_BY_2;
    REGISTER(PLL_PWR + CHIP_CLEAR) = PWR_DIVIDERS;
}

void board_init(void)
{
    chip_start();
    start_pll();
    CLK_SYS_CTRL = SYS_FROM_PLL_USB;
    CLK_SYS_CTRL = SYS_FROM_PLL_USB | SYS_FROM_OTHERS;
    while ((CLK_SYS_SELECTED & 1u << SYS_FROM_OTHERS) == 0) {
    }
    CLK_USB_CTRL = USB_ON;
    WATCHDOG_TICK = TICK_OF_12_MHZ;
    chip_unreset(UNRESET_TIMER);
}

__attribute__((section(".vectors"), used)) static const vector vectors[16 + USB_IRQ + 1] = {
    SYSTEM_VECTORS,
    [16 + USB_IRQ] = USB_Handler,
};
