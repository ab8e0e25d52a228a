/* bridge_limits.h -- limits of bridge.wasm (SKR_USER_CONFIG): those of host/bridge/bridge_skr.h for one user in a browser's tab, whose
 * memory is taken as a whole when the module starts. What a smaller limit means is said where its default is. */
#ifndef WASM_BRIDGE_LIMITS_H
#define WASM_BRIDGE_LIMITS_H

#define SKR_JOBS 8                 /* one user waits for a device, not a whole floor */
#define TRANSPORT_LARGE (3u << 20) /* a file of 2 MiB in base64 takes five minutes at 115200 baud */
#define BRIDGE_FILE (2u << 20)
#include "../bridge/bridge_skr.h"

#endif
