/* metrics.h -- figures for those who run the fleet: /metrics in Prometheus text, and /healthz. */
#ifndef SKR_FLEET_METRICS_H
#define SKR_FLEET_METRICS_H

#include "../posix/options.h"
#include "fleet_config.h"

/* Listens. False, after a message, when the address cannot be used. */
bool skr_metrics_open(const struct skr_listen *where);

/* Serves whoever is there. */
void skr_metrics_turn(uint64_t now_ms);

/* What to wait for: up to 1 + SKR_FLEET_METRIC_LINKS descriptors, each with poll's events. */
unsigned skr_metrics_wants(int fds[], short events[]);

#endif
