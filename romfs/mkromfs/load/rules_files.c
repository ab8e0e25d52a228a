/* rules_files.c -- names, kinds and sizes of what is in a skill (SK-V-06..13, SK-V-16, SK-B-07).
 *
 * These look at the disk tree once for an outermost skill, so that a file of a nested skill is not reported twice. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <utf8proc.h>

#include "archive.h"
#include "base/buf.h"
#include "load/load.h"
#include "load/rules.h"

#define FILES_MAX 512
#define BYTES_MAX 16777216u
#define SEGMENT_MAX 255

bool rules_segment_is_legal(const char *name, size_t n)
{
    if (n == 0 || n > SEGMENT_MAX || (name[0] == '.' && (n == 1 || (n == 2 && name[1] == '.')))) {
        return false;
    }
    for (size_t i = 0; i < n;) {
        uint32_t code;
        size_t width = utf8_decode(name + i, n - i, &code);
        if (width == 0 || utf8_is_control(code) || code == '\\' || code == '/') {
            return false;
        }
        i += width;
    }
    return true;
}

static bool is_unreserved(const char *name)
{
    static const char unreserved[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    return name[strspn(name, unreserved)] == '\0';
}

#define CAPITALS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* A reg-name of RFC 3986 without escapes: unreserved characters and sub-delims. */
static bool is_authority(const char *name)
{
    return name[strspn(name, CAPITALS "abcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=")] == '\0';
}

static bool ends_with(const char *name, const char *ending)
{
    size_t n = strlen(name), k = strlen(ending);

    return n >= k && strcmp(name + n - k, ending) == 0;
}

/* True when the segment may be served at all. */
static bool check_segment(const struct check *c, const char *name)
{
    if (!rules_segment_is_legal(name, strlen(name))) {
        check_report(c, LEVEL_E, whole_file, "SK-V-07", "illegal path segment '%s'; rename it", excerpt_str(name));
        return false;
    }
    return true;
}

static void check_escapes(const struct check *c, const char *name)
{
    if (!is_unreserved(name)) {
        check_report(c, LEVEL_L, whole_file, "SK-V-09", "'%s' needs escaping in a URI; rename it", excerpt_str(name));
    }
}

/* A device of Windows, whatever follows a dot: NUL, com3.txt. */
static bool is_windows_device(const char *name)
{
    static const char *const devices[] = {"con", "prn", "aux", "nul"};
    size_t n = strcspn(name, ".");

    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        if (n == 3 && strncasecmp(name, devices[i], 3) == 0) {
            return true;
        }
    }
    return n == 4 && (strncasecmp(name, "com", 3) == 0 || strncasecmp(name, "lpt", 3) == 0) && name[3] >= '0' &&
           name[3] <= '9';
}

void rules_windows_name(const struct check *c, const char *name)
{
    size_t n = strlen(name);

    if (is_windows_device(name)) {
        check_report(c, LEVEL_L, whole_file, "SK-V-16", "'%s' is a device on Windows, not a file name; rename it",
                     excerpt_str(name));
    } else if (strpbrk(name, "<>:\"|?*") != NULL || (n > 0 && (name[n - 1] == '.' || name[n - 1] == ' '))) {
        check_report(c, LEVEL_L, whole_file, "SK-V-16",
                     "'%s' cannot be a file name on Windows: no < > : \" | ? *, no dot or space at its end; rename it",
                     excerpt_str(name));
    }
}

void rules_archive_name(const struct check *c, const struct disk_entry *dir)
{
    if (ends_with(dir->name, ".zip") || ends_with(dir->name, ".tar.gz")) {
        struct check at = check_at(c, dir->disk_path);
        check_report(&at, LEVEL_E, whole_file, "SK-V-10", "prefix '%s' ends like an archive of a skill; rename it",
                     excerpt_str(dir->name));
    }
}

