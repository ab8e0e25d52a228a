/* sockets_config.h -- every limit of port/sockets, with its reason.
 *
 * Each may be set on the compiler's command line. The defaults follow the core's profile: a microcontroller has few
 * sockets, a PC many. The limits on requests and responses are the core's: core/skr_config.h. */
#ifndef SKR_SOCKETS_CONFIG_H
#define SKR_SOCKETS_CONFIG_H

#include "skr_config.h"

/* ---- How to wait ---- */

/* How the loop learns which sockets are ready. OWN leaves that to functions of your program (skr_sockets_wait.h). */
#define SKR_SOCKETS_POLL 0
#define SKR_SOCKETS_SELECT 1
#define SKR_SOCKETS_OWN 2
#ifndef SKR_SOCKETS_WAIT
#define SKR_SOCKETS_WAIT SKR_SOCKETS_POLL
#endif

/* ---- What to leave out ---- */

/* Raw lines besides HTTP. Without them listening for lines fails, and the code is 0.3 KB shorter. */
#ifndef SKR_SOCKETS_LINES
#define SKR_SOCKETS_LINES 1
#endif

/* Limits that a program may change after it was compiled, as the options of a PC's program do. Those of a device are
 * constants, which is 0.1 KB shorter. */
#ifndef SKR_SOCKETS_ADJUSTABLE
#define SKR_SOCKETS_ADJUSTABLE SKR_BY_PROFILE(0, 0, 0, 1)
#endif

/* ---- How many ---- */

/* Connections served simultaneously; each takes a descriptor, a struct skr_conn and 100 bytes. When all are in use, a
 * newcomer gets the slot of a connection that is idle or hardly moves; if there is none, it is told to come back. */
#ifndef SKR_SOCKETS_SLOTS
#define SKR_SOCKETS_SLOTS SKR_BY_PROFILE(1, 4, 4, 64)
#endif

/* Slots that one address may have; its further newcomers displace its own connections. A device keeps one for everybody
 * else, a PC half. */
#ifndef SKR_SOCKETS_PEER_SLOTS
#define SKR_SOCKETS_PEER_SLOTS                                                                                         \
    (SKR_SOCKETS_SLOTS < 3   ? SKR_SOCKETS_SLOTS                                                                       \
     : SKR_SOCKETS_SLOTS > 8 ? (SKR_SOCKETS_SLOTS + 1) / 2                                                             \
                             : SKR_SOCKETS_SLOTS - 1)
#endif

/* Ended connections that wait for their peers to close, and clients that are being refused; each takes a descriptor and
 * 16 bytes. When all are in use, the oldest is closed immediately: most likely its peer has read everything. */
#ifndef SKR_SOCKETS_LINGERS
#define SKR_SOCKETS_LINGERS SKR_BY_PROFILE(1, 1, 2, 64)
#endif

/* Addresses that are listened on, each with a descriptor: HTTP and lines, or IPv4 and IPv6. */
#ifndef SKR_SOCKETS_LISTENERS
#define SKR_SOCKETS_LISTENERS SKR_BY_PROFILE(1, 2, 4, 8)
#endif

/* Descriptors of your own that also end a wait (skr_sockets_also). */
#ifndef SKR_SOCKETS_OTHERS
#define SKR_SOCKETS_OTHERS 1
#endif

/* Clients that the stack holds for us between two turns of the loop. */
#ifndef SKR_SOCKETS_BACKLOG
#define SKR_SOCKETS_BACKLOG SKR_BY_PROFILE(2, 4, 4, 512)
#endif

/* ---- How long, in milliseconds ---- */

/* A request must arrive, and some byte of a response must leave, within this time. A request is one or two packets, and
 * a device has few slots; a PC is more patient. */
#ifndef SKR_SOCKETS_TIMEOUT_MS
#define SKR_SOCKETS_TIMEOUT_MS SKR_BY_PROFILE(10000, 10000, 10000, 30000)
#endif

/* A kept-alive HTTP connection without a request. A little more than the minute many clients keep one, so that usually
 * they close first. It yields to newcomers long before. */
#ifndef SKR_SOCKETS_IDLE_MS
#define SKR_SOCKETS_IDLE_MS 75000
#endif

/* How long a connection that makes no progress keeps its slot when a newcomer needs it: its request may still be on the
 * way, or its network may have lost a packet. If this were longer, as many slow peers as there are slots could keep
 * everybody out for that long. */
#ifndef SKR_SOCKETS_GRACE_MS
#define SKR_SOCKETS_GRACE_MS 1000
#endif

/* Bytes of a request or a response that must move in that time for the connection to keep its slot: half of what the
 * slowest modem manages. */
#ifndef SKR_SOCKETS_PACE
#define SKR_SOCKETS_PACE 512
#endif

/* How often a comment is sent on a silent HTTP stream to keep it alive (SUB-07): often enough for proxies, which drop a
 * silent connection after a minute. Needs SKR_CHANGES. */
