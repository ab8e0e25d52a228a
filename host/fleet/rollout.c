/* rollout.c -- see rollout.h. */
#include "rollout.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "audit_log.h"
#include "builds.h"
#include "clock.h"
#include "console.h"
#include "json_edit.h"
#include "memory.h"
#include "presence.h"
#include "requests.h"
#include "rights.h"
#include "system.h"
#include "text/json_scan.h"
#include "text/span.h"
#include "tool_result.h"
#include "uplink.h"

#define TURN_MS 50u

enum target_state {
    TARGET_FOUND,
    TARGET_ASKED,    /* whether it can take the release */
    TARGET_HAS,      /* it has it */
    TARGET_CAN,      /* it can take it */
    TARGET_UPDATING, /* with --dry-run it is only read */
    TARGET_OTHER,    /* it is another product, or has no updates */
    TARGET_UNFIT,    /* it cannot take it now: away, other tools, ... */
    TARGET_FAILED,
    TARGET_STATES
};

/* A device that matches, in the order of ids. */
struct target {
    uint32_t device;
    uint8_t state; /* enum target_state */
};

/* One of the devices that are handled at a time. */
struct lane {
    struct target *target; /* NULL: the lane is free */
    bool ready;            /* the next request may be sent */
    bool promised;         /* the audit log has room for its line */
    uint64_t since_ms;
    struct client_update update;
};

static struct fleet_rollout *rollout;
static const struct client_release *release;
static struct lane lanes[FLEET_ROLLOUT_LANES];
static struct target *targets;
static uint32_t target_count, next_target, chosen, begun, failures, planned_bytes;
static uint32_t counts[TARGET_STATES];
static int signals = -1;
static bool stopped; /* by a signal, or because the audit log cannot be written */

#define EACH_LANE(l) for (struct lane *l = lanes; l < lanes + FLEET_ROLLOUT_LANES; l++)

void fleet_rollout_init(struct fleet_rollout *r)
{
    memset(r, 0, sizeof *r);
    r->share = FLEET_ROLLOUT_SHARE;
    r->failures = FLEET_ROLLOUT_FAILURES;
    r->parallel = FLEET_ROLLOUT_PARALLEL;
}

static unsigned release_number(void)
{
    return (unsigned)release->head.number;
}

static const char *name_of(const struct target *target)
{
    return fleet_registry.devices[target->device].id;
}

static void set_state(struct target *target, enum target_state state)
{
    counts[target->state]--;
    counts[state]++;
    target->state = (uint8_t)state;
}

/* ---- The terminal ---- */

static void clear_progress(void)
{
    if (isatty(STDERR_FILENO)) {
        (void)host_write_all(STDERR_FILENO, "\r\033[K", 4);
    }
}

static void show_progress(uint64_t now_ms)
{
    static uint64_t shown_ms;
    char line[200];
    int n = snprintf(line, sizeof line, "\r\033[K%u of %u devices", (unsigned)counts[TARGET_HAS],
                     (unsigned)(counts[TARGET_HAS] + chosen - begun + counts[TARGET_UPDATING]));

    if (chosen == 0 || host_console.quiet || !isatty(STDERR_FILENO) || now_ms - shown_ms < 200) {
        return;
    }
    shown_ms = now_ms;
    EACH_LANE(l)
    {
        if (l->target != NULL && n < 140) {
            n += snprintf(line + n, 56, ", %.40s %u%%", name_of(l->target),
                          (unsigned)((uint64_t)l->update.offset * 100 / release->head.size));
        }
    }
    (void)host_write_all(STDERR_FILENO, line, (size_t)n);
}

/* ---- One device ---- */

/* `outcome` is unknown before the update. */
static struct fleet_audit_entry entry_of(const struct lane *l, const char *outcome)
{
    static char text[12];

    (void)snprintf(text, sizeof text, "%u", release_number());
    return (struct fleet_audit_entry){
        .who = rollout->broker.user[0] != '\0' ? rollout->broker.user : NULL,
        .device = skr_span_of(name_of(l->target)),
        .what = "release",
        .name = skr_span_of(text),
        .arguments = release->head.sha256,
        .outcome = outcome,
        .ms = (uint32_t)(host_clock_ms() - l->since_ms),
    };
}

