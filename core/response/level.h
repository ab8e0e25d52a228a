/* level.h -- the eight levels of log messages, lowest first. */
#ifndef SKR_LEVEL_H
#define SKR_LEVEL_H

#include "text/span.h"

/* True when `level` is one of the eight log levels; *index gets its rank. */
bool skri_log_level(struct skr_span level, uint8_t *index);
const char *skri_level_name(uint8_t index);

#endif
