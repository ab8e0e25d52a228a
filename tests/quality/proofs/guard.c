/* function:  skri_guard_run, skri_guard_arrive, skri_tool_call_start, _permitted
 * property:  any rules, any state of the machine, any reply: a handler is called only after every rule was found to hold, and charged once
 * bound:     1
 * unwind:    3
 * flags:     -DSKR_PROFILE_FULL -DSKR_GUARD=1 -DSKR_JOBS=2 -DSKR_TASKS=0 -DSKR_HTTP=0 -DSKR_CHANGES=0 -DSKR_EXTRAS=0 -DSKR_DIALECTS=0 -DSKR_DEFLATE=0
 * break:     core/handler/guard.c: tool_call->phase != GUARD_ADMITTED) { -> tool_call->phase == GUARD_NEW) {
 * break:     core/handler/guard.c: if (skri_guard_locks(call->srv->guard.lock, tool)) { -> if (!arrival && skri_guard_locks(call->srv->guard.lock, tool)) {
 * break:     core/handler/guard.c: if (verdict.confirm && confirmed != CONFIRM_ACCEPTED) { -> if (verdict.confirm && confirmed == CONFIRM_OPEN && !call->modern) {
 * break:     core/handler/guard.c: if (!rules->conditions[i].holds(context)) { -> if (i > 0 && !rules->conditions[i].holds(context)) {
 * break:     core/handler/guard.c: if (!tool_call->plan) { -> if (tool_call->plan) {
 * break:     core/handler/guard.c: !d->allow(d->context, call->conn, tool->name) -> false
 * break:     core/handler/guard.c: (d->allow != NULL && from_client -> (d->allow != NULL && !arrival
 * break:     core/handler/guard.c: const char *other = rules->excludes != NULL ? excluded_by(call, rules) : NULL; -> const char *other = NULL;
 * break:     core/handler/tool_call.c: bool pending = skri_guard_run(call, tool_call) -> bool pending = tool_call->tool->run(call)
 * break:     core/handler/guard.c: skr_cancelled(call) ? CONFIRM_REFUSED : admit(call, tool_call); -> CONFIRM_ACCEPTED;
 */
#include "small.h"

#undef SKR_RULE_ARGUMENTS
#define SKR_RULE_ARGUMENTS 8

#include "../../../core/handler/guard.c"
#include "../../../core/handler/job_state.h"
#include "../../../core/handler/tool_call.c"

static struct skr_server server;
static struct skr_conn conn;
static struct skr_response response;
static struct skr_legacy legacy;
static struct skr_tool tool;
static struct skr_rules rules;
static struct skr_condition conditions[1];
static struct skr_limit limits[1];
static struct skr_device device;
static struct skr_tool_call called;

/* What was found of this tool call since its handler may be called. */
static struct {
    bool allowed;  /* by the device */
    bool held;     /* the condition */
    bool alone;    /* no excluded tool is at work */
    bool within;   /* the limit */
    bool accepted; /* a person */
    bool can;      /* one could be asked */
    unsigned charged;
    unsigned runs;
    bool admitted_before; /* the rules were checked in an earlier call */
} seen;

static int handler(struct skr_call *call)
{
    const struct skr_tool_call *it = call->job != NULL ? &call->job->call : &called;

    seen.runs++;
    PROVE(device.allow == NULL || seen.allowed);
    PROVE(call->plan == it->plan);
    if (tool.rules != NULL && !seen.admitted_before) {
        PROVE(it->phase == GUARD_ADMITTED);
        PROVE(seen.within && seen.held && seen.alone);
        PROVE(it->plan ? (rules.flags & SKR_RULE_PLAN) != 0 : seen.charged == 1);
        PROVE(rules.confirm == NULL || it->plan || seen.accepted ||
              (!seen.can && (rules.flags & SKR_RULE_WITHOUT_PERSON) != 0));
        PROVE(!skri_guard_locks(call->srv->guard.lock, &tool));
        seen.admitted_before = true; /* the rest of this tool call */
    }
    call->out.final = nondet_bool();
    return nondet_bool() ? SKR_PENDING : 0;
}

static bool holds(void *context)
{
    return seen.held = nondet_bool();
}

/* ---- What the proof leaves open ---- */

bool skr_args_read(struct skr_call *call, const struct skr_object *shape, void *to)
{
    return nondet_bool();
}

bool skri_limit_allows(const struct skr_server *s, const struct skr_rules *r, const struct skr_limit *limit,
                       uint32_t amount, uint32_t *left, uint32_t *wait_s)
{
    return seen.within = nondet_bool();
}

void skri_limits_charge(struct skr_server *s, const struct skr_rules *r, const void *values)
{
    seen.charged++;
}

uint32_t skri_limit_amount(const struct skr_limit *limit, const void *values)
{
    return nondet_u32();
}

const struct skr_guard *skri_guard_of(const struct skr_server *s)
{
    return NULL;
}

bool skri_confirm_can(const struct skr_call *call)
{
    return seen.can = nondet_bool();
}

bool skri_confirm_keep(struct skr_call *call, struct skr_tool_call *tool_call)
{
    return nondet_bool();
}

static enum confirmation any_confirmation(struct skr_tool_call *tool_call)
{
    enum confirmation any = nondet_bool() ? CONFIRM_ACCEPTED : nondet_bool() ? CONFIRM_REFUSED : CONFIRM_OPEN;

    tool_call->phase = GUARD_ASKED;
    seen.accepted |= any == CONFIRM_ACCEPTED;
    return any;
}

enum confirmation skri_confirm_now(struct skr_call *call, struct skr_tool_call *tool_call, const char *values)
{
    return any_confirmation(tool_call);
}

