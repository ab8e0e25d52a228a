/* line.c -- a board whose UART is a timer: how much of a line of 115200 baud a response uses.
 *
 * QEMU's UARTs send immediately. Here an interrupt comes every 86.8 us of the emulator's own time, as
 * long as a byte takes at 115200 baud, and takes one byte out of the send ring, as a transmitter
 * would; when there is none while a response is under way, the line has stood still for a byte.
 * Everything else is the real thing: main.c, the rings, the core. With -icount the emulator's
 * time depends on the instructions that were run and on nothing else. Requests are typed in at
 * the same pace. bench.py runs it. */
#include "board.h"
#include "requests.h"
#include "semihosting.h"

#define TIMER_CTRL REGISTER(0x40001000u) /* timer 1; clock.c has SysTick */
#define TIMER_VALUE REGISTER(0x40001004u)
#define TIMER_RELOAD REGISTER(0x40001008u)
#define TIMER_INTCLEAR REGISTER(0x4000100Cu)
#define TIMER_ON 9u /* count, with interrupt */
#define TIMER_IRQ 9u

const char board_name[] = "mps2-an385";
const uint32_t board_hz = 25000000;

static const struct request requests[] = {
    {"", ""}, /* the line that says ready */
    {"tools/list", REQUEST("tools/list", "")},
    {"skills/list", REQUEST("skills/list", "")},
    {"resources/read", REQUEST("resources/read", "\"uri\":\"skill://tend-plant/SKILL.md\",")},
};
#define REQUESTS (sizeof requests / sizeof requests[0])

static size_t current;        /* of the requests */
static const char *next_byte; /* of it to be typed */
static uint32_t sent, slots;  /* bytes of its response, and byte times since its first */

static void response_ended(void)
{
    if (current > 0) {
        semihosting_print(requests[current].name);
        semihosting_print("|");
        semihosting_print_number(sent);
        semihosting_print("|");
        semihosting_print_number(slots);
        semihosting_print("\n");
    }
    sent = slots = 0;
    if (++current == REQUESTS) {
        semihosting_exit(0);
    }
    next_byte = requests[current].text;
}

static void Byte_Handler(void)
{
    uint8_t byte;

    TIMER_INTCLEAR = 1;
    if (*next_byte != '\0' && serial_has_room()) {
        serial_received((uint8_t)*next_byte++);
    }
    bool has_byte = serial_next(&byte);
    sent += has_byte;
    slots += sent > 0;
    if (has_byte && byte == '\n') {
        response_ended();
    }
}

void board_init(void)
{
    next_byte = requests[0].text;
    TIMER_RELOAD = board_hz / 11520u - 1u;
    TIMER_VALUE = board_hz / 11520u - 1u;
    TIMER_CTRL = TIMER_ON;
    NVIC_ENABLE(TIMER_IRQ);
}

/* The timer looks by itself. */
void board_send(void)
{
}

void board_listen(bool on)
{
    (void)on;
}

void board_lamp(unsigned n, bool on)
{
    (void)n;
    (void)on;
}

void board_fault(void)
{
    semihosting_exit(124);
}

__attribute__((section(".vectors"), used)) static const vector vectors[16 + TIMER_IRQ + 1] = {
    SYSTEM_VECTORS,
    [16 + TIMER_IRQ] = Byte_Handler,
};
