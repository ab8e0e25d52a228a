/* bridge_config.h -- every limit of the bridge, with its reason.
 *
 * The bridge allocates nothing at run time: tables and buffers are static, and the system commits their memory
 * only where it is used. What an option of `skillrom bridge` sets is only a default here. */
#ifndef SKR_BRIDGE_CONFIG_H
#define SKR_BRIDGE_CONFIG_H

#include "skillrom.h"

/* ---- How many ---- */

/* Serial devices served as one. */
#define BRIDGE_DEVICES 4

/* Requests of all clients that wait for a device or for their client. One more gets an error. The core holds a job
 * for each. */
#define BRIDGE_REQUESTS SKR_JOBS

/* Requests on the line at once in reliable mode: the next one is already in the device when it has answered the one
 * before, and a slow tool holds up nobody. In plain mode nothing keeps a device from being overrun, so there is one
 * at a time. */
#define BRIDGE_IN_FLIGHT 4

/* Clients of the initialize era whose handshake is remembered: as many as can be connected, plus one for each HTTP
 * session. */
#define BRIDGE_CLIENTS (64 + SKR_SESSIONS)

/* Files of each device whose digest is remembered. Others are simply read again. */
#define BRIDGE_DIGESTS 8192

/* Resources that any client watches for changes of content, and the maximum length of their URIs. One more takes the
 * place of the first; one with a longer URI is not watched. watch.c has a row for each. */
#define BRIDGE_WATCHED 32
#define BRIDGE_WATCH_URI 256

/* Serial ports that --list, and the search for a single device, look at. */
#define BRIDGE_PORTS 32

/* ---- How large ---- */

/* The initialize request of a client, which is repeated to the device when another client has spoken meanwhile.
 * Longer: -32600. */
#define BRIDGE_HANDSHAKE_MAX 4096

/* The logging/setLevel request of such a client, likewise. Longer: its level is lost once another client has spoken. */
#define BRIDGE_LEVEL_MAX 512

/* Tools of each device whose arguments are repeated in HTTP headers (x-mcp-header), and the size of one description.
 * Headers of further tools, or of tools with longer descriptions, are not compared. */
#define BRIDGE_HEADED 16
#define BRIDGE_HEADED_MAX 8192

/* Tools of each device that are known to only look. A client that may only read cannot call further ones. */
#define BRIDGE_CALM 256

/* A name that an error of the bridge quotes. A longer one is left out. */
#define BRIDGE_QUOTED 512

/* A cursor in a device's list of tools, with its quotes. Longer: calls whose headers would have to be compared fail. */
#define BRIDGE_CURSOR 1024

/* Pages of one list that the bridge, for itself, and skillrom call read: 50,000 items of a usual server. A list that goes on
 * never ends. */
#define BRIDGE_PAGES 1000

/* Answers up to this size wait for their client in the buffer of their request. */
#define BRIDGE_SMALL 65536

/* The largest answer: a file of 16 MiB in base64, with room to spare. Longer: -32603. */
#define BRIDGE_LARGE (32u << 20)

/* The largest file that is inflated here: what BRIDGE_LARGE is made for. */
#define BRIDGE_FILE (16u << 20)

/* Buffers for large answers of each device: one is received while the other is sent. When both are taken, the device
 * waits. */
#define BRIDGE_LARGES 2

/* All files of the cache together; the least recently used are removed first. --cache-mb. */
#define BRIDGE_CACHE_MB 64

/* The params of a progress notification; longer ones are dropped. */
#define BRIDGE_NOTIFICATION 2048

/* A line of log from the device; longer ones are cut. */
#define BRIDGE_LOG_LINE 512

/* Answers from this size on get a progress line on a terminal: a second at 115200 baud. */
#define BRIDGE_PROGRESS 12000

/* Messages of one MQTT client that the core has not taken yet: four of the largest. One more gets an error. */
#define BRIDGE_HELD (4 * SKR_REQUEST_MAX)

/* How often a published device is asked whether it is there: on some ways nothing else shows that it is not. */
#define BRIDGE_CHECK_MS 3000