enum confirmation skri_confirm_later(struct skr_call *call, struct skr_tool_call *tool_call)
{
    return any_confirmation(tool_call);
}

/* Nothing is written or sent here. */
int skr_stop(struct skr_call *call, enum skr_reason reason, const char *why)
{
    call->out.reason = (uint8_t)reason;
    return 0;
}

void skr_put(struct skr_call *call, const char *text)
{
}

void skr_put_fixed(struct skr_call *call, int64_t value, unsigned decimals)
{
}

void skr_put_int(struct skr_call *call, int64_t value)
{
}

bool skr_span_is(struct skr_span s, const char *text)
{
    return s.n == 1 && *s.p == *text;
}

bool skr_args_are_there(const struct skr_call *call)
{
    return call->params >= 0;
}

struct skr_span skr_args_json(struct skr_call *call)
{
    return (struct skr_span){"{}", 2};
}

int skr_json_get(const struct skr_json *json, int object, const char *key)
{
    return nondet_bool() ? 1 : -1;
}

bool skr_json_is_object(const struct skr_json *json, int token)
{
    return nondet_bool();
}

bool skr_json_boolean(const struct skr_json *json, int token, bool *out)
{
    *out = nondet_bool();
    return nondet_bool();
}

void romfs_sha256_of(const void *bytes, size_t n, uint8_t digest[ROMFS_SHA256_SIZE])
{
}

void skri_rpc_error_about(struct skr_call *call, enum skr_rpc_error error, const char *p, size_t n)
{
    call->response->envelope.error = (uint8_t)error;
}

void skri_record_add(const struct skr_server *s, const struct skr_tool_call *tool_call, unsigned how, uint32_t ms)
{
}

void skri_tool_call_record(const struct skr_server *srv, const struct skr_tool_call *tool_call,
                           const struct skr_output *out, unsigned how, uint32_t ms)
{
}

void skri_tool_call_refused(struct skr_call *call, const struct skr_tool_call *tool_call)
{
}

void skri_tool_call_limit(struct skr_output *out, const struct skr_tool *t)
{
}

void skri_end_needs_job(struct skr_call *call)
{
}

/* The slot of another tool, which this one excludes. */
static void other_at_work(void)
{
    static const struct skr_tool other = {.name = "o"};
    struct skr_job *job = &server.jobs[1];

    job->call.tool = &other;
    job->call.phase = nondet_bool() ? GUARD_ADMITTED : GUARD_ASKED;
    job->state = nondet_bool() ? JOB_WORKING : nondet_bool() ? JOB_STOPPING : JOB_FREE;
    seen.alone = rules.excludes == NULL || job->call.phase != GUARD_ADMITTED || job->state == JOB_FREE;
}

/* job.c: the first call of a handler, and a later one. In a slot that was free, or that begins with a state that this device has
 * sealed and that has not come before (request_state.c). */
void skri_job_start(struct skr_call *call, const struct skr_tool_call *tool_call)
{
    static struct skr_call later;
    struct skr_job *job = &server.jobs[0];

    job->call = *tool_call;
    job->state = JOB_STARTING;
    if (nondet_bool()) {
        job->call.phase = nondet_bool() ? GUARD_ASKED : GUARD_ADMITTED;
        seen.admitted_before = job->call.phase == GUARD_ADMITTED;
    }
    call->job = job;
    if (skri_guard_run(call, &job->call) != SKR_PENDING) {
        return;
    }
    job->state = nondet_bool() ? JOB_WORKING : JOB_STOPPING;
    server.guard.lock = nondet_u8() % 3;
    other_at_work();
    seen.held = seen.within = false;
    later.srv = &server;
    later.response = &response;
    later.job = job;
    later.conn = nondet_bool() ? &conn : NULL;
    later.params = -1;
    (void)skri_guard_run(&later, &job->call);
}

bool skr_cancelled(const struct skr_call *call)
{
    return call->job != NULL && call->job->state == JOB_STOPPING;
}

static void make_response(struct skr_response *a, const struct skr_tool_call *it, struct skr_output *out)
{
}

static bool allow(void *context, const struct skr_conn *from, const char *name)
{
    return seen.allowed = nondet_bool();
}

int main(void)
{
    static const struct skr_backend backend = {.make_response = make_response};
    struct skr_call call = {.srv = &server, .conn = &conn, .response = &response, .legacy = &legacy};

    conditions[0].holds = holds;
    static const char *const excludes[] = {"o", NULL};

    rules = (struct skr_rules){.confirm = nondet_bool() ? "?" : NULL,
                               .excludes = nondet_bool() ? excludes : NULL,
                               .conditions = conditions,
                               .limits = limits,
                               .shape = nondet_bool() ? (const struct skr_object *)&rules : NULL,
                               .require_count = 1,
                               .limit_count = 1,
                               .flags = nondet_u8()};
    tool = (struct skr_tool){.name = "t",
                             .run = handler,
                             .deadline_ms = nondet_bool() ? 5 : 0,
                             .read_only = nondet_bool(),
                             .rules = nondet_bool() ? &rules : NULL};
    device.allow = nondet_bool() ? allow : NULL;
    server.device = &device;
    server.backend = &backend;
    server.jobs_end = server.jobs + 2;
    other_at_work();
    server.guard.lock = nondet_u8() % 3;
    call.modern = nondet_bool();
    bool locked = skri_guard_locks(server.guard.lock, &tool);
    called.tool = &tool;
    skri_tool_call_start(&call, &called);
    PROVE(!locked || seen.runs == 0);
    return 0;
}
