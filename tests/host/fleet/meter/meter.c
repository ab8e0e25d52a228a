/* meter.c -- what a flow meter of the swarm does. */
#include "../devices.h"

#define SKR_TOOLS_TABLE
#include "tools.h"

const struct skr_device swarm_meter = {.tools = skr_tools, .tool_count = SKR_TOOL_COUNT};

int tool_read_meter(struct skr_call *call, const struct tool_read_meter_args *args)
{
    struct swarm_state *meter = skr_context(call);

    (void)args;
    meter->calls++;
    skr_putf(call, "%s: %u l/h, %u l in all", meter->id, 100 + (unsigned)(meter->number % 50),
             (unsigned)meter->number * 1000 + (unsigned)meter->calls);
    return 0;
}
