/* links_rules.c -- rules that need all names resolved: cycles of sub-skills (SK-M-10), tools without a description or
 * script (SK-S-01), names that the server reserves (SK-X-18). */
#include <stdlib.h>
#include <string.h>

#include "load/links.h"

/* ---- Sub-skills ---- */

/* The skill with this name or path; l->count for none or several. */
static size_t find_skill(const struct linker *l, const struct found_skill *found, const struct wish *wish)
{
    const struct found_skill *at_path = names_find(&l->index->skill_paths, wish->name, strlen(wish->name));
    const struct named_skill *named = names_find(&l->index->skill_names, wish->name, strlen(wish->name));

    if (at_path != NULL) {
        return at_path->number;
    }
    if (named != NULL && named->count == 1) {
        return named->index;
    }
    links_wrong(l, found, wish, "SK-M-10",
                named ? "several skills are named '%s'; give the path"
                      : "no skill '%s' in this device; correct the name, or add the skill",
                wish->name);
    return l->count;
}

static void take_subskills(const struct linker *l, struct found_skill *found)
{
    for (size_t i = 0; i < found->subskills.count; i++) {
        size_t index = find_skill(l, found, &found->subskills.list[i]);
        if (index < l->count) {
            links_add(&found->skill.subskills, &found->linked_skills, l->skills[index]->skill.path, index);
        }
    }
}

/* Nested directories add to what is named (SK-X-20). The outer skill may be one that is not served. */
static void join_outer(const struct linker *l, size_t index)
{
    const struct found_skill *outer = l->skills[index]->outer;

    struct found_skill *served = outer && outer->number < l->count ? l->skills[outer->number] : NULL;

    if (served == outer && served) {
        links_add(&served->skill.subskills, &served->linked_skills, l->skills[index]->skill.path, index);
    }
}

/* ---- Circles: Tarjan's algorithm, in time linear in the links, without recursion ---- */

struct circles {
    const struct linker *linker;
    size_t *met;  /* the order in which skills were met, from 1; 0: not yet */
    size_t *low;  /* the earliest that can be reached and is still open */
    size_t *next; /* the link of each that comes next */
    size_t *open; /* those whose component is not complete */
    bool *is_open;
    size_t *path; /* from where the walk began to where it is */
    size_t met_count, open_count, depth;
    bool *in_circle; /* the result */
};

static void enter_skill(struct circles *c, size_t skill)
{
    c->met[skill] = c->low[skill] = ++c->met_count;
    c->is_open[skill] = true;
    c->open[c->open_count++] = skill;
    c->path[c->depth++] = skill;
}

/* All links of a skill have been followed: closes the component that begins with it. */
static void leave_skill(struct circles *c, size_t skill)
{
    size_t last;
    bool several = c->open[c->open_count - 1] != skill;

    if (--c->depth > 0) {
        size_t above = c->path[c->depth - 1];
        c->low[above] = c->low[skill] < c->low[above] ? c->low[skill] : c->low[above];
    }
    if (c->low[skill] != c->met[skill]) {
        return;
    }
    do {
        last = c->open[--c->open_count];
        c->is_open[last] = false;
        c->in_circle[last] |= several;
    } while (last != skill);
}

static void walk_from(struct circles *c, size_t start)
{
    enter_skill(c, start);
    while (c->depth > 0) {
        size_t skill = c->path[c->depth - 1];
        const struct links *below = &c->linker->skills[skill]->skill.subskills;
        if (c->next[skill] == below->count) {
            leave_skill(c, skill);
            continue;
        }
        size_t to = below->index[c->next[skill]++];
        c->in_circle[skill] |= to == skill;
        if (c->met[to] == 0) {
            enter_skill(c, to);
        } else if (c->is_open[to] && c->met[to] < c->low[skill]) {
            c->low[skill] = c->met[to];
        }
    }
}

static void check_circles(const struct linker *l)
{
    size_t *numbers = xmalloc(5 * l->count * sizeof *numbers);
    bool *flags = xmalloc(2 * l->count * sizeof *flags);
    struct circles c = {.linker = l,
                        .met = numbers,
                        .low = numbers + l->count,
                        .next = numbers + 2 * l->count,
                        .open = numbers + 3 * l->count,
                        .path = numbers + 4 * l->count,
                        .is_open = flags,
                        .in_circle = flags + l->count};

    memset(numbers, 0, 5 * l->count * sizeof *numbers);
    memset(flags, 0, 2 * l->count * sizeof *flags);
    for (size_t i = 0; i < l->count; i++) {
        if (c.met[i] == 0) {
            walk_from(&c, i);
        }
    }
    for (size_t i = 0; i < l->count; i++) {
        const struct found_skill *found = l->skills[i];
        if (c.in_circle[i] && found->subskills.count > 0) {
            links_wrong(l, found, &found->subskills.list[0], "SK-M-10",
                        "skill '%s' is a sub-skill of itself; remove one of the links", found->skill.name);
        }
    }
    free(numbers);
    free(flags);
}

