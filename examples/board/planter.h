/* planter.h -- pot, tank and pump of the planter. Lamps and clock are the board's; soil and water
 * are simulated, so that the device works without water. A product replaces planter.c. */
#ifndef BOARD_PLANTER_H
#define BOARD_PLANTER_H

#include <stdbool.h>
#include <stdint.h>

#define LAMP_GROW 0u /* lamp number 1 for clients */
#define LAMP_PUMP 1u

struct planter {
    int32_t moisture; /* in thousandths, when last computed */
    int32_t tank_ml;
    uint32_t dried_ms; /* the time when moisture was last computed */
};

extern struct planter planter;

int32_t planter_moisture(struct planter *p); /* in thousandths, now */
int32_t planter_light_lux(void);
bool planter_pump_runs(void);

/* Why it cannot be watered now, or NULL after the pump was started. */
const char *planter_water(struct planter *p, int32_t ml);

#endif
