/* metrics.h -- figures for operators of the fleet: /metrics in the text format of Prometheus, and /healthz. */
#ifndef SKR_FLEET_METRICS_H
#define SKR_FLEET_METRICS_H

#include "../../port/posix/options.h"

/* Prepares the server of these documents and makes it the site of this listener. It shares nothing with MCP's server
 * but the loop and the names of this machine (--host). False, after a message, when the system has no random bytes. */
bool fleet_metrics_open(const struct posix_options *options, struct posix_listen *listen);

#endif
