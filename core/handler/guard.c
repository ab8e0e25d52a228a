/* guard.c -- what has to hold before a handler is called, and the only place that calls one. See guard.h. */
#include "handler/guard.h"

#include <string.h>

#include "handler/client_request.h"
#include "handler/handler.h"
#include "handler/job_state.h"
#include "handler/tool_call.h"
#include "response/rights.h"
#include "text/encode.h"

#if SKR_GUARD
#include "sha256.h"
#endif

#define DENIED "denied by this device"

/* ---- Rules ---- */

#if SKR_GUARD

static struct skri_verdict refusal(enum skr_reason reason, const char *why)
{
    struct skri_verdict verdict = {.reason = (uint8_t)reason, .why = why};

    return verdict;
}

bool skr_planning(const struct skr_call *call)
{
    return call->plan;
}

bool skri_guard_locks(uint8_t lock, const struct skr_tool *tool)
{
    if (lock == SKR_UNLOCKED || (tool->rules != NULL && (tool->rules->flags & SKR_RULE_WHILE_LOCKED) != 0)) {
        return false;
    }
    return lock == SKR_LOCK_ALL || !tool->read_only;
}

/* A tool that excludes this one and is at work, or NULL. */
static const char *excluded_by(const struct skr_call *call, const struct skr_rules *rules)
{
    const struct skr_server *s = call->srv;

    for (const struct skr_job *job = s->jobs; job < s->jobs_end; job++) {
        if (job == call->job || !skri_job_runs(job) || job->call.phase != GUARD_ADMITTED) {
            continue;
        }
        for (const char *const *name = rules->excludes; *name != NULL; name++) {
            if (skr_span_is(skr_span_of(*name), job->call.tool->name)) {
                return *name;
            }
        }
    }
    return NULL;
}

static struct skri_verdict judge_limits(const struct skr_call *call, const struct skr_rules *rules, const void *values)
{
    struct skri_verdict verdict = {.reason = SKR_ENDED};

    for (unsigned i = 0; verdict.reason == SKR_ENDED && i < rules->limit_count; i++) {
        const struct skr_limit *limit = &rules->limits[i];
        uint32_t amount = skri_limit_amount(limit, values);
        if (!skri_limit_allows(call->srv, rules, limit, amount, &verdict.left, &verdict.wait_s)) {
            verdict.reason = SKR_OVER_LIMIT;
            verdict.limit = limit;
        }
    }
    return verdict;
}

/* Judges the rules that need the arguments, or change while a person is asked. `values` is NULL when the tool call has run
 * before and comes back with its state: limits and confirmation have been decided by then. */
static struct skri_verdict judge_rules(const struct skr_call *call, const struct skr_tool_call *tool_call,
                                       const void *values)
{
    const struct skr_rules *rules = tool_call->tool->rules;
    void *context = call->srv->device->context;

    for (unsigned i = 0; i < rules->require_count; i++) {
        if (!rules->conditions[i].holds(context)) {
            return refusal(SKR_NOT_READY, rules->conditions[i].otherwise);
        }
    }
    const char *other = rules->excludes != NULL ? excluded_by(call, rules) : NULL;
    if (other != NULL) {
        return refusal(SKR_EXCLUDED, other);
    }
    if (values == NULL) {
        return (struct skri_verdict){.reason = SKR_ENDED};
    }
    struct skri_verdict verdict = judge_limits(call, rules, values);
    verdict.confirm = verdict.reason == SKR_ENDED && rules->confirm != NULL && !tool_call->plan;
    return verdict;
}
#endif

/* ---- The order of checks ---- */

/* Decides about a tool call: rights, lock, plan; and before the handler, with its arguments in `values` (see
 * judge_rules), conditions, excluded tools, limits and confirmation. Changes nothing. */
static struct skri_verdict judge(const struct skr_call *call, const struct skr_tool_call *tool_call, bool arrival,
                                 const void *values)
{
    const struct skr_device *d = call->srv->device;
    const struct skr_tool *tool = tool_call->tool;

    bool from_client = !SKR_GUARD || call->conn != NULL; /* not in a later call of a job, whose rights were decided */

    if (SKR_AUTH && from_client && skri_only_reads(call->conn) && !tool->read_only) { /* AUTH-04 */
        return (struct skri_verdict){.reason = SKR_DENIED, .token = true};
    }
    bool denied = SKR_READ_ONLY && !tool->read_only;
    if (denied || (d->allow != NULL && from_client && !d->allow(d->context, call->conn, tool->name))) {
        return (struct skri_verdict){.reason = SKR_DENIED};
    }
#if SKR_GUARD
    if (skri_guard_locks(call->srv->guard.lock, tool)) {
        return refusal(SKR_LOCKED, call->srv->guard.reason);
    }
    if (tool_call->plan && (tool->rules == NULL || (tool->rules->flags & SKR_RULE_PLAN) == 0)) {
        return refusal(SKR_NOT_PLANNED, "cannot plan: its JSON has no \"plan\": true");
    }
    if (!arrival && tool->rules != NULL) {
        return judge_rules(call, tool_call, values);
    }
#else
    (void)arrival;
    (void)values;
#endif
    return (struct skri_verdict){.reason = SKR_ENDED};
}

