/* fix.c -- fixes skills, and checks that their content stayed the same. See fix.h. */
#include "load/fix.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/rom_file.h"
#include "base/scan.h"
#include "base/screen.h"
#include "load/fix_text.h"

/* What a step may change in the values; everything else stays as it was. */
enum may { MAY_NOTHING, MAY_NAME, MAY_METADATA };

static bool is_kept(const struct node *before, const struct node *after, enum may may)
{
    if (before->count != after->count || after->kind != NODE_MAPPING) {
        return false;
    }
    for (size_t i = 0; i + 1 < before->count; i += 2) {
        const struct node *key = before->items[i], *was = before->items[i + 1], *is = after->items[i + 1];
        bool name = may == MAY_NAME && yaml_text_is(key, "name");
        bool metadata = may == MAY_METADATA && yaml_text_is(key, "metadata");
        if (!fix_same(key, after->items[i]) || !(name || (metadata ? fix_metadata_kept(was, is) : fix_same(was, is)))) {
            return false;
        }
    }
    return true;
}

struct step {
    bool (*fix)(struct buf *text);
    const char *what;
    enum may may;
};

/* Keeps what a step has made of a text, unless what is read afterwards differs from what was read before. */
static bool keep_fix(struct buf *text, const struct buf *tried, enum may may)
{
    struct node *before = fix_parse(text), *after = before != NULL ? fix_parse(tried) : NULL;
    bool well = before == NULL || (after != NULL && is_kept(before, after, may));

    yaml_free(before);
    yaml_free(after);
    free(well ? text->p : tried->p);
    if (well) {
        *text = *tried;
    }
    return well;
}

static struct buf copy_of(const struct buf *text)
{
    struct buf copy = {0};

    buf_add(&copy, text->p, text->n);
    return copy;
}

const char *fix_text(struct buf *text, const char **left)
{
    static const struct step steps[] = {
        {fix_bom, "byte-order mark", MAY_NOTHING},
        {fix_line_ends, "line ends", MAY_NOTHING},
        {fix_fences, "fences", MAY_NOTHING},
        {fix_json, "JSON", MAY_NOTHING},
        {fix_values, "quotes", MAY_NOTHING},
        {fix_quotes, "quotes", MAY_NOTHING},
        {fix_name, "name", MAY_NAME},
    };
    struct buf done = {0}, stays = {0}, tried;

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        tried = copy_of(text);
        if (!steps[i].fix(&tried)) {
            free(tried.p);
        } else if (keep_fix(text, &tried, steps[i].may) && strstr(buf_str(&done), steps[i].what) == NULL) {
            buf_printf(&done, "%s%s", done.n > 0 ? ", " : "", steps[i].what);
        }
    }
    tried = copy_of(text);
    if (!fix_metadata(&tried, &stays)) {
        free(tried.p);
    } else if (keep_fix(text, &tried, MAY_METADATA)) {
        buf_printf(&done, "%smetadata", done.n > 0 ? ", " : "");
    } else {
        buf_puts(&stays, "1: metadata does not read back the same as JSON in text; write it by hand\n");
    }
    *left = buf_str(&stays);
    return done.n > 0 ? buf_str(&done) : NULL;
}

/* ---- Folders ---- */

struct fixer {
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

static void rename_entry(struct fixer *m, const char *from, const char *to)
{
    if (rename(from, to) == 0) {
        fprintf(m->out, "fixed %s: now %s\n", diag_printable(from), diag_printable(to));
    } else {
        int error = errno;
        screen_error("cannot rename %s to %s: %s", diag_printable(from), diag_printable(to), strerror(error));
        m->failed = true;
    }
}

static void write_text(struct fixer *m, const char *path, struct buf *text, const char *what)
{
    if (rom_file_write(path, text->p, text->n)) {
        fprintf(m->out, "fixed %s: %s\n", diag_printable(path), what);
    } else {
        m->failed = true;
    }
}

static void print_unfixed(const struct fixer *m, const char *path, const char *left)
{
    for (size_t n; *left != '\0'; left += n + 1) {
        n = strcspn(left, "\n");
        fprintf(m->out, "not fixed %s:%s\n", diag_printable(path), diag_printable(xstrndup(left, n)));
    }
}

/* The folder's name after the fix, or NULL when it stays: the skill's name, if only capitals and underscores differ. */
static const char *better_name(const struct disk_entry *dir, const struct buf *text)
{
    const char *made = fix_name_of(dir->name);
    struct node *root = made != NULL && strcmp(dir->name, made) != 0 ? fix_parse(text) : NULL;
    const struct node *name = root != NULL ? yaml_member(root, "name", NULL) : NULL;
    bool better = name != NULL && yaml_text_is(name, made);

    yaml_free(root);
    return better ? made : NULL;
}

static void fix_skill(struct fixer *m, const struct disk_entry *parent, const struct disk_entry *dir)
{
    struct disk_entry *manifest = manifest_of(dir);
    struct buf text = {0};

    if (manifest == NULL || !rom_file_read(manifest->disk_path, &text)) {
        return;
    }
    const char *right = path_join(dir->disk_path, "SKILL.md"), *left;
    const char *what = fix_text(&text, &left);
    const char *name = parent != NULL ? better_name(dir, &text) : NULL;
    bool misspelled = strcmp(manifest->name, "SKILL.md") != 0;
    name = name != NULL && disk_child(parent, name) == NULL ? name : NULL;
    m->count += what != NULL || misspelled || name != NULL;
    if (m->out != NULL) {
        print_unfixed(m, manifest->disk_path, left);
    }
    if (m->out != NULL && what != NULL) {
        write_text(m, manifest->disk_path, &text, what);
    }
    free(text.p);
    if (m->out != NULL && misspelled) {
        rename_entry(m, manifest->disk_path, right);
    }
    if (m->out != NULL && name != NULL) {
        rename_entry(m, dir->disk_path, path_join(parent->disk_path, name));
    }
}

/* What is inside first: renaming a folder moves it. */
static void fix_below(struct fixer *m, const struct disk_entry *parent, const struct disk_entry *dir)
{
    for (size_t i = 0; i < dir->child_count; i++) {
        if (dir->children[i]->kind == DISK_DIR && !dir->children[i]->leftover) {
            fix_below(m, dir, dir->children[i]);
        }
    }
    fix_skill(m, parent, dir);
}

size_t fix_folder(const char *dir, FILE *out, bool *failed)
{
    struct fixer m = {.out = out};
    struct stat st;

    if (stat(dir, &st) == 0 && S_ISDIR(st.st_mode)) {
        struct disk_entry *root = scan_folder(dir);
        fix_below(&m, NULL, root);
        scan_free(root);
    }
    *failed = m.failed;
    return m.count;
}
