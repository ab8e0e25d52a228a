/* bridge_config.h -- every limit of the bridge, with its reason.
 *
 * The bridge allocates nothing at run time: tables and buffers are static, and the system commits their memory
 * only where it is used. A limit with an option in parentheses is the option's default. */
#ifndef BRIDGE_BRIDGE_CONFIG_H
#define BRIDGE_BRIDGE_CONFIG_H

#include "../transport/transport_config.h"

/* ---- How many ---- */

/* Pending requests of all clients. One more gets an error. The core holds a job for each. */
#define BRIDGE_REQUESTS SKR_JOBS

/* Clients of the initialize era whose handshake is remembered: as many as can be connected, plus one for each HTTP
 * session. */
#define BRIDGE_CLIENTS (64 + SKR_SESSIONS)

/* Files of each device whose digest is remembered. Others are read again. */
#define BRIDGE_DIGESTS 8192

/* Resources that any client watches for changes of content, and the maximum length of their URIs. One more replaces
 * the first; one with a longer URI is not subscribed. subscriptions.c has a row for each. */
#define BRIDGE_SUBSCRIPTIONS 32
#define BRIDGE_SUBSCRIPTION_URI 256

/* ---- How large ---- */

/* The initialize request of a client, which is repeated after requests of another client. A longer one gets error -32600. */
#define BRIDGE_HANDSHAKE_MAX 4096

/* Likewise its logging/setLevel request. A longer one is lost after requests of another client. */
#define BRIDGE_LEVEL_MAX 512

/* Tools of each device whose arguments are repeated in HTTP headers (x-mcp-header), and the size of one description.
 * Headers of further tools, or of tools with longer descriptions, are not compared. */
#define BRIDGE_HEADED 16
#define BRIDGE_HEADED_MAX 8192

/* Read-only tools of each device. A client with a read-only token cannot call further ones. */
#define BRIDGE_READ_ONLY 256

/* A name that an error of the bridge quotes. A longer one is left out. */
#define BRIDGE_QUOTED 512

/* The largest file that is inflated here; in base64 it fits TRANSPORT_LARGE. */
#ifndef BRIDGE_FILE
#define BRIDGE_FILE (16u << 20)
#endif

/* Buffers for large responses of each device: one receives while the other is sent. When both are taken, the device waits. */
#define BRIDGE_LARGES 2

/* All files of the cache together; the least recently used are removed first (--cache-mb). */
#define BRIDGE_CACHE_MB 64

/* The params of a progress notification; longer ones are dropped. */
#define BRIDGE_NOTIFICATION 2048

/* Messages of one MQTT client that the core has not taken yet: four of the largest. One more gets an error. */
#define BRIDGE_HELD (4 * SKR_REQUEST_MAX)

/* The interval of pings to a published device: on some transports nothing else shows that it is gone. */
#define BRIDGE_CHECK_MS 3000

/* ---- How long, in milliseconds ---- */

/* HTTP: the retry time for a client whose stream was closed (--poll). */
#define BRIDGE_COME_BACK_MS 500

/* Plain mode: a read that gets no byte for this long, plus the time its bytes take on the line, was lost and is
 * repeated. */
#define BRIDGE_READ_MS 1000

/* HTTP: a read that gets no byte for this long is sent again on another connection; the next time twice as long. */
#define BRIDGE_SILENT_MS 3000

#if BRIDGE_SUBSCRIPTIONS != 32
#error "BRIDGE_SUBSCRIPTIONS: subscriptions.c has a row for each"
#endif
#if BRIDGE_SUBSCRIPTIONS * BRIDGE_SUBSCRIPTION_URI > TRANSPORT_LISTEN_MAX
#error "BRIDGE_SUBSCRIPTIONS: their URIs have to fit TRANSPORT_LISTEN_MAX"
#endif
#if BRIDGE_REQUESTS > SKR_JOBS
#error "BRIDGE_REQUESTS: the core holds a job for each, SKR_JOBS"
#endif

#endif
