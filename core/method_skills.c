/* method_skills.c -- the released skills extension: skills/list, skills/get and
 * resources/directory/read (dialect A).
 *
 * The entries of skills/list serve the older dialects, too; those that have nothing more
 * in common with this one are in dialect_*.c. */
#include "cursor.h"
#include "dialects.h"
#include "shape.h"
#include "skill.h"
#include "store.h"

/* Without any of the dialects that want more, an entry is what the extension asks for. */
#define SUPERSET (SKR_DIALECT_D || SKR_DIALECT_E || SKR_DIALECT_F)

/* ---- skills/list ---- */

/* An entry without what only other dialects want. */
#define RELEASED "{%M}"

#if SUPERSET
/* The entries of listed skills lie in the image one behind the other, commas
 * between: a page is one piece, sent from where it lies. */
static bool superset_body(struct skr_answer *a)
{
    skr_push_text(a, "\"skills\":[");
    if (a->end > a->first) {
        const struct romfs_skill *from = &a->fs->skills[a->first], *last = &a->fs->skills[a->end - 1];
        struct romfs_text run = {from->entry.off, last->entry.off + last->entry.len - from->entry.off};
        skr_push_rom(a, run);
    }
    skr_push_page_end(a);
    return false;
}
#endif

static bool push_page(struct skr_answer *a, bool lean)
{
    const struct romfs_skill *skill = &a->fs->skills[a->index];
    if (a->body_step == 0) {
        skr_push_text(a, "\"skills\":[");
        a->body_step = 1;
    } else if (a->index < a->end) {
        skr_push_text(a, ",");
    }
    if (a->index++ == a->end) {
        skr_push_page_end(a);
        return false;
    }
    skr_push_skill(a, lean ? "{%L}" : RELEASED, skill);
    return true;
}

static bool released_body(struct skr_answer *a)
{
    return push_page(a, false);
}

#if SUPERSET
static bool lean_body(struct skr_answer *a)
{
    return push_page(a, true);
}
#endif

void skr_skills_list(struct skr_call *call)
{
    bool (*body)(struct skr_answer *) = released_body;
#if SUPERSET
    int form = skr_json_get(&call->json, call->meta, "dev.skillrom/form"); /* SK-X-02 */
    if (!skr_json_equals(&call->json, form, "a")) {
        body = skr_json_equals(&call->json, form, "lean") ? lean_body : superset_body;
    }
#endif
    if (skr_page(call, SKR_LIST_SKILLS, 0, call->fs->header->listed)) {
        skr_rpc_result(call, body);
    }
}

/* ---- skills/get ---- */

static bool get_body(struct skr_answer *a)
{
    skr_push_text(a, "\"skill\":");
    if (SUPERSET) {
        skr_push_rom(a, a->of.skill->entry);
    } else {
        skr_push_skill(a, RELEASED, a->of.skill);
    }
    return false;
}

static void get_by_uri(struct skr_call *call, struct skr_span uri, struct skr_span name)
{
    struct skr_found found;
    if (!skr_store_find(call, uri, &found) || found.node == NULL || found.directory ||
        found.node->skill == ROMFS_NONE) { /* SK-A-11 */
        skr_rpc_error(call, SKR_NO_SKILL, uri);
        return;
    }
    const struct romfs_skill *skill = &call->fs->skills[found.node->skill];
    if (SKR_DIALECT_D && name.p != NULL && !skr_skill_is_named(call->fs, skill, name)) {
        skr_rpc_error(call, SKR_OTHER_NAME, name);
        return;
    }
    call->answer->of.skill = skill;
    skr_rpc_result(call, get_body);
}

/* By URI it is the released method; by name that of dialect D (SK-X-05). */
void skr_skills_get(struct skr_call *call)
{
    struct skr_span uri, name = {NULL, 0};
    if (!skr_rpc_string(call, "uri", !SKR_DIALECT_D, &uri) ||
        (SKR_DIALECT_D && !skr_rpc_string(call, "name", false, &name))) {
        return;
    }
    if (uri.p != NULL) {
        get_by_uri(call, uri, name);
    } else if (name.p != NULL) {
        skr_get_named(call);
    } else {
        skr_rpc_error(call, SKR_MISSING, SPAN("uri or name"));
    }
}

/* ---- resources/directory/read ---- */

#if SKR_DIRECTORY_READ

enum directory_step { DIRECTORY_OPEN, DIRECTORY_CHILD };

static void push_child(struct skr_answer *a, const struct romfs_node *child)
{
    bool directory = (child->flags & ROMFS_DIR) != 0;
    skr_push_shape(a,
                   directory ? "{\"uri\":\"%u\",\"name\":\"%l\",\"mimeType\":\"%m\"}"
                             : "{\"uri\":\"%u\",\"name\":\"%l\",\"mimeType\":\"%m\",\"size\":%s}",
                   child, NULL);
}

/* The index is among the children of the root, if they are skill:// like it (SK-A-15). */
static bool holds_index(const struct romfs *fs, const struct romfs_node *directory)
{
    return skr_has_index(fs) && directory == fs->nodes &&
           skr_span_eq(skr_span_rom(fs, fs->header->base), SPAN("skill://"));
}

static bool before_index(const struct romfs *fs, const struct romfs_node *child)
{
    struct skr_span path = skr_span_rom(fs, child->path), index = SPAN(SKR_INDEX);
    return romfs_path_order(path.p, path.n, index.p, index.n) < 0;
}

/* Child number i, in byte order of names; NULL: the index. */
static const struct romfs_node *child_at(const struct romfs *fs, const struct romfs_node *directory,
                                         uint32_t i)
{
    const struct romfs_node *child = &fs->nodes[directory->data + i];
    if (!holds_index(fs, directory) || (i < directory->stored && before_index(fs, child))) {
        return child;
    }
    return i == 0 || before_index(fs, child - 1) ? NULL : child - 1;
}

static bool directory_body(struct skr_answer *a)
{
    if (a->body_step == DIRECTORY_OPEN) {
        skr_push_text(a, "\"resources\":[");
        a->body_step = DIRECTORY_CHILD;
    } else if (a->index < a->end) {
        skr_push_text(a, ",");
    }
    if (a->index == a->end) {
        skr_push_page_end(a);
        return false;
    }
    const struct romfs_node *child = child_at(a->fs, a->of.node, a->index++);
    if (child != NULL) {
        push_child(a, child);
    } else {
        skr_push_index_resource(a);
    }
    return true;
}

void skr_directory_read(struct skr_call *call)
{
    struct skr_span uri;
    struct skr_found found;
    if (!skr_rpc_string(call, "uri", true, &uri)) {
        return;
    }
    bool there = skr_store_find_directory(call, uri, &found);
    if (!there || !found.directory) {
        skr_rpc_error(call, there ? SKR_NOT_DIRECTORY : SKR_NO_DIRECTORY, uri);
        return;
    }
    call->answer->of.node = found.node;
    if (skr_page(call, SKR_LIST_DIRECTORY, (uint32_t)(found.node - call->fs->nodes),
                 found.node->stored + holds_index(call->fs, found.node))) {
        skr_rpc_result(call, directory_body);
    }
}

#endif
