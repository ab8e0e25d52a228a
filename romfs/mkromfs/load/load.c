/* load.c -- from a folder to the model: finds the skills and loads each.
 *
 * Three kinds of folder are understood. With a device.json it is a device: skills below skills/, with tools/,
 * prompts/ and resources/ beside it. With a SKILL.md at its top it is one skill. Any other folder has skills somewhere
 * below; for those below skills/, if there is one, that part of the path is omitted. */
#include "load/load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "load/omit.h"
#include "load/rules.h"
#include "load/tool_rules.h"
#include "load/transcript.h"

#define NESTING_MAX 8 /* skills inside each other: each lists all files below it, so depth multiplies the image */

struct loader {
    struct check check;
    const struct omit *omit; /* NULL: nothing is skipped */
    struct found_skill **skills;
    size_t count;
    const struct disk_entry **misspelled; /* "skill.md" in no skill's directory */
    size_t misspelled_count;
    const char *device_json; /* its path, NULL for none */
    bool below_skills_dir;   /* every directory is meant to hold a skill */
    bool is_device;
};

static bool is_misspelled(const struct disk_entry *e)
{
    return e->kind == DISK_FILE && strcasecmp(e->name, "SKILL.md") == 0 && strcmp(e->name, "SKILL.md") != 0;
}

static void keep_skill(struct loader *l, struct found_skill *found)
{
    if ((l->count & (l->count - 1)) == 0) {
        l->skills = xrealloc(l->skills, (l->count ? 2 * l->count : 1) * sizeof *l->skills);
    }
    found->number = l->count;
    l->skills[l->count++] = found;
}

static void keep_misspelled(struct loader *l, const struct disk_entry *e)
{
    l->misspelled = xrealloc(l->misspelled, (l->misspelled_count + 1) * sizeof *l->misspelled);
    l->misspelled[l->misspelled_count++] = e;
}

/* A link outside any skill belongs to no skill; but if it leads to one, say that it is not packed. */
static void check_linked_skill(const struct check *c, const struct disk_entry *link)
{
    struct stat st;

    if (stat(path_join(link->disk_path, "SKILL.md"), &st) == 0) {
        struct check at = check_at(c, link->disk_path);
        check_report(&at, LEVEL_W, whole_file, "SK-V-06",
                     "'%s' is a symbolic link to a skill and is left out; copy the skill instead",
                     excerpt_str(link->name));
    }
}

static bool has_file_below(const struct disk_entry *dir)
{
    for (size_t i = 0; i < dir->child_count; i++) {
        const struct disk_entry *e = dir->children[i];
        if (!e->leftover && (e->kind == DISK_FILE || (e->kind == DISK_DIR && has_file_below(e)))) {
            return true;
        }
    }
    return false;
}

/* A directory without any SKILL.md, in it or below. Below skills/ it was meant to
 * be a skill; a misspelled manifest has its own message. */
static void visit_plain(struct loader *l, const struct disk_entry *dir, bool report)
{
    size_t before = l->misspelled_count;

    for (size_t i = 0; i < dir->child_count; i++) {
        const struct disk_entry *e = dir->children[i];
        if (is_misspelled(e)) {
            keep_misspelled(l, e);
        } else if (e->kind == DISK_SYMLINK) {
            check_linked_skill(&l->check, e);
        } else if (e->kind == DISK_DIR && !e->leftover) {
            visit_plain(l, e, false);
        }
    }
    if (report && l->misspelled_count == before && has_file_below(dir)) {
        struct check at = check_at(&l->check, dir->disk_path);
        check_report(&at, l->is_device ? LEVEL_E : LEVEL_W, whole_file, "SK-V-01",
                     "no SKILL.md in this skill directory; add it, or move the files");
    }
}

/* How many skills a skill's directory lies in, with itself. */
static unsigned nesting_depth(const struct found_skill *found)
{
    unsigned n = 0;

    for (; found != NULL; found = found->outer) {
        n++;
    }
    return n;
}

/* Walks a directory that has a SKILL.md in it or below. `path` is what its skills'
 * paths begin with: for the directory of a skill, that skill's own path. */
static void visit_folder(struct loader *l, struct disk_entry *dir, const char *path, const struct found_skill *outer)
{
    for (size_t i = 0; i < dir->child_count; i++) {
        struct disk_entry *e = dir->children[i];
        if (e->leftover) {
            continue;
        }
        if (!outer && is_misspelled(e)) {
            keep_misspelled(l, e);
        } else if (!outer && e->kind == DISK_SYMLINK) {
            check_linked_skill(&l->check, e);
        }
        if (e->kind != DISK_DIR || strcmp(e->name, "SKILL.md") == 0) {
            continue;
        }
        if (!e->has_skill) {
            if (!outer) {
                visit_plain(l, e, l->below_skills_dir);
            }
        } else if (skill_manifest(e) && nesting_depth(outer) == NESTING_MAX) {
            struct check at = check_at(&l->check, e->disk_path);
            check_report(&at, LEVEL_E, whole_file, "SK-V-04", "skill inside %d others; put it beside them",
                         NESTING_MAX);
        } else if (skill_manifest(e)) {
            struct found_skill *found = skill_load(&l->check, e, path, outer);
            keep_skill(l, found);
            visit_folder(l, e, found->skill.path, found);
        } else {
            if (outer) {
                rules_archive_name(&l->check, e);
            } else {
                rules_prefix(&l->check, e, *path == '\0');
            }
            visit_folder(l, e, path_join(path, e->name), outer);
        }
    }
}

