/* pump.c -- what a transfer pump of the swarm does. */
#include "../devices.h"

#define SKR_TOOLS_TABLE
#include "tools.h"

const struct skr_device swarm_pump = {.tools = skr_tools, .tool_count = SKR_TOOL_COUNT};

int tool_pump_status(struct skr_call *call, const struct tool_pump_status_args *args)
{
    struct swarm_state *pump = skr_context(call);

    (void)args;
    pump->calls++;
    skr_putf(call, "%s: %u hours since the last purge, service %s", pump->id, (unsigned)pump->hours,
             pump->hours >= 500 ? "due" : "not due");
    return 0;
}

int tool_purge(struct skr_call *call, const struct tool_purge_args *args)
{
    struct swarm_state *pump = skr_context(call);

    pump->calls++;
    pump->hours = 0;
    skr_putf(call, "%s: purged with %d ml", pump->id, (int)args->volume_ml);
    return 0;
}
