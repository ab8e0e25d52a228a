/* extras.c -- the metadata keys that begin with dev.skillrom/ (SK-M-02..22).
 *
 * Each key has a row in a table: its rule, its name, and the function that takes its value. Keys about a file end in
 * '/' and are followed by its path. Values are text, whatever they mean; lists are blank-separated. A malformed value
 * is an error, because otherwise a typing mistake would show only as something missing on the wire. */
#include "load/extras.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "base/uri_path.h"

#define PREFIX "dev.skillrom/"
#define TITLE_MAX 128
#define ABOUT_MAX 256
#define TAGS_MAX 16
#define TAG_MAX 32
#define ALIAS_MAX 64
#define BLANKS " \t\r\n"
#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

void extra_wrong(const struct extra *e, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    char *message = xvasprintf(format, args);
    va_end(args);
    check_report(e->check, LEVEL_E, e->value->at, e->rule, "%s: %s", excerpt(e->key->text, e->key->len), message);
}

/* The value if it is text of 1 to `most` characters; otherwise NULL, after an error. */
static char *extra_text(const struct extra *e, size_t most)
{
    size_t length = utf8_units(e->value->text, e->value->len);

    if (strspn(e->value->text, BLANKS) == e->value->len || length > most) {
        extra_wrong(e, "must be text of 1 to %zu characters", most);
        return NULL;
    }
    return e->value->text;
}

void extras_add_string(struct buf *array, const char *text, size_t n)
{
    buf_puts(array, array->n ? "," : "[");
    json_string(array, text, n);
}

/* The next word of a blank-separated list; 0 at its end. */
static size_t next_word(const char **p)
{
    *p += strspn(*p, BLANKS);
    return strcspn(*p, BLANKS);
}

static bool is_empty_list(const struct extra *e)
{
    if (strspn(e->value->text, BLANKS) == e->value->len) {
        extra_wrong(e, "the list is empty; leave the key out");
        return true;
    }
    return false;
}

/* The names of a list, each once. */
static void take_names(const struct extra *e, struct wishes *out)
{
    const char *p = e->value->text;
    struct names seen = {0};

    if (is_empty_list(e)) {
        return;
    }
    for (size_t n; (n = next_word(&p)) > 0; p += n) {
        if (names_find(&seen, p, n)) {
            continue;
        }
        if ((out->count & (out->count - 1)) == 0) { /* full at every power of two */
            out->list = xrealloc(out->list, (out->count ? 2 * out->count : 1) * sizeof *out->list);
        }
        out->list[out->count++] = (struct wish){xstrndup(p, n), e->value->at};
        names_add(&seen, p, n, out);
    }
    names_free(&seen);
}

/* True or false as a word; anything else is wrong and counts as `otherwise`. */
static bool take_flag(const struct extra *e, bool otherwise)
{
    bool yes = yaml_text_is(e->value, "true"), no = yaml_text_is(e->value, "false");

    if (!yes && !no) {
        extra_wrong(e, "must be \"true\" or \"false\"");
        return otherwise;
    }
    return yes;
}

/* ---- Keys about the skill ---- */

static void take_title(const struct extra *e)
{
    char *title = extra_text(e, TITLE_MAX);

    e->found->skill.extras.title = title ? json_quoted(title, strlen(title)) : NULL;
}

static void take_tags(const struct extra *e)
{
    const char *p = e->value->text;
    struct buf tags = {0};
    size_t count = 0;

    if (is_empty_list(e)) {
        return;
    }
    for (size_t n; (n = next_word(&p)) > 0; p += n, count++) {
        if (n > TAG_MAX || strspn(p, LOWER DIGITS "-") < n) {
            extra_wrong(e, "tag '%s': 1 to %d characters of a-z 0-9 -", excerpt(p, n), TAG_MAX);
            return;
        }
        extras_add_string(&tags, p, n);
    }
    if (count > TAGS_MAX) {
        extra_wrong(e, "%zu tags, at most %d are allowed; remove some", count, TAGS_MAX);
        return;
    }
    buf_puts(&tags, "]");
    e->found->skill.extras.tags = buf_str(&tags);
}

static void take_tools(const struct extra *e)
{
    take_names(e, &e->found->tools);
}

static void take_prompts(const struct extra *e)
{
    take_names(e, &e->found->prompts);
}

