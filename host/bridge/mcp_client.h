/* caller.h -- a client in the box: `skillrom call` and `skillrom read` talk to one device, by the ways of the bridge.
 *
 * It speaks the era of initialize (2025-11-25), which every server knows. One request at a time; while it waits, progress
 * is shown, and the questions of a tool are asked at the terminal. */
#ifndef SKR_CALLER_H
#define SKR_CALLER_H

#include "transport.h"

struct mcp_client {
    struct bridge_transport *way; /* set by the owner, as are the next */
    uint32_t wait_ms, answer_ms;
    bool quiet;     /* show no progress */
    int signals;    /* readable when a signal asks the program to end (host_signals_open); -1: signals end it at once */
    bool optional;  /* a server need not have the method (-32601): its result is then {} */
    int stopped;    /* that signal; 0: none */
    unsigned last;  /* number of the last request, */
    char id[16];    /* and its id */
    bool waits;     /* for its answer */
    bool unsure;    /* whether it was done, if it does more than read */
    bool again;     /* it was not done: send it again, */
    bool stranger;  /* after a handshake */
    bool shaken;    /* the handshake is done */
    bool shown;     /* a line of progress is on the terminal */
    unsigned place; /* which buffer receives */
    struct skr_span answer;
    size_t reply_n; /* a reply to a question, to be sent */
    char reply[BRIDGE_SMALL];
};

/* Sends a request, with its params as JSON, and waits for the answer. True: *result is the result, valid until the next
 * request. False: a message has been printed. `repeatable`: it may be sent twice. The first request is preceded by the
 * handshake. A request that is not repeatable is cancelled when no answer comes in time, or when a signal arrives. */
bool mcp_client_ask(struct mcp_client *c, const char *method, const char *params, bool repeatable,
                    struct skr_span *result);

/* ---- Words of people as JSON (caller_args.c) ---- */

/* Adds "name":value to the JSON object in `to`, the value as its schema wants it. False, after a message. */
bool mcp_client_argument(struct skr_span properties, struct skr_span name, struct skr_span value, char *to,
                         size_t room);

/* Must there be a value for this key, a JSON string? */
bool mcp_client_requires(struct skr_span schema, struct skr_span key);

/* "integer 1..4", "text", "a|b": what a schema wants, for people. */
void mcp_client_kind(struct skr_span schema, char *to, size_t room);

/* ---- Questions (caller_questions.c) ---- */

/* Asks the person; the reply, a result as JSON, goes to `to`. False when nobody can be asked, or when a signal arrives at
 * the descriptor `signals`, unless it is -1. */
bool mcp_client_question(struct skr_span params, int signals, char *to, size_t room);

/* ---- What is shown (caller_show.c) ---- */

/* Text as it is. Whether everything on stdout could be written so far; if not, a message has been printed. */
void mcp_client_print(int fd, const char *text, size_t n);
bool mcp_client_printed(void);

/* A JSON string as text, on stdout or stderr. On a terminal nothing of it can move the cursor. */
void mcp_client_show(int fd, struct skr_span string);

/* Text that is not JSON. */
void mcp_client_show_text(int fd, const char *text, size_t n);

/* The bytes of a base64 string, on stdout. False: it is none. */
bool mcp_client_show_bytes(struct skr_span string);

/* The content of a tool's result, or of a resource. */
void mcp_client_show_content(struct skr_span items);

#endif
