/* dialect_c.c -- the first draft of the extension (PR #69): resources/list with a URI
 * lists the skills, or the files of one. The rest of that draft is served by the index
 * (dialect_b.c), resource templates and completion. */
#include "cursor.h"
#include "dialects.h"
#include "shape.h"
#include "skill.h"
#include "store.h"

#if SKR_DIALECT_C

/* Without of.skill the items are skills; with it the first is its SKILL.md, and the
 * others its files. */
static bool scoped_body(struct skr_answer *a)
{
    const struct romfs_skill *skill = a->of.skill;
    if (a->body_step == 0) {
        skr_push_text(a, "\"resources\":[");
        a->body_step = 1;
    } else if (a->index < a->end) {
        skr_push_text(a, ",");
    }
    if (a->index == a->end) {
        skr_push_page_end(a);
        return false;
    }
    if (skill == NULL || a->index == 0) {
        skr_push_skill(a, SKR_SKILL_RESOURCE, skill != NULL ? skill : &a->fs->skills[a->index]);
    } else {
        skr_push_file(a,
                      SKR_FILE_RESOURCE
                      ",\"annotations\":{\"audience\":[\"assistant\"],\"priority\":0.3}}", /* SK-W-15 */
                      &a->fs->files[skill->first_file + a->index - 1]);
    }
    a->index++;
    return true;
}

bool skr_scoped_list(struct skr_call *call)
{
    const struct romfs *fs = call->fs;
    struct skr_span uri;
    struct skr_found found;
    if (!skr_rpc_string(call, "uri", false, &uri)) {
        return true;
    }
    if (uri.p == NULL) {
        return false;
    }
    uint32_t which = 0, total = fs->header->listed;
    call->answer->of.skill = NULL;
    bool there = skr_store_find_directory(call, uri, &found) && found.directory;
    if (there && found.node->skill != ROMFS_NONE) {
        call->answer->of.skill = &fs->skills[found.node->skill];
        which = found.node->skill + 1;
        total = call->answer->of.skill->file_count + 1;
    } else if (!there || found.node != fs->nodes) {
        skr_rpc_error(call, SKR_NO_SKILL, uri);
        return true;
    }
    if (skr_page(call, SKR_LIST_SCOPED, which, total)) {
        skr_rpc_result(call, scoped_body);
    }
    return true;
}

#endif
