/* clock.c -- milliseconds from the core-local timer, which counts board_hz, and sleeping until something happens. */
#include "board.h"

#define MTIMECMP_LOW REGISTER(0x02004000u)
#define MTIMECMP_HIGH REGISTER(0x02004004u)
#define MTIME_LOW REGISTER(0x0200BFF8u)
#define MTIME_HIGH REGISTER(0x0200BFFCu)

#define MSTATUS_MIE 8u
#define MIE_TIMER_DEVICES 0x880u

static volatile uint32_t now_ms;
static uint64_t next; /* value of the timer at the next millisecond */

static uint64_t timer(void)
{
    uint32_t high, low;

    do {
        high = MTIME_HIGH;
        low = MTIME_LOW;
    } while (high != MTIME_HIGH);
    return (uint64_t)high << 32 | low;
}

/* The comparison is never with a value that is half old and in the past. */
static void schedule(void)
{
    next += board_hz / 1000u;
    MTIMECMP_HIGH = UINT32_MAX;
    MTIMECMP_LOW = (uint32_t)next;
    MTIMECMP_HIGH = (uint32_t)(next >> 32);
}

void clock_init(void)
{
    next = timer();
    schedule();
    __asm volatile(CSR("csrs mie, %0")::"r"(MIE_TIMER_DEVICES));
    __asm volatile(CSR("csrs mstatus, %0")::"r"(MSTATUS_MIE) : "memory");
}

void clock_tick(void)
{
    now_ms++;
    lamp_tick();
    schedule();
}

uint32_t clock_ms(void)
{
    return now_ms;
}

uint32_t clock_cycles(void)
{
    return (uint32_t)(next - timer());
}

uint32_t interrupts_off(void)
{
    uint32_t state;

    __asm volatile(CSR("csrrc %0, mstatus, %1") : "=r"(state) : "r"(MSTATUS_MIE) : "memory");
    return state & MSTATUS_MIE;
}

void interrupts_restore(uint32_t state)
{
    __asm volatile(CSR("csrs mstatus, %0")::"r"(state) : "memory");
}

/* With interrupts off WFI still returns when one is pending; it is served right after. */
void clock_sleep(uint32_t seen)
{
    uint32_t state = interrupts_off();

    if (serial_events() == seen) {
        __asm volatile("fence\n\twfi" ::: "memory");
    }
    interrupts_restore(state);
}