static void take_resources(const struct extra *e)
{
    take_names(e, &e->found->resources);
}

static void take_scoped_tools(const struct extra *e)
{
    take_names(e, &e->found->scoped_tools);
}

static void take_scoped_prompts(const struct extra *e)
{
    take_names(e, &e->found->scoped_prompts);
}

static void take_subskills(const struct extra *e)
{
    take_names(e, &e->found->subskills);
}

static void take_audience(const struct extra *e)
{
    struct wishes words = {0};
    struct buf audience = {0};

    take_names(e, &words);
    for (size_t i = 0; i < words.count; i++) {
        const char *word = words.list[i].name;
        if (strcmp(word, "user") != 0 && strcmp(word, "assistant") != 0) {
            extra_wrong(e, "'%s' is not an audience; use user or assistant", excerpt_str(word));
            return;
        }
        extras_add_string(&audience, word, strlen(word));
    }
    if (audience.n) {
        buf_puts(&audience, "]");
        e->found->audience = buf_str(&audience);
    }
}

/* 0, 1, 0.9, 1.0: a decimal that is also valid JSON. */
static void take_priority(const struct extra *e)
{
    const char *text = e->value->text;
    size_t digits = text[0] != '\0' && text[1] == '.' ? strspn(text + 2, DIGITS) : 0;
    bool decimal = (text[0] == '0' || text[0] == '1') && (text[1] == '\0' || digits > 0) &&
                   e->value->len == (digits > 0 ? digits + 2 : 1);

    if (!decimal || (text[0] == '1' && digits > 0 && strspn(text + 2, "0") != digits)) {
        extra_wrong(e, "must be a decimal from 0 to 1, such as 0.5");
        return;
    }
    e->found->priority = e->value->text;
}

static void take_last_modified(const struct extra *e)
{
    if (!load_is_timestamp(e->value->text, e->value->len)) {
        extra_wrong(e, "must be YYYY-MM-DDThh:mm:ssZ");
        return;
    }
    e->found->last_modified = json_quoted(e->value->text, e->value->len);
}

static void take_listed(const struct extra *e)
{
    e->found->skill.listed = take_flag(e, true);
}

static void take_dynamic(const struct extra *e)
{
    e->found->skill.dynamic = take_flag(e, false);
}

static void take_distribution(const struct extra *e)
{
    if (yaml_text_is(e->value, "files archive")) {
        e->found->skill.archived = true;
    } else if (!yaml_text_is(e->value, "files")) {
        extra_wrong(e, "must be \"files\" or \"files archive\"");
    }
}

/* ---- Keys about a file ---- */

/* A file of the skill by its path as on disk or as in a URI; SKILL.md describes itself. */
static struct source *find_file(const struct skill *skill, const char *path)
{
    char *decoded = uri_path_decode(path, strlen(path));
    struct source *as_on_disk = skill_file(skill, path), *as_in_uri = skill_file(skill, decoded);
    char *encoded = as_in_uri ? uri_path_encode(as_in_uri->path) : NULL;

    as_in_uri = encoded && strcmp(encoded, path) == 0 ? as_in_uri : NULL;
    struct source *found = as_in_uri && !(as_on_disk && as_on_disk < as_in_uri) ? as_in_uri : as_on_disk;
    free(decoded);
    free(encoded);
    return found && !found->is_dir && strcmp(found->path, "SKILL.md") != 0 ? found : NULL;
}

static void take_about(const struct extra *e)
{
    e->file->about = extra_text(e, ABOUT_MAX);
}

static void take_file_title(const struct extra *e)
{
    e->file->title = extra_text(e, TITLE_MAX);
}

static void take_alias(const struct extra *e)
{
    const char *alias = e->value->text;
    size_t n = e->value->len;

    if (n == 0 || n > ALIAS_MAX || strspn(alias, UPPER LOWER DIGITS "._-") != n) {
        extra_wrong(e, "alias '%s': 1 to %d characters of A-Z a-z 0-9 . _ -", excerpt(alias, n), ALIAS_MAX);
        return;
    }
    const struct source *other = names_add(&e->found->aliases, alias, n, e->file);
    if (other != e->file) {
        extra_wrong(e, "'%s' is already the alias of '%s'; choose another", alias, other->path);
        return;
    }
    e->file->alias = e->value->text;
}

