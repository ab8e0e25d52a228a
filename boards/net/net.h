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

/* ---- access.c ---- */

struct skr_http_config;

/* Random numbers, the key of sessions, and the tokens of net_config.h. */
void access_configure(struct skr_http_config *config);

/* A checksum of what is in RAM that a reset does not change; n is a multiple of four. */
uint32_t net_sum(const void *words, size_t n);

/* ---- resume.c: connections across a reset ---- */

struct skr_lwip;

/* Before a frame is handled: it may be a request, and none is handled again after a reset. */
void resume_disturb(void);

/* At the end of each turn of the main loop. */
void resume_remember(const struct skr_lwip *net);

/* After a reset, first: tells the clients of connections that were not at rest that these are gone. */
void resume_reset_others(void);

/* Then, once the ports are listened on: goes on with the connections that were at rest. */
void resume_connections(void);

/* ---- report.c ---- */

/* One line on the serial line: slots, counters, elements in use of every pool. */
void report_counts(const struct skr_lwip *net);

#endif
