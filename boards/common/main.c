/* main.c -- the firmware: the device's image and tools, served on the serial line.
 *
 * Before it serves, it prints a line with the name of the board; a line that does not begin with { is for people.
 * After that the line carries JSON-RPC messages, as lines, or in frames when the host asks for them: port/uart.
 * Without SKR_UART_RELIABLE there are only lines, and all of them go to the core. */
#include "board.h"
#include "uart.h"

static struct skr_server server;
static struct skr_conn conn;

/* open_line, take, give: the framing between the rings and the connection. */
#if SKR_UART_RELIABLE
static struct skr_uart uart;

static void open_line(void)
{
    skr_uart_open(&uart, &server, &conn);
}

static size_t take(const uint8_t *bytes, size_t n)
{
    skr_uart_tick(&uart, clock_ms());
    return skr_uart_rx(&uart, bytes, n);
}

static size_t give(uint8_t *to, size_t room)
{
    return skr_uart_tx(&uart, to, room);
}
#else
static void open_line(void)
{
    skr_conn_open(&conn, &server, SKR_LINE);
}

static size_t take(const uint8_t *bytes, size_t n)
{
    return skr_conn_rx(&conn, bytes, n);
}

static size_t give(uint8_t *to, size_t room)
{
    const void *next;
    size_t n = skr_conn_tx(&conn, &next);

    n = n < room ? n : room;
    for (size_t i = 0; i < n; i++) {
        to[i] = ((const uint8_t *)next)[i];
    }
    skr_conn_tx_done(&conn, n);
    return n;
}
#endif

/* Moves what there is, in both directions. True when something moved. */
static bool carry(void)
{
    const uint8_t *came;
    size_t n = serial_peek(&came);
    size_t taken = take(came, n);

    serial_drop(taken);

    uint8_t *to;
    n = serial_room(&to);
    size_t given = give(to, n);
    serial_send(given);
    return taken > 0 || given > 0;
}

#if SKR_SEAL
/* The seed for what the core seals, which only a person at the cable could forge; the time of the first byte, to the
 * cycle, is hard enough to guess. On a chip with a random number generator, use that. */
static void seed(void)
{
    uint8_t bytes[16];
    const uint8_t *came;

    for (uint32_t seen = serial_events(); serial_peek(&came) == 0; seen = serial_events()) {
        clock_sleep(seen);
    }
    uint32_t x = clock_ms() ^ clock_cycles() << 8;
    for (size_t i = 0; i < sizeof bytes; i++) {
        x = (x ^ x >> 15) * 0x85EBCA6Bu + clock_cycles() + 0x9E3779B9u; /* must not stay 0: that is not a seed */
        bytes[i] = (uint8_t)(x >> 24);
    }
    skr_server_seed(&server, bytes);
}
#endif

static void __attribute__((noreturn)) serve(void)
{
#if SKR_SEAL
    seed();
#endif
    open_line();
    for (;;) {
        uint32_t seen = serial_events();
        bool moved = carry();
#if SKR_JOBS
        (void)skr_server_tick(&server, clock_ms()); /* SysTick ends a sleep within a millisecond */
#endif
        if (!moved) {
            clock_sleep(seen);
        }
    }
}

/* The number is explained in romfs.h; the texts of skr_server_reason() would take half a kilobyte. */
static void __attribute__((noreturn)) stop(int error)
{
    const char number[] = {(char)('0' + -error / 10), (char)('0' + -error % 10), '\0'};

    if (error == SKR_ERR_TOOLS) {
        serial_print(": no skills are served, the program was built for another description of the tool ");
        serial_print(skr_server_misfit(&server, NULL)->name);
        serial_print("; build and flash both\n");
    } else if (error == SKR_ERR_RESOURCE) {
        serial_print(": no skills are served, a resource of the firmware is refused; see skr_server_bad_resource\n");
    } else {
        serial_print(": no skills are served, the image is refused with romfs_error ");
        serial_print(number);
        serial_print("; pack and flash it again\n");
    }
    for (;;) {
        clock_sleep(serial_events());
    }
}

int main(void)
{
    int error = board_begin(&server);

    if (error != 0) {
        stop(error);
    }
    serial_print(": ready\n");
    serve();
}
