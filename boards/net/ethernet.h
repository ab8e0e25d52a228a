/* ethernet.h -- what a board's Ethernet controller is asked for.
 *
 * A controller here is two queues of frames that are read and written word by word. Two bytes of
 * no meaning stand in front of each frame, so that what follows the Ethernet header lies on a word's
 * border; most controllers can do that by themselves. Lengths do not count them, nor the checksum
 * at the end, which is the controller's business. */
#ifndef ETHERNET_H
#define ETHERNET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ETHERNET_PADDING 2u
#define ETHERNET_FRAME_MAX 1514u

/* Wakes the processor when a frame has come. Never served by a handler: see net_sleep. */
extern const unsigned ethernet_irq;

/* False: there is no such controller. */
bool ethernet_init(const uint8_t mac[6]);

/* Bytes of the frame that came first; 0 when none waits. */
size_t ethernet_waiting(void);

/* The next words of that frame, padding first; then the rest of it is dropped. */
void ethernet_read(uint32_t *words, size_t count);
void ethernet_read_end(void);

/* Readies a frame of so many bytes, false when there is no room for it; its words, padding first, as
 * many as it takes; and sends it. */
bool ethernet_write_begin(size_t bytes);
void ethernet_write(uint32_t word);
void ethernet_write_end(void);

/* Forgets that an interrupt was asked for. To be called before looking for frames: one that comes
 * while looking asks again. */
void ethernet_acknowledge(void);

#endif
