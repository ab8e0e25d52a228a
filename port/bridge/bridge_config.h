/* bridge_config.h -- every limit of the bridge, with its reason.
 *
 * The bridge allocates nothing at run time: tables and buffers are static, and the system
 * commits their memory only where it is used. Each number may be set on the compiler's
 * command line; what has an option of `skillrom bridge` is only a default here. */
#ifndef SKR_BRIDGE_CONFIG_H
#define SKR_BRIDGE_CONFIG_H

#include "skillrom.h"

/* ---- How many ---- */

/* Serial devices served as one. */
#ifndef SKR_BRIDGE_DEVICES
#define SKR_BRIDGE_DEVICES 4
#endif

/* Requests that wait for a device or for their client, of all clients together. One more:
 * an error that says so. The core holds a job for each. */
#ifndef SKR_BRIDGE_REQUESTS
#define SKR_BRIDGE_REQUESTS SKR_JOBS
#endif

/* Requests on the line at once in reliable mode: the next lies ready in the device when it
 * has answered the one before, and a tool that takes its time holds up nobody. In plain
 * mode nothing keeps a device from being overrun, and there is one at a time. */
#ifndef SKR_BRIDGE_IN_FLIGHT
#define SKR_BRIDGE_IN_FLIGHT 4
#endif

/* Clients of the initialize era whose handshake is remembered: as many as can be connected,
 * and as there are HTTP sessions. */
#ifndef SKR_BRIDGE_CLIENTS
#define SKR_BRIDGE_CLIENTS (64 + SKR_SESSIONS)
#endif

/* Files whose digest is remembered, of each device. Further ones are simply read anew. */
#ifndef SKR_BRIDGE_DIGESTS
#define SKR_BRIDGE_DIGESTS 8192
#endif

/* Resources that clients hear of when the device tells that their content has changed, of all clients together, and
 * the length of their URIs. One more takes the place of the first; a longer one is not watched. watch.c counts. */
#ifndef SKR_BRIDGE_WATCHED
#define SKR_BRIDGE_WATCHED 32
#endif
#ifndef SKR_BRIDGE_WATCH_URI
#define SKR_BRIDGE_WATCH_URI 256
#endif

/* Serial ports that --list and the search for the only one look at. */
#ifndef SKR_BRIDGE_PORTS
#define SKR_BRIDGE_PORTS 32
#endif

/* ---- How large ---- */

/* The initialize request of a client: said again to the device when another client has
 * spoken meanwhile. Longer: -32600. */
#ifndef SKR_BRIDGE_HANDSHAKE_MAX
#define SKR_BRIDGE_HANDSHAKE_MAX 4096
#endif

/* The logging/setLevel request of such a client, likewise. Longer: its level is lost when another client has
 * spoken meanwhile. */
#ifndef SKR_BRIDGE_LEVEL_MAX
#define SKR_BRIDGE_LEVEL_MAX 512
#endif

/* Tools whose arguments HTTP headers repeat (x-mcp-header), of each device, and what one of them may take.
 * Headers of further ones, or longer ones, are not compared. */
#ifndef SKR_BRIDGE_HEADED
#define SKR_BRIDGE_HEADED 16
#endif
#ifndef SKR_BRIDGE_HEADED_MAX
#define SKR_BRIDGE_HEADED_MAX 8192
#endif

/* A name that an error of the bridge repeats. Longer: it says none. */
#ifndef SKR_BRIDGE_QUOTED
#define SKR_BRIDGE_QUOTED 512
#endif

/* A cursor of a device's list of tools, with quotes. Longer: calls whose headers would have to be compared fail. */
#ifndef SKR_BRIDGE_CURSOR
#define SKR_BRIDGE_CURSOR 1024
#endif

/* Answers up to this size wait for their client in their request's own buffer. */
#ifndef SKR_BRIDGE_SMALL
#define SKR_BRIDGE_SMALL 65536
#endif

/* The largest answer: a file of 16 MiB in base64, with room to spare. Longer: -32603. */
#ifndef SKR_BRIDGE_LARGE
#define SKR_BRIDGE_LARGE (32u << 20)
#endif

/* The largest file that is inflated here: what SKR_BRIDGE_LARGE is made for. */
#ifndef SKR_BRIDGE_FILE
#define SKR_BRIDGE_FILE (16u << 20)
#endif

/* Places for large answers of each device: one is received while the other leaves. When
 * both are taken, the device waits. */
#ifndef SKR_BRIDGE_LARGES
#define SKR_BRIDGE_LARGES 2
#endif

/* All files of the cache together; the ones not used for longest go. --cache-mb. */
#ifndef SKR_BRIDGE_CACHE_MB
#define SKR_BRIDGE_CACHE_MB 64
#endif

/* The params of a progress notification; longer ones are dropped. */
#ifndef SKR_BRIDGE_NOTE
#define SKR_BRIDGE_NOTE 2048
#endif

/* A line of log from the device; longer ones are cut. */
#ifndef SKR_BRIDGE_LOG_LINE
#define SKR_BRIDGE_LOG_LINE 512
#endif

/* Answers from this size on get a progress line on a terminal: a second at 115200 baud. */
#ifndef SKR_BRIDGE_PROGRESS
#define SKR_BRIDGE_PROGRESS 12000
#endif

/* ---- How long, in milliseconds ---- */

/* A request waits for a device that is not there, then gets an error. --wait-ms. */
#ifndef SKR_BRIDGE_WAIT_MS
#define SKR_BRIDGE_WAIT_MS 10000
#endif

/* Without a byte of an answer. The longest deadline of a tool is 60 s. --answer-ms. */
#ifndef SKR_BRIDGE_ANSWER_MS
#define SKR_BRIDGE_ANSWER_MS 65000
#endif

/* HTTP: a client that comes back for an answer is told to wait so long. --poll-ms. */
#ifndef SKR_BRIDGE_COME_BACK_MS
#define SKR_BRIDGE_COME_BACK_MS 500
#endif

/* Plain mode: a read that gets no byte for so long, and the time its bytes take on the line,
 * was lost and is asked again. */
#ifndef SKR_BRIDGE_READ_MS
#define SKR_BRIDGE_READ_MS 1000
#endif

/* Between two tries to open a port that is not there. */
#ifndef SKR_BRIDGE_RETRY_MS
#define SKR_BRIDGE_RETRY_MS 200
#endif

/* Between two tries to get a first word out of a device; longer on slow lines. */
#ifndef SKR_BRIDGE_HELLO_MS
#define SKR_BRIDGE_HELLO_MS 300
#endif

/* An idle device in reliable mode is asked for a sign of life: notices a reset, and keeps
 * it from going back to plain mode (SKR_UART_SILENCE_MS). */
#ifndef SKR_BRIDGE_ALIVE_MS
#define SKR_BRIDGE_ALIVE_MS 2000
#endif

/* ---- How often ---- */

/* A read is repeated when its answer was damaged or the device was reset under it. */
#ifndef SKR_BRIDGE_TRIES
#define SKR_BRIDGE_TRIES 16
#endif

/* Hellos without an answer after which a device that answers plain lines is taken to know
 * nothing else. */
#ifndef SKR_BRIDGE_HELLOS
#define SKR_BRIDGE_HELLOS 3
#endif

#if SKR_BRIDGE_WATCHED != 32
#error "SKR_BRIDGE_WATCHED: watch.c has a row for each"
#endif
#if SKR_BRIDGE_REQUESTS > SKR_JOBS
#error "SKR_BRIDGE_REQUESTS: the core holds a job for each, SKR_JOBS"
#endif

#endif
