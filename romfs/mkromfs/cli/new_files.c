/* new_files.c -- a folder is filled beside its place and then renamed, so that nobody sees half of it. See new_files.h. */
#include "cli/new_files.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/rom_file.h"
#include "base/scan.h"
#include "base/screen.h"
#include "console.h"

static bool report_file(const char *path)
{
    screen_error("%s: %s", path, strerror(errno));
    return false;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *place)
{
    (void)st;
    (void)type;
    (void)place;
    return remove(path);
}

static void remove_tree(const char *root)
{
    nftw(root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* The folders between root and a file of it. */
static bool make_folders(const char *root, const char *path)
{
    for (const char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        const char *folder = xasprintf("%s/%.*s", root, (int)(slash - path), path);
        if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
            return report_file(folder);
        }
    }
    return true;
}

static bool fill_folder(const char *root, const struct new_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *path = path_join(root, files[i].path);
        if (!make_folders(root, files[i].path) || !rom_file_write(path, files[i].text, strlen(files[i].text))) {
            return false;
        }
    }
    return true;
}

/* mkdtemp makes a folder for its owner alone; this one gets the permissions of the user's umask. */
static bool open_up(const char *folder)
{
    mode_t mask = umask(0);

    umask(mask);
    return chmod(folder, 0777 & ~mask) == 0 || report_file(folder);
}

bool new_files_write(const char *dir, const char *name, const struct new_file *files, size_t count)
{
    char *root = path_join(dir, name);
    char *temporary = path_join(dir, xasprintf(".%s.XXXXXX", name));
    struct stat st;

    if (lstat(root, &st) == 0) {
        screen_error("%s already exists; choose another name or remove it first", root);
        return false;
    }
    bool made = mkdir(dir, 0777) == 0;
    if (!made && errno != EEXIST) {
        return report_file(dir);
    }
    bool begun = mkdtemp(temporary) != NULL || report_file(dir);
    bool well = begun && fill_folder(temporary, files, count) && open_up(temporary) &&
                (rename(temporary, root) == 0 || report_file(root));
    if (begun && !well) {
        remove_tree(temporary);
    }
    if (made && !well) {
        rmdir(dir);
    }
    for (size_t i = 0; well && !host_console.quiet && i < count; i++) {
        printf("created %s\n", path_join(root, files[i].path));
    }
    return well;
}