static void lane_begin(struct lane *l, struct target *target, enum target_state state, struct client_update_goal goal)
{
    l->target = target;
    l->ready = true;
    l->since_ms = host_clock_ms();
    set_state(target, state);
    client_update_start(&l->update, release, goal);
}

/* The device was asked whether it can take the release. */
static enum target_state end_check(const struct lane *l)
{
    switch (l->update.end) {
    case CLIENT_UPDATE_HAS: return TARGET_HAS;
    case CLIENT_UPDATE_CHECKED: return TARGET_CAN;
    case CLIENT_UPDATE_OTHER: return TARGET_OTHER;
    default: host_log("%s: left out: %s", name_of(l->target), l->update.why); return TARGET_UNFIT;
    }
}

static enum target_state end_plan(struct lane *l)
{
    if (l->update.end != CLIENT_UPDATE_PLANNED) {
        host_log("%s: failed: %s", name_of(l->target), l->update.why);
        return TARGET_FAILED;
    }
    uint32_t bytes = client_update_planned(&l->update);
    planned_bytes += bytes;
    host_log("%s: has release %u; %u bytes are to be sent", name_of(l->target), (unsigned)l->update.number,
             (unsigned)bytes);
    return TARGET_CAN;
}

static enum target_state end_update(struct lane *l)
{
    bool in_force = l->update.end == CLIENT_UPDATE_IN_FORCE || l->update.end == CLIENT_UPDATE_HAS;
    bool done = in_force || l->update.end == CLIENT_UPDATE_ON_TRIAL;
    const char *outcome = in_force                                 ? "in force"
                          : done                                   ? "on trial"
                          : l->update.end == CLIENT_UPDATE_GOES_ON ? "stopped"
                                                                   : "failed";
    struct fleet_audit_entry entry = entry_of(l, outcome);

    fleet_audit_call(&entry, l->promised);
    if (done) {
        host_log("%s: release %u is %s; %u bytes sent", name_of(l->target), release_number(), outcome,
                 (unsigned)l->update.sent);
        return TARGET_HAS;
    }
    host_log("%s: %s: %s", name_of(l->target), outcome,
             l->update.why[0] != '\0' ? l->update.why : "run this again to go on");
    return TARGET_FAILED;
}

static void lane_end(struct lane *l)
{
    struct target *target = l->target;
    enum target_state state;

    clear_progress();
    if (target->state == TARGET_ASKED) {
        state = end_check(l);
    } else {
        state = rollout->goal.dry_run ? end_plan(l) : end_update(l);
        failures += state == TARGET_FAILED;
    }
    set_state(target, state);
    l->target = NULL;
}

static void on_response(void *owner, enum fleet_outcome outcome, struct skr_span value)
{
    struct lane *l = owner;

    l->ready = true;
    switch (outcome) {
    case FLEET_OUTCOME_RESULT: client_update_result(&l->update, value); break;
    case FLEET_OUTCOME_ERROR:
        client_update_error(&l->update, host_json_int(skr_scan_get(value, "code")), skr_scan_get(value, "message"));
        break;
    case FLEET_OUTCOME_LOST:
    case FLEET_OUTCOME_LATE:
    case FLEET_OUTCOME_OFFLINE: client_update_lost(&l->update); break;
    default: client_update_give_up(&l->update, fleet_summary_of(outcome, value).why); break;
    }
}

/* Sends the next request of a lane, or ends it. */
static void lane_turn(struct lane *l, uint64_t now_ms)
{
    struct client_update_request next;

    if (l->target == NULL || !l->ready) {
        return;
    }
    if (!client_update_next(&l->update, &next)) {
        lane_end(l);
        return;
    }
    struct fleet_request request = {
        .device = l->target->device,
        .method = next.method,
        .params = {next.params + 1, strlen(next.params) - 2}, /* without the braces */
        .wait_ms = l->target->state == TARGET_ASKED ? 0 : rollout->wait_ms,
        .response_ms = rollout->response_ms,
        .done = on_response,
        .owner = l,
    };
    l->ready = false; /* until there is a response, perhaps before fleet_request_submit returns */
    if (!fleet_request_submit(&request, now_ms)) {
        l->ready = true; /* no room: again in the next turn */
    }
}

/* ---- The loop ---- */

