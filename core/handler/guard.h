/* guard.h -- the rules of tools: what has to hold before a handler is called (guard.c, guard_limits.c, record.c).
 *
 * `judge` in guard.c is the only function that decides it, in one order; skri_guard_run is the only one that calls a
 * handler. Every tool call comes through it: tools/call, skills/execute, later calls of a job, replies, tasks. */
#ifndef SKR_GUARD_INTERNAL_H
#define SKR_GUARD_INTERNAL_H

#include "handler/tool_call.h"

/* How far the rules of a tool call have been checked. */
enum guard_phase {
    GUARD_NEW,      /* not at all */
    GUARD_ASKED,    /* a person is to confirm it */
    GUARD_ADMITTED, /* the handler may be called, again and again */
};

/* Why a tool call is refused, or what it waits for. */
struct skri_verdict {
    uint8_t reason; /* enum skr_reason; SKR_ENDED: nothing is against it */
    bool token;     /* SKR_DENIED: its token may only read (AUTH-04) */
#if SKR_GUARD
    bool confirm; /* a person has to confirm it first */
    const char *why;
    const struct skr_limit *limit; /* SKR_OVER_LIMIT: this one, */
    uint32_t left;                 /* what it has left, */
    uint32_t wait_s;               /* and when there is enough */
#endif
};

/* A request for this tool call has arrived. False when it is refused: then the response is made. */
bool skri_guard_arrive(struct skr_call *call, struct skr_tool_call *tool_call);

#if SKR_GUARD

/* Calls the handler, unless a rule is against it: then the output says so, or a client request is open. Returns what
 * the handler returns. */
int skri_guard_run(struct skr_call *call, struct skr_tool_call *tool_call);

/* The end of a text about a tool call whose handler was not called. */
#define SKRI_NOTHING_DONE "; nothing was done"

/* True when this lock (enum skr_lock) does not allow the tool. */
bool skri_guard_locks(uint8_t lock, const struct skr_tool *tool);

/* Ends the output of a tool call because the device was locked meanwhile. `asked`: a person was still being asked, so
 * nothing was done. */
void skri_guard_stop(struct skr_call *call, bool asked);

/* ---- Confirmation (guard_confirm.c) ---- */

enum confirmation { CONFIRM_OPEN, CONFIRM_REFUSED, CONFIRM_ACCEPTED };

/* Puts the text of a tool call that no person has confirmed. Returns CONFIRM_REFUSED. */
enum confirmation skri_guard_unconfirmed(struct skr_call *call, const char *why);

/* True if this client can ask a person. This and the next three need SKR_INTERACTIVE. */
bool skri_confirm_can(const struct skr_call *call);

/* Keeps the arguments of an initialize-era request until the reply, before they are decoded in place. False when they
 * are too long. */
bool skri_confirm_keep(struct skr_call *call, struct skr_tool_call *tool_call);

/* Asks a person to confirm these values; or reads the reply that is in this call. */
enum confirmation skri_confirm_now(struct skr_call *call, struct skr_tool_call *tool_call, const char *values);

/* Reads the reply in a later call of a job. When it accepts, the call has its arguments again. */
enum confirmation skri_confirm_later(struct skr_call *call, struct skr_tool_call *tool_call);

/* ---- Limits (guard_limits.c) ---- */

/* Of the server's device; NULL when no tool has rules. */
const struct skr_guard *skri_guard_of(const struct skr_server *s);

/* Adopts what was kept over the reset, or clears it. Call it once, when the server starts. */
void skri_guard_begin(struct skr_server *s);

/* Seconds since the memory was cleared; a reset does not set them back. */
uint32_t skri_guard_now_s(const struct skr_server *s);

/* How much of the limit this tool call would use. */
uint32_t skri_limit_amount(const struct skr_limit *limit, const void *values);

/* False when the limit has less than that left: *left, and in *wait_s when there will be enough; 0: never. */
bool skri_limit_allows(const struct skr_server *s, const struct skr_rules *rules, const struct skr_limit *limit,
                       uint32_t amount, uint32_t *left, uint32_t *wait_s);

/* Counts this tool call against its limits. */
void skri_limits_charge(struct skr_server *s, const struct skr_rules *rules, const void *values);

/* Makes the checksum of the memory again; call it after each change. */
void skri_guard_keep(const struct skr_server *s);

/* ---- The record of tool calls (record.c) ---- */

/* The chain of the last entry: SKR_DIGEST bytes in `kept`. */
const uint8_t *skri_record_chain(struct skr_kept *kept);

/* True when every entry fits its chain. */
bool skri_record_is_whole(const struct skr_device *d, struct skr_kept *kept);

/* Appends an entry: `how` is an enum skr_reason or an enum call_end. */
void skri_record_add(const struct skr_server *s, const struct skr_tool_call *tool_call, unsigned how, uint32_t ms);

#else

static inline int skri_guard_run(struct skr_call *call, struct skr_tool_call *tool_call)
{
    skri_tool_call_limit(&call->out, tool_call->tool);
    return tool_call->tool->run(call);
}

#endif

/* Bytes at the end of the job's buffer that hold the arguments until they are confirmed. */
static inline uint32_t skri_guard_kept(const struct skr_tool_call *tool_call)
{
#if SKR_GUARD
    return tool_call->kept;
#else
    (void)tool_call;
    return 0;
#endif
}

#endif
