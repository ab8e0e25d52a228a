/* work.h -- a device whose handlers take their time, and two connections to it, for test_job*.c.
 *
 * A connection is named by its number, 0 or 1. The clock is a number that the tests move. */
#ifndef WORK_H
#define WORK_H

#include "skillrom.h"

extern struct skr_server work_server;
extern struct skr_conn work_conns[2];

/* What handlers were told and did. */
extern struct work_seen {
    bool let_go; /* the stubborn one may end */
    bool deny;
    bool cancelled; /* as the handler saw it */
    unsigned calls;
    char record[512];
} work_seen;

/* A new server with its image, and two open lines. */
void work_start(void);

/* Lets the time pass. What skr_server_tick says. */
bool work_tick(uint32_t ms);

/* ---- Saying ---- */

void work_send(int which, const char *text);
void work_request(int which, const char *id, const char *method, const char *members);
void work_call(int which, const char *id, const char *tool, const char *arguments);
void work_execute(int which, const char *id, const char *script, const char *arguments);

/* ---- Hearing ---- */

/* What has come out on the connection since this was last asked. */
const char *work_heard(int which);

/* It is one message, and has this part; it is nothing; it is the error of a script with this reason. */
void work_expect(int which, const char *part);
void work_expect_silence(int which);
void work_expect_reason(int which, const char *script, const char *reason);

#endif
