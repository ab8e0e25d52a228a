/* lamp.c -- a device with one tool. What it does is up to the board; here it only remembers. */
#define SKR_TOOLS_TABLE
#include "tools.h"

static bool lamp_is_on;

int tool_set_lamp(struct skr_call *call, const struct tool_set_lamp_args *args)
{
    lamp_is_on = args->on;
    skr_put(call, lamp_is_on ? "The lamp is on." : "The lamp is off.");
    return 0;
}

const struct skr_device lamp_device = {.tools = skr_tools, .tool_count = SKR_TOOL_COUNT};
