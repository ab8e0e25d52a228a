/* sep2076.c -- SEP-2076: skills/get by name, instructions with arguments filled in.
 *
 * Its skills/list is the common one, method_skills.c. */
#include "response/shape.h"
#include "skills/dialects.h"
#include "skills/skill.h"
#include "skills/values.h"

static bool push_required_file(struct skr_response *a, uint32_t i)
{
    const struct romfs_file *file = skri_push_file(
        a, SKRI_AS(a, skill)->record,
        "{\"name\":\"" FIELD_FILE_PATH "\"" FIELD_OPTIONAL ",\"title\":" FIELD_TITLE ",\"uri\":\"" FIELD_URI
        "\"" FIELD_OPTIONAL ",\"description\":" FIELD_ABOUT_GIVEN ",\"mimeType\":\"" FIELD_MIME_TYPE "\",\"required\":",
        i);

    skri_push_text(a, (file->flags & ROMFS_REQUIRED) != 0 ? "true}" : "false}");
    return true;
}

static const struct skr_array required_files = {"", push_required_file, offsetof(struct romfs_skill, file_count)};
static const struct skr_view sep2076_view = {.open = "\"description\":" FIELD_DESCRIPTION ",\"instructions\":\"",
                                             .rest = "\"" FIELD_OPTIONAL ",\"dependencies\":" FIELD_DEPENDENCIES,
                                             .before = ",\"files\":[",
                                             .after = "",
                                             .end = "",
                                             .arrays = &required_files,
                                             .count = 1};

void skri_get_named(struct skr_call *call)
{
    const struct romfs_skill *skill = skri_skill_named(call, SKR_NOT_NAMED, SKR_NAME_SHARED);

    if (skill != NULL && skri_values_collect(call, skill->first_arg, skill->arg_count, SKR_VALUE_MAX)) {
        skri_view(call, skill, &sep2076_view);
    }
}
