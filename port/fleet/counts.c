/* counts.c -- see counts.h. */
#include "counts.h"

struct skr_counts skr_counts;