/* ---- Devices on a network ---- */

/* Devices that `skillrom find` lists. */
#define BRIDGE_FOUND 64

/* Addresses of a host that are tried. */
#define BRIDGE_ADDRESSES 8

/* Connections to an HTTP server at once: BRIDGE_IN_FLIGHT requests, a stream of changes, and one for a reply or a
 * cancellation. A device that has room for fewer says so (503), and gets fewer. */
#define BRIDGE_CONNECTIONS (BRIDGE_IN_FLIGHT + 2)

/* The header of a request. Mcp-Name repeats a URI. Arguments that do not fit are left out, and the device refuses. */
#define BRIDGE_HEAD 16384

/* A token for a device, of its own or of an authorization server. A longer one is not taken for a token. */
#define BRIDGE_TOKEN 8192

/* A session id. Longer ones are cut, and the device does not know them. */
#define BRIDGE_SESSION 512

/* The id of a request on the line, with quotes. They are the bridge's own. */
#define BRIDGE_ID 16

/* For one address to accept a connection. */
#define BRIDGE_CONNECT_MS 5000

/* For a server's first answer. It may be a bridge, which says why its device is missing after BRIDGE_WAIT_MS. */
#define BRIDGE_PROBE_MS (BRIDGE_WAIT_MS + 5000)

/* For a handshake of TLS: a small processor takes a second, an emulated one more. */
#define BRIDGE_HANDSHAKE_MS 20000

/* Authorities of --ca-file, and what is kept of their certificates: the names and keys of all that Debian trusts. */
#define BRIDGE_AUTHORITIES 256
#define BRIDGE_AUTHORITY_BYTES (256u << 10)

/* A kept connection is closed after this time without a message. Servers close theirs after five seconds and more; a
 * message that crosses that end would be lost. */
#define BRIDGE_KEEP_MS 4000

/* Between two attempts, after a name had no address, and after a server did not want us. */
#define BRIDGE_LOOKUP_MS 2000
#define BRIDGE_REFUSED_MS 2000

/* ---- How long, in milliseconds ---- */

/* How long a request waits for a missing device before it gets an error. --wait-ms. */
#define BRIDGE_WAIT_MS 10000

/* How long a request waits without receiving a byte of its answer or progress. A tool with a deadlineMs of more than a minute
 * needs a larger --answer-ms. */
#define BRIDGE_RESPONSE_MS 65000

/* HTTP: how long a client that is sent away to come back for its answer is told to wait. --poll-ms. */
#define BRIDGE_COME_BACK_MS 500

/* Plain mode: a read that gets no byte for this long, plus the time its bytes take on the line, was lost and is
 * repeated. */
#define BRIDGE_READ_MS 1000

/* HTTP: a read that gets no byte for this long is sent again on another connection; the next time twice as long. */
#define BRIDGE_SILENT_MS 3000

/* How long a program that ends waits until its devices have received the cancellations of what is under way. */
#define BRIDGE_LEAVE_MS 2000

/* The longest pause between two turns while something is expected. */
#define BRIDGE_TURN_MS 50

/* Between two attempts to open a missing port. */
#define BRIDGE_RETRY_MS 200

/* Between two attempts to get a first response from a device; longer on slow lines. */
#define BRIDGE_HELLO_MS 300

/* An idle device in reliable mode is polled this often: that detects a reset, and keeps the device from going back to
 * plain mode (SKR_UART_SILENCE_MS). */
#define BRIDGE_ALIVE_MS 2000

/* ---- How often ---- */

/* How often a read is tried when its answer was damaged or the device was reset under it. */
#define BRIDGE_TRIES 16

/* Unanswered hellos after which a device that answers plain lines is assumed to have no other mode. */
#define BRIDGE_HELLOS 3

#if BRIDGE_WATCHED != 32
#error "BRIDGE_WATCHED: watch.c has a row for each"
#endif
#if BRIDGE_REQUESTS > SKR_JOBS
#error "BRIDGE_REQUESTS: the core holds a job for each, SKR_JOBS"
#endif

#endif