static void find_skills(struct loader *l, struct disk_entry *root)
{
    scan_report(&l->check, root);
    if (disk_child(root, "SKILL.md")) {
        struct found_skill *found = skill_load(&l->check, root, "", NULL);
        keep_skill(l, found);
        visit_folder(l, root, found->skill.path, found);
    } else {
        visit_folder(l, root, "", NULL);
    }
}

/* SK-V-02 for misspelled manifests. In a folder of other things they are worth one hint; where skills are expected,
 * or none was found, each is an error. */
static void report_misspelled(struct loader *l)
{
    bool hint = l->count > 0 && !l->below_skills_dir;
    size_t count = l->misspelled_count;

    for (size_t i = 0; i < count && !(hint && i > 0); i++) {
        struct check at = check_at(&l->check, l->misspelled[i]->disk_path);
        const char *name = l->misspelled[i]->name;
        if (hint && count > 1) {
            check_report(&at, LEVEL_W, whole_file, "SK-V-02",
                         "'%s' found, here and in %zu other folders; rename it to SKILL.md if this is a skill", name,
                         count - 1);
        } else {
            check_report(&at, hint ? LEVEL_W : LEVEL_E, whole_file, "SK-V-02", "'%s' found; rename it to SKILL.md%s",
                         name, hint ? " if this is a skill" : "");
        }
    }
    l->misspelled_count = 0;
}

static int by_path(const void *a, const void *b)
{
    const struct found_skill *const *x = a, *const *y = b;

    if ((*x)->skill.listed != (*y)->skill.listed) {
        return (*x)->skill.listed ? -1 : 1;
    }
    return strcmp((*x)->skill.path, (*y)->skill.path);
}

static void keep_usable(struct loader *l)
{
    size_t kept = 0;

    for (size_t i = 0; i < l->count; i++) {
        if (l->skills[i]->usable) {
            l->skills[kept++] = l->skills[i];
        }
    }
    l->count = kept;
}

static void keep_places(const struct loader *l, struct device *out)
{
    out->places = xmalloc(l->count * sizeof *out->places);
    out->place_count = l->count;
    for (size_t i = 0; i < l->count; i++) {
        out->places[i] = (struct place){l->skills[i]->skill.disk_path, l->skills[i]->skill.path};
    }
}

static void hand_over(struct loader *l, struct device *out)
{
    out->skills = xmalloc(l->count * sizeof *out->skills);
    out->skill_count = l->count;
    if (l->count) {
        qsort(l->skills, l->count, sizeof *l->skills, by_path);
    }
    rules_skills_served(&l->check, l->skills, l->count, l->device_json, l->omit && l->omit->left_count > 0, out);
    if (l->omit) {
        omit_orphans(l->omit, out);
    }
    links_resolve(&l->check, l->skills, l->count, out);
    for (size_t i = 0; i < l->count; i++) {
        out->skills[i] = l->skills[i]->skill;
    }
    tool_rules_check_skills(&l->check, out);
}

static void warn_outside(const struct check *c, const struct disk_entry *dir)
{
    struct disk_entry *manifest = disk_child(dir, "SKILL.md");

    if (manifest && manifest->kind == DISK_FILE) {
        struct check at = check_at(c, manifest->disk_path);
        check_report(&at, LEVEL_W, whole_file, NULL, "this skill is not below skills/ and is left out");
        return;
    }
    for (size_t i = 0; i < dir->child_count; i++) {
        if (dir->children[i]->has_skill) {
            warn_outside(c, dir->children[i]);
        }
    }
}

static void load_part(const struct check *c, const struct disk_entry *top, const char *name, const char *pattern,
                      void (*load)(const struct check *, struct disk_entry *, struct device *), struct device *out)
{
    struct disk_entry *dir = disk_child(top, name);

    if (dir && dir->kind == DISK_DIR) {
        load(c, dir, out);
    } else if (dir) {
        struct check at = check_at(c, dir->disk_path);
        check_report(&at, LEVEL_E, whole_file, NULL, "'%s' is %s; it must be a directory of %s files", name, dir->what,
                     pattern);
    }
}

/* Without a device.json a folder's tools/ may be anything; warn if it looks like ours. */
static void warn_unused(const struct check *c, const struct disk_entry *top, const char *name, const char *ending)
{
    struct disk_entry *dir = disk_child(top, name);

    for (size_t i = 0; dir && i < dir->child_count; i++) {
        if (load_stem(dir->children[i]->name, ending)) {
            struct check at = check_at(c, dir->disk_path);
            check_report(&at, LEVEL_W, whole_file, NULL,
                         "'%s' is left out; it is read only where there is a device.json beside it", name);
            return;
        }
    }
}