void links_subskills(const struct linker *l)
{
    for (size_t i = 0; i < l->count; i++) {
        take_subskills(l, l->skills[i]);
    }
    for (size_t i = 0; i < l->count; i++) {
        join_outer(l, i);
    }
    check_circles(l);
}

/* ---- Tools ---- */

/* What authors say about the script that each tool runs; NULL for nothing. */
static const char **about_scripts(const struct linker *l)
{
    const char **about = xmalloc(l->device->tool_count * sizeof *about);

    memset(about, 0, l->device->tool_count * sizeof *about);
    for (size_t i = 0; i < l->count; i++) {
        const struct skill *skill = &l->skills[i]->skill;
        for (size_t k = 0; k < skill->file_count; k++) {
            const struct source *file = &skill->files[k];
            if (file->is_script && about[file->tool] == NULL) {
                about[file->tool] = file->about;
            }
        }
    }
    return about;
}

static void keep_dependencies(const struct linker *l)
{
    for (size_t i = 0; i < l->count; i++) {
        for (size_t k = 0; k < l->skills[i]->tools.count; k++) {
            const char *tool = l->skills[i]->tools.list[k].name;
            names_add(&l->index->dependencies, tool, strlen(tool), l->device);
        }
    }
}

/* The skill whose script a listed tool seems to be meant for: `purge-line.purge_cycle`. No skill has a dot in its name. */
static const struct skill *meant_for(const struct linker *l, const struct tool *tool)
{
    size_t n = strcspn(tool->name, ".");
    const struct named_skill *named = tool->name[n] == '.' ? names_find(&l->index->skill_names, tool->name, n) : NULL;

    return named ? &l->skills[named->index]->skill : NULL;
}

void links_tools(const struct linker *l)
{
    const char **abouts = about_scripts(l);

    keep_dependencies(l);
    for (size_t i = 0; i < l->device->tool_count; i++) {
        struct tool *tool = &l->device->tools[i];
        bool described = yaml_member(tool->root, "description", NULL) != NULL;
        const char *about = described ? NULL : abouts[i];
        bool wanted = tool->scoped || names_find(&l->index->dependencies, tool->name, strlen(tool->name)) != NULL;
        const struct skill *skill = wanted ? NULL : meant_for(l, tool);
        struct check at = check_at(l->check, tool->disk_path);
        if (!described && !about && !tool->orphan) {
            check_report(&at, LEVEL_E, tool->root->at, NULL,
                         "'description' missing; say what it does and when to use it");
        }
        if (skill) {
            check_report(&at, LEVEL_E, whole_file, "SK-S-01",
                         "a handler without a file: skill '%s' has no script '%s'; add the file, or remove the handler",
                         skill->name, excerpt_str(tool->name + strlen(skill->name) + 1));
        }
        tool->json = tool_json(tool, about);
    }
    free(abouts);
}

/* ---- Names of the server's own ---- */

void links_names(const struct linker *l)
{
    static const char *const own_tools[] = {"list_skills", "read_skill"};
    const struct device *device = l->device;

    for (size_t i = 0; i < device->tool_count && !device->no_skill_tools && l->count > 0; i++) {
        struct check at = check_at(l->check, device->tools[i].disk_path);
        for (size_t k = 0; k < sizeof own_tools / sizeof own_tools[0]; k++) {
            if (strcmp(device->tools[i].name, own_tools[k]) == 0) {
                check_report(&at, LEVEL_E, whole_file, "SK-X-18",
                             "'%s' is one of the server's own tools; rename this one, or set \"skillTools\": false in "
                             "device.json",
                             own_tools[k]);
            }
        }
    }
    for (size_t i = 0; i < l->count && !device->no_skill_prompts; i++) {
        const struct found_skill *found = l->skills[i];
        struct check at = check_at(l->check, found->manifest);
        if (found->skill.listed && names_find(&l->index->prompts, found->skill.name, strlen(found->skill.name))) {
            check_report(&at, LEVEL_E, found->name_at, "SK-X-18",
                         "a prompt is also named '%s', and skills are offered as prompts; rename one, or set "
                         "\"skillPrompts\": false in device.json",
                         found->skill.name);
        }
    }
}
