/* server.c -- a server for an image and a device: its backend is the rest of the core. */
#include "handler/client_request.h"
#include "handler/guard.h"
#include "handler/tool_call.h"
#include "mcp/method.h"
#include "response/backend.h"
#include "store/mount.h"
#include "store/store.h"

static const struct skr_backend device_backend = {
    .method = skri_method_find,
    .make_response = skri_tool_call_respond,
#if SKR_CHANGES
    .has = skri_has,
    .find = skri_store_find,
#endif
    .forgets_sessions = true,
    .requests = SKR_INTERACTIVE ? &skri_client_request_by_handler : NULL,
};

int skr_server_init(struct skr_server *s, const struct skr_device *device, const void *image, size_t n)
{
    memset(s, 0, sizeof *s);
    s->device = device;
    s->backend = &device_backend;
    s->page = SKR_PAGE;
#if SKR_JOBS
    s->jobs_end = s->jobs;
#endif
#if SKR_CHANGES
    s->streams.max = SKR_STREAMS;
#endif
    s->fs = &s->images[0];
#if SKR_GUARD
    skri_guard_begin(s);
#endif
    int error = skri_store_mount(&s->images[0], device, image, n);
    return error == ROMFS_OK && skr_server_bad_resource(s) != NULL ? SKR_ERR_RESOURCE : error;
}

const char *skr_server_reason(int error)
{
    switch (error) {
    case SKR_ERR_RESOURCE: return "a resource of the device has invalid JSON, or an invalid URI, name or media type";
    case SKR_ERR_TOOLS: return "the image has other tools than the program; build both again";
    default: return romfs_reason(error);
    }
}

void skr_server_set_page(struct skr_server *s, uint32_t items)
{
    s->page = items == 0 ? 1 : items;
}

#if SKR_CHANGES
void skr_server_can_swap(struct skr_server *s, bool can)
{
    s->changes.can_swap = can;
}

void skr_server_set_streams(struct skr_server *s, uint16_t max)
{
    s->streams.max = max;
}
#endif

#if SKR_SEAL
void skr_server_seed(struct skr_server *s, const uint8_t seed[16])
{
    memcpy(s->seed, seed, sizeof s->seed);
}
#endif
