/* device.c -- the tables that make the planter a device: its tools, and its state as a resource, generated from their
 * JSON files. */
#include "device.h"

#include "board.h"
#include "planter.h"

#define SKR_TOOLS_TABLE
#include "tools.h"

/* {"moisture":31.0,"light_lux":140,"tank_ml":800,"lamps":[false,false]} */
int resource_state(struct skr_call *call, struct skr_span none)
{
    struct planter *p = skr_context(call);

    (void)none;
    skr_put(call, "{\"moisture\":");
    skr_put_fixed(call, planter_moisture(p), 1);
    skr_put(call, ",\"light_lux\":");
    skr_put_int(call, planter_light_lux());
    skr_put(call, ",\"tank_ml\":");
    skr_put_int(call, p->tank_ml);
    skr_put(call, ",\"lamps\":[");
    for (unsigned n = 0; n < BOARD_LAMPS; n++) {
        skr_put(call, n > 0 ? "," : "");
        skr_put(call, lamp_is_on(n) ? "true" : "false");
    }
    skr_put(call, "]}");
    return 0;
}

const struct skr_device skr_board_device = {
    .tools = skr_tools,
    .tool_count = SKR_TOOL_COUNT,
    .resources = skr_resources,
    .resource_count = SKR_RESOURCE_COUNT,
    .context = &planter,
};
