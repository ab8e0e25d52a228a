/* valve.c -- what a control valve of the swarm does. */
#include "../devices.h"

#define SKR_TOOLS_TABLE
#include "tools.h"

const struct skr_device swarm_valve = {.tools = skr_tools, .tool_count = SKR_TOOL_COUNT};

int tool_valve_state(struct skr_call *call, const struct tool_valve_state_args *args)
{
    struct swarm_state *valve = skr_context(call);

    (void)args;
    valve->calls++;
    skr_putf(call, "%s: %u %% open", valve->id, (unsigned)valve->percent);
    return 0;
}

int tool_set_valve(struct skr_call *call, const struct tool_set_valve_args *args)
{
    struct swarm_state *valve = skr_context(call);

    valve->calls++;
    valve->percent = (uint32_t)args->percent;
    skr_putf(call, "%s: %u %% open", valve->id, (unsigned)valve->percent);
    return 0;
}
