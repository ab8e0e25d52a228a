/* omit.c -- skips parts of a folder. See omit.h. */
#include "load/omit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/rom_file.h"
#include "base/screen.h"

/* ---- Outputs ---- */

/* The rest of `path` after `dir` and a slash; NULL when it is not inside. */
static const char *path_below(const char *dir, const char *path)
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
    const char *rest = whole ? path_below(whole, place) : NULL;
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
            screen_error("%s: a file of the folder would be overwritten; choose another output", e->disk_path);
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
    struct disk_entry *behind = linked ? scan_folder(skills->disk_path) : NULL;
    bool ours = is_ours_in(omit, root) && (!behind || is_ours_in(omit, behind));

    scan_free(root);
    if (behind) {
        scan_free(behind);
    }
    return ours;
}

/* ---- What is left of a tree ---- */

static struct omitted *find_omitted(const struct omit *omit, const char *dir)
{
    size_t number = (size_t)(uintptr_t)names_find(&omit->by_dir, dir, strlen(dir));

    return number > 0 ? &omit->list[number - 1] : NULL;
}

static bool loses_files(const struct omitted *omitted)
{
    return omitted && omitted->part >= OMIT_FILES;
}

/* Of a skill that is left out only the path to skills inside it remains, as if it were any directory. If there are
 * none, nothing remains. In another skill its files stay as that one's. */
static void prune_folder(const struct omit *omit, struct disk_entry *dir)
{
    const struct omitted *own = find_omitted(omit, dir->disk_path);
    size_t kept = 0;

    dir->supporting = own && own->part == OMIT_SKILL;
    dir->has_skill = false;
    for (size_t i = 0; i < dir->child_count; i++) {
        struct disk_entry *e = dir->children[i];
        const struct omitted *omitted = find_omitted(omit, e->disk_path);
        prune_folder(omit, e);
        bool gone = (loses_files(own) || loses_files(omitted)) && !e->has_skill;
        if (gone || (omitted && omitted->part == OMIT_ALL)) {
            continue;
        }
        dir->children[kept++] = e;
        dir->has_skill = dir->has_skill || e->has_skill || (!dir->supporting && strcmp(e->name, "SKILL.md") == 0);
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
        prune_folder(omit, root);
    }
}

/* ---- Tools and prompts ---- */

static void add_name(struct names *names, const char *name)
{
    if (names_find(names, name, strlen(name)) == NULL) {
        char *kept = xstrdup(name);
        names_add(names, kept, strlen(kept), kept);
    }
}

static void keep_scoped(struct omit *omit, const struct device *device)
{
    for (size_t i = 0; i < device->tool_count; i++) {
        if (device->tools[i].scoped) {
            add_name(&omit->tools, device->tools[i].name);
        }
    }
    for (size_t i = 0; i < device->prompt_count; i++) {
        if (device->prompts[i].scoped) {
            add_name(&omit->prompts, device->prompts[i].name);
        }
    }
}

static bool is_among(const struct names *names, const char *name)
{
    return names_find(names, name, strlen(name)) != NULL;
}

void omit_orphans(const struct omit *omit, struct device *device)
{
    for (size_t i = 0; i < device->tool_count; i++) {
        device->tools[i].orphan = is_among(&omit->tools, device->tools[i].name);
        device->tools[i].scoped |= device->tools[i].orphan;
    }
    for (size_t i = 0; i < device->prompt_count; i++) {
        device->prompts[i].scoped |= is_among(&omit->prompts, device->prompts[i].name);
    }
}

/* ---- What is wrong with which skill ---- */

static bool is_at_or_below(const char *dir, const char *path)
{
    return strcmp(dir, path) == 0 || path_below(dir, path) != NULL;
}

