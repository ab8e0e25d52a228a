/* method_skills.c -- the released skills extension: skills/list, skills/get and resources/directory/read.
 *
 * The entries of skills/list also serve the older dialects; their other methods are in files of their own. */
#include "response/depend.h"
#include "response/shape.h"
#include "skills/dialects.h"
#include "skills/skill.h"
#include "store/cursor.h"
#include "store/store.h"

/* An entry: the members that the extension requires, those that only other dialects have, and all of them. */
#define RELEASED "{" FIELD_ENTRY_MEMBERS "}"
#define LEAN "{" FIELD_LEAN_MEMBERS "}"
#if SKR_DIALECTS
#define ENTRY "{" FIELD_ENTRY_MEMBERS "," FIELD_LEAN_MEMBERS "}"
#else
#define ENTRY RELEASED
#endif

/* ---- skills/list ---- */

/* Whole entries are stored one after the other, with commas between: those of a page can be sent in place, as one
 * piece. */
static bool push_skill(struct skr_response *a, uint32_t i)
{
    if (SKR_DIALECTS && SKR_FAST && SKRI_AS(a, list)->in_place) {
        const struct romfs_skill *first = &a->fs->skills[i], *last = &a->fs->skills[a->end - 1];
        skri_push_rom(a, (struct romfs_text){first->entry.off, last->entry.off + last->entry.len - first->entry.off});
        a->index = a->end;
        return true;
    }
    skri_push_skill(a, SKRI_AS(a, list)->shape, &a->fs->skills[i]);
    return true;
}

static bool skills_list_body(struct skr_response *a)
{
    return skri_push_list(a, "\"skills\":[", push_skill);
}

/* SK-X-02 */
static void list_choose_form(struct skr_call *call, struct skr_list_response *list)
{
    int form = skr_json_get(&call->json, call->given[SKR_PARAM_META], "dev.skillrom/form");

    if (skr_json_equals(&call->json, form, "a")) {
        list->shape = RELEASED;
    } else if (skr_json_equals(&call->json, form, "lean")) {
        list->shape = LEAN;
    }
    list->in_place = form < 0 && skri_depend_all(call->fs, call->srv->device);
}

void skri_skills_list(struct skr_call *call)
{
    if (!skri_page(call, SKR_LIST_SKILLS, 0, call->fs->header->listed)) {
        return;
    }
    struct skr_list_response *list = SKRI_AS(call->response, list);
    list->shape = ENTRY;
    if (SKR_DIALECTS) {
        list_choose_form(call, list);
    }
    skri_response_result(call->response, skills_list_body);
}

/* ---- skills/get ---- */

static bool skills_get_body(struct skr_response *a)
{
    skri_push_skill(a, "\"skill\":" ENTRY, SKRI_AS(a, skill)->record);
    return false;
}

/* By URI it is the released method; by name that of SEP-2076 (SK-X-05). */
void skri_skills_get(struct skr_call *call)
{
    struct skr_span uri, name = {NULL, 0};
    struct skr_found found;

    if (!skri_rpc_param(call, SKR_PARAM_URI, !SKR_DIALECTS, &uri) ||
        (SKR_DIALECTS && !skri_rpc_param(call, SKR_PARAM_NAME, false, &name))) {
        return;
    }
    if (SKR_DIALECTS && uri.p == NULL) {
        if (name.p != NULL) {
            skri_get_named(call);
        } else {
            skri_rpc_error(call, SKR_MISSING, SPAN("uri or name"));
        }
        return;
    }
    if (!skri_store_find(call, uri, &found) || found.node == NULL || found.directory ||
        found.node->skill == ROMFS_NONE) { /* SK-A-11 */
        skri_rpc_error(call, SKR_NO_SKILL, uri);
        return;
    }
    SKRI_MAKE(call->response, skill)->record = &call->fs->skills[found.node->skill];
    if (SKR_DIALECTS && name.p != NULL &&
        !skri_skill_is_named(call->fs, SKRI_AS(call->response, skill)->record, name)) {
        skri_rpc_error(call, SKR_OTHER_NAME, name);
        return;
    }
    skri_response_result(call->response, skills_get_body);
}

/* ---- resources/directory/read ---- */

static void push_child(struct skr_response *a, const struct romfs_node *child)
{
    bool directory = (child->flags & ROMFS_DIR) != 0;

    skri_push_shape(a,
                    directory ? "{\"uri\":\"" FIELD_URI "\",\"name\":\"" FIELD_FILE_NAME
                                "\",\"mimeType\":\"" FIELD_MIME_TYPE "\"}"
                              : "{\"uri\":\"" FIELD_URI "\",\"name\":\"" FIELD_FILE_NAME
                                "\",\"mimeType\":\"" FIELD_MIME_TYPE "\",\"size\":" FIELD_SIZE "}",
                    child, NULL);
}

/* The index is the last child of the root, if the other children have skill:// URIs like it (SK-A-15). */
static bool holds_index(const struct romfs *fs, const struct romfs_node *directory)
{
    return SKR_DIALECTS && directory == fs->nodes && skr_span_is(skr_span_rom(fs, fs->header->base), "skill://");
}

static bool push_directory_entry(struct skr_response *a, uint32_t i)
{
    if (i < SKRI_AS(a, list)->directory->stored) {
        push_child(a, &a->fs->nodes[SKRI_AS(a, list)->directory->data + i]);
    } else if (SKR_DIALECTS) {
        skri_push_index_resource(a);
    }
    return true;
}

static bool directory_body(struct skr_response *a)
{
    return skri_push_list(a, "\"resources\":[", push_directory_entry);
}

void skri_directory_read(struct skr_call *call)
{
    struct skr_span uri;
    struct skr_found found;

    if (!skri_rpc_param(call, SKR_PARAM_URI, true, &uri)) {
        return;
    }
    bool there = skri_store_find_directory(call, uri, &found);
    if (!there || !found.directory) {
        skri_rpc_error(call, there ? SKR_NOT_DIRECTORY : SKR_NO_DIRECTORY, uri);
        return;
    }
    if (skri_page(call, SKR_LIST_DIRECTORY, (uint32_t)(found.node - call->fs->nodes),
                  found.node->stored + holds_index(call->fs, found.node))) {
        SKRI_AS(call->response, list)->directory = found.node;
        skri_response_result(call->response, directory_body);
    }
}
