/* client.h -- the MCP client in the box: `skillrom call`, `read` and `test` send requests to one device with it.
 *
 * It uses revision 2025-11-25, which every server has, and sends one request at a time. While a response is pending it
 * shows progress, and the user responds to elicitations at the terminal. */
#ifndef CLIENT_CLIENT_H
#define CLIENT_CLIENT_H

#include <stdint.h>

#include "cmdline.h"
#include "text/span.h"

#define CLIENT_REPLY 65536 /* the response to an elicitation; the same as TRANSPORT_SMALL */

struct transport;

struct client {
    struct transport *transport;
    const char *name; /* in clientInfo; set by the owner, as are the next */
    uint32_t wait_ms, response_ms;
    bool interactive; /* elicitations are shown at the terminal; otherwise the client does not offer them */
    bool confirms; /* accepts a confirmation of a tool call, and only that, without a prompt; also if not interactive */
    bool quiet;    /* do not show progress */
    bool optional; /* a server need not have the method (-32601): its result is then {} */
    int signals;   /* readable when a signal asks the program to end (host_signals_open); -1 leaves signals alone */
    int stopped;   /* the signal that arrived, or 0 */
    unsigned last_id;  /* number of the last request */
    char id[16];       /* its id, as JSON */
    bool pending;      /* its response has not arrived */
    bool interrupted;  /* the connection broke: the device may have acted on it */
    bool again;        /* the device has not acted on it: send it again */
    bool no_session;   /* the device has no session for it: send initialize first */
    bool initialized;  /* initialize has succeeded on this connection */
    bool progress;     /* a line of progress is on the terminal */
    unsigned receiver; /* which buffer receives */
    struct skr_span response;
    size_t reply_n; /* a response to an elicitation that has to be sent */
    char reply[CLIENT_REPLY];
};

/* ---- Connections ---- */

/* Selects a device: a serial port or URL as on a command line, or the stdin and stdout of a program, which the stream
 * socket `fd` leads to. False after a message. Nothing is sent before the first request. */
bool client_select_device(struct client *c, const char *device);
void client_select_program(struct client *c, const char *name, int fd);

/* Ends the connection. */
void client_close(struct client *c);

/* ---- Requests ---- */

/* Sends a request, with its params as JSON, and waits for the response; initialize precedes the first. True if there is
 * one: c->response, an object with "result" or "error", valid until the next request. False after a message.
 * `repeatable` allows sending the request twice; any other is cancelled when no response comes in time or a signal
 * arrives. */
bool client_request(struct client *c, const char *method, const char *params, bool repeatable);

/* Sends a request as client_request does. False, after a message, also for an error. *result is valid until the next
 * request. */
bool client_get(struct client *c, const char *method, const char *params, bool repeatable, struct skr_span *result);

/* Sends initialize, as the first request, and returns its result likewise. */
bool client_initialize(struct client *c, struct skr_span *result);

/* ---- Arguments (arguments.c) ---- */

/* Adds "name":value to the JSON object in `to`, with the value converted to its schema's type. False after a
 * message. */
bool client_argument(struct skr_span properties, struct skr_span name, struct skr_span value, char *to, size_t room);

/* True if the schema requires a value for this key, a JSON string. */
bool client_requires(struct skr_span schema, struct skr_span key);

/* Checks a JSON value against a schema. Returns NULL if it fits, or is too long to check; otherwise the end of a
 * sentence that begins with `member`, as in "must be at most 4". */
#define CLIENT_MEMBER 64
const char *client_schema_mismatch(struct skr_span value, struct skr_span schema, char member[CLIENT_MEMBER]);

/* Describes the values of a schema for users: "integer 1..4", "text", "a|b". */
void client_describe_type(struct skr_span schema, char *to, size_t room);

/* ---- Elicitation (elicitation.c) ---- */

/* Asks the user, unless the client confirms; the result, as JSON, goes to `to`. False if the client is not interactive,
 * if stdin is not a terminal, or when a signal arrives at its descriptor for them. */
bool client_elicit(const struct client *c, struct skr_span params, char *to, size_t room);

/* ---- Output (print_content.c) ---- */

/* Writes text unchanged. client_printed is false, after a message, once stdout could not be written. */
void client_print(int fd, const char *text, size_t n);
bool client_printed(void);

/* Writes a JSON string as text, or text that is not JSON. On a terminal none of it can move the cursor. */
void client_print_string(int fd, struct skr_span string);
void client_print_text(int fd, const char *text, size_t n);

/* Writes the bytes of a base64 string to stdout. False after a message if it is not one. */
bool client_print_base64(struct skr_span string);

/* Writes the content of a tool result. */
void client_print_content(struct skr_span items);

/* ---- Commands ---- */

extern const struct host_command client_call_command, client_read_command, client_find_command;

#endif
