/* device.c -- the tables that make the planter a device: its tools, generated from their JSON files, and its state as
 * a resource. */
#include "board.h"
#include "device.h"
#include "planter.h"

#define SKR_TOOLS_TABLE
#include "tools.h"

/* {"moisture":31.0,"light_lux":140,"tank_ml":800,"lamps":[false,false]} */
static int read_state(struct skr_call *call, struct skr_span none)
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

static const struct skr_resource resources[] = {
    {
        .uri = "planter://state",
        .json = "{\"uri\":\"planter://state\",\"name\":\"state\",\"title\":\"State of the planter\","
                "\"description\":\"Moisture in percent, light, tank and lamps\","
                "\"mimeType\":\"application/json\"}",
        .mime = "application/json",
        .read = read_state,
    },
};

const struct skr_device skr_board_device = {
    .tools = skr_tools,
    .tool_count = SKR_TOOL_COUNT,
    .resources = resources,
    .resource_count = sizeof resources / sizeof resources[0],
    .context = &planter,
};
