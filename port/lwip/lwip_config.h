/* lwip_config.h -- every limit of the lwIP port, with its reason.
 *
 * Each may be set on the compiler's command line. lwipopts.h sizes lwIP's pools from these
 * numbers, so that one client can never hold what another one needs. The limits on requests and
 * responses are the core's: core/skr_config.h. */
#ifndef SKR_LWIP_CONFIG_H
#define SKR_LWIP_CONFIG_H

/* ---- How many ---- */

/* Connections served simultaneously; each holds a struct skr_conn. The next client takes the place of
 * one that is idle or hardly moves; if none is, it is told to come back (503). */
#ifndef SKR_LWIP_SLOTS
#define SKR_LWIP_SLOTS 4
#endif

/* How many of these one address may have; beyond that its newcomers displace its own connections. One slot is left
 * for everybody else: a device has few slots, and a client needs one or two connections. */
#ifndef SKR_LWIP_PEER_SLOTS
#define SKR_LWIP_PEER_SLOTS (SKR_LWIP_SLOTS > 1 ? SKR_LWIP_SLOTS - 1 : 1)
#endif

/* Connections beyond those that lwIP may know: clients being turned away, and ended ones that wait
 * for their peer to close. When these are used up, a newcomer's first packet is dropped, and it
 * tries again a second later. */
#ifndef SKR_LWIP_SPARE
#define SKR_LWIP_SPARE 4
#endif

/* Ports listened on: one for HTTP, one for raw lines. */
#ifndef SKR_LWIP_LISTENERS
#define SKR_LWIP_LISTENERS 2
#endif

/* ---- How long, in milliseconds ---- */

/* A request must arrive, and some byte of a response must be taken, within this time. Short, for
 * there are few slots; a request is one or two packets. */
#ifndef SKR_LWIP_TIMEOUT_MS
#define SKR_LWIP_TIMEOUT_MS 10000
#endif

/* A kept-alive HTTP connection without a request. It yields to newcomers long before. */
#ifndef SKR_LWIP_IDLE_MS
#define SKR_LWIP_IDLE_MS 75000
#endif

/* How long a connection that makes no progress keeps its slot when a newcomer needs it: its request may still be on
 * the way, or its network may have lost a packet. lwIP checks twice a second. */
#ifndef SKR_LWIP_GRACE_MS
#define SKR_LWIP_GRACE_MS 1000
#endif

/* Bytes of a request or a response that must move in that time for the connection to keep its slot: half of what the
 * slowest modem manages. */
#ifndef SKR_LWIP_PACE
#define SKR_LWIP_PACE 512
#endif

/* How long the peer of an ended connection may take to read its last response and close. lwIP
 * counts half seconds. */
#ifndef SKR_LWIP_LINGER_MS
#define SKR_LWIP_LINGER_MS 2000
#endif

/* How often a comment is sent on an open HTTP stream to keep it alive. Needs SKR_CHANGES. */
#ifndef SKR_LWIP_COMMENT_MS
#define SKR_LWIP_COMMENT_MS 15000
#endif

/* ---- How much ---- */

/* Received buffers that one connection may hold while the core has no room, as with a peer that keeps sending without
 * reading. */
#ifndef SKR_LWIP_HELD
#define SKR_LWIP_HELD 3
#endif

/* Segments of one connection that may be under way. Two at least: a peer then acknowledges immediately instead
 * of after its delay of 40 ms and more. Each further one makes long responses faster, and costs 130
 * bytes a connection, and the copies for what does not lie in ROM. */
#ifndef SKR_LWIP_SEGMENTS
#define SKR_LWIP_SEGMENTS 2
#endif

/* Bytes in RAM are copied. The size of one copy, and the number of copies per connection; together they should fill
 * the segments under way. The largest copy should hold the core's whole scratch buffer. */
#ifndef SKR_LWIP_COPY_MAX
#define SKR_LWIP_COPY_MAX 256
#endif
#ifndef SKR_LWIP_COPIES
#define SKR_LWIP_COPIES 7
#endif

/* Copies of all connections together. Each connection can always have one; the rest are first come, first served. */
#ifndef SKR_LWIP_COPY_POOL
#define SKR_LWIP_COPY_POOL (SKR_LWIP_SLOTS + 6)
#endif

/* ---- Limits that must agree ---- */

#if SKR_LWIP_SLOTS < 1 || SKR_LWIP_SPARE < 1 || SKR_LWIP_LISTENERS < 1
#error "port/lwip: at least one slot, one spare connection and one listener"
#endif
#if SKR_LWIP_PEER_SLOTS < 1 || SKR_LWIP_PEER_SLOTS > SKR_LWIP_SLOTS
#error "SKR_LWIP_PEER_SLOTS: from one to all slots"
#endif
#if SKR_LWIP_SEGMENTS < 2
#error "SKR_LWIP_SEGMENTS: with one, every segment waits for the peer's delayed acknowledgement"
#endif
#if SKR_LWIP_COPIES < 1 || SKR_LWIP_COPIES > 255 || SKR_LWIP_COPY_MAX < 1 || SKR_LWIP_COPY_MAX > 1024
#error "SKR_LWIP_COPIES, SKR_LWIP_COPY_MAX: from 1 to 255, and from 1 to 1024"
#endif
#if SKR_LWIP_COPY_POOL < SKR_LWIP_SLOTS
#error "SKR_LWIP_COPY_POOL: every connection needs one copy to get on"
#endif

#endif
