/* measure.c -- a firmware that counts the instructions of a request, on a Cortex-M3 and on RISC-V, and tells them.
 *
 * For QEMU with -icount shift=8: an instruction takes 256 ns, and the timer of the MPS2 board
 * counts 40 ns, so what it says is exact and the same in every run. The counter of instructions that RISC-V has then
 * counts nanoseconds. No interrupt is on, and the bytes go nowhere: what is measured is the core, from the first
 * byte of the request to the last of the response. bench.py runs it and makes a table of the lines. */
#include "board.h"
#include "requests.h"
#include "semihosting.h"
#include "skillrom.h"

#define INSTRUCTION_NS 256u

#ifdef __riscv
static void start_counting(void)
{
}

static uint32_t count(void)
{
    uint32_t ns;

    __asm volatile(CSR("csrr %0, minstret") : "=r"(ns));
    return ns;
}

static uint32_t instructions_of(uint32_t counted)
{
    return counted / INSTRUCTION_NS;
}

void board_interrupt(void)
{
}
#else
#define TIMER_CTRL REGISTER(0x40000000u)
#define TIMER_VALUE REGISTER(0x40000004u)
#define TIMER_RELOAD REGISTER(0x40000008u)
#define TICK_NS 40u

static void start_counting(void)
{
    TIMER_RELOAD = UINT32_MAX;
    TIMER_VALUE = UINT32_MAX;
    TIMER_CTRL = 1;
}

static uint32_t count(void)
{
    return UINT32_MAX - TIMER_VALUE; /* it counts down */
}

static uint32_t instructions_of(uint32_t counted)
{
    return (uint32_t)(((uint64_t)counted * TICK_NS + INSTRUCTION_NS / 2) / INSTRUCTION_NS);
}

__attribute__((section(".vectors"), used)) static const vector vectors[16] = {SYSTEM_VECTORS};
#endif

extern const struct skr_device board_device;
extern const uint32_t link_image[];
extern const char link_image_room[];

const char board_name[] = "measure";
const uint32_t board_hz = 25000000;

static struct skr_server server;
static struct skr_conn conn;

static const struct request requests[] = {
    {"ping", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"},
    {"tools/list", REQUEST("tools/list", "")},
    {"tools/call", REQUEST("tools/call", "\"name\":\"read_sensors\",")},
    {"skills/list", REQUEST("skills/list", "")},
    {"resources/read small", REQUEST("resources/read", "\"uri\":\"skill://tend-plant/references/plants.md\",")},
    {"resources/read large", REQUEST("resources/read", "\"uri\":\"skill://tend-plant/SKILL.md\",")},
};

/* What the board's other parts want of it; nothing of that is used here. */
void board_listen(bool on)
{
    (void)on;
}

void board_send(void)
{
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

/* Feeds a request and takes its response away; how long that was. */
static uint32_t run(const char *text, size_t n)
{
    const void *bytes;
    size_t at = 0, k, sum = 0;

    while (at < n) {
        at += skr_conn_rx(&conn, text + at, n - at);
    }
    while ((k = skr_conn_tx(&conn, &bytes)) > 0) {
        skr_conn_tx_done(&conn, k);
        sum += k;
    }
    return (uint32_t)sum;
}

static void measure(const char *name, const char *text)
{
    size_t n = 0;

    while (text[n] != '\0') {
        n++;
    }
    uint32_t start = count();
    uint32_t response = run(text, n);
    uint32_t instructions = instructions_of(count() - start);
    semihosting_print(name);
    semihosting_print("|");
    semihosting_print_number((uint32_t)n);
    semihosting_print("|");
    semihosting_print_number(response);
    semihosting_print("|");
    semihosting_print_number(instructions);
    semihosting_print("\n");
}

int main(void)
{
    if (skr_server_init(&server, &board_device, link_image, (size_t)(uintptr_t)link_image_room) != 0) {
        return 1;
    }
    skr_conn_open(&conn, &server, SKR_LINE);
    start_counting();
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        measure(requests[i].name, requests[i].text);
    }
    semihosting_exit(0);
}
