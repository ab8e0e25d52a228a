/* omit.c -- skips parts of a folder. See omit.h. */
#include "load/omit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/rom_file.h"

/* ---- Outputs ---- */

/* The rest of `path` after `dir` and a slash; NULL when it is not inside. */
static const char *below(const char *dir, const char *path)
{
    size_t n = strlen(dir);

    if (strcmp(dir, ".") == 0) { /* which no path begins with: see path_join() */
        return strcmp(path, ".") == 0 ? NULL : path;
    }
    if (strncmp(dir, path, n) != 0) {
        return NULL;
    }
    return n > 0 && dir[n - 1] == '/' ? path + n : path[n] == '/' ? path + n + 1 : NULL;
}

/* Where an output is in the tree: *parent gets the directory that holds it. NULL: not there. */
static struct disk_entry *find_output(struct disk_entry *root, const char *output, struct disk_entry **parent)
{
    char *whole = realpath(root->disk_path, NULL), *place = rom_file_place(output);
    const char *rest = whole ? below(whole, place) : NULL;
    struct disk_entry *e = rest ? root : NULL;

    for (char *save = NULL, *segment = rest ? strtok_r(xstrdup(rest), "/", &save) : NULL; segment && e;
         segment = strtok_r(NULL, "/", &save)) {
        *parent = e;
        e = disk_child(e, segment);
    }
    free(whole);
    return e == root ? NULL : e;
}

static void drop_child(struct disk_entry *dir, const struct disk_entry *child)
{
    size_t kept = 0;

    for (size_t i = 0; i < dir->child_count; i++) {
        if (dir->children[i] != child) {
            dir->children[kept++] = dir->children[i];
        }
    }
    dir->child_count = kept;
}

static bool is_ours_in(const struct omit *omit, struct disk_entry *root)
{
    struct disk_entry *parent;

    for (size_t i = 0; i < omit->output_count; i++) {
        const struct disk_entry *e = find_output(root, omit->outputs[i], &parent);
        if (e && e->kind == DISK_FILE && !rom_file_is_output(e->disk_path)) {
            fprintf(stderr, "skillrom: %s: this is a file of the folder; it would be overwritten\n", e->disk_path);
            return false;
        }
    }
    return true;
}

bool omit_outputs_are_ours(const struct omit *omit, const char *dir)
{
    struct stat st;

    if (omit->output_count == 0 || stat(dir, &st) != 0 || !S_ISDIR(st.st_mode)) {
        return true; /* if it is not a folder, loading says so */
    }
    struct disk_entry *root = scan_folder(dir);
    const struct disk_entry *skills = disk_child(root, "skills");
    bool linked = skills && skills->kind == DISK_SYMLINK && stat(skills->disk_path, &st) == 0 && S_ISDIR(st.st_mode);
    return is_ours_in(omit, root) && (!linked || is_ours_in(omit, scan_folder(skills->disk_path)));
}

/* ---- What is left of a tree ---- */

static struct omitted *find_omitted(const struct omit *omit, const char *dir)
{
    for (size_t i = 0; i < omit->count; i++) {
        if (strcmp(omit->list[i].dir, dir) == 0) {
            return &omit->list[i];
        }
    }
    return NULL;
}

/* Of a skill that is left out only the path to skills inside it remains, as if it were any directory. If there are
 * none, nothing remains. */
static void prune(const struct omit *omit, struct disk_entry *dir)
{
    const struct omitted *own = find_omitted(omit, dir->disk_path);
    size_t kept = 0;

    dir->has_skill = false;
    for (size_t i = 0; i < dir->child_count; i++) {
        struct disk_entry *e = dir->children[i];
        const struct omitted *omitted = find_omitted(omit, e->disk_path);
        prune(omit, e);
        bool gone = (own || omitted) && !e->has_skill;
        if (gone || (omitted && omitted->whole)) {
            continue;
        }
        dir->children[kept++] = e;
        dir->has_skill = dir->has_skill || e->has_skill || strcmp(e->name, "SKILL.md") == 0;
    }
    dir->child_count = kept;
}

void omit_apply(const struct omit *omit, struct disk_entry *root)
{
    struct disk_entry *parent = NULL;

    for (size_t i = 0; i < omit->output_count; i++) {
        const struct disk_entry *e = find_output(root, omit->outputs[i], &parent);
        if (e) {
            drop_child(parent, e);
        }
    }
    if (omit->count > 0 || omit->output_count > 0) {
        prune(omit, root);
    }
}

/* ---- Tools and prompts ---- */

