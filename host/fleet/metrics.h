/* metrics.h -- figures for those who run the fleet: /metrics in Prometheus text, and /healthz. */
#ifndef SKR_FLEET_METRICS_H
#define SKR_FLEET_METRICS_H

#include "../../port/posix/options.h"
#include "fleet_config.h"

/* Listens. False, after a message, when the address cannot be used. */
bool fleet_metrics_open(const struct posix_listen *where);

/* Serves whoever is there. */
void fleet_metrics_turn(uint64_t now_ms);

/* What to wait for: up to 1 + FLEET_METRIC_LINKS descriptors, each with poll's events. */
unsigned fleet_metrics_wants(int fds[], short events[]);

#endif
