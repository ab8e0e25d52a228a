/* counts.c -- see counts.h. */
#include "counters.h"

struct fleet_counters fleet_counters;
