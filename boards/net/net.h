/* net.h -- the parts of a firmware with Ethernet, besides those of common/board.h. */
#ifndef NET_H
#define NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- netif.c: frames between the controller and lwIP ---- */

/* Brings up the interface, with the address of net_config.h or by DHCP. False: no controller. */
bool net_init(void);

bool net_has_frame(void);

/* Hands a received frame to lwIP. True when there was one. Only one: handlers that need time run between two frames,
 * so that what the first frame cancels has ended when the second asks for it again. */
bool net_receive(void);

/* Sleeps until an interrupt, unless a frame waits or serial_events() is no longer `seen`. */
void net_sleep(uint32_t seen);

/* The address as text, in a fixed buffer; 0.0.0.0 while DHCP has none. */
const char *net_address(void);

/* Frames dropped because there was no memory for them, on the way in and on the way out. */
extern uint32_t net_dropped_in, net_dropped_out;

/* How often net_sleep was called: about once a millisecond while nothing happens. */
extern uint32_t net_sleeps;

/* ---- mdns.c ---- */

struct netif;
void net_announce(struct netif *netif);

/* ---- entropy.c ---- */

void entropy_stir(uint32_t with);
uint32_t entropy_word(void);

/* ---- report.c ---- */

struct skr_lwip;

/* One line on the serial line: slots, counters, elements in use of every pool. */
void report_counts(const struct skr_lwip *net);

#endif
