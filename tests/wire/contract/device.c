/* device.c -- the firmware side of the contract's fixture: a tool, and the handler of its script,
 * whose result the contract prints. build/contract/wire-runner has it in place of the example. */
#define SKR_TOOLS_TABLE
#include "tools.h"

extern const struct skr_device contract_device;

int tool_pump_status(struct skr_call *call, const struct tool_pump_status_args *args)
{
    (void)args;
    skr_put(call, "idle");
    return 0;
}

int tool_purge_line_purge_cycle(struct skr_call *call, const struct tool_purge_line_purge_cycle_args *args)
{
    skr_put(call, "line ");
    skr_put_int(call, args->line);
    skr_put(call, ": 8 s, flow 0.42 l/min, steady");
    return 0;
}

const struct skr_device contract_device = {.tools = skr_tools, .tool_count = SKR_TOOL_COUNT};
