/* rules_skills.c -- what shows only when all skills of a folder are side by side: names and paths that clash, and two
 * things with the same URI. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "load/load.h"

struct all {
    const struct check *check;
    struct found_skill **skills;
    size_t count;
    const char *device_json;
    bool some_left; /* skills were left out */
};

static int by_name_and_path(const void *a, const void *b)
{
    const struct found_skill *const *x = a, *const *y = b;
    int order = strcmp((*x)->skill.name, (*y)->skill.name);

    return order ? order : strcmp((*x)->skill.path, (*y)->skill.path);
}

/* Of two at one path, the one that was found first has it. */
static int by_name(const void *a, const void *b)
{
    const struct found_skill *const *x = a, *const *y = b;
    int order = by_name_and_path(a, b);

    return order ? order : (*x)->number < (*y)->number ? -1 : 1;
}

/* SK-V-05, and two directories that end up at one skill path (SK-V-60). */
static void check_names(struct all *s)
{
    if (s->count == 0) {
        return;
    }
    qsort(s->skills, s->count, sizeof *s->skills, by_name);
    for (size_t i = 1; i < s->count; i++) {
        const struct found_skill *a = s->skills[i - 1], *b = s->skills[i];
        struct check at = check_at(s->check, b->manifest);
        if (strcmp(a->skill.name, b->skill.name) != 0) {
            continue;
        }
        if (strcmp(a->skill.path, b->skill.path) == 0) {
            check_report(&at, LEVEL_E, b->name_at, "SK-V-60",
                         "would be served at '%s', where '%s' is already; rename one of them", b->skill.path,
                         a->manifest);
        } else {
            check_report(&at, LEVEL_L, b->name_at, "SK-V-05",
                         "name '%s' is already used by path '%s'; rename one of them", b->skill.name, a->skill.path);
        }
    }
}

/* The order of skills by their path, letters of any case alike in the first segment, which is a URI's authority. */
static int by_authority(const void *a, const void *b)
{
    const struct found_skill *const *x = a, *const *y = b;
    const char *p = (*x)->skill.path, *q = (*y)->skill.path;
    size_t n = strcspn(p, "/"), m = strcspn(q, "/");
    int order = strncasecmp(p, q, n < m ? n : m);

    return order ? order : n != m ? (n < m ? -1 : 1) : strcmp(p + n, q + m);
}

/* SK-V-10: clients that fold the first segment take two skills for one. s->skills is sorted by name, and stays so. */
static void check_authorities(const struct all *s)
{
    struct found_skill **sorted = xmalloc(s->count * sizeof *sorted + 1);

    if (s->count == 0) {
        return;
    }
    memcpy(sorted, s->skills, s->count * sizeof *sorted);
    qsort(sorted, s->count, sizeof *sorted, by_authority);
    for (size_t i = 1; i < s->count; i++) {
        const struct found_skill *a = sorted[i - 1], *b = sorted[i];
        if (by_authority(&sorted[i - 1], &sorted[i]) == 0 && strcmp(a->skill.path, b->skill.path) != 0) {
            const struct found_skill *later = a->number < b->number ? b : a, *former = later == a ? b : a;
            struct check at = check_at(s->check, later->manifest);
            check_report(&at, LEVEL_E, whole_file, "SK-V-10",
                         "'%s' and '%s' differ only in case, which a URI's authority does not have; rename a folder",
                         former->skill.path, later->skill.path);
        }
    }
}

/* The skill at a path, NULL for none. s->skills is sorted by name. */
static const struct found_skill *skill_at(const struct all *s, char *path)
{
    char *slash = strrchr(path, '/');
    struct found_skill key = {.skill = {.path = path, .name = slash ? slash + 1 : path}}, *wanted = &key;
    struct found_skill **at = bsearch(&wanted, s->skills, s->count, sizeof *s->skills, by_name_and_path);

    return at ? *at : NULL;
}

static bool lies_in(const struct found_skill *found, const struct found_skill *other)
{
    while (found && found != other) {
        found = found->outer;
    }
    return found != NULL;
}

