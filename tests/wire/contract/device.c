/* device.c -- the firmware side of the contract's fixture: a tool, and the handler of its script,
 * whose result the contract prints. build/contract/wire-runner has it in place of the example. */
#include "skillrom.h"

extern const struct skr_device contract_device;

static int pump_status(struct skr_call *call)
{
    skr_put(call, "idle");
    return 0;
}

static int purge_cycle(struct skr_call *call)
{
    int32_t line = 0;
    (void)skr_arg_int(call, "line", 1, 4, &line);
    skr_put(call, "line ");
    skr_put_int(call, line);
    skr_put(call, ": 8 s, flow 0.42 l/min, steady");
    return 0;
}

static const struct skr_tool tools[] = {
    {.name = "pump_status", .run = pump_status},
    {.name = "purge-line.purge_cycle", .run = purge_cycle},
};

const struct skr_device contract_device = {.tools = tools, .tool_count = sizeof tools / sizeof tools[0]};
