/* rules_new.c -- what an author has not written yet: sentences of `skillrom new` that are still in a skill. */
#include <string.h>

#include "load/new_skill.h"
#include "load/rules.h"

static const char *const sentences[] = {NEW_DESCRIPTION, NEW_OPENING, NEW_FIRST_STEP, NEW_NEXT_STEP, NEW_DETAILS};

void rules_new(const struct check *c, const struct skill *skill)
{
    for (size_t i = 0; i < skill->file_count; i++) {
        const struct source *file = &skill->files[i];
        struct check at = check_at(c, file->disk_path);
        for (size_t k = 0; file->text && file->size > 0 && k < sizeof sentences / sizeof sentences[0]; k++) {
            const char *text = (const char *)file->bytes;
            const char *found = memmem(text, file->size, sentences[k], strlen(sentences[k]));
            if (found != NULL) {
                check_report(&at, LEVEL_P, utf8_pos(text, (size_t)(found - text)), NULL,
                             "this is still what `skillrom new` wrote: '%s'; replace it", excerpt_str(sentences[k]));
            }
        }
    }
}
