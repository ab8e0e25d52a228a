/* scan.c -- walking and reading. Everything is read as it is on disk; what is a skill, and whether it may be served,
 * is decided elsewhere. */
#include "base/scan.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/screen.h"

#define FILE_SIZE_MAX (16u << 20)             /* SK-V-12 refuses any skill with a larger file */
#define OVERSIZE_FILE_MAX ((uint64_t)1 << 30) /* what --allow-oversize will still read */

char *path_join(const char *dir, const char *name)
{
    size_t n = strlen(dir);

    if (strcmp(dir, ".") == 0 || n == 0) {
        return xstrdup(name);
    }
    return xasprintf("%s%s%s", dir, dir[n - 1] == '/' ? "" : "/", name);
}

static bool is_leftover(const char *name)
{
    static const char *const patterns[] = {".git", ".hg",   ".svn",  ".DS_Store", "Thumbs.db",
                                           "*~",   "*.swp", "*.swo", ".#*"};

    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        if (fnmatch(patterns[i], name, 0) == 0) {
            return true;
        }
    }
    return false;
}

static void set_kind(struct disk_entry *e, mode_t mode)
{
    e->kind = S_ISREG(mode) ? DISK_FILE : S_ISDIR(mode) ? DISK_DIR : S_ISLNK(mode) ? DISK_SYMLINK : DISK_SPECIAL;
    e->what = S_ISREG(mode)    ? "a file"
              : S_ISDIR(mode)  ? "a directory"
              : S_ISLNK(mode)  ? "a symbolic link"
              : S_ISFIFO(mode) ? "a pipe"
              : S_ISSOCK(mode) ? "a socket"
                               : "a device";
}

static void report_path(const struct check *c, const char *path, int error)
{
    struct check at = check_at(c, path);

    check_report(&at, LEVEL_E, whole_file, NULL, "cannot read this: %s", strerror(error));
}

static int by_name(const void *a, const void *b)
{
    const struct disk_entry *const *x = a, *const *y = b;

    return strcmp((*x)->name, (*y)->name);
}

/* Both names are kept. */
static struct disk_entry *new_entry(char *disk_path, char *name)
{
    struct disk_entry *e = xmalloc(sizeof *e);

    memset(e, 0, sizeof *e);
    e->disk_path = disk_path;
    e->name = name;
    return e;
}

/* Adds the entries of dir, one level. The handle is closed before descending, so that depth costs no file
 * descriptors. */
static void read_names(struct disk_entry *dir)
{
    DIR *handle = opendir(dir->disk_path);
    struct dirent *d;

    if (!handle) {
        dir->error = errno;
        return;
    }
    while ((d = readdir(handle)) != NULL) {
        if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0) {
            continue;
        }
        if ((dir->child_count & (dir->child_count - 1)) == 0) {
            size_t room = dir->child_count ? 2 * dir->child_count : 1;
            dir->children = xrealloc(dir->children, room * sizeof *dir->children);
        }
        char *path = path_join(dir->disk_path, d->d_name);
        dir->children[dir->child_count++] = new_entry(path, path + strlen(path) - strlen(d->d_name));
    }
    closedir(handle);
    if (dir->child_count) {
        qsort(dir->children, dir->child_count, sizeof *dir->children, by_name);
    }
}

static void fill_entry(struct disk_entry *dir)
{
    read_names(dir);
    for (size_t i = 0; i < dir->child_count; i++) {
        struct disk_entry *e = dir->children[i];
        struct stat st;
        if (lstat(e->disk_path, &st)) {
            e->error = errno;
            e->kind = DISK_SPECIAL;
            e->what = "unreadable";
            continue;
        }
        set_kind(e, st.st_mode);
        e->leftover = is_leftover(e->name);
        e->device = st.st_dev;
        e->inode = st.st_ino;
        e->links = st.st_nlink;
        e->size = (uint64_t)st.st_size;
        if (e->kind == DISK_DIR && !e->leftover) {
            fill_entry(e);
        }
        dir->has_skill = dir->has_skill || e->has_skill || strcmp(e->name, "SKILL.md") == 0;
    }
}

struct disk_entry *scan_folder(const char *dir)
{
    char *absolute = realpath(dir, NULL);
    const char *slash = absolute ? strrchr(absolute, '/') : NULL;
    struct disk_entry *root = new_entry(xstrdup(dir), xstrdup(slash ? slash + 1 : dir));

    root->kind = DISK_DIR;
    root->what = "a directory";
    free(absolute);
    fill_entry(root);
    return root;
}

void scan_forget(struct disk_entry *root)
{
    for (size_t i = 0; i < root->child_count; i++) {
        scan_forget(root->children[i]);
    }
    free(root->bytes);
    root->bytes = NULL;
}

void scan_free(struct disk_entry *root)
{
    for (size_t i = 0; i < root->child_count; i++) {
        scan_free(root->children[i]);
    }
    free(root->children);
    free(root->bytes);
    free(root->disk_path);
    free(root);
}

void scan_report(const struct check *c, const struct disk_entry *dir)
{
    if (dir->error) {
        report_path(c, dir->disk_path, dir->error);
    }
    for (size_t i = 0; i < dir->child_count; i++) {
        scan_report(c, dir->children[i]);
    }
}

struct disk_entry *disk_child(const struct disk_entry *dir, const char *name)
{
    struct disk_entry key = {.name = (char *)name}, *wanted = &key;
    struct disk_entry **found =
        dir->child_count > 0 ? bsearch(&wanted, dir->children, dir->child_count, sizeof wanted, by_name) : NULL;

    return found != NULL ? *found : NULL;
}

/* Reads up to `most` bytes; the file may have changed since it was listed. */
static bool read_whole(struct disk_entry *file, FILE *in, uint64_t most)
{
    struct buf b = {0};
    uint8_t chunk[16384];
    size_t n;

    while ((n = fread(chunk, 1, sizeof chunk, in)) > 0) {
        if (b.n + n > most) {
            errno = EFBIG;
            return false;
        }
        buf_add(&b, chunk, n);
    }
    if (ferror(in)) {
        return false;
    }
    file->size = b.n;
    buf_str(&b);                          /* a NUL after the content lets text checks look one byte ahead */
    file->bytes = xrealloc(b.p, b.n + 1); /* many files are kept: without the room to grow */
    return true;
}

bool disk_load(const struct check *c, struct disk_entry *file)
{
    uint64_t most = c->allow_oversize ? OVERSIZE_FILE_MAX : FILE_SIZE_MAX;

    if (file->bytes || file->unreadable) {
        return !file->unreadable;
    }
    screen_progress("reading", "files");
    FILE *in = fopen(file->disk_path, "rb");
    errno = in ? 0 : errno;
    bool good = in && read_whole(file, in, most);
    if (!good) {
        file->unreadable = true;
        if (errno != EFBIG || c->allow_oversize) {
            report_path(c, file->disk_path, errno ? errno : EIO);
        } /* otherwise SK-V-12 reports the skill that it makes too large */
    }
    if (in) {
        fclose(in);
    }
    return good;
}
