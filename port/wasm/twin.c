/* twin.c -- a device as a WebAssembly module: core, reader and its own handlers. It imports nothing: JavaScript
 * (links.mjs) brings the image, bytes and the time. The build defines TWIN_DEVICE: its struct skr_device. */
#include "links.h"

#define WASM_PAGE 65536

extern const struct skr_device TWIN_DEVICE;
extern unsigned char __heap_base; /* the linker's: the end of everything else in memory */

static struct skr_server server;

/* Room for an image of n bytes; NULL if there is no memory for it. */
WASM_EXPORT(twin_image) void *twin_image(size_t n)
{
    size_t at = ((size_t)&__heap_base + 15) & ~(size_t)15;

    if (n > SIZE_MAX - at - WASM_PAGE) {
        return NULL;
    }
    size_t pages = (at + n + WASM_PAGE - 1) / WASM_PAGE, now = __builtin_wasm_memory_size(0);
    if (pages > now && __builtin_wasm_memory_grow(0, pages - now) == SIZE_MAX) {
        return NULL;
    }
    return (void *)at;
}

WASM_EXPORT(twin_reason) const char *twin_reason(int error)
{
    return skr_server_reason(error);
}

/* Serves the image of n bytes that has been written there. Returns 0, or an error for twin_reason. */
WASM_EXPORT(twin_start) int twin_start(size_t n)
{
    int error = skr_server_init(&server, &TWIN_DEVICE, twin_image(n), n);

    if (error == 0) {
        links_begin(&server);
    }
    return error;
}

/* Passes the time. Returns in how many milliseconds to call again; -1 if only input can change anything. */
WASM_EXPORT(link_tick) int link_tick(double now_ms)
{
#if SKR_JOBS
    return skr_server_tick(&server, (uint32_t)(uint64_t)now_ms) ? 2 : -1;
#else
    (void)now_ms;
    return -1;
#endif
}