/* SK-V-60: all that is served below the path of a skill lies in its directory. It need not be so
 * where a directory is not called as its skill. */
static void check_places(const struct all *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct found_skill *found = s->skills[i];
        const char *path = found->skill.path;
        for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
            const struct found_skill *other = skill_at(s, xstrndup(path, (size_t)(slash - path)));
            if (other && !lies_in(found, other)) {
                struct check at = check_at(s->check, found->manifest);
                check_report(&at, LEVEL_E, found->name_at, "SK-V-60",
                             "would be served at '%s', inside of skill '%s'; rename one of the folders", path,
                             other->manifest);
            }
        }
    }
}

/* SK-V-61: where URIs do not begin with skill://, only the index leads to a skill. */
static void check_base(const struct all *s, const struct device *device)
{
    for (size_t i = 0; i < s->count && strncmp(device->base, "skill://", strlen("skill://")) != 0; i++) {
        const struct found_skill *found = s->skills[i];
        if (!found->skill.listed || found->skill.dynamic) {
            struct check at = check_at(s->check, found->manifest);
            check_report(&at, LEVEL_E, found->name_at, "SK-V-61",
                         "%s skill is not in skill://index.json, so its URIs must begin with skill://, not '%s'",
                         found->skill.listed ? "a dynamic" : "an unlisted", device->base);
        }
    }
}

/* A prefix that device.json describes has skills in lists, unless they were left out. */
static void check_prefixes(const struct all *s, struct device *device)
{
    size_t kept = 0;
    struct names listed = {0};

    for (size_t k = 0; device->prefix_count > 0 && k < s->count && s->skills[k]->skill.listed; k++) {
        const char *path = s->skills[k]->skill.path, *slash = strrchr(path, '/');
        names_add(&listed, path, slash ? (size_t)(slash - path) : 0, device);
    }
    for (size_t i = 0; i < device->prefix_count; i++) {
        bool used = names_find(&listed, device->prefixes[i].path, strlen(device->prefixes[i].path)) != NULL;
        if (!used) {
            struct check at = check_at(s->check, s->device_json);
            check_report(&at, s->some_left ? LEVEL_W : LEVEL_E, device->prefixes[i].at, "SK-X-09",
                         "no listed skill has the prefix '%s'; correct or remove it",
                         excerpt_str(device->prefixes[i].path));
        }
        if (used || !s->some_left) {
            device->prefixes[kept++] = device->prefixes[i];
        }
    }
    device->prefix_count = kept;
    names_free(&listed);
}

/* SK-X-10: a file that lies beside a skill inside a skill may have the URI of its archive. */
static void check_archive_uris(const struct all *s)
{
    static const char *const endings[] = {".tar.gz", ".zip"};

    for (size_t i = 0; i < s->count; i++) {
        const struct skill *skill = &s->skills[i]->skill;
        const struct skill *outer = s->skills[i]->outer != NULL ? &s->skills[i]->outer->skill : NULL;
        for (size_t k = 0; outer != NULL && !skill->dynamic && !skill->unarchivable && k < 2; k++) {
            char *path = xasprintf("%s%s", skill->path + strlen(outer->path) + 1, endings[k]);
            const struct source *file = skill_file(outer, path);
            free(path);
            if (file != NULL) {
                struct check at = check_at(s->check, file->disk_path);
                check_report(&at, LEVEL_E, whole_file, "SK-X-10", "has the URI of the archive of skill '%s'; rename it",
                             skill->path);
            }
        }
    }
}

void rules_skills_named(const struct check *c, struct found_skill **skills, size_t count)
{
    struct all all = {.check = c, .skills = skills, .count = count};

    check_names(&all);
    check_authorities(&all);
    check_places(&all);
}

void rules_skills_served(const struct check *c, struct found_skill **skills, size_t count, const char *device_json,
                         bool some_left, struct device *device)
{
    struct all all = {c, skills, count, device_json, some_left};

    check_base(&all, device);
    check_prefixes(&all, device);
    check_archive_uris(&all);
}