static struct disk_entry *scan_tree(const struct loader *l, const char *dir)
{
    struct disk_entry *root = scan_folder(dir);

    if (l->omit) {
        omit_apply(l->omit, root);
    }
    return root;
}

/* The skills of a folder below its skills/, if it has that. */
static void load_below_skills_dir(struct loader *l, struct disk_entry *skills_dir, struct device *out)
{
    l->below_skills_dir = true;
    if (skills_dir) {
        bool linked = skills_dir->kind == DISK_SYMLINK;
        find_skills(l, linked ? out->scanned[1] = scan_tree(l, skills_dir->disk_path) : skills_dir);
    }
    report_misspelled(l);
    l->below_skills_dir = false;
}

/* What lies beside skills/. */
static struct disk_entry *folder_beside(const struct disk_entry *top, const struct disk_entry *skills_dir)
{
    struct disk_entry *rest = xmalloc(sizeof *rest);

    *rest = *top;
    rest->children = xmalloc(top->child_count * sizeof *rest->children);
    rest->child_count = 0;
    for (size_t i = 0; i < top->child_count; i++) {
        if (top->children[i] != skills_dir) {
            rest->children[rest->child_count++] = top->children[i];
        }
    }
    return rest;
}

static bool is_folder(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void load_folder(struct loader *l, struct disk_entry *top, struct device *out)
{
    const struct check without_ids = {.diag = l->check.diag, .strict = l->check.strict};
    struct disk_entry *device = disk_child(top, "device.json");
    struct disk_entry *skills_dir = disk_child(top, "skills");

    skills_dir = skills_dir && is_folder(skills_dir->disk_path) ? skills_dir : NULL;
    l->is_device = device != NULL;
    l->device_json = device ? device->disk_path : NULL;
    device_json_load(&without_ids, device, out);
    if (device) {
        load_part(&without_ids, top, "tools", ".json", tools_load, out);
        load_part(&without_ids, top, "prompts", ".md", prompts_load, out);
        load_part(&without_ids, top, "resources", ".json", resources_load, out);
        interface_identify(out);
    }
    out->top = device ? path_join(top->disk_path, "skills") : top->disk_path;
    if (device) {
        load_below_skills_dir(l, skills_dir, out);
        warn_outside(&without_ids, folder_beside(top, skills_dir));
    } else if (skills_dir && !disk_child(top, "SKILL.md")) {
        load_below_skills_dir(l, skills_dir, out);
        find_skills(l, folder_beside(top, skills_dir));
    } else {
        find_skills(l, top);
    }
    report_misspelled(l);
    if (!device && skills_dir) {
        warn_unused(&without_ids, top, "tools", ".json");
        warn_unused(&without_ids, top, "prompts", ".md");
        warn_unused(&without_ids, top, "resources", ".json");
        warn_unused(&without_ids, top, "panel", ".html");
    }
}

static void load_panel(const struct loader *l, const struct disk_entry *top, bool left_out, struct device *out)
{
    struct disk_entry *dir = disk_child(top, "panel");

    if (dir && dir->kind != DISK_DIR) {
        struct check at = check_at(&l->check, dir->disk_path);
        check_report(&at, LEVEL_E, whole_file, "SK-P-03", "'panel' is %s; it must be a directory", dir->what);
        return;
    }
    out->no_panel |= left_out;
    panel_load(&l->check, dir, out);
}

/* The folder as given, without slashes at its end. */
static char *trimmed_path(const char *dir)
{
    size_t n = strlen(dir);

    while (n > 1 && dir[n - 1] == '/') {
        n--;
    }
    return xstrndup(dir, n);
}

bool load_device(const char *dir, const struct load_options *options, struct diag *diag, struct device *out)
{
    struct loader l = {.omit = options->omit,
                       .check = {.diag = diag,
                                 .path = trimmed_path(dir),
                                 .strict = options->strict,
                                 .allow_oversize = options->allow_oversize,
                                 .rule_ids = true}};
    unsigned errors_before = diag->errors;

    *out = (struct device){.base = xstrdup(options->base ? options->base : "skill://")};
    if (!is_folder(dir)) {
        diag_report(diag, SEVERITY_ERROR, l.check.path, 0, 0, NULL, "%s",
                    access(dir, F_OK) ? strerror(errno) : "not a folder");
        return false;
    }
    out->scanned[0] = scan_tree(&l, l.check.path);
    load_folder(&l, out->scanned[0], out);
    bool nothing = l.count == 0 && out->tool_count == 0 && out->prompt_count == 0;
    if (nothing && diag->errors == errors_before) {
        check_report(&l.check, LEVEL_E, whole_file, "SK-V-01",
                     l.omit && l.omit->left_count ? "all skills here have errors"
                                                  : "no skill here: a skill is a folder with a file SKILL.md");
    }
    keep_places(&l, out);
    keep_usable(&l);
    rules_skills_named(&l.check, l.skills, l.count);
    hand_over(&l, out);
    if (l.is_device) {
        load_panel(&l, out->scanned[0], options->no_panel, out);
    }
    if (l.is_device) { /* elsewhere the word may mean something else */
        transcripts_check(&l.check, out);
    }
    return diag->errors == errors_before;
}
