/* tools.c -- what the DP-4's tools do: check the arguments, move the pump, say in
 * words what happened. tools/<name>.json describes them to clients; the limits
 * here and there are the same. A refusal names the remedy, because the one who
 * reads it is deciding what to do next. */
#include "device.h"
#include "pump.h"

/* The line that argument "line" names; NULL after the refusal has been written. */
static struct pump_line *line_argument(struct skr_call *call, int32_t *number)
{
    struct pump *pump = skr_context(call);
    if (!skr_arg_int(call, "line", 1, PUMP_LINES, number)) {
        skr_fail(call, "line must be a whole number from 1 to 4");
        return NULL;
    }
    return &pump->line[*number - 1];
}

static void put_ml(struct skr_call *call, int32_t volume_ul)
{
    skr_put_fixed(call, volume_ul, 3);
    skr_put(call, " ml");
}

/* "line 2 ready, bottle 38.500 ml, tube 63 % used, dosed 0.000 ml" */
static void put_line(struct skr_call *call, const struct pump_line *line, int32_t number)
{
    const char *not_ready = pump_not_ready(line);
    skr_put(call, "line ");
    skr_put_int(call, number);
    skr_put(call, " ");
    skr_put(call, not_ready != NULL ? not_ready : "ready");
    skr_put(call, ", bottle ");
    put_ml(call, line->bottle_ul);
    skr_put(call, ", tube ");
    skr_put_int(call, pump_tube_percent(line));
    skr_put(call, " % used, dosed ");
    put_ml(call, line->dosed_ul);
}

/* "line 4: fault E21 back pressure; ..." with what to do about it. */
static int refuse(struct skr_call *call, int32_t number, const char *why, const char *remedy)
{
    skr_fail(call, "line ");
    skr_put_int(call, number);
    skr_put(call, ": ");
    skr_put(call, why);
    skr_put(call, "; ");
    skr_put(call, remedy);
    return 0;
}

int tool_blink_lamp(struct skr_call *call)
{
    int32_t number;
    if (line_argument(call, &number) != NULL) {
        skr_put(call, "the lamp of line ");
        skr_put_int(call, number);
        skr_put(call, " blinks for ten seconds");
    }
    return 0;
}

int tool_line_status(struct skr_call *call)
{
    const struct pump *pump = skr_context(call);
    if (skr_arg_given(call, "line")) {
        int32_t number;
        const struct pump_line *line = line_argument(call, &number);
        if (line != NULL) {
            put_line(call, line, number);
        }
        return 0;
    }
    for (int32_t number = 1; number <= PUMP_LINES; number++) {
        put_line(call, &pump->line[number - 1], number);
        skr_put(call, number < PUMP_LINES ? "\n" : "");
    }
    return 0;
}

/* False after the refusal has been written. An argument of the wrong kind is
 * refused rather than ignored: it may be the one that clears a fault. */
static bool service_arguments(struct skr_call *call, struct pump_service *service)
{
    if (skr_arg_given(call, "new_bottle_ml") && !skr_arg_int(call, "new_bottle_ml", PUMP_BOTTLE_MIN_ML,
                                                             PUMP_BOTTLE_MAX_ML, &service->new_bottle_ml)) {
        skr_fail(call, "new_bottle_ml must be a whole number from 10 to 1000");
        return false;
    }
    if (skr_arg_given(call, "new_tube") && !skr_arg_bool(call, "new_tube", &service->new_tube)) {
        skr_fail(call, "new_tube must be true or false");
        return false;
    }
    if (skr_arg_given(call, "outlet_checked") &&
        !skr_arg_bool(call, "outlet_checked", &service->outlet_checked)) {
        skr_fail(call, "outlet_checked must be true or false");
        return false;
    }
    return true;
}

int tool_prime_line(struct skr_call *call)
{
    int32_t number;
    struct pump_service service = {0, false, false};
    struct pump_line *line = line_argument(call, &number);
    if (line == NULL || !service_arguments(call, &service)) {
        return 0;
    }
    const char *why = pump_prime(line, &service);
    if (why != NULL) {
        return refuse(call, number, why, "see skill pump/clear-fault");
    }
    skr_put(call, "primed with ");
    put_ml(call, PUMP_PRIME_UL);
    skr_put(call, "; ");
    put_line(call, line, number);
    return 0;
}

int tool_run_dose(struct skr_call *call)
{
    int32_t number, volume_ul;
    struct pump_line *line = line_argument(call, &number);
    if (line == NULL) {
        return 0;
    }
    if (!skr_arg_int(call, "volume_ul", PUMP_DOSE_MIN_UL, PUMP_DOSE_MAX_UL, &volume_ul)) {
        return skr_fail(call, "volume_ul must be a whole number from 10 to 50000");
    }
    const char *why = pump_dose(line, volume_ul);
    if (why != NULL) {
        return refuse(call, number, why,
                      line->fault != PUMP_NO_FAULT ? "see skill pump/clear-fault"
                                                   : "see skill pump/change-consumables");
    }
    skr_put(call, "dispensed ");
    put_ml(call, volume_ul);
    skr_put(call, "; ");
    put_line(call, line, number);
    return 0;
}

int tool_stop_all(struct skr_call *call)
{
    struct skr_span reason;
    pump_stop_all(skr_context(call));
    skr_put(call, "all lines stopped");
    if (skr_arg_string(call, "reason", &reason) && reason.n > 0) {
        skr_put(call, " (");
        skr_put_span(call, reason);
        skr_put(call, ")");
    }
    skr_put(call, "; each needs prime_line before its next dose");
    return 0;
}
