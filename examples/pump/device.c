/* device.c -- the tables that make the DP-4 a device: its tools, whose table is generated from tools/, and two
 * resources that show its state as JSON, whose table is generated from resources/. */
#define SKR_TOOLS_TABLE
#include "device.h"

#include "pump.h"
#include "tools.h"

/* {"line":2,"state":"ready","bottle_ul":38500,"tube_percent":63,"dosed_ul":0} */
static void write_line(struct skr_call *call, const struct pump_line *line, int32_t number)
{
    const char *not_ready = pump_not_ready(line);

    skr_write_object(call, NULL);
    skr_write_int(call, "line", number);
    skr_write_string(call, "state", not_ready != NULL ? not_ready : "ready");
    skr_write_int(call, "bottle_ul", line->bottle_ul);
    skr_write_int(call, "tube_percent", pump_tube_percent(line));
    skr_write_int(call, "dosed_ul", line->dosed_ul);
    skr_write_end(call);
}

int resource_status(struct skr_call *call, struct skr_span none)
{
    const struct pump *pump = skr_context(call);

    (void)none;
    skr_write_array(call, NULL);
    for (int32_t number = 1; number <= PUMP_LINES; number++) {
        write_line(call, &pump->line[number - 1], number);
    }
    skr_write_end(call);
    return 0;
}

int resource_line_status(struct skr_call *call, struct skr_span n)
{
    const struct pump *pump = skr_context(call);

    if (n.n != 1 || n.p[0] < '1' || n.p[0] > '0' + PUMP_LINES) {
        return SKR_NOT_FOUND;
    }
    int32_t number = n.p[0] - '0';
    write_line(call, &pump->line[number - 1], number);
    return 0;
}

const struct skr_device skr_example_device = {
    .tools = skr_tools,
    .tool_count = SKR_TOOL_COUNT,
    .resources = skr_resources,
    .resource_count = SKR_RESOURCE_COUNT,
    .context = &pump_bench,
};