/* ---- Calling handlers ---- */

#if SKR_GUARD

/* After "over its limit: ": "3000 of 50000 volume_ul left in 3600 s; call it again in 1200 s", or "once in 10 s; call
 * it again in 4 s". */
static void put_limit(struct skr_call *call, const struct skri_verdict *verdict)
{
    const struct skr_limit *limit = verdict->limit;

    if (limit->max > 0) {
        skr_put_fixed(call, verdict->left, limit->decimals);
        skr_put(call, " of ");
        skr_put_fixed(call, limit->max, limit->decimals);
        skr_put(call, " ");
        skr_put(call, limit->what);
    }
    skr_put(call, limit->max > 0 ? " left in " : "once in ");
    skr_put_int(call, limit->period_s);
    if (verdict->wait_s > 0) {
        skr_put(call, " s; call it again in ");
        skr_put_int(call, verdict->wait_s);
    }
    skr_put(call, " s");
}

/* Puts the text of a verdict that is against the tool call. */
static void guard_refuse(struct skr_call *call, const struct skri_verdict *verdict)
{
    static const char *const begins[] = {
        [SKR_LOCKED - SKR_LOCKED] = "locked: ",
        [SKR_NOT_PLANNED - SKR_LOCKED] = "",
        [SKR_NOT_READY - SKR_LOCKED] = "not ready: ",
        [SKR_EXCLUDED - SKR_LOCKED] = "not while this tool is at work: ",
        [SKR_OVER_LIMIT - SKR_LOCKED] = "over its limit: ",
        [SKR_NOT_CONFIRMED - SKR_LOCKED] = "not confirmed: ",
    };

    if (verdict->reason == SKR_DENIED) {
        skr_stop(call, SKR_DENIED, DENIED);
        return;
    }
    skr_stop(call, (enum skr_reason)verdict->reason, begins[verdict->reason - SKR_LOCKED]);
    if (verdict->limit != NULL) {
        put_limit(call, verdict);
    } else {
        skr_put(call, verdict->why != NULL ? verdict->why : "this device");
    }
    skr_put(call, SKRI_NOTHING_DONE);
}

void skri_guard_stop(struct skr_call *call, bool asked)
{
    const char *reason = call->srv->guard.reason;

    skr_stop(call, SKR_LOCKED, "stopped: the device is locked: ");
    skr_put(call, reason != NULL ? reason : "");
    skr_put(call, asked ? SKRI_NOTHING_DONE : "");
}

static bool read_values(struct skr_call *call, const struct skr_rules *rules, void *values)
{
    return rules->shape == NULL || skr_args_read(call, rules->shape, values);
}

enum confirmation skri_guard_unconfirmed(struct skr_call *call, const char *why)
{
    struct skri_verdict verdict = {.reason = SKR_NOT_CONFIRMED, .why = why};

    guard_refuse(call, &verdict);
    return CONFIRM_REFUSED;
}

/* A person has to confirm these values. Where the client cannot ask one, "withoutPerson" of the tool decides. */
static enum confirmation confirm(struct skr_call *call, struct skr_tool_call *tool_call, const char *values)
{
    if (SKR_INTERACTIVE && skri_confirm_can(call)) {
        return skri_confirm_now(call, tool_call, values);
    }
    return (tool_call->tool->rules->flags & SKR_RULE_WITHOUT_PERSON) != 0
               ? CONFIRM_ACCEPTED
               : skri_guard_unconfirmed(call, "a person must confirm it, and this client cannot ask one");
}

/* Checks the rules, after which the handler may be called. */
static enum confirmation admit(struct skr_call *call, struct skr_tool_call *tool_call)
{
    const struct skr_rules *rules = tool_call->tool->rules;
    uint64_t values[SKR_RULE_ARGUMENTS / sizeof(uint64_t)];
    enum confirmation confirmed = CONFIRM_OPEN;

