/* script.h -- what a fuzzer's input means where it drives connections: bytes to send, and between them operations.
 *
 * 0xFE OP ARG is an operation; 0xFE with one of "STRCQ" stands for a value that the server has given before and no client could guess:
 * session, task, state, cursor, id of a question. Every other byte is sent as it is. */
#ifndef FUZZ_SCRIPT_H
#define FUZZ_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the server has told one peer. Several connections may belong to a peer: HTTP has sessions. */
struct given {
    char value[5][256];
};

/* Looks for such values in what was just sent. */
void given_learn(struct given *g, const char *bytes, size_t n);

struct script {
    const uint8_t *at, *end;
};

/* The next stretch: its bytes, at most `room` of them, into `bytes`; what follows them in *op and *arg, 0 at the end. */
size_t script_next(struct script *s, const struct given *g, char *bytes, size_t room, uint8_t *op, uint8_t *arg);

/* Makes a POST of a message as a client would. `how`: bits of enum post_how. Returns its length, or 0 if it does not fit. */
enum post_how {
    POST_MODERN = 1,  /* the headers of 2026-07-28 */
    POST_SESSION = 2, /* the session that was given */
    POST_CHUNKED = 4, /* the body in two chunks */
    POST_CLOSE = 8,   /* Connection: close */
    POST_TOKEN = 16,  /* a token with all rights; else one that only reads */
    POST_GET = 32,    /* the stream of a session instead */
    POST_RESUME = 64, /* from an event on */
    POST_NO_TOKEN = 128,
};
size_t script_post(const struct given *g, const char *body, size_t n, uint8_t how, char *to, size_t room);

#endif
