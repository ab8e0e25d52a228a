/* level.c -- see level.h. */
#include "response/level.h"

static const char level_names[][10] = {"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};

const char *skri_level_name(uint8_t index)
{
    return level_names[index];
}

bool skri_log_level(struct skr_span level, uint8_t *index)
{
    for (uint8_t i = 0; i < sizeof level_names / sizeof level_names[0]; i++) {
        if (skr_span_is(level, level_names[i])) {
            *index = i;
            return true;
        }
    }
    return false;
}