#ifndef SKR_SOCKETS_COMMENT_MS
#define SKR_SOCKETS_COMMENT_MS 15000
#endif

/* How long the peer of an ended connection may take to read its last response and close. */
#ifndef SKR_SOCKETS_LINGER_MS
#define SKR_SOCKETS_LINGER_MS 2000
#endif

/* How often a handler that has asked for time is called again. */
#ifndef SKR_SOCKETS_WORK_MS
#define SKR_SOCKETS_WORK_MS 5
#endif

/* Seconds of silence before the stack probes whether the peer of a raw line is still there. Nothing else would ever end
 * such a connection. */
#ifndef SKR_SOCKETS_KEEPALIVE_S
#define SKR_SOCKETS_KEEPALIVE_S 60
#endif

/* ---- How much in one turn of the loop ---- */

/* Bytes sent to one connection before the others get their turn. Reading needs no budget: a turn reads once, at most
 * one request buffer. */
#ifndef SKR_SOCKETS_TX_BUDGET
#define SKR_SOCKETS_TX_BUDGET SKR_BY_PROFILE(4096, 4096, 8192, 262144)
#endif

/* Writes to one connection in one turn: a client that pipelines a hundred tiny requests must not keep the others
 * waiting for a hundred calls. */
#ifndef SKR_SOCKETS_TX_WRITES
#define SKR_SOCKETS_TX_WRITES SKR_BY_PROFILE(8, 8, 8, 32)
#endif

/* Clients accepted from one listener before those already connected get their turn. */
#ifndef SKR_SOCKETS_ACCEPTS
#define SKR_SOCKETS_ACCEPTS SKR_BY_PROFILE(2, 4, 4, 64)
#endif

/* Bytes read and discarded from one ended connection, at most, and in one turn, which takes them on the stack. A peer
 * that sends more is no longer waiting for a response. */
#ifndef SKR_SOCKETS_DISCARD_MAX
#define SKR_SOCKETS_DISCARD_MAX SKR_BY_PROFILE(16384, 16384, 65536, 1048576)
#endif
#ifndef SKR_SOCKETS_DISCARD
#define SKR_SOCKETS_DISCARD SKR_BY_PROFILE(128, 128, 128, 16384)
#endif

/* ---- Limits that must agree ---- */

/* Descriptors in all: for the configuration of your stack. */
#define SKR_SOCKETS_DESCRIPTORS (SKR_SOCKETS_SLOTS + SKR_SOCKETS_LINGERS + SKR_SOCKETS_LISTENERS)

#if SKR_SOCKETS_SLOTS < 1 || SKR_SOCKETS_LINGERS < 1 || SKR_SOCKETS_LISTENERS < 1 || SKR_SOCKETS_OTHERS < 0
#error "port/sockets: at least one slot, one linger and one listener"
#endif
#if SKR_SOCKETS_SLOTS > 65535 || SKR_SOCKETS_LINGERS > 65535 || SKR_SOCKETS_LISTENERS > 255 || SKR_SOCKETS_OTHERS > 255
#error "port/sockets: at most 65,535 slots and lingers, 255 listeners and others"
#endif
#if SKR_SOCKETS_TX_BUDGET < 1 || SKR_SOCKETS_TX_WRITES < 1 || SKR_SOCKETS_ACCEPTS < 1 || SKR_SOCKETS_DISCARD < 1 ||    \
    SKR_SOCKETS_BACKLOG < 1
#error "port/sockets: a turn writes, accepts and discards at least one, and the backlog has room for one"
#endif
#if SKR_SOCKETS_TIMEOUT_MS < 1 || SKR_SOCKETS_IDLE_MS < 1 || SKR_SOCKETS_GRACE_MS < 1 || SKR_SOCKETS_COMMENT_MS < 1 || \
    SKR_SOCKETS_LINGER_MS < 1 || SKR_SOCKETS_WORK_MS < 1
#error "port/sockets: every time is at least a millisecond"
#endif
#if !SKR_HTTP && !SKR_SOCKETS_LINES
#error "SKR_HTTP and SKR_SOCKETS_LINES are both 0, so there is nothing to serve"
#endif
#if SKR_SOCKETS_PEER_SLOTS < 1 || SKR_SOCKETS_PEER_SLOTS > SKR_SOCKETS_SLOTS
#error "SKR_SOCKETS_PEER_SLOTS: from one to all slots"
#endif
#if SKR_SOCKETS_WAIT != SKR_SOCKETS_POLL && SKR_SOCKETS_WAIT != SKR_SOCKETS_SELECT &&                                  \
    SKR_SOCKETS_WAIT != SKR_SOCKETS_OWN
#error "SKR_SOCKETS_WAIT: SKR_SOCKETS_POLL, SKR_SOCKETS_SELECT or SKR_SOCKETS_OWN"
#endif

#endif