static void take_required_files(const struct extra *e)
{
    struct wishes paths = {0};

    take_names(e, &paths);
    for (size_t i = 0; i < paths.count; i++) {
        struct source *file = find_file(&e->found->skill, paths.list[i].name);
        if (file) {
            file->required = true;
        } else {
            extra_wrong(e, "no file '%s' in this skill; add it, or correct the name", excerpt_str(paths.list[i].name));
        }
    }
}

static void take_handler(const struct extra *e)
{
    struct found_skill *found = e->found;
    const char *key = e->value->text;
    size_t n = e->value->len;

    if (strncmp(e->file->path, "scripts/", strlen("scripts/")) != 0) {
        extra_wrong(e, "only files below scripts/ have a handler");
    } else if (n == 0 || strspn(key, UPPER LOWER DIGITS "._-/") != n) {
        extra_wrong(e, "'%s' is not a handler key; it has the form skill-name/stem", excerpt(key, n));
    } else {
        found->handlers = xrealloc(found->handlers, (found->handler_count + 1) * sizeof *found->handlers);
        found->handlers[found->handler_count++] = (struct handler){e->file, {e->value->text, e->value->at}};
    }
}

/* ---- The table ---- */

static const struct row {
    const char *rule;
    const char *name; /* after the prefix; if it ends in '/', a path follows */
    void (*take)(const struct extra *e);
} rows[] = {
    {"SK-M-02", "title", take_title}, /* SK-M-01 has no prefix: extras_bare.c */
    {"SK-M-03", "tags", take_tags},
    {"SK-M-04", "arguments", extra_arguments},
    {"SK-M-05", "tools", take_tools},
    {"SK-M-06", "prompts", take_prompts},
    {"SK-M-07", "resources", take_resources},
    {"SK-M-08", "scoped-tools", take_scoped_tools},
    {"SK-M-09", "scoped-prompts", take_scoped_prompts},
    {"SK-M-10", "subskills", take_subskills},
    {"SK-M-11", "audience", take_audience},
    {"SK-M-12", "priority", take_priority},
    {"SK-M-13", "last-modified", take_last_modified},
    {"SK-M-14", "about/", take_about},
    {"SK-M-15", "file-title/", take_file_title},
    {"SK-M-16", "alias/", take_alias},
    {"SK-M-17", "required-files", take_required_files},
    {"SK-M-18", "handler/", take_handler},
    {"SK-M-19", "icons", extra_icons},
    {"SK-M-20", "listed", take_listed},
    {"SK-M-21", "dynamic", take_dynamic},
    {"SK-M-22", "distribution", take_distribution},
};

static const struct row *row_of(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t n = strlen(rows[i].name);
        bool names_file = rows[i].name[n - 1] == '/';
        if (names_file ? strncmp(name, rows[i].name, n) == 0 : strcmp(name, rows[i].name) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

static void take_key(struct extra *e)
{
    const char *name = e->key->text + strlen(PREFIX);
    const struct row *row = row_of(name);

    if (!row) {
        check_report(e->check, LEVEL_E, e->key->at, "SK-M-23",
                     "there is no key '%s'; `skillrom explain SK-M-23` lists them", excerpt(e->key->text, e->key->len));
        return;
    }
    size_t n = strlen(row->name);
    e->rule = row->rule;
    if (e->value->kind != NODE_SCALAR || strlen(e->value->text) != e->value->len) {
        extra_wrong(e, "must be text");
        return;
    }
    if (row->name[n - 1] == '/') {
        e->file = find_file(&e->found->skill, name + n);
        if (!e->file) {
            check_report(e->check, LEVEL_E, e->key->at, row->rule,
                         "no file '%s' in this skill; add it, or correct the name", excerpt_str(name + n));
            return;
        }
    }
    row->take(e);
}

void extras_load(const struct check *c, struct found_skill *found)
{
    const struct node *metadata = yaml_member(found->root, "metadata", NULL);

    for (size_t i = 0; metadata && metadata->kind == NODE_MAPPING && i + 1 < metadata->count; i += 2) {
        struct extra e = {.check = c, .found = found, .key = metadata->items[i], .value = metadata->items[i + 1]};
        if (strncmp(e.key->text, PREFIX, strlen(PREFIX)) == 0) {
            take_key(&e);
        }
    }
    extras_fallbacks(c, found);
    extras_metadata(found);
}
