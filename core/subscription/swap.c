/* swap.c -- replaces the image that is served.
 *
 * Every response keeps the pointer to the image it began with, so there are two slots: one is served, the other holds
 * the image of responses that have begun. */
#include "response/feature.h"
#include "store/mount.h"
#include "subscription/notify.h"

#if SKR_CHANGES

/* The compared fields of a table's records: one of their texts, and their flags, at these offsets in `size` bytes. */
struct column {
    const void *rows;
    uint32_t count;
    size_t size, text, flags;
};

static struct skr_span text_in(const struct romfs *fs, const struct column *c, uint32_t row, uint32_t *flags)
{
    const char *record = (const char *)c->rows + row * c->size;
    struct romfs_text text;

    memcpy(&text, record + c->text, sizeof text);
    memcpy(flags, record + c->flags, sizeof *flags);
    return skr_span_rom(fs, text);
}

static bool same_column(const struct romfs *a, struct column in_a, const struct romfs *b, struct column in_b)
{
    uint32_t flags_a, flags_b;

    for (uint32_t i = 0; in_a.count == in_b.count && i < in_a.count; i++) {
        bool same_text = skr_span_eq(text_in(a, &in_a, i, &flags_a), text_in(b, &in_b, i, &flags_b));
        if (!same_text || flags_a != flags_b) {
            return false;
        }
    }
    return in_a.count == in_b.count;
}

#define COLUMN(fs, table, count, type, member)                                                                         \
    ((struct column){(fs)->table, (count), sizeof(struct type), offsetof(struct type, member),                         \
                     offsetof(struct type, flags)})
#define SAME(a, b, table, type, member)                                                                                \
    same_column(a, COLUMN(a, table, (a)->header->table.count, type, member), b,                                        \
                COLUMN(b, table, (b)->header->table.count, type, member))
#define SAME_LISTED(a, b, member)                                                                                      \
    same_column(a, COLUMN(a, skills, (a)->header->listed, romfs_skill, member), b,                                     \
                COLUMN(b, skills, (b)->header->listed, romfs_skill, member))

/* Only to be called when the flags are the same, so that both have a panel or neither. */
static bool same_panel_tool(const struct romfs *a, const struct romfs *b)
{
    const struct romfs_panel *in_a = skri_panel(a), *in_b = skri_panel(b);

    return in_a == NULL || skr_span_eq(skr_span_rom(a, in_a->tool), skr_span_rom(b, in_b->tool));
}

/* Tools and prompts are often the same as before, and clients notified of a change would fetch them again for nothing.
 * Skills are what an image is for: a new image counts as a change of them (SK-X-23). */
static uint8_t what_changed(const struct romfs *a, const struct romfs *b)
{
    uint8_t bits = SKR_CHANGED_SKILLS | SKR_CHANGED_RESOURCES;
    bool flags = a->header->flags != b->header->flags;
    bool skill_tools = SKR_EXTRAS && (a->header->skills.count == 0) != (b->header->skills.count == 0);

    if (flags || skill_tools || !same_panel_tool(a, b) || !SAME(a, b, tools, romfs_tool, json)) {
        bits |= SKR_CHANGED_TOOLS;
    }
    bool skill_prompts = SKR_EXTRAS && (!SAME_LISTED(a, b, name) || !SAME_LISTED(a, b, description));
    if (flags || skill_prompts || !SAME(a, b, prompts, romfs_prompt, json)) {
        bits |= SKR_CHANGED_PROMPTS;
    }
    return bits;
}

/* Clients of these lists (enum skr_list_bit) will be notified. */
static void count_change(struct skr_server *s, unsigned lists)
{
    s->changes.count++;
    s->changes.swaps++;
    for (unsigned kind = 0; kind < SKR_LIST_KINDS; kind++) {
        if ((lists >> kind & 1) != 0) {
            s->changes.lists[kind] = s->changes.swaps;
        }
    }
}

int skr_server_swap(struct skr_server *s, const void *image, size_t n)
{
    const struct romfs *old = s->fs;
    struct romfs *next = &s->images[old == &s->images[0]];
    int error = skri_store_mount(next, s->device, image, n);

    if (error != ROMFS_OK) {
        return error;
    }
    s->fs = next;
    if (memcmp(old->header->digest, next->header->digest, ROMFS_DIGEST_SIZE) == 0) {
        return ROMFS_OK;
    }
    count_change(s, what_changed(old, next));
    return ROMFS_OK;
}

unsigned skri_changes_of(const struct skr_device *device)
{
    unsigned changes = device->changes;

    for (size_t i = 0; i < device->resource_count; i++) {
        if (device->resources[i].version != NULL) {
            changes |= SKR_CHANGES_CONTENT;
        }
    }
    return changes;
}

void skr_server_notify(struct skr_server *s, unsigned lists)
{
    lists &= skri_changes_of(s->device);
    if (lists != 0) {
        count_change(s, lists);
    }
}

bool skr_conn_uses_old_image(const struct skr_conn *c)
{
    return c->responding && c->response.fs != c->srv->fs;
}

uint32_t skr_server_notification_count(const struct skr_server *s)
{
    return s->changes.count;
}

#endif
