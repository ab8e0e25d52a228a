/* planter.c -- the simulated part: soil that dries over time and absorbs what the pump delivers. */
#include "planter.h"

#include <stddef.h>

#include "board.h"

#define DRIES_MS 600000u /* for one thousandth */
#define DAYLIGHT_LUX 140
#define LAMP_LUX 350
#define MOISTURE_MAX 1000
#define PUMP_MS_PER_ML 1000u

struct planter planter = {.moisture = 310, .tank_ml = 800};

int32_t planter_moisture(struct planter *p)
{
    while (clock_ms() - p->dried_ms >= DRIES_MS) {
        p->dried_ms += DRIES_MS;
        p->moisture -= p->moisture > 0;
    }
    return p->moisture;
}

int32_t planter_light_lux(void)
{
    return DAYLIGHT_LUX + (lamp_is_on(LAMP_GROW) ? LAMP_LUX : 0);
}

bool planter_pump_runs(void)
{
    return lamp_left_ms(LAMP_PUMP) > 0;
}

const char *planter_water(struct planter *p, int32_t ml)
{
    if (planter_pump_runs()) {
        return "the pump still runs; wait and read_sensors first";
    }
    if (ml > p->tank_ml) {
        return "the tank holds less than that; have it filled";
    }
    int32_t moisture = planter_moisture(p) + 2 * ml;
    p->moisture = moisture < MOISTURE_MAX ? moisture : MOISTURE_MAX;
    p->tank_ml -= ml;
    lamp_set(LAMP_PUMP, true, (uint32_t)ml * PUMP_MS_PER_ML);
    return NULL;
}
