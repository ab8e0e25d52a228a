/* pump.h -- the hardware of the example: four lines of a dosing pump, simulated.
 *
 * In a product this is the driver; here it only counts. Volumes are whole
 * microlitres, so nothing needs floating point. */
#ifndef EXAMPLE_PUMP_H
#define EXAMPLE_PUMP_H

#include <stdbool.h>
#include <stdint.h>

#define PUMP_LINES 4
#define PUMP_DOSE_MIN_UL 10
#define PUMP_DOSE_MAX_UL 50000
#define PUMP_BOTTLE_MIN_ML 10
#define PUMP_BOTTLE_MAX_ML 1000
#define PUMP_PRIME_UL 2000
#define PUMP_PRESSURE_MAX_MBAR 1500 /* more pressure than this behind the rotor: the outlet is blocked */
#define PUMP_EMPTY_UL 1000          /* less than this left: E12 */
#define PUMP_TUBE_LIFE_UL 20000000  /* then the tube is worn: E30 */

enum pump_fault {
    PUMP_NO_FAULT,
    PUMP_BOTTLE_EMPTY = 12,  /* E12 */
    PUMP_BACK_PRESSURE = 21, /* E21 */
    PUMP_TUBE_WORN = 30,     /* E30 */
};

struct pump_line {
    int32_t bottle_ul; /* left in the bottle, by the pump's own count */
    int32_t tube_ul;   /* passed through this tube so far */
    int32_t dosed_ul;  /* dispensed since power-up, without priming */
    enum pump_fault fault;
    bool primed;
};

struct pump {
    struct pump_line line[PUMP_LINES]; /* line number n is line[n - 1] */
};

/* What the operator did to a line before priming it. */
struct pump_service {
    int32_t new_bottle_ml; /* 0: the bottle is the old one */
    bool new_tube;
    bool outlet_checked;
};

/* The pump's state at power-up. */
extern struct pump pump_bench;

/* NULL when the line is ready to dose, otherwise why it is not: "unprimed", "fault E21 back pressure". */
const char *pump_not_ready(const struct pump_line *line);

/* Why volume_ul cannot be dosed now, or NULL after it has been. */
const char *pump_dose(struct pump_line *line, int32_t volume_ul);

/* Why the line cannot be primed, or NULL after it has been. */
const char *pump_prime(struct pump_line *line, const struct pump_service *service);

void pump_stop_all(struct pump *pump);

/* Pressure behind the rotor after this many quarter turns, in thousandths of a bar. */
int32_t pump_pressure_mbar(const struct pump_line *line, int32_t quarters);

/* Tube wear in percent of its life, 0 to 100. */
int32_t pump_tube_percent(const struct pump_line *line);

#endif
