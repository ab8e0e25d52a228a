/* counters.c -- see counters.h. Apart from metrics.c, which reads what the counting files know. */
#include "counters.h"

struct fleet_counters fleet_counters;
