/* device.h -- the device at the other end of the bridge's transport, as a fuzzer plays it: on a serial port, on a TCP connection, or as an HTTP
 * server on several of them. What the bridge says to it is judged. */
#ifndef FUZZ_DEVICE_H
#define FUZZ_DEVICE_H

#include "script.h"
#include "transport.h"

enum device_kind { DEVICE_PLAIN, DEVICE_SOUND, DEVICE_LINES, DEVICE_HTTP };

#define DEVICES 2 /* on serial ports; there is one elsewhere */

/* How an HTTP server answers. */
enum device_response { RESPONSE_RAW, RESPONSE_JSON, RESPONSE_EVENTS, RESPONSE_STATUS };

/* Begins anew. The transport of device i is then device_transport(i). `responds`: it responds to the first request by itself, so that it is there. */
void device_start(enum device_kind kind, bool responds, bool has_identity);
struct transport *device_transport(unsigned i);

/* It says this; over HTTP on the connection `where`, as a response of this kind. */
void device_sends(unsigned i, unsigned where, enum device_response how, const char *bytes, size_t n);

/* It goes away, and comes back; over HTTP one of its connections ends. */
void device_goes(unsigned i, unsigned where);

/* How much of what is written to it, or it has said, moves at a time; 0: all of it. */
void device_pace(uint8_t n);

/* Ids that the bridge has given to its requests. */
extern struct given device_given;

/* How many messages "tools/call" it has got. */
extern unsigned device_calls;

#endif
