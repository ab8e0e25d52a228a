/* fix.c -- mending skills, with a look back at what they said. See fix.h. */
#include "load/fix.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/rom_file.h"
#include "base/scan.h"
#include "load/fix_text.h"

/* True when both say the same, whatever its style; `but_name`: the first may have another name. */
static bool same(const struct node *a, const struct node *b, bool but_name)
{
    if (a->kind != b->kind || a->count != b->count) {
        return false;
    }
    if (a->kind == NODE_SCALAR) {
        return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
    }
    for (size_t i = 0; i < a->count; i++) {
        bool name = but_name && i % 2 == 1 && yaml_text_is(a->items[i - 1], "name");
        if (!name && !same(a->items[i], b->items[i], false)) {
            return false;
        }
    }
    return true;
}

struct step {
    bool (*fix)(struct buf *text);
    const char *what;
    bool but_name;
};

/* Does one step, unless what is read afterwards differs from what was read before. */
static bool take(const struct step *step, struct buf *text)
{
    struct buf tried = {0};
    const struct node *before = fix_parse(text);

    buf_add(&tried, text->p, text->n);
    if (!step->fix(&tried)) {
        return false;
    }
    const struct node *after = fix_parse(&tried);
    if (before != NULL && (after == NULL || !same(before, after, step->but_name))) {
        return false;
    }
    *text = tried;
    return true;
}

const char *fix_text(struct buf *text)
{
    static const struct step steps[] = {
        {fix_mark, "byte-order mark", false},
        {fix_line_ends, "line ends", false},
        {fix_fences, "fences", false},
        {fix_json, "JSON", false},
        {fix_colons, "quotes", false},
        {fix_quotes, "quotes", false},
        {fix_name, "name", true},
    };
    struct buf done = {0};

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (take(&steps[i], text) && strstr(buf_str(&done), steps[i].what) == NULL) {
            buf_printf(&done, "%s%s", done.n > 0 ? ", " : "", steps[i].what);
        }
    }
    return done.n > 0 ? buf_str(&done) : NULL;
}

/* ---- Folders ---- */

struct mender {
    FILE *out; /* NULL: only count */
    size_t count;
    bool failed;
};

/* The manifest of a folder, however it is spelled; NULL for none, or for more than one. */
static struct disk_entry *manifest_of(const struct disk_entry *dir)
{
    struct disk_entry *found = NULL;

    for (size_t i = 0; i < dir->child_count; i++) {
        struct disk_entry *e = dir->children[i];
        if (e->kind == DISK_FILE && strcasecmp(e->name, "SKILL.md") == 0) {
            if (found != NULL) {
                return NULL;
            }
            found = e;
        }
    }
    return found;
}

static void move(struct mender *m, const char *from, const char *to)
{
    if (rename(from, to) == 0) {
        fprintf(m->out, "fixed %s: now %s\n", from, to);
    } else {
        fprintf(stderr, "skillrom: %s: cannot be renamed to %s: %s\n", from, to, strerror(errno));
        m->failed = true;
    }
}

static void mend_text(struct mender *m, const char *path, struct buf *text, const char *what)
{
    if (rom_file_write(path, text->p, text->n)) {
        fprintf(m->out, "fixed %s: %s\n", path, what);
    } else {
        m->failed = true;
    }
}

/* The folder's name after mending, or NULL when it stays: the skill's name, if only capitals and underscores differ. */
static const char *better_name(const struct disk_entry *dir, const struct buf *text)
{
    const struct node *root = fix_parse(text);
    const struct node *name = root != NULL ? yaml_member(root, "name", NULL) : NULL;
    const char *made = fix_name_of(dir->name);

    return name != NULL && made != NULL && yaml_text_is(name, made) && strcmp(dir->name, made) != 0 ? made : NULL;
}

static void mend_skill(struct mender *m, const struct disk_entry *parent, const struct disk_entry *dir)
{
    struct disk_entry *manifest = manifest_of(dir);
    struct buf text = {0};

    if (manifest == NULL || !rom_file_read(manifest->disk_path, &text)) {
        return;
    }
    const char *right = path_join(dir->disk_path, "SKILL.md");
    const char *what = fix_text(&text);
    const char *name = parent != NULL ? better_name(dir, &text) : NULL;
    bool misspelled = strcmp(manifest->name, "SKILL.md") != 0;
    name = name != NULL && disk_child(parent, name) == NULL ? name : NULL;
    m->count += what != NULL || misspelled || name != NULL;
    if (m->out == NULL) {
        return;
    }
    if (what != NULL) {
        mend_text(m, manifest->disk_path, &text, what);
    }
    if (misspelled) {
        move(m, manifest->disk_path, right);
    }
    if (name != NULL) {
        move(m, dir->disk_path, path_join(parent->disk_path, name));
    }
}

/* What is inside first: renaming a folder moves it. */
static void mend_below(struct mender *m, const struct disk_entry *parent, const struct disk_entry *dir)
{
    for (size_t i = 0; i < dir->child_count; i++) {
        if (dir->children[i]->kind == DISK_DIR && !dir->children[i]->leftover) {
            mend_below(m, dir, dir->children[i]);
        }
    }
    mend_skill(m, parent, dir);
}

size_t fix_folder(const char *dir, FILE *out, bool *failed)
{
    struct mender m = {.out = out};
    struct stat st;

    if (stat(dir, &st) == 0 && S_ISDIR(st.st_mode)) {
        mend_below(&m, NULL, scan_folder(dir));
    }
    *failed = m.failed;
    return m.count;
}
