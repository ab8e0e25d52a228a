/* skill_file.c -- the files of a skill in their order, and one of them by its path. */
#include <stdlib.h>
#include <string.h>

#include "load/load.h"

/* SKILL.md first, then byte order (SK-A-05). */
static int by_path(const void *a, const void *b)
{
    const struct source *x = a, *y = b;
    bool x_first = strcmp(x->path, "SKILL.md") == 0, y_first = strcmp(y->path, "SKILL.md") == 0;

    return x_first != y_first ? (x_first ? -1 : 1) : strcmp(x->path, y->path);
}

void skill_sort_files(struct skill *skill)
{
    if (skill->file_count > 0) {
        qsort(skill->files, skill->file_count, sizeof *skill->files, by_path);
    }
}

struct source *skill_file(const struct skill *skill, const char *path)
{
    const struct source key = {.path = (char *)path};

    return skill->file_count > 0 ? bsearch(&key, skill->files, skill->file_count, sizeof key, by_path) : NULL;
}
