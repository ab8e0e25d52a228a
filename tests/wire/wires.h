/* wires.h -- the ways a transcript is run, and the servers it needs. */
#ifndef WIRE_WIRES_H
#define WIRE_WIRES_H

#include <sys/types.h>

#include "report.h"

/* Silence for so long is a failure, of a program on this machine. Nothing waits for it otherwise. */
#define PATIENCE_MS 10000

/* A name that clients may use for the server besides localhost. */
#define TEST_HOST "pump.example"

/* What @tokens lets in: "NAME-token" for each name. */
struct token {
    const char *name;
    bool reads; /* and no more */
};
extern const struct token test_tokens[];
#define TEST_TOKENS 3
#define TOKEN_FILE "build/wire/tokens"
#define STATE_FOLDER "build/wire/state"

/* Where the image of a device of tests/wire/devices (or "example") was packed to. */
void image_path(const char *device, bool compressed, struct bytes *path);

/* Runs the transcript in this process against the core alone, every exchange cut in
 * every way. With `compressed`, from images whose files are deflated. */
void run_core(const struct transcript *t, bool compressed);
extern bool core_brief; /* texts are cut at a few places only */

/* Runs it against build/asan/pump, over stdin and stdout, raw TCP, or HTTP; or against a firmware in
 * its emulator, over its serial line. */
void run_lines(const struct transcript *t, enum wire wire);
void run_http(const struct transcript *t);

/* ---- A running program, or firmware ---- */

/* The folder below build/ whose program.elf is run for WIRE_UART. */
extern const char *firmware;

/* The same for one with Ethernet, in the place of the program: WIRE_TCP and WIRE_HTTP. */
extern const char *net_firmware;

/* The folder of pump, and of conformance-device, whose handlers ask and tell. */
extern const char *programs;

struct server {
    pid_t pid;
    int to, from;  /* the connection: pipes or one socket */
    int errors;    /* its stderr */
    char url[128]; /* what it says about where it serves */
    bool emulated; /* a firmware in its emulator */
};

/* Starts one for a scene; waits for the line that says it is ready. False when it did not start. */
bool server_start(struct server *s, const struct scene *scene, enum wire wire);

/* Connects to a server started for TCP or HTTP; again after a connection has ended. */
bool server_connect(struct server *s);
void server_disconnect(struct server *s);

/* Ends it. False when it did not end well (a sanitizer found something); it has told on stderr. */
bool server_stop(struct server *s);

/* Ends the board that server_stop has only reset. False as above. */
bool servers_end(void);

/* Sends all. False when the server no longer listens. */
bool server_send(struct server *s, const struct bytes *bytes);

/* Adds what comes next to `to`. False at the end of the connection, or after too long a silence. */
bool server_receive(struct server *s, struct bytes *to);

/* ---- HTTP, seen from a client ---- */

/* The POST that a proper client makes of a message. Knows sessions. */
struct client {
    struct bytes session; /* Mcp-Session-Id, when one was given */
    struct bytes version; /* what initialize agreed on */
    bool modern;          /* the message just posted names its version itself */
    bool initialize;      /* it was an initialize of the older era */
};

void client_post(struct client *c, const struct bytes *message, struct bytes *out);
/* Learns from the response to an initialize. */
void client_learn(struct client *c, const struct bytes *head, const struct bytes *body);
void client_free(struct client *c);

#endif
