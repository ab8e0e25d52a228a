/* depfile.c -- see depfile.h. The folder may come from anywhere, so a name must not mean anything else to make: no rule, no
 * command, no variable, and no target of the Makefile that includes this. make and ninja agree on the escapes for space, #
 * and $ only; other special characters cannot be written for both. tests/programs/names tries all of them. */
#include "cli/depfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/scan.h"
#include "base/screen.h"

/* Never exists, so an output that depends on it is out of date in every build. */
#define ALWAYS "skillrom-packs-in-every-build"

struct name_list {
    struct buf escaped; /* each after a line continuation */
    const char *refused;
    size_t refused_count;
};

/* True for what make and ninja read as a character of a name, some of it after an escape. */
static bool is_character(char c)
{
    bool letter =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80;

    return letter || (c != '\0' && strchr("+-_.,/@!(){}]~ #$", c) != NULL);
}

bool depfile_can_name(const char *path)
{
    size_t n = 0;

    while (is_character(path[n])) {
        n++;
    }
    /* A tilde in front is a home to make, and ')' at the end makes the name that of an archive's member. */
    return n > 0 && path[n] == '\0' && path[0] != '~' && path[n - 1] != ')' && path[n - 1] != ' ';
}

/* A name without a slash could be that of a target such as clean, and one with a tilde a home: such a name becomes absolute. */
static const char *make_path(const char *path)
{
    if (path[0] != '~' && strchr(path, '/') != NULL) {
        return path;
    }
    const char *here = realpath(".", NULL);
    return here == NULL ? "" : strcmp(path, ".") == 0 ? here : xasprintf("%s/%s", here, path);
}

static void add_escaped(struct buf *b, const char *path)
{
    for (; *path != '\0'; path++) {
        if (*path == ' ' || *path == '#') {
            buf_puts(b, "\\");
        } else if (*path == '$') {
            buf_puts(b, "$");
        }
        buf_add(b, path, 1);
    }
}

static void add_name(struct name_list *names, const char *path)
{
    const char *name = make_path(path);

    if (depfile_can_name(name)) {
        buf_puts(&names->escaped, " \\\n ");
        add_escaped(&names->escaped, name);
    } else if (names->refused_count++ == 0) {
        names->refused = path;
    }
}

/* Each directory, and the files of skills; elsewhere, of a folder `all` of whose files are read, these. */
static void add_tree(struct name_list *names, const struct disk_entry *dir, bool all)
{
    add_name(names, dir->disk_path);
    all = all || disk_child(dir, "SKILL.md") != NULL;
    for (size_t i = 0; i < dir->child_count; i++) {
        const struct disk_entry *e = dir->children[i];
        if (e->kind == DISK_DIR && !e->leftover) {
            add_tree(names, e, all);
        } else if (e->kind == DISK_FILE && !e->leftover && all) {
            add_name(names, e->disk_path);
        }
    }
}

static struct disk_entry *scan_inputs(const char *dir, const struct omit *omit)
{
    struct disk_entry *root = scan_folder(dir);

    omit_apply(omit, root);
    return root;
}

/* Only these are read in the folder of a device, which may also hold C sources and a build. */
static void add_device(struct name_list *names, const struct disk_entry *top)
{
    static const char *const parts[] = {"skills", "tools", "resources", "prompts", "panel"};

    add_name(names, top->disk_path);
    add_name(names, disk_child(top, "device.json")->disk_path);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const struct disk_entry *part = disk_child(top, parts[i]);
        if (part != NULL && part->kind == DISK_DIR) {
            add_tree(names, part, i > 0);
        }
    }
}

/* The one link that is followed (load.c): skills/ may stand elsewhere. */
static void add_linked_skills(struct name_list *names, const struct disk_entry *top, const struct omit *omit)
{
    const struct disk_entry *skills = disk_child(top, "skills");
    struct stat st;

    if (skills != NULL && skills->kind == DISK_SYMLINK && disk_child(top, "SKILL.md") == NULL &&
        stat(skills->disk_path, &st) == 0 && S_ISDIR(st.st_mode)) {
        add_tree(names, scan_inputs(skills->disk_path, omit), false);
    }
}

static void report_refused(struct name_list *names)
{
    const char *more = names->refused_count > 1 ? xasprintf(" (and %zu more)", names->refused_count - 1) : "";

    screen_error(
        "%s: make and ninja cannot both read this name in a depfile%s, so every build packs the folder; rename it",
        excerpt_str(names->refused), more);
    buf_puts(&names->escaped, " \\\n " ALWAYS);
}

void depfile_write(struct buf *b, const char *output, const char *dir, const struct omit *omit)
{
    struct disk_entry *top = scan_inputs(dir, omit);
    struct name_list names = {0};

    if (disk_child(top, "device.json") != NULL) {
        add_device(&names, top);
    } else {
        add_tree(&names, top, false);
    }
    add_linked_skills(&names, top, omit);
    if (names.refused_count > 0) {
        report_refused(&names);
    }
    add_escaped(b, output);
    buf_puts(b, ":");
    buf_add(b, names.escaped.p, names.escaped.n);
    buf_puts(b, "\n\n"); /* then each as a target, so that make accepts that it has vanished */
    buf_add(b, names.escaped.p + strlen(" \\\n "), names.escaped.n - strlen(" \\\n "));
    buf_puts(b, ":\n");
}