void rules_prefix(const struct check *c, const struct disk_entry *dir, bool first)
{
    struct check at = check_at(c, dir->disk_path);

    rules_archive_name(c, dir);
    if (!check_segment(&at, dir->name)) {
        return;
    }
    rules_windows_name(&at, dir->name);
    if (first && strcmp(dir->name, "index.json") == 0) {
        check_report(&at, LEVEL_E, whole_file, "SK-V-10", "prefix 'index.json' is the name of the index; rename it");
    } else if (first && !is_authority(dir->name)) {
        check_report(&at, LEVEL_E, whole_file, "SK-V-10",
                     "prefix '%s' cannot be a URI authority; use letters, digits, hyphens, no spaces",
                     excerpt_str(dir->name));
    } else if (first && strpbrk(dir->name, CAPITALS) != NULL) {
        check_report(&at, LEVEL_W, whole_file, "SK-V-10",
                     "prefix '%s' has capitals, which some clients fold in a URI; lower case is safer",
                     excerpt_str(dir->name));
    } else if (!first) {
        check_escapes(&at, dir->name);
    }
}

/* Equal keys mean names that some disks cannot tell apart. */
static char *fold_case(const char *name)
{
    utf8proc_uint8_t *folded = NULL;
    utf8proc_option_t options =
        (utf8proc_option_t)(UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);

    if (utf8proc_map((const utf8proc_uint8_t *)name, 0, &folded, options) < 0) {
        return xstrdup(name); /* not UTF-8: SK-V-07 reports it */
    }
    return (char *)folded;
}

struct folded_name {
    const struct disk_entry *entry;
    char *key;
};

static int by_key(const void *a, const void *b)
{
    const struct folded_name *x = a, *y = b;
    int order = strcmp(x->key, y->key);

    return order ? order : strcmp(x->entry->name, y->entry->name);
}

/* SK-V-08. Two paths fold to the same one only if two names in one directory do. */
static void check_twins(const struct check *c, const struct disk_entry *dir)
{
    struct folded_name *names = xmalloc(dir->child_count * sizeof *names);
    size_t count = 0;

    for (size_t i = 0; i < dir->child_count; i++) {
        if (!dir->children[i]->leftover) {
            names[count++] = (struct folded_name){dir->children[i], fold_case(skill_segment(c, dir->children[i]))};
        }
    }
    qsort(names, count, sizeof *names, by_key);
    for (size_t i = 1; i < count; i++) {
        const struct disk_entry *a = names[i - 1].entry, *b = names[i].entry;
        struct check at = check_at(c, b->disk_path);
        if (strcmp(names[i - 1].key, names[i].key) != 0) {
            continue;
        }
        if (strcmp(a->segment, a->name) != 0 || strcmp(b->segment, b->name) != 0) {
            check_report(&at, LEVEL_E, whole_file, "SK-V-08",
                         "'%s' is served as '%s' and '%s' as '%s'; name folders after their skills",
                         excerpt_str(a->name), a->segment, excerpt_str(b->name), b->segment);
        } else {
            check_report(&at, LEVEL_E, whole_file, "SK-V-08",
                         "'%s' and '%s' differ only in case or accents; rename one of them", excerpt_str(a->name),
                         excerpt_str(b->name));
        }
    }
}

static void check_tree(const struct check *c, const struct disk_entry *dir)
{
    check_twins(c, dir);
    for (size_t i = 0; i < dir->child_count; i++) {
        const struct disk_entry *e = dir->children[i];
        struct check at = check_at(c, e->disk_path);
        if (e->leftover) {
            check_report(&at, LEVEL_W, whole_file, "SK-V-13", "left out: '%s'", excerpt_str(e->name));
            continue;
        }
        if (e->kind == DISK_SYMLINK) {
            check_report(&at, LEVEL_E, whole_file, "SK-V-06", "'%s' is a symbolic link; copy the file instead",
                         excerpt_str(e->name));
        } else if (e->kind == DISK_SPECIAL) {
            check_report(&at, LEVEL_E, whole_file, "SK-V-06", "'%s' is %s; only files and directories can be served",
                         excerpt_str(e->name), e->what);
        }
        if (check_segment(&at, e->name)) {
            check_escapes(&at, e->name);
            rules_windows_name(&at, e->name);
        }
        if (e->kind == DISK_DIR) {
            check_tree(c, e);
        }
    }
}