static bool is_among(char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static void add_name(char ***names, size_t *count, char *name)
{
    if (!is_among(*names, *count, name)) {
        *names = xrealloc(*names, (*count + 1) * sizeof **names);
        (*names)[(*count)++] = name;
    }
}

static void note_scoped(struct omit *omit, const struct device *device)
{
    for (size_t i = 0; i < device->tool_count; i++) {
        if (device->tools[i].scoped) {
            add_name(&omit->tools, &omit->tool_count, device->tools[i].name);
        }
    }
    for (size_t i = 0; i < device->prompt_count; i++) {
        if (device->prompts[i].scoped) {
            add_name(&omit->prompts, &omit->prompt_count, device->prompts[i].name);
        }
    }
}

void omit_orphans(const struct omit *omit, struct device *device)
{
    for (size_t i = 0; i < device->tool_count; i++) {
        device->tools[i].orphan = is_among(omit->tools, omit->tool_count, device->tools[i].name);
        device->tools[i].scoped |= device->tools[i].orphan;
    }
    for (size_t i = 0; i < device->prompt_count; i++) {
        device->prompts[i].scoped |= is_among(omit->prompts, omit->prompt_count, device->prompts[i].name);
    }
}

/* ---- What is wrong with which skill ---- */

static bool is_at_or_below(const char *dir, const char *path)
{
    return strcmp(dir, path) == 0 || below(dir, path) != NULL;
}

/* The innermost skill that the path lies in, of those not yet left out. */
static const struct place *place_of(const struct device *device, const char *path)
{
    const struct place *found = NULL;

    for (size_t i = 0; i < device->place_count; i++) {
        const struct place *place = &device->places[i];
        if (is_at_or_below(place->dir, path) && (!found || strlen(place->dir) > strlen(found->dir))) {
            found = place;
        }
    }
    return found;
}

/* The directory that a finding outside of all skills is about. */
static char *directory_at(const char *path)
{
    struct stat st;
    const char *slash = strrchr(path, '/');

    if (lstat(path, &st) != 0 || S_ISDIR(st.st_mode)) {
        return xstrdup(path);
    }
    return slash ? xstrndup(path, (size_t)(slash - path)) : xstrdup(".");
}

static bool is_left(const struct omit *omit, const char *dir)
{
    for (size_t i = 0; i < omit->left_count; i++) {
        if (strcmp(omit->left[i].dir, dir) == 0) {
            return true;
        }
    }
    return false;
}

/* The skill in `dir`, or all at and below it, will be missing. */
static void note_left(struct omit *omit, const struct device *device, const char *dir, bool whole)
{
    for (size_t i = 0; i < device->place_count; i++) {
        const struct place *place = &device->places[i];
        bool gone = whole ? is_at_or_below(dir, place->dir) : strcmp(dir, place->dir) == 0;
        if (gone && !is_left(omit, place->dir)) {
            omit->left = xrealloc(omit->left, (omit->left_count + 1) * sizeof *omit->left);
            omit->left[omit->left_count++] = *place;
        }
    }
}

static bool omit_error(struct omit *omit, const struct device *device, const struct diag_message *error)
{
    if (!device->top || !is_at_or_below(device->top, error->path)) {
        return false;
    }
    const struct place *place = place_of(device, error->path);
    const char *dir = place ? place->dir : directory_at(error->path);
    struct omitted *known = find_omitted(omit, dir);
    if (known && known->last == omit->round) {
        known->errors++;
        return true;
    }
    if (!place && (!below(device->top, dir) || (known && known->whole))) {
        return false;
    }
    if (known) { /* its own files are gone, and there is still an error */
        known->whole = true;
        known->last = omit->round;
    } else {
        omit->list = xrealloc(omit->list, (omit->count + 1) * sizeof *omit->list);
        omit->list[omit->count++] = (struct omitted){dir, place == NULL, *error, 1, omit->round, omit->round};
    }
    note_left(omit, device, dir, place == NULL);
    return true;
}

bool omit_errors(struct omit *omit, const struct device *device, const struct diag *held)
{
    omit->round++;
    note_scoped(omit, device);
    for (size_t i = 0; i < held->held_count; i++) {
        if (held->held[i].severity == SEVERITY_ERROR && !omit_error(omit, device, &held->held[i])) {
            return false;
        }
    }
    return true;
}

void omit_report(const struct omit *omit, unsigned rounds, struct diag *diag)
{
    for (size_t i = 0; i < omit->count && omit->list[i].first <= rounds; i++) {
        const struct omitted *o = &omit->list[i];
        char *more = o->errors > 1 ? xasprintf(" (and %u more)", o->errors - 1) : "";
        diag_report(diag, SEVERITY_WARNING, o->why.path, o->why.line, o->why.col, o->why.rule, "left out: %s%s",
                    o->why.text, more);
    }
}
