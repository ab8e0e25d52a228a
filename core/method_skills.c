/* method_skills.c -- the released skills extension: skills/list, skills/get and
 * resources/directory/read (dialect A). */
#include "cursor.h"
#include "store.h"

/* The entries of listed skills lie in the image one behind the other, commas
 * between: a page is one piece, sent from where it lies. */
static bool skills_list_body(struct skr_answer *a)
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

void skr_skills_list(struct skr_call *call)
{
    if (skr_page(call, SKR_LIST_SKILLS, 0, call->srv->fs.header->listed)) {
        skr_rpc_result(call, skills_list_body);
    }
}

static bool skills_get_body(struct skr_answer *a)
{
    skr_push_text(a, "\"skill\":");
    skr_push_rom(a, a->of.skill->entry);
    return false;
}

void skr_skills_get(struct skr_call *call)
{
    const struct romfs *fs = &call->srv->fs;
    struct skr_span uri;
    struct skr_found found;
    if (!skr_rpc_string(call, "uri", true, &uri)) {
        return;
    }
    if (!skr_store_find(call, uri, &found) || found.node == NULL || found.directory ||
        found.node->skill == ROMFS_NONE) { /* SK-A-11 */
        skr_rpc_error(call, SKR_NO_SKILL, uri);
        return;
    }
    call->answer->of.skill = &fs->skills[found.node->skill];
    skr_rpc_result(call, skills_get_body);
}

/* ---- resources/directory/read ---- */

enum directory_step { DIRECTORY_OPEN, DIRECTORY_CHILD };

static void push_child(struct skr_answer *a, const struct romfs_node *child)
{
    bool directory = (child->flags & ROMFS_DIR) != 0;
    skr_push_text(a, a->index > a->first ? ",{\"uri\":\"" : "{\"uri\":\"");
    skr_push_rom(a, a->fs->header->base);
    skr_push_rom(a, child->path);
    skr_push_text(a, "\",\"name\":\"");
    skr_push_rom(a, child->name);
    skr_push_text(a, "\",\"mimeType\":\"");
    skr_push_rom(a, child->mime);
    skr_push_text(a, directory ? "\"}" : "\",\"size\":");
    if (!directory) {
        skr_push_number(a, child->size);
        skr_push_text(a, "}");
    }
}

static bool directory_body(struct skr_answer *a)
{
    if (a->body_step == DIRECTORY_OPEN) {
        skr_push_text(a, "\"resources\":[");
        a->body_step = DIRECTORY_CHILD;
        return true;
    }
    if (a->index < a->end) {
        push_child(a, &a->fs->nodes[a->of.node->data + a->index]);
        a->index++;
        return true;
    }
    skr_push_page_end(a);
    return false;
}

void skr_directory_read(struct skr_call *call)
{
    struct skr_span uri, wanted;
    struct skr_found found;
    if (!skr_rpc_string(call, "uri", true, &uri)) {
        return;
    }
    wanted = uri;
    bool found_it = skr_store_find(call, wanted, &found);
    if (!found_it && wanted.n > 0 && wanted.p[wanted.n - 1] == '/') { /* drafts wrote one slash more (SK-A-14) */
        wanted.n--;
        found_it = skr_store_find(call, wanted, &found);
    }
    if (!found_it || !found.directory) {
        skr_rpc_error(call, found_it ? SKR_NOT_DIRECTORY : SKR_NO_DIRECTORY, uri);
        return;
    }
    call->answer->of.node = found.node;
    if (skr_page(call, SKR_LIST_DIRECTORY, (uint32_t)(found.node - call->srv->fs.nodes), found.node->stored)) {
        skr_rpc_result(call, directory_body);
    }
}
