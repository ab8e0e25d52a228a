/* tools.c -- what the DP-4's tools do: move the pump, and report what happened. Each is described in
 * tools/<name>.json; what reaches a handler here has been checked against that. A refusal names the remedy, because
 * its reader has to decide what to do next. */
#include "tools.h"

#include "device.h"
#include "pump.h"

static struct pump_line *line_number(struct skr_call *call, int32_t number)
{
    struct pump *pump = skr_context(call);

    return &pump->line[number - 1];
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

    skr_putf(call, "line %d %s, bottle ", (int)number, not_ready != NULL ? not_ready : "ready");
    put_ml(call, line->bottle_ul);
    skr_putf(call, ", tube %d %% used, dosed ", (int)pump_tube_percent(line));
    put_ml(call, line->dosed_ul);
}

/* "line 4: fault E21 back pressure; ..." with what to do about it. */
static int refuse_value(struct skr_call *call, int32_t number, const char *why, const char *remedy)
{
    skr_fail(call, "");
    skr_putf(call, "line %d: %s; %s", (int)number, why, remedy);
    return 0;
}

int tool_blink_lamp(struct skr_call *call, const struct tool_blink_lamp_args *args)
{
    skr_putf(call, "the lamp of line %d blinks for ten seconds", (int)args->line);
    return 0;
}

int tool_line_status(struct skr_call *call, const struct tool_line_status_args *args)
{
    int32_t first = args->has_line ? args->line : 1;
    int32_t last = args->has_line ? args->line : PUMP_LINES;

    for (int32_t number = first; number <= last; number++) {
        put_line(call, line_number(call, number), number);
        skr_put(call, number < last ? "\n" : "");
    }
    return 0;
}

int tool_prime_line(struct skr_call *call, const struct tool_prime_line_args *args)
{
    struct pump_line *line = line_number(call, args->line);
    struct pump_service service = {
        .new_bottle_ml = args->new_bottle_ml,
        .new_tube = args->new_tube,
        .outlet_checked = args->outlet_checked,
    };
    const char *why = pump_prime(line, &service);

    if (why != NULL) {
        return refuse_value(call, args->line, why, "see skill pump/clear-fault");
    }
    skr_put(call, "primed with ");
    put_ml(call, PUMP_PRIME_UL);
    skr_put(call, "; ");
    put_line(call, line, args->line);
    return 0;
}

int tool_run_dose(struct skr_call *call, const struct tool_run_dose_args *args)
{
    struct pump_line *line = line_number(call, args->line);
    const char *why = pump_dose(line, args->volume_ul);

    if (why != NULL) {
        return refuse_value(call, args->line, why,
                            line->fault != PUMP_NO_FAULT ? "see skill pump/clear-fault"
                                                         : "see skill pump/change-consumables");
    }
    skr_put(call, "dispensed ");
    put_ml(call, args->volume_ul);
    skr_put(call, "; ");
    put_line(call, line, args->line);
    return 0;
}

int tool_stop_all(struct skr_call *call, const struct tool_stop_all_args *args)
{
    pump_stop_all(skr_context(call));
    skr_put(call, "all lines stopped");
    if (args->reason.n > 0) {
        skr_putf(call, " (%.*s)", SKR_SPAN_ARG(args->reason));
    }
    skr_put(call, "; each needs prime_line before its next dose");
    return 0;
}