static void wait_for_events(uint64_t now_ms)
{
    int fds[FLEET_CONNECTIONS];
    short events[FLEET_CONNECTIONS];
    struct pollfd all[FLEET_CONNECTIONS + 1];
    unsigned n = fleet_uplink_wants(fds, events);
    uint32_t wait_ms = fleet_uplink_wait_ms(now_ms);

    for (unsigned i = 0; i < n; i++) {
        all[i] = (struct pollfd){.fd = fds[i], .events = events[i]};
    }
    all[n] = (struct pollfd){.fd = signals, .events = POLLIN};
    (void)poll(all, n + 1, (int)(wait_ms < TURN_MS ? wait_ms : TURN_MS));
    stopped |= host_signals_next(signals) != 0;
}

static void rollout_turn(void)
{
    uint64_t now_ms = host_clock_ms();

    fleet_uplink_turn(now_ms);
    (void)fleet_presence_turn(now_ms);
    (void)fleet_requests_turn(now_ms);
    EACH_LANE(l)
    {
        lane_turn(l, now_ms);
    }
    show_progress(now_ms);
    wait_for_events(now_ms);
}

/* ---- Stages ---- */

/* The devices that are named without a wildcard and have not been announced; the first of them for a message. */
static bool lacks_named(char name[FLEET_ID])
{
    for (const char *p = rollout->patterns; *p != '\0';) {
        size_t n = strcspn(p, ",");
        if (n > 0 && n < FLEET_ID && strcspn(p, "*?") >= n &&
            fleet_registry_find((struct skr_span){p, n}) == FLEET_NO_DEVICE) {
            memcpy(name, p, n);
            name[n] = '\0';
            return true;
        }
        p += n + (p[n] == ',');
    }
    return false;
}

/* Waits until the broker has announced its devices: none for a moment, and each that is named. */
static bool gather_devices(void)
{
    char name[FLEET_ID];
    uint64_t start_ms = host_clock_ms(), last_ms = start_ms;
    uint32_t seen = 0;
    bool was_up = false, lacking = true;

    for (uint64_t now_ms = start_ms; !stopped; now_ms = host_clock_ms()) {
        if (seen != fleet_registry.count || fleet_uplink_is_up() != was_up) {
            seen = fleet_registry.count;
            was_up = fleet_uplink_is_up();
            last_ms = now_ms;
        }
        lacking = lacks_named(name);
        bool waited = host_waited(now_ms, start_ms, rollout->wait_ms);
        if (waited && !was_up) {
            host_log("%s: no connection to the broker", rollout->broker.shown);
            return false;
        }
        if (was_up && host_waited(now_ms, last_ms, FLEET_ROLLOUT_GATHER_MS) && (!lacking || waited)) {
            break;
        }
        rollout_turn();
    }
    if (lacking && !stopped) {
        host_log("%s: no device of this name has been announced at %s", name, rollout->broker.shown);
    }
    return !lacking && !stopped;
}

static bool take_targets(void)
{
    struct fleet_client matches = {.patterns = rollout->patterns};

    targets = fleet_memory((fleet_registry.count + 1) * sizeof *targets);
    if (targets == NULL) {
        host_log("no memory for %u devices: %s", (unsigned)fleet_registry.count, strerror(errno));
        return false;
    }
    for (uint32_t i = 0; i < fleet_registry.count; i++) {
        uint32_t device = fleet_registry.order[i];
        if (fleet_rights_see(&matches, &fleet_registry.devices[device])) {
            targets[target_count++].device = device;
            fleet_registry.devices[device].pins++; /* its row must stay */
        }
    }
    counts[TARGET_FOUND] = target_count;
    if (target_count == 0) {
        host_log("no device at %s matches %s", rollout->broker.shown, rollout->patterns);
    }
    return target_count > 0;
}

static struct target *find_target(enum target_state state)
{
    while (next_target < target_count && targets[next_target].state != state) {
        next_target++;
    }
    return next_target < target_count ? &targets[next_target] : NULL;
}

/* Handles the targets in state `from`, at most `parallel` at a time, each in state `to` meanwhile. Begins one only if
 * `may_begin` allows it; NULL allows all. Ends when none is handled and none can begin. */
static void run_stage(enum target_state from, enum target_state to, struct client_update_goal goal, uint32_t parallel,
                      bool (*may_begin)(struct lane *l, struct target *target))
{
    bool busy = true;

    next_target = 0;
    while (busy && !stopped) {
        busy = false;
        for (struct lane *l = lanes; l < lanes + parallel; l++) {
            struct target *target = l->target == NULL ? find_target(from) : NULL;
            if (target != NULL && (may_begin == NULL || may_begin(l, target))) {
                lane_begin(l, target, to, goal);
            }
            busy |= l->target != NULL;
        }
        rollout_turn();
    }
}

