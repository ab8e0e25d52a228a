/* texts.c -- the text area: appending, and finding what is there. See texts.h. */
#include "image/texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/screen.h"
#include "skr_text.h"

static const uint8_t *text_at(const struct texts *t, struct romfs_text text)
{
    return t->bytes.p + (text.off - t->base);
}

/* The slot that holds these bytes, or the free one where they belong. */
static struct romfs_text *slot_for(const struct texts *t, const uint8_t *bytes, size_t n)
{
    size_t i = skr_hash((struct skr_span){(const char *)bytes, n}) & (t->slot_count - 1);

    while (t->slots[i].len != 0 && (t->slots[i].len != n || memcmp(text_at(t, t->slots[i]), bytes, n) != 0)) {
        i = (i + 1) & (t->slot_count - 1);
    }
    return &t->slots[i];
}

static void grow_texts(struct texts *t)
{
    struct romfs_text *old = t->slots;
    size_t old_count = t->slot_count;

    t->slot_count = old_count > 0 ? old_count * 2 : 256;
    t->slots = xmalloc(t->slot_count * sizeof *t->slots);
    memset(t->slots, 0, t->slot_count * sizeof *t->slots);
    for (size_t i = 0; i < old_count; i++) {
        if (old[i].len != 0) {
            *slot_for(t, text_at(t, old[i]), old[i].len) = old[i];
        }
    }
    free(old);
}

void texts_keep_suffix(struct texts *t, struct romfs_text text)
{
    if (text.len == 0) {
        return;
    }
    if (t->used * 2 >= t->slot_count) {
        grow_texts(t);
    }
    struct romfs_text *slot = slot_for(t, text_at(t, text), text.len);
    if (slot->len == 0) {
        *slot = text;
        t->used++;
    }
}

struct romfs_text texts_append(struct texts *t, const void *bytes, size_t n)
{
    if (t->base > TEXTS_MAX || t->bytes.n > TEXTS_MAX - t->base || n > TEXTS_MAX - t->base - t->bytes.n) {
        screen_error("the tables and texts of this image exceed 1 GiB; pack fewer skills");
        exit(1);
    }
    struct romfs_text text = {(uint32_t)(t->base + t->bytes.n), (uint32_t)n};

    buf_add(&t->bytes, bytes, n);
    return text;
}

struct romfs_text texts_add(struct texts *t, const void *bytes, size_t n)
{
    if (n == 0) {
        return (struct romfs_text){0, 0};
    }
    if (t->slot_count > 0) {
        const struct romfs_text *stored = slot_for(t, bytes, n);
        if (stored->len != 0) {
            return *stored;
        }
    }
    struct romfs_text text = texts_append(t, bytes, n);
    texts_keep_suffix(t, text);
    return text;
}

struct romfs_text texts_add_within(struct texts *t, struct romfs_text outer, const void *bytes, size_t n)
{
    const uint8_t *start = text_at(t, outer);
    const uint8_t *found = n > 0 && outer.len > 0 ? memmem(start, outer.len, bytes, n) : NULL;

    if (found == NULL) {
        return texts_add(t, bytes, n);
    }
    return (struct romfs_text){outer.off + (uint32_t)(found - start), (uint32_t)n};
}

void texts_free(struct texts *t)
{
    free(t->bytes.p);
    free(t->slots);
    *t = (struct texts){.base = t->base};
}
