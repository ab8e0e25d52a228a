/* links_rules.c -- rules that need all names resolved: cycles of sub-skills (SK-M-10), tools without a description or
 * script (SK-S-01), names that the server reserves (SK-X-18). */
#include <stdlib.h>
#include <string.h>

#include "load/links.h"

/* ---- Sub-skills ---- */

/* The skill with this name or path; l->count for none or several. */
static size_t find_skill(const struct linker *l, const struct found_skill *found, const struct wish *wish)
{
    size_t by_name = l->count, matches = 0;

    for (size_t i = 0; i < l->count; i++) {
        if (strcmp(l->skills[i]->skill.path, wish->name) == 0) {
            return i;
        }
        if (strcmp(l->skills[i]->skill.name, wish->name) == 0) {
            by_name = i;
            matches++;
        }
    }
    if (matches == 1) {
        return by_name;
    }
    links_wrong(l, found, wish, "SK-M-10",
                matches ? "several skills are named '%s'; give the path" : "no skill '%s' in this device", wish->name);
    return l->count;
}

static void take_subskills(const struct linker *l, struct found_skill *found)
{
    for (size_t i = 0; i < found->subskills.count; i++) {
        size_t index = find_skill(l, found, &found->subskills.list[i]);
        if (index < l->count) {
            links_add(&found->skill.subskills, index);
        }
    }
}

/* Nested directories add to what is named (SK-X-20). */
static void join_outer(const struct linker *l, size_t index)
{
    const struct found_skill *outer = l->skills[index]->outer;

    for (size_t i = 0; outer && i < l->count; i++) {
        if (l->skills[i] == outer) {
            links_add(&l->skills[i]->skill.subskills, index);
        }
    }
}

/* True when `goal` can be reached from `from`. seen[] keeps the walk finite. */
static bool leads_to(const struct linker *l, size_t from, size_t goal, bool *seen)
{
    const struct links *below = &l->skills[from]->skill.subskills;

    for (size_t i = 0; i < below->count; i++) {
        size_t next = below->index[i];
        if (next == goal) {
            return true;
        }
        if (!seen[next]) {
            seen[next] = true;
            if (leads_to(l, next, goal, seen)) {
                return true;
            }
        }
    }
    return false;
}

static void check_circle(const struct linker *l, size_t index)
{
    const struct found_skill *found = l->skills[index];
    bool *seen = xmalloc(l->count * sizeof *seen);

    memset(seen, 0, l->count * sizeof *seen);
    if (found->subskills.count > 0 && leads_to(l, index, index, seen)) {
        links_wrong(l, found, &found->subskills.list[0], "SK-M-10", "skill '%s' is a sub-skill of itself",
                    found->skill.name);
    }
    free(seen);
}

void links_subskills(const struct linker *l)
{
    for (size_t i = 0; i < l->count; i++) {
        take_subskills(l, l->skills[i]);
    }
    for (size_t i = 0; i < l->count; i++) {
        join_outer(l, i);
    }
    for (size_t i = 0; i < l->count; i++) {
        check_circle(l, i);
    }
}

/* ---- Tools ---- */

/* What an author says about the script that the tool runs; NULL for nothing. */
static const char *about_script(const struct linker *l, size_t tool)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct skill *skill = &l->skills[i]->skill;
        for (size_t k = 0; k < skill->file_count; k++) {
            if (skill->files[k].is_script && skill->files[k].tool == tool && skill->files[k].about) {
                return skill->files[k].about;
            }
        }
    }
    return NULL;
}

static bool is_depended_on(const struct linker *l, const char *tool)
{
    for (size_t i = 0; i < l->count; i++) {
        for (size_t k = 0; k < l->skills[i]->tools.count; k++) {
            if (strcmp(l->skills[i]->tools.list[k].name, tool) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* The skill whose script a listed tool seems to be meant for: `purge-line.purge_cycle`. */
static const struct skill *meant_for(const struct linker *l, const struct tool *tool)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct skill *skill = &l->skills[i]->skill;
        size_t n = strlen(skill->name);
        if (strncmp(tool->name, skill->name, n) == 0 && tool->name[n] == '.') {
            return skill;
        }
    }
    return NULL;
}

void links_tools(const struct linker *l)
{
    for (size_t i = 0; i < l->device->tool_count; i++) {
        struct tool *tool = &l->device->tools[i];
        bool described = yaml_member(tool->root, "description", NULL) != NULL;
        const char *about = described ? NULL : about_script(l, i);
        const struct skill *skill = tool->scoped || is_depended_on(l, tool->name) ? NULL : meant_for(l, tool);
        struct check at = check_at(l->check, tool->disk_path);
        if (!described && !about && !tool->orphan) {
            check_report(&at, LEVEL_E, tool->root->at, NULL, "'description' missing");
        }
        if (skill) {
            check_report(&at, LEVEL_E, whole_file, "SK-S-01", "a handler without a file: skill '%s' has no script '%s'",
                         skill->name, excerpt_str(tool->name + strlen(skill->name) + 1));
        }
        tool->json = tool_json(tool, about);
    }
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
        for (size_t k = 0; k < device->prompt_count && found->skill.listed; k++) {
            if (strcmp(device->prompts[k].name, found->skill.name) == 0) {
                check_report(&at, LEVEL_E, found->name_at, "SK-X-18",
                             "a prompt is named '%s', too, and skills are offered as prompts; rename one, or set "
                             "\"skillPrompts\": false in device.json",
                             found->skill.name);
            }
        }
    }
}
