/* skill.c -- one skill directory: its SKILL.md through all the rules, its files into the model.
 * Rules between skills are in rules_skills.c. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/json_out.h"
#include "base/rom_file.h"
#include "load/frontmatter.h"
#include "load/load.h"
#include "load/media.h"
#include "load/rules.h"

static void add_source(struct skill *skill, struct source source)
{
    if ((skill->file_count & (skill->file_count - 1)) == 0) {
        size_t room = skill->file_count ? 2 * skill->file_count : 1;
        skill->files = xrealloc(skill->files, room * sizeof *skill->files);
    }
    skill->files[skill->file_count++] = source;
}

/* What a skill's directory holds, counted whether it could be read or not. */
struct tally {
    size_t files;
    uint64_t bytes;
};

/* The name that a manifest gives; NULL when it is not valid. read_manifest() reports what is wrong. */
static char *name_in(const struct check *c, struct disk_entry *manifest)
{
    struct diag silent = {.silent = true};
    struct check quiet = *c;
    struct fenced fenced;

    if (manifest->kind != DISK_FILE || !disk_load(c, manifest)) {
        return NULL;
    }
    const char *text = (const char *)manifest->bytes;
    size_t size = (size_t)manifest->size;
    quiet.diag = &silent;
    if (!frontmatter_check_text(&quiet, text, size) || !frontmatter_split(&quiet, text, size, &fenced)) {
        return NULL;
    }
    struct node *root = frontmatter_parse(&quiet, &fenced);
    const struct node *name = root ? yaml_member(root, "name", NULL) : NULL;
    char *valid = rules_name_is_valid(name) ? xstrdup(name->text) : NULL;
    yaml_free(root);
    free(fenced.yaml);
    return valid;
}

struct disk_entry *skill_manifest(const struct disk_entry *dir)
{
    return dir->kind == DISK_DIR && !dir->supporting ? disk_child(dir, "SKILL.md") : NULL;
}

const char *skill_segment(const struct check *c, struct disk_entry *e)
{
    struct disk_entry *manifest = skill_manifest(e);

    if (!e->segment) {
        char *name = manifest ? name_in(c, manifest) : NULL;
        e->segment = name ? name : e->name;
    }
    return e->segment;
}

/* The files of a skill. Those of a skill inside it are where that skill serves them, which is below its name,
 * whatever its directory is called (SK-V-03). */
static void collect_files(const struct check *c, struct skill *skill, struct disk_entry *dir, const char *below,
                          struct tally *tally)
{
    for (size_t i = 0; i < dir->child_count; i++) {
        struct disk_entry *e = dir->children[i];
        if (e->leftover) {
            continue;
        }
        char *path = path_join(below, skill_segment(c, e));
        if (e->kind == DISK_DIR) {
            add_source(skill, (struct source){
                                  .path = path, .disk_path = e->disk_path, .is_dir = true, .mime = "inode/directory"});
            collect_files(c, skill, e, path, tally);
        } else if (e->kind == DISK_FILE) {
            if (disk_load(c, e)) {
                struct media media = media_of(e->name, e->bytes, (size_t)e->size);
                add_source(skill, (struct source){.path = path,
                                                  .disk_path = e->disk_path,
                                                  .bytes = e->bytes,
                                                  .size = (size_t)e->size,
                                                  .mime = media.type,
                                                  .text = media.text});
            }
            tally->files++;
            tally->bytes += e->size;
        }
    }
}

static void take_fields(const struct check *c, struct found_skill *found, const struct node *root)
{
    const struct node *name = yaml_member(root, "name", NULL);
    const struct node *description = yaml_member(root, "description", NULL);
    struct skill *skill = &found->skill;

    rules_fields(c, root);
    skill->frontmatter = frontmatter_json(c, root);
    if (description && description->kind == NODE_SCALAR) {
        skill->description_json = json_quoted(description->text, description->len);
    }
    if (rules_name_is_valid(name)) {
        skill->name = name->text;
        skill->name_json = json_quoted(name->text, name->len);
        found->name_at = name->at;
        found->usable = true;
    }
}

/* Cuts and checks the manifest. True when its body can be checked. */
static bool read_manifest(const struct check *c, struct found_skill *found, struct disk_entry *manifest)
{
    struct fenced fenced;

    if (manifest->kind != DISK_FILE || !disk_load(c, manifest)) {
        return false;
    }
    const char *text = (const char *)manifest->bytes;
    size_t size = (size_t)manifest->size;
    if (!frontmatter_check_text(c, text, size) || !frontmatter_split(c, text, size, &fenced)) {
        return false;
    }
    found->skill.body = fenced.body;
    struct node *root = frontmatter_parse(c, &fenced);
    if (root) {
        found->root = root;
        take_fields(c, found, root);
    }
    rules_body(c, text, size, &fenced);
    return true;
}

