/* sep2640_draft.c -- the drafts before the released extension: skill://index.json.
 *
 * There were three generations of this document, and a first one in another proposal; one superset serves them all
 * (SK-X-07). It is stored nowhere: it is generated from the skills' records whenever it is read, all of it escaped,
 * because it is sent as text. */
#include "response/shape.h"
#include "skills/dialects.h"
#include "store/cursor.h"
#include "store/store.h"

#define OPEN "\"contents\":[{\"uri\":\"" FIELD_SUBJECT "\",\"mimeType\":\"application/json\",\"text\":\""
#define INDEX "!{\"$schema\":\"https://schemas.agentskills.io/discovery/0.2.0/schema.json\",\"skills\":["

/* An entry up to its archives, or to its end; its archives; archives as an entry of their own. */
#define SKILL                                                                                                          \
    "!{\"name\":" FIELD_NAME ",\"type\":\"skill-md\",\"description\":" FIELD_DESCRIPTION FIELD_OPTIONAL                \
    ",\"version\":" FIELD_VERSION ",\"url\":\"" FIELD_URI "\"," FIELD_DIGEST "," FIELD_ENTRY_MEMBERS
#define ARCHIVES                                                                                                       \
    "!\"archives\":[{\"url\":\"" FIELD_FOLDER_URI ".tar.gz\",\"mimeType\":\"application/gzip\"," FIELD_TGZ_DIGEST "}," \
    "{\"url\":\"" FIELD_FOLDER_URI ".zip\",\"mimeType\":\"application/zip\"," FIELD_ZIP_DIGEST "}]}"
#define ARCHIVE                                                                                                        \
    "!{\"name\":" FIELD_NAME ",\"type\":\"archive\",\"description\":" FIELD_DESCRIPTION ",\"url\":\"" FIELD_FOLDER_URI \
    ".tar.gz\"," FIELD_TGZ_DIGEST "}"

void skri_push_index_resource(struct skr_response *a)
{
    skri_push_text(a,
                   "{\"uri\":\"skill://" SKR_INDEX "\",\"name\":\"" SKR_INDEX "\",\"mimeType\":\"application/json\"}");
}

/* The parts of the index. The entry of a skill whose content is fixed (SK-X-11) is pushed in two parts, because a whole
 * one has more pieces than the queue holds. After those come separate entries for the archives of skills that want
 * them, and last the templates that the image has prepared. */
enum index_part { INDEX_SKILL, INDEX_ARCHIVES, INDEX_SEPARATE_ARCHIVE, INDEX_TEMPLATES };

struct index_item {
    enum index_part part;
    const struct romfs_skill *skill;
};

static struct index_item index_item(const struct romfs *fs, uint32_t i)
{
    uint32_t listed = fs->header->listed;

    if (i < 2 * listed) {
        return (struct index_item){i % 2 == 0 ? INDEX_SKILL : INDEX_ARCHIVES, &fs->skills[i / 2]};
    }
    return i < 3 * listed ? (struct index_item){INDEX_SEPARATE_ARCHIVE, &fs->skills[i - 2 * listed]}
                          : (struct index_item){INDEX_TEMPLATES, NULL};
}

static bool push_index_item(struct skr_response *a, uint32_t i)
{
    struct index_item item = index_item(a->fs, i);

    if (item.part == INDEX_TEMPLATES) {
        struct romfs_text templates = a->fs->header->index_templates;
        skri_push(a, SKR_ESCAPED, skr_span_rom(a->fs, templates));
        return templates.len > 0;
    }
    bool fixed = (item.skill->flags & ROMFS_DYNAMIC) == 0, archives = (item.skill->flags & ROMFS_NO_ARCHIVE) == 0;
    switch (item.part) {
    case INDEX_SKILL: skri_push_skill(a, archives ? SKILL : SKILL "}", item.skill); return fixed;
    case INDEX_ARCHIVES: skri_push_skill(a, ARCHIVES, item.skill); return fixed && archives;
    default:
        skri_push_skill(a, ARCHIVE, item.skill);
        return fixed && archives && (item.skill->flags & ROMFS_ARCHIVED) != 0;
    }
}

static bool index_body(struct skr_response *a)
{
    if (a->body_step == 0) {
        skri_push_shape(a, OPEN, NULL, NULL);
        skri_push_shape(a, INDEX, NULL, NULL);
        a->body_step = 1;
        return true;
    }
    if (skri_push_item(a, "", push_index_item, 3 * a->fs->header->listed + 1)) {
        return true;
    }
    skri_push_text(a, "]}\"}]");
    return false;
}

void skri_read_index(struct skr_call *call)
{
    skri_response_result(call->response, index_body);
}
