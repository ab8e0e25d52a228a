/* bridge_fuzz.h -- the limits of the bridge's core while it is fuzzed (SKR_USER_CONFIG): as host/bridge/bridge_skr.h, but small, so that
 * its ends are reached, and that there is little to clear before each input. */
#ifndef BRIDGE_FUZZ_H
#define BRIDGE_FUZZ_H

#include "../../../host/bridge/bridge_skr.h"

#undef SKR_JOBS
#define SKR_JOBS 8
#undef SKR_JOB_OUTPUT_MAX
#define SKR_JOB_OUTPUT_MAX 4096
#define SKR_SESSIONS 4
#define SKR_REQUEST_MAX 4096
#define SKR_TOKENS 512
#define SKR_TX_SCRATCH 512
#define SKR_TX_DIRECT 64

#endif
