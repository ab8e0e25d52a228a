/* device.c -- the handlers of the D1. What may be done, and when, is in tools/<name>.json: nothing here checks it. */
#include "device.h"

#define SKR_TOOLS_TABLE
#include "tools.h"

struct dispenser dispenser;

bool condition_lid_closed(void *context)
{
    const struct dispenser *d = context;

    return !d->lid_open;
}

int tool_dispense(struct skr_call *call, const struct tool_dispense_args *args)
{
    struct dispenser *d = skr_context(call);

    if (args == NULL) {
        return 0;
    }
    if (skr_planning(call)) {
        skr_putf(call, "would dispense %d ul from line %d", (int)args->volume_ul, (int)args->line);
        return 0;
    }
    d->moves++;
    d->dispensed_ul += args->volume_ul;
    skr_putf(call, "dispensed %d ul from line %d", (int)args->volume_ul, (int)args->line);
    return 0;
}

int tool_flush(struct skr_call *call, const struct tool_flush_args *args)
{
    struct dispenser *d = skr_context(call);

    if (args != NULL) {
        d->moves++;
        d->flushing = true;
        return SKR_PENDING;
    }
    if (d->flushing && !skr_cancelled(call) && skr_job_ms(call) < 50000) {
        return SKR_PENDING;
    }
    d->flushing = false;
    skr_put(call, "flushed");
    return 0;
}

int tool_rinse(struct skr_call *call, const struct tool_rinse_args *args)
{
    struct dispenser *d = skr_context(call);

    if (args == NULL) {
        return 0;
    }
    d->moves++;
    skr_putf(call, "rinsed the %s tip", args->tip == TOOL_RINSE_TIP_LEFT ? "left" : "right");
    return 0;
}

int tool_status(struct skr_call *call, const struct tool_status_args *args)
{
    const struct dispenser *d = skr_context(call);

    (void)args;
    skr_putf(call, "dispensed %d ul, moved %d times, lid %s", (int)d->dispensed_ul, (int)d->moves,
             d->lid_open ? "open" : "closed");
    return 0;
}

int tool_stop(struct skr_call *call, const struct tool_stop_args *args)
{
    struct dispenser *d = skr_context(call);

    (void)args;
    d->flushing = false;
    skr_put(call, "stopped");
    return 0;
}

int tool_turn_key(struct skr_call *call, const struct tool_turn_key_args *args)
{
    static const enum skr_lock locks[] = {SKR_UNLOCKED, SKR_LOCK_TO_READING, SKR_LOCK_ALL};
    static const char *const reasons[] = {"", "the key is at \"read\"; ask a person to turn it to \"run\"",
                                          "the machine is switched off; ask a person to switch it on"};
    struct dispenser *d = skr_context(call);

    if (args->has_to) {
        skr_server_lock(skr_call_server(call), locks[args->to], reasons[args->to]);
    }
    if (args->has_lid) {
        d->lid_open = args->lid == TOOL_TURN_KEY_LID_OPEN;
    }
    skr_put(call, "done");
    return 0;
}

const struct skr_device dispenser_device = {
    .tools = skr_tools,
    .tool_count = SKR_TOOL_COUNT,
    .resources = skr_resources,
    .resource_count = SKR_RESOURCE_COUNT,
    .changes = SKR_CHANGES_TOOLS,
    .context = &dispenser,
};
