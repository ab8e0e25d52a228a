/* transcript.h -- a file of exchanges, as README.md describes it, read into memory. */
#ifndef WIRE_TRANSCRIPT_H
#define WIRE_TRANSCRIPT_H

#include "bytes.h"

/* Where an exchange is run. */
enum wire {
    WIRE_CORE = 1, /* in this process, cut everywhere */
    WIRE_STDIO = 2,
    WIRE_TCP = 4,
    WIRE_HTTP = 8,
    WIRE_UART = 16, /* a firmware's serial line */
};
#define WIRE_LINES (WIRE_CORE | WIRE_STDIO | WIRE_TCP | WIRE_UART)
#define WIRE_ALL (WIRE_LINES | WIRE_HTTP)

/* A `>` or `<` line. Macros but $LENGTH and those of struct memory are expanded already. */
struct line {
    struct bytes text;
    bool bare;    /* `>>`, `<<`: no line end is added */
    bool pattern; /* `<~`: three dots match anything */
    int status;   /* `<404`: HTTP status, 0 when none is given */
    bool nothing; /* `< (nothing)` */
    bool closed;  /* `< (closed)` */
    bool timeout; /* `> (time out)` */
};

struct lines {
    struct line *at;
    size_t count;
};

struct exchange {
    int number;           /* line in the file */
    struct bytes comment; /* the comment above it */
    unsigned wires;       /* enum wire, or-ed */
    bool restart;         /* the server starts anew before it */
    char *needs;          /* what a firmware must have been built with: needs.h */
    struct lines sent;
    struct lines wanted;
};

/* Exchanges on one connection to a server that has just started. */
struct scene {
    int number;
    char *title;
    char *device;
    unsigned page; /* 0: the server's own */
    bool reload;   /* the image may be swapped */
    bool tokens;   /* HTTP needs one of those in wires.h */
    bool sessionless;
    bool restarts; /* before one of its exchanges */
    struct exchange *at;
    size_t count;
};

struct transcript {
    const char *path;
    bool http;       /* `@http`: raw HTTP instead of messages */
    bool compressed; /* `@compressed`: also from deflated images */
    struct scene *at;
    size_t count;
};

/* What one run of a transcript remembers of the responses. */
struct memory {
    struct bytes cursor;  /* $CURSOR: the last nextCursor */
    struct bytes session; /* $SESSION: the last Mcp-Session-Id */
    struct bytes state;   /* $STATE: the last requestState */
    struct bytes task;    /* $TASK: the last taskId */
    struct bytes event;   /* $EVENT: the last id of an event */
};

/* Reads the file with the definitions of prelude.let in front. Says what is wrong and
 * exits when it cannot be read. */
void transcript_read(struct transcript *t, const char *path);
void transcript_free(struct transcript *t);

/* True when some exchange of the scene is run there. */
bool scene_has_wire(const struct scene *scene, enum wire wire);

/* The bytes to send: each line with `end` after it unless it is bare. */
void transcript_sent(const struct lines *lines, const struct memory *memory, const char *end, struct bytes *out);

/* Line number i with what is remembered filled in. */
void transcript_text(const struct lines *lines, size_t i, const struct memory *memory, struct bytes *out);

/* Keeps the nextCursor and Mcp-Session-Id of a response, if it has them. */
void memory_learn(struct memory *memory, const struct bytes *response);
void memory_free(struct memory *memory);

#endif
