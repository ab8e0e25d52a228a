/* updater.c -- see updater.h. README.md describes the methods. */
#include "updater.h"

#if SKR_UPDATE

#include <string.h>

#include "romfs.h"
#include "sha256.h"

#if !SKR_CHANGES
#error "port/update: SKR_UPDATE needs SKR_CHANGES, to serve another image while clients are connected"
#endif

/* Bytes of a request besides its payload: envelope, id, offset, and over HTTP the headers that are kept. */
#define REQUEST_OVERHEAD 256u

#define BLOCK_DIGITS 8u     /* of a CRC */
#define BLOCKS_OVERHEAD 64u /* what else the result has */
#define BLOCK_MIN 64u       /* smaller blocks are not worth their CRC */

static void put_number(struct skr_call *call, const char *name, uint32_t value)
{
    skr_put(call, name);
    skr_put_int(call, value);
}

/* At most 8 bytes. */
static void put_hex(struct skr_call *call, const uint8_t *bytes, size_t n)
{
    char text[17];

    romfs_sha256_hex(bytes, n, text);
    skr_put(call, text);
}

/* How many bytes one request can carry. */
static uint32_t part_size(const struct skr_update_config *c)
{
    return (SKR_REQUEST_MAX - REQUEST_OVERHEAD) / 4 * 3 & ~(c->flash->unit - 1);
}

static void put_status(struct skr_server_update *s, struct skr_call *call)
{
    const struct skr_update *u = &s->update;
    const struct skr_update_config *c = u->config;

    put_number(call, "\"number\":", u->number);
    skr_put(call, u->trial ? ",\"state\":\"trial\"" : u->open ? ",\"state\":\"writing\"" : ",\"state\":\"idle\"");
    if (u->trial || u->open) {
        put_number(call, ",\"coming\":", u->coming);
        put_number(call, ",\"offset\":", u->offset);
        put_number(call, ",\"size\":", u->size);
    }
    put_number(call, ",\"room\":", c->room);
    put_number(call, ",\"unit\":", c->flash->unit);
    put_number(call, ",\"part\":", part_size(c));
    put_number(call, ",\"keys\":", c->key_count);
    put_number(call, ",\"minKey\":", u->min_key);
    skr_put(call, ",\"product\":\"");
    put_hex(call, c->product, sizeof c->product);
    if (c->interface_id != NULL) {
        skr_put(call, "\",\"interface\":\"");
        skr_put(call, c->interface_id);
    }
    skr_put(call, "\"");
}

/* The image in force, its size from its own header, which was checked when it was mounted. */
static const uint8_t *image_in_force(const struct skr_server_update *s, uint32_t *size)
{
    const uint8_t *image = s->slots[s->update.force];

    *size = ((const struct romfs_header *)(const void *)image)->size;
    return image;
}

static const char *put_blocks(struct skr_server_update *s, struct skr_call *call, uint32_t at, uint32_t block)
{
    uint32_t size, n = (SKR_OUTPUT_MAX - BLOCKS_OVERHEAD) / BLOCK_DIGITS;
    const uint8_t *image = image_in_force(s, &size);

    if (block < BLOCK_MIN || at > size) {
        return "blocks have 64 bytes at least, and begin in the image";
    }
    put_number(call, "\"size\":", size);
    skr_put(call, ",\"crc\":\"");
    for (; n > 0 && size - at >= block; n--, at += block) {
        uint32_t crc = romfs_crc32(0, image + at, block);
        const uint8_t bytes[] = {(uint8_t)(crc >> 24), (uint8_t)(crc >> 16), (uint8_t)(crc >> 8), (uint8_t)crc};
        put_hex(call, bytes, sizeof bytes);
    }
    put_number(call, "\",\"next\":", at);
    return NULL;
}

/* Serves the slot that is to be served now. Bytes after those whose digest was computed are not mounted. */
static const char *update_serve(struct skr_server_update *s)
{
    const struct skr_update *u = &s->update;
    int error = skr_server_swap(s->server, s->slots[skr_update_slot(u)], u->trial ? u->size : u->config->room);

    if (error != 0) {
        skr_update_revert(&s->update);
        return skr_server_reason(error);
    }
    s->in_use = true;
    return NULL;
}

static const char *update_begin(struct skr_server_update *s, struct skr_call *call, struct skr_span release)
{
    uint32_t offset = 0;

    if (release.n != ROMFS_RELEASE_SIZE) {
        return skr_update_reason(SKR_UPDATE_NOT_RELEASE);
    }
    if (s->in_use && !s->update.trial) { /* a trial leaves all as it is */
        return skr_update_reason(SKR_UPDATE_BUSY);
    }
    enum skr_update_error error = skr_update_begin(&s->update, (const uint8_t *)release.p, &offset);
    if (error != SKR_UPDATE_OK) {
        return skr_update_reason(error);
    }
    put_number(call, "\"offset\":", offset);
    return NULL;
}

static const char *write_part(struct skr_server_update *s, struct skr_call *call,
                              const struct skr_update_request *request)
{
    if (s->update.open && request->number != s->update.coming) { /* another client has begun another release */
        return skr_update_reason(SKR_UPDATE_NOT_BEGUN);
    }
    enum skr_update_error error =
        request->bytes.p != NULL
            ? skr_update_write(&s->update, request->offset, request->bytes.p, (uint32_t)request->bytes.n)
            : skr_update_copy(&s->update, request->offset, request->from, request->size);
    put_number(call, "\"offset\":", s->update.offset);
    return skr_update_reason(error);
}

/* The verified bytes are the mounted ones: both are read from the slot. */
static const char *update_commit(struct skr_server_update *s)
{
    bool was_on_trial = s->update.trial;

    if (s->in_use && !was_on_trial) {
        return skr_update_reason(SKR_UPDATE_BUSY);
    }
    enum skr_update_error error = skr_update_commit(&s->update);
    return error != SKR_UPDATE_OK || was_on_trial ? skr_update_reason(error) : update_serve(s);
}

static const char *update_revert(struct skr_server_update *s)
{
    if (!s->update.trial) {
        return NULL;
    }
    if (s->in_use) {
        return skr_update_reason(SKR_UPDATE_BUSY);
    }
    skr_update_revert(&s->update);
    return update_serve(s);
}

static const char *do_step(void *context, struct skr_call *call, const struct skr_update_request *request)
{
    struct skr_server_update *s = context;
    const char *refused = NULL;

    switch (request->step) {
    case SKR_STEP_BEGIN: return update_begin(s, call, request->bytes);
    case SKR_STEP_BLOCKS: return put_blocks(s, call, request->offset, request->size);
    case SKR_STEP_WRITE: return write_part(s, call, request);
    case SKR_STEP_COMMIT: refused = update_commit(s); break;
    case SKR_STEP_CONFIRM: refused = skr_update_reason(skr_update_confirm(&s->update, request->number)); break;
    case SKR_STEP_REVERT: refused = update_revert(s); break;
    default: break;
    }
    if (refused == NULL) {
        put_status(s, call);
    }
    return refused;
}

const void *skr_server_update_open(struct skr_server_update *u, const struct skr_update_config *config,
                                   struct skr_server *server, const void *const slots[2])
{
    skr_update_open(&u->update, config);
    u->updater = (struct skr_updater){do_step, u};
    u->server = server;
    u->slots = slots;
    u->in_use = false;
    return slots[skr_update_slot(&u->update)];
}

void skr_server_update_start(struct skr_server_update *u)
{
    skr_server_can_swap(u->server, true);
    skr_server_set_updater(u->server, &u->updater);
}

#endif
