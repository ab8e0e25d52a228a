/* alarm.h -- what the resource and the events of alarms share (alarm.c, method_events.c). */
#ifndef SKR_MCP_ALARM_H
#define SKR_MCP_ALARM_H

#include "skr_alarm.h"

/* The length of its code and its text as JSON, without quotes, at most. */
size_t skri_alarm_size(const struct skr_alarm *alarm);

#endif
