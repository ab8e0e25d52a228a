/* tools.c -- what the planter's tools do. tools/<name>.json describes them; what reaches a
 * handler has been checked against that. */
#include "board.h"
#include "planter.h"
#include "tools.h"

/* "lamp 1 on, 12 s left" */
static void put_lamp(struct skr_call *call, unsigned n)
{
    uint32_t left_ms = lamp_left_ms(n);
    skr_putf(call, "lamp %u %s", n + 1, lamp_is_on(n) ? "on" : "off");
    if (left_ms > 0) {
        skr_putf(call, ", %u s left", (unsigned)((left_ms + 999) / 1000));
    }
}

int tool_read_sensors(struct skr_call *call, const struct tool_read_sensors_args *args)
{
    (void)args;
    skr_put(call, "moisture ");
    skr_put_fixed(call, planter_moisture(skr_context(call)), 1);
    skr_putf(call, " %%, light %d lux, tank %d ml, pump %s\n", (int)planter_light_lux(), (int)planter.tank_ml,
             planter_pump_runs() ? "runs" : "stands");
    for (unsigned n = 0; n < BOARD_LAMPS; n++) {
        put_lamp(call, n);
        skr_put(call, "\n");
    }
    skr_putf(call, "on %s, up %u s", board_name, (unsigned)(clock_ms() / 1000));
    return 0;
}

int tool_set_lamp(struct skr_call *call, const struct tool_set_lamp_args *args)
{
    unsigned lamp = (unsigned)args->lamp - 1;
    if (lamp == LAMP_PUMP && planter_pump_runs()) {
        return skr_fail(call, "lamp 2 shows that the pump runs; wait until it has stopped");
    }
    lamp_set(lamp, args->on, args->has_for_s ? (uint32_t)args->for_s * 1000 : 0);
    put_lamp(call, lamp);
    return 0;
}

int tool_water(struct skr_call *call, const struct tool_water_args *args)
{
    struct planter *p = skr_context(call);
    const char *why = planter_water(p, args->ml);
    if (why != NULL) {
        return skr_fail(call, why);
    }
    skr_putf(call, "pumping %d ml; %d ml stay in the tank", (int)args->ml, (int)p->tank_ml);
    return 0;
}
