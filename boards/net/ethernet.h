/* ethernet.h -- what a board's Ethernet driver provides.
 *
 * A controller here is two queues of frames that are read and written word by word. Two padding bytes precede each
 * frame, so that what follows the Ethernet header is word-aligned; most controllers can do that by themselves.
 * Lengths include neither them nor the checksum at the end, which the controller handles. */
#ifndef ETHERNET_H
#define ETHERNET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ETHERNET_PADDING 2u
#define ETHERNET_FRAME_MAX 1514u

/* Wakes the processor when a frame has arrived. Never served by a handler: see net_sleep. */
extern const unsigned ethernet_irq;

/* False: there is no such controller. */
bool ethernet_init(const uint8_t mac[6]);

/* Bytes of the oldest received frame; 0 when there is none. */
size_t ethernet_waiting(void);

/* The next words of that frame, padding first; then the rest of it is dropped. */
void ethernet_read(uint32_t *words, size_t count);
void ethernet_read_end(void);

/* Begins a frame of n bytes, false when there is no room for it; writes its words, padding first; and sends it. */
bool ethernet_write_begin(size_t bytes);
void ethernet_write(uint32_t word);
void ethernet_write_end(void);

/* Clears the interrupt request. Call it before looking for frames: one that arrives meanwhile requests it again. */
void ethernet_acknowledge(void);

#endif
