/* elicitor.h -- a device whose handlers ask and tell, and two connections to it, for test_client_request*.c.
 *
 * A connection is named by its number, 0 or 1. The clock is a number that the tests move. */
#ifndef ELICITOR_H
#define ELICITOR_H

#include "skillrom.h"

#define ASKER_CAN "{\"elicitation\":{},\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}"
#define ASKER_META                                                                                                     \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                           \
    "\"io.modelcontextprotocol/clientCapabilities\":" ASKER_CAN "}"

extern struct skr_server asker_server;
extern struct skr_conn asker_conns[3];
extern char asker_session[33]; /* of HTTP; empty: none yet */

/* What handlers do. */
extern struct asker_does {
    unsigned interim; /* so many does `tell` tell in each call */
    size_t chatter;   /* so long is each message of `chat`, the second question of `both` and those of `nag` */
    bool closed;      /* `close` could close its stream */
    int (*run)(
        struct skr_call *
            call); /* what `any`, `only`, which is not parallel, `little`, with 40 bytes of output, `large`, with all there is, and `exact`, which promises structured content, do */
} asker_does;

/* The device, for tests that give it more than asker_start does. */
extern struct skr_device asker_device;

/* The message of `chat` with this value: one letter, again and again. The second question of `both`: numbers. */
const char *asker_chatter(int32_t value);
const char *asker_elicitation(void);

/* A new server with its image, and two open lines. */
void asker_start(void);

/* Lets the time pass. What skr_server_tick says. */
bool asker_tick(uint32_t ms);

/* ---- Saying ---- */

void asker_send(int which, const char *text);

/* A handshake of this version on this connection, a line. */
void asker_shake_hands_as(int which, const char *version);

/* On line 0: a call of a tool with more members of params, if any; a handshake of 2025-11-25; a call after it. */
void asker_call_modern(const char *name, const char *members);
void asker_shake_hands(void);
void asker_call_legacy(const char *name);

/* Over HTTP, of the session when there is one; the handshake on connection 0 begins it. */
void asker_open_http(int which);
void asker_post(int which, const char *body);
void asker_shake_hands_over_http(void);
void asker_begin_session(const char *version); /* the same with this version; the session before goes on */

/* Comes back on a new connection for the rest of a stream. */
void asker_resume(int which, const char *event);

/* ---- Hearing ---- */

/* What has come out on the connection since this was last asked; all there is of it, or one byte more of it. The
 * second: false when there was none. */
const char *asker_heard(int which);
bool asker_hear_a_byte(int which);

/* What has come out has this part. */
void asker_expect(int which, const char *part);

#endif