/* True when the next device may be updated. Its line of the audit log is promised first: nothing is sent without it. */
static bool may_update(struct lane *l, struct target *target)
{
    if (begun == chosen || failures >= rollout->failures) {
        return false;
    }
    if (!rollout->goal.dry_run) {
        l->target = target;
        struct fleet_audit_entry entry = entry_of(l, "unknown");
        l->promised = fleet_audit_promise(&entry);
        l->target = NULL;
        stopped |= !l->promised;
    }
    begun += !stopped;
    return !stopped;
}

/* How many devices are to be updated, so that the share of them has the release. */
static uint32_t choose_count(void)
{
    uint64_t fit = (uint64_t)counts[TARGET_HAS] + counts[TARGET_CAN];
    uint64_t wanted = (fit * rollout->share + 99) / 100;

    return wanted > counts[TARGET_HAS] ? (uint32_t)(wanted - counts[TARGET_HAS]) : 0;
}

static void print_survey(void)
{
    host_log("%s: release %u of %u bytes: of %u devices %u have it, %u can take it, %u are left out, %u are of other "
             "products; %u to update",
             release->path, release_number(), (unsigned)release->head.size, (unsigned)target_count,
             (unsigned)counts[TARGET_HAS], (unsigned)counts[TARGET_CAN], (unsigned)counts[TARGET_UNFIT],
             (unsigned)counts[TARGET_OTHER], (unsigned)chosen);
}

/* Lanes that a signal has interrupted. */
static void stop_lanes(void)
{
    EACH_LANE(l)
    {
        if (l->target != NULL) {
            fleet_requests_forget(l);
            if (l->target->state == TARGET_UPDATING && !rollout->goal.dry_run) {
                lane_end(l);
            }
            l->target = NULL;
        }
    }
}

static bool print_end(void)
{
    uint32_t left = counts[TARGET_CAN] + counts[TARGET_FAILED];

    clear_progress();
    if (rollout->goal.dry_run) {
        host_log("nothing was changed; %u bytes are to be sent to %u devices", (unsigned)planned_bytes,
                 (unsigned)chosen);
        return failures == 0 && !stopped;
    }
    host_log("release %u is %s on %u of %u devices%s", release_number(),
             rollout->goal.confirm ? "in force" : "on trial", (unsigned)counts[TARGET_HAS],
             (unsigned)(counts[TARGET_HAS] + left),
             stopped                         ? "; stopped: run this again to go on"
             : failures >= rollout->failures ? "; stopped after failures"
             : failures == 0 && left > 0     ? "; run this again with a larger --share to go on"
                                             : "");
    return failures == 0 && !stopped;
}

static bool run_stages(void)
{
    struct client_update_goal check = rollout->goal;

    check.check = true;
    if (!gather_devices() || !take_targets()) {
        return false;
    }
    run_stage(TARGET_FOUND, TARGET_ASKED, check, FLEET_ROLLOUT_LANES, NULL);
    chosen = choose_count();
    if (!stopped) {
        print_survey();
        run_stage(TARGET_CAN, TARGET_UPDATING, rollout->goal, rollout->parallel, may_update);
    }
    stop_lanes();
    if (counts[TARGET_HAS] + counts[TARGET_CAN] + counts[TARGET_FAILED] == 0) {
        host_log("no device can take this release");
        return false;
    }
    return print_end();
}

bool fleet_rollout_run(struct fleet_rollout *r, const struct client_release *with)
{
    sigset_t ends;

    rollout = r;
    release = with;
    host_signals_to_end(&ends);
    signals = host_signals_open(&ends);
    if (signals < 0) {
        host_log("cannot wait for signals: %s", strerror(errno));
        return false;
    }
    if (!mqtt_broker_password(&r->broker) || !fleet_registry_open(FLEET_DEVICES) || !fleet_builds_open(FLEET_BUILDS) ||
        (r->audit_log != NULL && !fleet_audit_open(r->audit_log)) ||
        !fleet_presence_open(&r->broker, host_clock_ms())) {
        return false;
    }
    bool done = run_stages();
    fleet_uplink_close();
    return done;
}
