/* cursor.c -- cursors: making, checking, sending. See cursor.h. */
#include "store/cursor.h"

#include "text/number.h"

/* A few rounds of multiply and shift: any changed bit changes about half the tag. */
static uint32_t tag_mix(uint32_t h, uint32_t value)
{
    h = (h ^ value) * 0x9E3779B1u;
    h ^= h >> 15;
    h *= 0x85EBCA77u;
    return h ^ h >> 13;
}

static uint32_t cursor_tag(const struct romfs *fs, uint32_t salt, uint32_t position)
{
    uint32_t tag = tag_mix(salt, position);

    for (unsigned i = 0; i < 8; i++) { /* the build id: the first bytes of the image's digest */
        tag = tag_mix(tag, fs->header->digest[i]);
    }
    return tag;
}

static bool read_cursor(const struct skr_response *a, struct skr_span s, uint32_t *position)
{
    uint32_t tag;

    if (!skr_number_read(&s, position) || s.n == 0 || s.p[0] != '.') {
        return false;
    }
    s = skr_span_from(s, 1);
    return skr_number_read(&s, &tag) && s.n == 0 && tag == cursor_tag(a->fs, SKRI_AS(a, list)->salt, *position);
}

bool skri_page(struct skr_call *call, enum skr_list list, uint32_t which, uint32_t total)
{
    struct skr_response *a = call->response;
    struct skr_span cursor;
    uint32_t position = 0;

    if (!skri_rpc_param(call, SKR_PARAM_CURSOR, false, &cursor)) {
        return false;
    }
    SKRI_MAKE(a, list)->salt = tag_mix(tag_mix(0, (uint32_t)list), which);
    if (cursor.p != NULL && (!read_cursor(a, cursor, &position) || position >= total)) {
        skri_rpc_error(call, SKR_BAD_CURSOR, cursor);
        return false;
    }
    a->first = position;
    a->end = total - position > call->srv->page ? position + call->srv->page : total;
    SKRI_AS(a, list)->total = total;
    return true;
}

bool skri_push_item(struct skr_response *a, const char *open, skr_item_fn *item, uint32_t end)
{
    uint8_t pushed = skri_pushed(a);

    while (a->index < end) {
        skri_push_text(a, a->any_item ? "," : open);
        if (item(a, a->index++)) {
            a->any_item = true;
            return true;
        }
        skri_unpush(a, pushed);
    }
    return false;
}

void skri_push_list_end(struct skr_response *a)
{
    skri_push_text(a, "]");
    if (a->end < SKRI_AS(a, list)->total) {
        skri_push_text(a, ",\"nextCursor\":\"");
        skri_push_number(a, a->end);
        skri_push_text(a, ".");
        skri_push_number(a, cursor_tag(a->fs, SKRI_AS(a, list)->salt, a->end));
        skri_push_text(a, "\"");
    }
}

bool skri_push_list(struct skr_response *a, const char *open, skr_item_fn *item)
{
    if (skri_push_item(a, open, item, a->end)) {
        return true;
    }
    if (!a->any_item) {
        skri_push_text(a, open);
    }
    skri_push_list_end(a);
    return false;
}
