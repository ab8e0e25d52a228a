/* transport_config.h -- every limit of the transports and of the MCP client on them, with its reason.
 *
 * Tables and buffers are static; the system commits their memory only where it is used. A limit with an option in
 * parentheses is the option's default. */
#ifndef TRANSPORT_CONFIG_H
#define TRANSPORT_CONFIG_H

#include "skillrom.h"

/* Devices of one command line. */
#define TRANSPORT_DEVICES 4

/* Requests a device has at a time in reliable mode: the next one has already arrived when the device sends a response, and a
 * slow tool delays no other request. In plain mode nothing keeps a device from being overrun, so there is one. */
#define TRANSPORT_IN_FLIGHT 4

/* Serial ports that `skillrom find` shows and among which the only one is found. */
#define TRANSPORT_PORTS 32

/* The cursor of a list, with its quotes. The bridge fails tool calls whose headers it must compare if a cursor is longer. */
#define TRANSPORT_CURSOR 1024

/* Pages of one list: 50,000 items of a usual server. A longer list is assumed to be endless. */
#define TRANSPORT_PAGES 1000

/* Entries of a device's record of tool calls: 2 MB of its RAM. A longer record is assumed to be endless. */
#define TRANSPORT_RECORD_ENTRIES 65536

/* The longest response to a client request, such as an elicitation; and a response that waits for its client in the buffer of
 * its request. */
#define TRANSPORT_SMALL 65536

/* The largest response: a file of 16 MiB in base64, with room to spare. A longer one becomes error -32603. */
#ifndef TRANSPORT_LARGE
#define TRANSPORT_LARGE (32u << 20)
#endif

/* A log line of a device. Longer ones are cut. */
#define TRANSPORT_LOG_LINE 512

/* Responses from this size on get a progress line on a terminal: a second at 115200 baud. */
#define TRANSPORT_PROGRESS 12000

/* Addresses of a host that are tried. */
#define TRANSPORT_ADDRESSES 8

/* Connections to an HTTP server at a time: TRANSPORT_IN_FLIGHT requests, a stream of notifications, and one for a reply or a
 * cancellation. A device with room for fewer responds with status 503, and gets fewer. */
#define TRANSPORT_CONNECTIONS (TRANSPORT_IN_FLIGHT + 2)

/* The header of a request. Mcp-Name repeats a URI. Arguments that do not fit are left out, and the device refuses the request. */
#define TRANSPORT_HEAD 16384

/* A token for a device, of its own or of an authorization server. A longer one is not taken for a token. */
#define TRANSPORT_TOKEN 8192

/* A session id. A longer one is cut, and the device refuses it. */
#define TRANSPORT_SESSION 512

/* The id of a request to a device, with quotes. The client and the bridge choose their own. */
#define TRANSPORT_ID 16

/* The timeout for one address to accept a connection. */
#define TRANSPORT_CONNECT_MS 5000

/* The timeout for a server's first response. A bridge reports its missing device after TRANSPORT_WAIT_MS. */
#define TRANSPORT_PROBE_MS (TRANSPORT_WAIT_MS + 5000)

/* The timeout for a TLS handshake: a small processor takes a second, an emulated one more. */
#define TRANSPORT_HANDSHAKE_MS 20000

/* Authorities of --ca-file, and the bytes for their names and keys: enough for all that Debian trusts. */
#define TRANSPORT_AUTHORITIES 256
#define TRANSPORT_AUTHORITY_BYTES (256u << 10)

/* An idle connection is closed after this time. Servers close theirs after five seconds or more; a request sent meanwhile
 * would be lost. */
#define TRANSPORT_KEEP_MS 4000

/* The pause between two attempts after a name had no address, and after a server refused the client. */
#define TRANSPORT_LOOKUP_MS 2000
#define TRANSPORT_REFUSED_MS 2000

/* How long a request waits for a missing device before it fails (--wait). */
#define TRANSPORT_WAIT_MS 10000

/* How long a request waits for the next byte of its response or progress (--response-timeout). A tool with a deadlineMs of more than a
 * minute needs more. */
#define TRANSPORT_RESPONSE_MS 65000

/* How long an ending program waits until its devices have received the cancellations of pending requests. */
#define TRANSPORT_LEAVE_MS 2000

/* The longest pause between two turns while a response is pending. */
#define TRANSPORT_TURN_MS 50

/* The pause between two attempts to open a missing port. */
#define TRANSPORT_RETRY_MS 200

/* The pause between two probes of a serial port; longer on slow lines. */
#define TRANSPORT_HELLO_MS 300

/* An idle device in reliable mode is polled this often: that detects a reset, and keeps the device from going back to
 * plain mode (SKR_UART_SILENCE_MS). */
#define TRANSPORT_ALIVE_MS 2000

/* How often a request that only reads is sent when its response was damaged, or the device was reset. */
#define TRANSPORT_TRIES 16

/* Hellos without a welcome after which a device that responds to plain lines is assumed to have no other mode. */
#define TRANSPORT_HELLOS 3

/* A subscriptions/listen request with the URIs of all watched resources. */
#define TRANSPORT_LISTEN_MAX 8192

/* The longest message: a request with its id replaced, the response to a client request, or subscriptions/listen. */
#define TRANSPORT_TEXT (SKR_REQUEST_MAX + TRANSPORT_SMALL + TRANSPORT_LISTEN_MAX)

#endif
