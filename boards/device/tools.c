/* tools.c -- what the planter's tools do. tools/<name>.json describes them to clients; the limits
 * here and there are the same. */
#include "board.h"
#include "device.h"
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

int tool_read_sensors(struct skr_call *call)
{
    skr_put(call, "moisture ");
    skr_put_fixed(call, planter_moisture(skr_context(call)), 1);
    skr_put(call, " %, light ");
    skr_put_int(call, planter_light_lux());
    skr_put(call, " lux, tank ");
    skr_put_int(call, planter.tank_ml);
    skr_put(call, planter_pump_runs() ? " ml, pump runs\n" : " ml, pump stands\n");
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

int tool_set_lamp(struct skr_call *call)
{
    int32_t lamp, for_s = 0;
    bool on;
    if (!skr_arg_int(call, "lamp", 1, BOARD_LAMPS, &lamp)) {
        return skr_fail(call, "lamp must be 1 or 2");
    }
    if (!skr_arg_bool(call, "on", &on)) {
        return skr_fail(call, "on must be true or false");
    }
    if (skr_arg_given(call, "for_s") && !skr_arg_int(call, "for_s", 1, LAMP_MAX_S, &for_s)) {
        return skr_fail(call, "for_s must be a whole number from 1 to 3600");
    }
    if ((unsigned)lamp - 1 == LAMP_PUMP && planter_pump_runs()) {
        return skr_fail(call, "lamp 2 shows that the pump runs; wait until it has stopped");
    }
    lamp_set((unsigned)lamp - 1, on, (uint32_t)for_s * 1000);
    put_lamp(call, (unsigned)lamp - 1);
    return 0;
}

int tool_water(struct skr_call *call)
{
    struct planter *p = skr_context(call);
    int32_t ml;
    if (!skr_arg_int(call, "ml", WATER_MIN_ML, WATER_MAX_ML, &ml)) {
        return skr_fail(call, "ml must be a whole number from 10 to 200");
    }
    const char *why = planter_water(p, ml);
    if (why != NULL) {
        return skr_fail(call, why);
    }
    skr_put(call, "pumping ");
    skr_put_int(call, ml);
    skr_put(call, " ml; ");
    skr_put_int(call, p->tank_ml);
    skr_put(call, " ml stay in the tank");
    return 0;
}
