/* pump.c -- the simulated lines. A driver for real motors keeps this interface
 * and replaces this file. */
#include "pump.h"

#include <stddef.h>

/* One line for each thing an operator may meet: in order, bottle low, not
 * primed, faulty. */
struct pump pump_bench = {
    .line =
        {
            {.bottle_ul = 412300, .tube_ul = 8200000, .primed = true},
            {.bottle_ul = 38500, .tube_ul = 12600000, .primed = true},
            {.bottle_ul = 250000, .tube_ul = 0},
            {.bottle_ul = 96400, .tube_ul = 17100000, .fault = PUMP_BACK_PRESSURE},
        },
};

const char *pump_not_ready(const struct pump_line *line)
{
    switch (line->fault) {
    case PUMP_BOTTLE_EMPTY: return "fault E12 bottle empty";
    case PUMP_BACK_PRESSURE: return "fault E21 back pressure";
    case PUMP_TUBE_WORN: return "fault E30 tube worn";
    case PUMP_NO_FAULT: break;
    }
    return line->primed ? NULL : "unprimed";
}

/* Moves liquid and latches the faults that follow from it. */
static void move_volume(struct pump_line *line, int32_t volume_ul)
{
    line->bottle_ul -= volume_ul;
    line->tube_ul += volume_ul;
    if (line->tube_ul >= PUMP_TUBE_LIFE_UL) {
        line->fault = PUMP_TUBE_WORN;
    } else if (line->bottle_ul < PUMP_EMPTY_UL) {
        line->fault = PUMP_BOTTLE_EMPTY;
    }
}

const char *pump_dose(struct pump_line *line, int32_t volume_ul)
{
    const char *why = pump_not_ready(line);

    if (why != NULL) {
        return why;
    }
    if (volume_ul > line->bottle_ul) {
        return "bottle holds less than the dose";
    }
    move_volume(line, volume_ul);
    line->dosed_ul += volume_ul;
    return NULL;
}

/* Clears the fault if what was done removes its cause. */
static void apply_service(struct pump_line *line, const struct pump_service *service)
{
    if (service->new_bottle_ml > 0) {
        line->bottle_ul = service->new_bottle_ml * 1000;
    }
    if (service->new_tube) {
        line->tube_ul = 0;
    }
    if ((line->fault == PUMP_BOTTLE_EMPTY && service->new_bottle_ml > 0) ||
        (line->fault == PUMP_TUBE_WORN && service->new_tube) ||
        (line->fault == PUMP_BACK_PRESSURE && service->outlet_checked)) {
        line->fault = PUMP_NO_FAULT;
    }
}

const char *pump_prime(struct pump_line *line, const struct pump_service *service)
{
    apply_service(line, service);
    if (line->fault != PUMP_NO_FAULT) {
        return pump_not_ready(line);
    }
    if (line->bottle_ul < PUMP_PRIME_UL) {
        return "bottle holds less than the 2 ml that priming takes";
    }
    move_volume(line, PUMP_PRIME_UL);
    line->primed = true;
    return NULL;
}

void pump_stop_all(struct pump *pump)
{
    for (int i = 0; i < PUMP_LINES; i++) {
        pump->line[i].primed = false;
    }
}

/* Behind a blocked outlet it climbs with every quarter turn. */
int32_t pump_pressure_mbar(const struct pump_line *line, int32_t quarters)
{
    return line->fault == PUMP_BACK_PRESSURE ? 400 + 620 * quarters : 380 + 5 * quarters;
}

int32_t pump_tube_percent(const struct pump_line *line)
{
    int32_t percent = line->tube_ul / (PUMP_TUBE_LIFE_UL / 100);

    return percent > 100 ? 100 : percent;
}
