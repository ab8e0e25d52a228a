/* pr69.c -- the first draft of the extension (PR #69): resources/list with a URI
 * lists the skills, or the files of one. The rest of that draft is served by the index
 * (sep2640_draft.c), resource templates and completion. */
#include "response/shape.h"
#include "skills/dialects.h"
#include "skills/skill.h"
#include "store/cursor.h"
#include "store/store.h"

/* The items of the root are skills; the first of a skill's directory is its SKILL.md, and the
 * others are its files. */
static bool push_scoped(struct skr_response *a, uint32_t i)
{
    const struct romfs_node *directory = SKRI_AS(a, list)->directory;
    bool all = directory == a->fs->nodes;
    const struct romfs_skill *skill = &a->fs->skills[all ? i : directory->skill];

    if (all || i == 0) {
        skri_push_skill(a, SKR_SKILL_RESOURCE, skill);
    } else {
        (void)skri_push_file(a, skill, SKR_FILE_RESOURCE, i - 1);
        skri_push_text(a, ",\"annotations\":{\"audience\":[\"assistant\"],\"priority\":0.3}}"); /* SK-W-15 */
    }
    return true;
}

static bool scoped_body(struct skr_response *a)
{
    return skri_push_list(a, "\"resources\":[", push_scoped);
}

bool skri_scoped_list(struct skr_call *call)
{
    const struct romfs *fs = call->fs;
    struct skr_span uri;
    struct skr_found found;

    if (!skri_rpc_param(call, SKR_PARAM_URI, false, &uri)) {
        return true;
    }
    if (uri.p == NULL) {
        return false;
    }
    bool there = skri_store_find_directory(call, uri, &found) && found.directory;
    bool all = there && found.node == fs->nodes;
    if (!all && (!there || found.node->skill == ROMFS_NONE)) {
        skri_rpc_error(call, SKR_NO_SKILL, uri);
        return true;
    }
    uint32_t total = all ? fs->header->listed : fs->skills[found.node->skill].file_count + 1;
    if (skri_page(call, SKR_LIST_SCOPED, found.node->skill, total)) {
        SKRI_AS(call->response, list)->directory = found.node;
        skri_response_result(call->response, scoped_body);
    }
    return true;
}
