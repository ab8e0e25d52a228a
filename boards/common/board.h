/* board.h -- what every board has: a serial line, a clock, a few lamps.
 *
 * common/ has the parts that are the same everywhere: start-up, the rings of the serial line, the main loop. cortex-m/
 * and riscv/ have those of a processor: the millisecond clock, sleeping, interrupts. A board's folder has the rest: the
 * functions under "From the board" and, on a Cortex-M, a vector table. README.md says in which order to write them. */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- From the board ---- */

extern const char board_name[];
extern const uint32_t board_hz; /* what the clock of clock.c counts: SysTick on a Cortex-M, mtime on RISC-V */

#define BOARD_LAMPS 2

/* Clocks, pins, lamps off, serial line on at 115200 baud, 8N1. Interrupts may arrive immediately. */
void board_init(void);

/* Turns the receive interrupt on or off. Off while the ring is full: a line with RTS then holds the sender back;
 * without RTS bytes are lost, and no code can help that. */
void board_listen(bool on);

/* The send ring is no longer empty: makes sure that the transmitter takes bytes from it with serial_next. Called with
 * interrupts off. */
void board_send(void);

/* Lamp n, from 0 on. */
void board_lamp(unsigned n, bool on);

/* An unrecoverable fault: ends an emulator, resets a chip. */
void board_fault(void) __attribute__((noreturn));

/* ---- The serial line: serial.c ---- */

/* The next contiguous received bytes; returns how many. They stay until serial_drop reports that n of them have been
 * used. */
size_t serial_peek(const uint8_t **bytes);
void serial_drop(size_t n);

/* Where bytes to send may be written, and how many; serial_send reports that n were. */
size_t serial_room(uint8_t **bytes);
void serial_send(size_t n);

/* Sends text, waiting for room: for the few lines that a board prints about itself. */
void serial_print(const char *text);

/* For the board's interrupt handler: a byte has arrived (check for room first), and the next byte to send, false when
 * there is none. */
bool serial_has_room(void);
void serial_received(uint8_t byte);
bool serial_next(uint8_t *byte);

/* A number that changes with every byte received or sent. */
uint32_t serial_events(void);

/* ---- The beginning of main: begin.c ---- */

struct skr_server;

/* Starts the board and its clock, prints its name, and gives the server the device and its image. Returns what
 * skr_server_init returns. */
int board_begin(struct skr_server *server);

/* ---- Time: clock.c ---- */

void clock_init(void);
uint32_t clock_ms(void);     /* since start; wraps after seven weeks */
uint32_t clock_cycles(void); /* processor cycles left in this millisecond */

/* Sleeps until an interrupt, unless serial_events() is no longer `seen`: a byte that arrived after the last check is
 * not slept through. */
void clock_sleep(uint32_t seen);

/* Interrupts off; returns whether they were on, for interrupts_restore. */
uint32_t interrupts_off(void);
void interrupts_restore(uint32_t state);

/* ---- Lamps: lamp.c ---- */

/* Switches lamp n; if a time is given, it goes out by itself after that many milliseconds. */
void lamp_set(unsigned n, bool on, uint32_t for_ms);
bool lamp_is_on(unsigned n);
uint32_t lamp_left_ms(unsigned n); /* until it goes out by itself; 0: it does not */
void lamp_tick(void);              /* once a millisecond, from the clock's interrupt */

/* ---- Start-up: startup.c ---- */

void Reset_Handler(void) __attribute__((noreturn));
void Fault_Handler(void) __attribute__((noreturn));

extern uint32_t link_stack_top[]; /* from the linker script */

/* A register at an address. */
#define REGISTER(address) (*(volatile uint32_t *)(address))

#include "cpu.h"

#endif
