/* none.c -- a device without handlers, as skillromd has none: serves any image. */
#include "skillrom.h"

extern const struct skr_device wasm_no_device;
const struct skr_device wasm_no_device = {.tool_count = 0};