/* What has the longest name of those that the path is at or below; NULL for none. */
static void *find_above(const struct names *dirs, const char *path)
{
    void *found = NULL;

    for (size_t n = strlen(path); found == NULL && n > 0; n--) {
        if (path[n] == '\0' || path[n] == '/') {
            found = names_find(dirs, path, n);
        }
    }
    return found != NULL ? found : names_find(dirs, path[0] == '/' ? "/" : ".", 1);
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

/* Remembers the skills that will be missing. */
static void keep_left_out(struct omit *omit, const struct device *device)
{
    struct names whole = {0};

    for (size_t i = 0; i < omit->count; i++) {
        if (omit->list[i].part == OMIT_ALL) {
            names_add(&whole, omit->list[i].dir, strlen(omit->list[i].dir), &omit->list[i]);
        }
    }
    for (size_t i = 0; i < device->place_count; i++) {
        const struct place *place = &device->places[i];
        if (!find_omitted(omit, place->dir) && !find_above(&whole, place->dir)) {
            continue;
        }
        if ((omit->left_count & (omit->left_count - 1)) == 0) { /* full at every power of two */
            omit->left = xrealloc(omit->left, (omit->left_count ? 2 * omit->left_count : 1) * sizeof *omit->left);
        }
        omit->left[omit->left_count++] = *place;
    }
    names_free(&whole);
}

static void add_omitted(struct omit *omit, struct omitted omitted)
{
    if ((omit->count & (omit->count - 1)) == 0) {
        omit->list = xrealloc(omit->list, (omit->count ? 2 * omit->count : 1) * sizeof *omit->list);
    }
    omit->list[omit->count++] = omitted;
    names_add(&omit->by_dir, omitted.dir, strlen(omitted.dir), (void *)(uintptr_t)omit->count);
}

/* The innermost directory around the path that is only a skill no longer; NULL: none. */
static struct omitted *supporting_around(const struct omit *omit, const char *path)
{
    for (size_t n = strlen(path); n > 0; n--) {
        if (path[n] == '\0' || path[n] == '/') {
            size_t number = (size_t)(uintptr_t)names_find(&omit->by_dir, path, n);
            if (number > 0 && omit->list[number - 1].part == OMIT_SKILL) {
                return &omit->list[number - 1];
            }
        }
    }
    return NULL;
}

/* True when the skill at `place` lies in another one. `places`: the device's skills, by their directories. */
static bool is_inside_another(const struct names *places, const struct place *place)
{
    const char *slash = strrchr(place->dir, '/');
    char *parent = slash == NULL         ? xstrdup(".")
                   : slash == place->dir ? xstrdup("/")
                                         : xstrndup(place->dir, (size_t)(slash - place->dir));
    bool inside = strcmp(place->dir, ".") != 0 && find_above(places, parent) != NULL;

    free(parent);
    return inside;
}

/* The first part of the skill at `place` to skip: little if it lies in another one, unless that is the error. */
static enum omitted_part first_part(const struct names *places, const struct place *place, const char *rule)
{
    bool nested = rule && strcmp(rule, "SK-V-04") == 0;

    if (place && !nested && is_inside_another(places, place)) {
        return OMIT_SKILL;
    }
    return place ? OMIT_FILES : OMIT_ALL;
}

/* `places`: those of the device, by their directories. */
static bool omit_error(struct omit *omit, const struct device *device, const struct names *places,
                       const struct diag_message *error)
{
    if (!device->top || !is_at_or_below(device->top, error->path)) {
        return false;
    }
    const struct place *place = find_above(places, error->path);
    struct omitted *inner = supporting_around(omit, error->path);
    bool deeper = inner && (!place || strlen(inner->dir) > strlen(place->dir));
    const char *dir = deeper ? inner->dir : place ? place->dir : directory_at(error->path);
    struct omitted *earlier = deeper ? inner : find_omitted(omit, dir);
    if (earlier && earlier->last == omit->round) {
        earlier->errors += 1 + error->more;
        return true;
    }
    if (!place && (!path_below(device->top, dir) || (earlier && earlier->part == OMIT_ALL))) {
        return false;
    }
    if (earlier) { /* that much is gone, and there is still an error */
        earlier->part = earlier->part == OMIT_SKILL ? OMIT_FILES : OMIT_ALL;
        earlier->last = omit->round;
    } else {
        enum omitted_part part = first_part(places, place, error->rule);
        add_omitted(omit, (struct omitted){dir, part, *error, 1 + error->more, omit->round, omit->round});
    }
    return true;
}

bool omit_errors(struct omit *omit, const struct device *device, const struct diag *held)
{
    struct names places = {0};
    bool well = true;

    omit->round++;
    keep_scoped(omit, device);
    for (size_t i = 0; i < device->place_count; i++) {
        names_add(&places, device->places[i].dir, strlen(device->places[i].dir), &device->places[i]);
    }
    for (size_t i = 0; well && i < held->held_count; i++) {
        well = held->held[i].severity != SEVERITY_ERROR || omit_error(omit, device, &places, &held->held[i]);
    }
    names_free(&places);
    keep_left_out(omit, device);
    return well;
}

void omit_report(const struct omit *omit, unsigned rounds, struct diag *diag)
{
    for (size_t i = 0; i < omit->count && omit->list[i].first <= rounds; i++) {
        const struct omitted *o = &omit->list[i];
        char *more = o->errors > 1 ? xasprintf(" (and %u more)", o->errors - 1) : "";
        const char *but = o->part == OMIT_SKILL ? " as a skill, a supporting file of the one around it" : "";
        diag_report(diag, SEVERITY_WARNING, o->why.path, o->why.line, o->why.col, o->why.rule, "left out%s: %s%s", but,
                    o->why.text, more);
    }
}
