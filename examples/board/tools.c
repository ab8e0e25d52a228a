/* tools.c -- what the planter's tools do. tools/<name>.json describes them; what reaches a
 * handler has been checked against that. */
#include "tools.h"

#include "board.h"
#include "planter.h"

/* "lamp 1 on, 12 s left" */
static void put_lamp(struct skr_call *call, unsigned n)
{
    uint32_t left_ms = lamp_left_ms(n);

    skr_put(call, "lamp ");
    skr_put_int(call, (int32_t)n + 1);
    skr_put(call, lamp_is_on(n) ? " on" : " off");
    if (left_ms > 0) {
        skr_put(call, ", ");
        skr_put_int(call, (int32_t)((left_ms + 999) / 1000));
        skr_put(call, " s left");
    }
}

int tool_read_sensors(struct skr_call *call, const struct tool_read_sensors_args *args)
{
    (void)args;
    skr_put(call, "moisture ");
    skr_put_fixed(call, planter_moisture(skr_context(call)), 1);
    skr_put(call, " %, light ");
    skr_put_int(call, planter_light_lux());
    skr_put(call, " lux, tank ");
    skr_put_int(call, planter.tank_ml);
    skr_put(call, planter_pump_runs() ? " ml, pump running\n" : " ml, pump stopped\n");
    for (unsigned n = 0; n < BOARD_LAMPS; n++) {
        put_lamp(call, n);
        skr_put(call, "\n");
    }
    skr_put(call, "on ");
    skr_put(call, board_name);
    skr_put(call, ", up ");
    skr_put_int(call, (int32_t)(clock_ms() / 1000));
    skr_put(call, " s");
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
    skr_put(call, "pumping ");
    skr_put_int(call, args->ml);
    skr_put(call, " ml; ");
    skr_put_int(call, p->tank_ml);
    skr_put(call, " ml stay in the tank");
    return 0;
}