    if (!skr_args_are_there(call)) {
        confirmed = SKR_INTERACTIVE ? skri_confirm_later(call, tool_call) : CONFIRM_REFUSED;
        if (confirmed != CONFIRM_ACCEPTED) {
            return confirmed;
        }
    } else if (SKR_INTERACTIVE && !skri_confirm_keep(call, tool_call)) {
        return skri_guard_unconfirmed(call, "its arguments are too long to be kept until a person has replied");
    }
    if (!read_values(call, rules, values)) {
        return CONFIRM_REFUSED;
    }
    struct skri_verdict verdict = judge(call, tool_call, false, values);
    if (verdict.reason != SKR_ENDED) {
        guard_refuse(call, &verdict);
        return CONFIRM_REFUSED;
    }
    if (verdict.confirm && confirmed != CONFIRM_ACCEPTED) {
        confirmed = confirm(call, tool_call, (const char *)values);
        if (confirmed != CONFIRM_ACCEPTED) {
            return confirmed;
        }
    }
    if (!tool_call->plan) {
        skri_limits_charge(call->srv, rules, values);
    }
    return CONFIRM_ACCEPTED;
}

/* A tool call whose state was with its client: meanwhile it was not at work here, and others may be. */
static bool may_go_on(struct skr_call *call, struct skr_tool_call *tool_call)
{
    if (tool_call->tool->rules == NULL || tool_call->phase != GUARD_ADMITTED || !skr_args_are_there(call)) {
        return true;
    }
    struct skri_verdict verdict = judge(call, tool_call, false, NULL);
    if (verdict.reason != SKR_ENDED) {
        guard_refuse(call, &verdict);
    }
    return verdict.reason == SKR_ENDED;
}

int skri_guard_run(struct skr_call *call, struct skr_tool_call *tool_call)
{
    call->plan = tool_call->plan;
    if (!may_go_on(call, tool_call)) {
        return 0;
    }
    if (tool_call->tool->rules != NULL && tool_call->phase != GUARD_ADMITTED) {
        enum confirmation admitted =
            skr_cancelled(call) ? CONFIRM_REFUSED : admit(call, tool_call); /* nobody waits: it is over */
        if (admitted != CONFIRM_ACCEPTED) {
            return admitted == CONFIRM_OPEN ? SKR_PENDING : 0;
        }
        tool_call->phase = GUARD_ADMITTED;
        call->replies = -1; /* none of them is to a request of the handler */
    }
    skri_tool_call_limit(&call->out, tool_call->tool); /* of its result: a refusal is as long as it must be */
    return tool_call->tool->run(call);
}

#endif

/* ---- Arrival ---- */

#if SKR_GUARD

/* Keeps for the record who sends the tool call and a digest of its arguments, and whether it is a plan. */
static void keep_arrival(struct skr_call *call, struct skr_tool_call *tool_call)
{
    int plan = skr_json_get(&call->json, call->given[SKR_PARAM_META], "_plan");
    struct skr_span text = skr_args_json(call);
    uint8_t digest[ROMFS_SHA256_SIZE];

    tool_call->plan = plan >= 0;
    if (plan >= 0) { /* anything but false is a plan: nothing moves by mistake */
        bool wanted = true;
        tool_call->plan = !skr_json_boolean(&call->json, plan, &wanted) || wanted;
    }
    if (skri_guard_of(call->srv) == NULL) {
        return;
    }
    romfs_sha256_of(text.p, text.n, digest);
    memcpy(tool_call->arguments, digest, sizeof tool_call->arguments);
    if (SKR_AUTH) {
        memcpy(tool_call->who, skri_who_id(call->conn), sizeof tool_call->who);
    }
}

#endif

bool skri_guard_arrive(struct skr_call *call, struct skr_tool_call *tool_call)
{
#if SKR_GUARD
    keep_arrival(call, tool_call);
#endif
    struct skri_verdict verdict = judge(call, tool_call, true, NULL);
    if (verdict.token) {
        skri_rpc_error(call, SKR_NO_RIGHT, skr_span_of(tool_call->tool->name));
#if SKR_GUARD
        skri_tool_call_record(call->srv, tool_call, &call->out, SKR_DENIED, 0);
#endif
        return false;
    }
    if (verdict.reason != SKR_ENDED) {
#if SKR_GUARD
        guard_refuse(call, &verdict);
#else
        (void)skr_stop(call, SKR_DENIED, DENIED);
#endif
        skri_tool_call_refused(call, tool_call);
        return false;
    }
    return true;
}
