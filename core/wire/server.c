/* server.c -- a server of an image and a device: what stands behind its wires is all of the core below. */
#include "answer/backend.h"
#include "mcp/method.h"
#include "run/ask.h"
#include "run/run.h"
#include "store/mount.h"
#include "store/store.h"

static const struct skr_backend device_backend = {
    .method = skr_method_find,
    .answer = skr_run_answer,
#if SKR_SWAP
    .has = skr_has,
    .find = skr_store_find,
#endif
#if SKR_ASK
    .asking = &skr_ask_by_handler,
#endif
};

int skr_server_init(struct skr_server *s, const struct skr_device *device, const void *image, size_t n)
{
    memset(s, 0, sizeof *s);
    s->device = device;
    s->backend = &device_backend;
    s->page = SKR_PAGE;
#if SKR_SWAP
    s->stream_max = SKR_STREAMS;
#endif
    s->fs = &s->images[0];
    int error = skr_store_mount(&s->images[0], image, n);
    return error == ROMFS_OK && skr_server_wrong(s) != NULL ? SKR_ERR_RESOURCE : error;
}

const char *skr_server_reason(int error)
{
    return error == SKR_ERR_RESOURCE ? "a resource of the device has no sound JSON, URI, name or media type"
                                     : romfs_reason(error);
}

#if SKR_SEAL
void skr_server_seed(struct skr_server *s, const uint8_t seed[16])
{
    memcpy(s->seed, seed, sizeof s->seed);
}
#endif