static void check_spelling(const struct check *c, const struct disk_entry *dir)
{
    for (size_t i = 0; i < dir->child_count; i++) {
        const struct disk_entry *e = dir->children[i];
        if (strcasecmp(e->name, "SKILL.md") == 0 && strcmp(e->name, "SKILL.md") != 0) {
            struct check at = check_at(c, e->disk_path);
            check_report(&at, LEVEL_E, whole_file, "SK-V-02", "'%s' found beside SKILL.md; remove it", e->name);
        }
    }
}

/* What an earlier `pack` has left in a skill is not part of it: the skill would contain itself, once more each time. */
static void flag_outputs(struct disk_entry *dir)
{
    for (size_t i = 0; i < dir->child_count; i++) {
        struct disk_entry *e = dir->children[i];
        if (e->kind == DISK_DIR) {
            flag_outputs(e);
        } else if (e->kind == DISK_FILE && rom_file_is_output(e->disk_path)) {
            e->leftover = true;
        }
    }
}

/* Says why a directory in a skill is not a skill of its own. What cannot be read is an error all the same. */
static void report_supporting(struct diag *diag, const struct diag *held)
{
    const struct diag_message *first = NULL;
    unsigned count = 0;

    for (size_t i = 0; i < held->held_count; i++) {
        const struct diag_message *m = &held->held[i];
        if (m->severity == SEVERITY_ERROR && !m->rule) {
            diag_report(diag, SEVERITY_ERROR, m->path, m->line, m->col, NULL, "%s", m->text);
        } else if (m->severity == SEVERITY_ERROR) {
            first = count++ == 0 ? m : first;
        }
    }
    if (first) {
        char *more = count > 1 ? xasprintf(" (and %u more)", count - 1) : "";
        diag_report(diag, SEVERITY_WARNING, first->path, first->line, first->col, first->rule,
                    "not a skill, so these are supporting files of the skill around it: %s%s", first->text, more);
    }
}

/* A template or an example in a skill may contain a SKILL.md that is not valid. To the extension it is a supporting file,
 * and so are those beside it. The innermost come first, because the name of a directory in URIs depends on it. */
static void find_supporting(const struct check *c, struct disk_entry *dir, const struct found_skill *around)
{
    for (size_t i = 0; i < dir->child_count; i++) {
        struct disk_entry *e = dir->children[i];
        struct diag held = {.hold = true};
        struct check quiet = *c;
        if (!e->has_skill || e->leftover || e->kind != DISK_DIR) {
            continue;
        }
        find_supporting(c, e, around);
        if (skill_manifest(e)) {
            quiet.diag = &held;
            skill_load(&quiet, e, "", around);
            e->supporting = held.errors > 0;
            report_supporting(c->diag, &held);
        }
    }
}

struct found_skill *skill_load(const struct check *c, struct disk_entry *dir, const char *prefix,
                               const struct found_skill *outer)
{
    struct disk_entry *manifest = disk_child(dir, "SKILL.md");
    struct found_skill *found = xmalloc(sizeof *found);
    struct check at = check_at(c, manifest->disk_path);
    struct tally tally = {0};

    *found = (struct found_skill){.manifest = manifest->disk_path, .name_at = whole_file, .outer = outer};
    found->skill.disk_path = dir->disk_path;
    found->skill.listed = true;
    if (manifest->kind == DISK_DIR) {
        check_report(&at, LEVEL_E, whole_file, "SK-V-01", "SKILL.md is a directory; a skill needs a file SKILL.md");
    }
    if (outer) {
        check_report(&at, LEVEL_L, whole_file, "SK-V-04",
                     "skill inside skill '%s', which clients of the drafts forbid; put it beside that one",
                     outer->skill.path);
    }
    bool readable = read_manifest(&at, found, manifest);
    if (found->usable && strcmp(dir->name, found->skill.name) != 0) {
        check_report(&at, LEVEL_L, found->name_at, "SK-V-03",
                     "directory '%s' but name '%s'; rename one, they must be the same", excerpt_str(dir->name),
                     found->skill.name);
    }
    found->skill.path = path_join(prefix, found->usable ? found->skill.name : dir->name);

    check_spelling(c, dir);
    if (!outer) {
        flag_outputs(dir);
        if (!c->strict) { /* there a skill inside a skill is an error anyway */
            find_supporting(c, dir, found);
        }
        rules_files(c, dir);
    }
    collect_files(c, &found->skill, dir, "", &tally);
    skill_sort_files(&found->skill);
    rules_size(&at, tally.files, tally.bytes);
    rules_new(c, &found->skill);
    if (found->root) {
        extras_load(&at, found);
    }
    rules_archive_paths(&at, &found->skill);
    if (readable) {
        rules_links(&at, (const char *)manifest->bytes, (size_t)manifest->size, found->skill.body, &found->skill);
    }
    return found;
}