struct linked {
    const struct disk_entry **files; /* those with more than one name on this disk */
    size_t count;
};

static void collect_linked(struct linked *l, const struct disk_entry *dir)
{
    for (size_t i = 0; i < dir->child_count; i++) {
        const struct disk_entry *e = dir->children[i];
        if (e->kind == DISK_FILE && e->links > 1 && !e->leftover) {
            l->files = xrealloc(l->files, (l->count + 1) * sizeof *l->files);
            l->files[l->count++] = e;
        } else if (e->kind == DISK_DIR) {
            collect_linked(l, e);
        }
    }
}

static int by_inode(const void *a, const void *b)
{
    const struct disk_entry *const *x = a, *const *y = b;

    if ((*x)->device != (*y)->device) {
        return (*x)->device < (*y)->device ? -1 : 1;
    }
    if ((*x)->inode != (*y)->inode) {
        return (*x)->inode < (*y)->inode ? -1 : 1;
    }
    return strcmp((*x)->disk_path, (*y)->disk_path);
}

/* SK-V-06. Tools that create a working copy may hard-link files to a store of their own, which does not matter to the
 * skill; two names inside it do. */
static void check_hard_links(const struct check *c, const struct disk_entry *dir)
{
    struct linked linked = {0};

    collect_linked(&linked, dir);
    if (linked.count < 2) {
        return;
    }
    qsort(linked.files, linked.count, sizeof *linked.files, by_inode);
    for (size_t i = 1; i < linked.count; i++) {
        const struct disk_entry *a = linked.files[i - 1], *b = linked.files[i];
        if (a->device == b->device && a->inode == b->inode) {
            struct check at = check_at(c, b->disk_path);
            check_report(&at, LEVEL_E, whole_file, "SK-V-06", "'%s' is a hard link to '%s'; copy the file instead",
                         excerpt_str(b->name), a->disk_path);
        }
    }
}

void rules_files(const struct check *c, const struct disk_entry *dir)
{
    rules_windows_name(c, dir->name);
    check_tree(c, dir);
    check_hard_links(c, dir);
}

void rules_size(const struct check *c, size_t files, uint64_t bytes)
{
    enum level level = c->allow_oversize ? LEVEL_W : LEVEL_E;

    if (files > FILES_MAX) {
        check_report(c, level, whole_file, "SK-V-11",
                     "%zu files; hosts need not accept more than %d: remove some, or add --allow-oversize", files,
                     FILES_MAX);
    }
    if (bytes > BYTES_MAX) {
        check_report(c, level, whole_file, "SK-V-12",
                     "total %llu bytes; hosts need not accept more than 16 MiB: remove files, or add --allow-oversize",
                     (unsigned long long)bytes);
    }
}

void rules_archive_paths(const struct check *c, struct skill *skill)
{
    enum level level = skill->archived ? LEVEL_E : LEVEL_W;
    const char *so = skill->archived ? "shorten it" : "the skill is served without archives";
    size_t files = 0;

    for (size_t i = 0; i < skill->file_count; i++) {
        const struct source *file = &skill->files[i];
        files += !file->is_dir;
        if (file->is_dir || romfs_archive_path_fits(file->path, strlen(file->path))) {
            continue;
        }
        if (!skill->dynamic && (level == LEVEL_E || !skill->unarchivable)) { /* one warning will do */
            struct check at = check_at(c, file->disk_path);
            check_report(&at, level, whole_file, "SK-B-07", "a path of %zu bytes is too long for a tar archive; %s",
                         strlen(file->path), so);
        }
        skill->unarchivable = true;
    }
    if (files > ROMFS_ARCHIVE_FILES_MAX) {
        skill->unarchivable = true;
        check_report(c, level, whole_file, "SK-B-07", "%zu files; an archive holds at most %u: remove some", files,
                     ROMFS_ARCHIVE_FILES_MAX);
    }
}
