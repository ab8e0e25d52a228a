/* prompts.c -- prompts/<name>.md: optional frontmatter with description, title and
 * arguments, then the text with {{name}} where an argument's value goes. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json_out.h"
#include "base/trim.h"
#include "base/yaml.h"
#include "load/frontmatter.h"
#include "load/load.h"
#include "load/members.h"
#include "load/rules.h"

#define PROMPT_NAME_MAX 64
#define LOWER_NAME "abcdefghijklmnopqrstuvwxyz0123456789_-"
#define ANY_NAME "ABCDEFGHIJKLMNOPQRSTUVWXYZ" LOWER_NAME

/* A prompt being read: the model, and per argument where it stands and whether the
 * text uses it. */
struct draft {
    const struct check *check;
    struct prompt *prompt;
    struct pos *arg_at;
    bool *arg_used;
};

static bool is_prompt_name(const char *name)
{
    size_t n = strlen(name);

    return n >= 1 && n <= PROMPT_NAME_MAX && strspn(name, LOWER_NAME) == n;
}

static void add_member(struct buf *b, const char *key, const struct node *value)
{
    if (value && yaml_is_string(value)) {
        buf_printf(b, ",\"%s\":", key);
        json_string(b, value->text, value->len);
    }
}

static bool check_text(const struct check *c, const struct node *key, const struct node *value)
{
    if (!yaml_is_string(value) || value->len == 0) {
        check_report(c, LEVEL_E, value->at, NULL, "'%s' must be non-empty text", key->text);
        return false;
    }
    return true;
}

static bool flag_value(const struct check *c, const struct node *value)
{
    if (!yaml_text_is(value, "true") && !yaml_text_is(value, "false")) {
        check_report(c, LEVEL_E, value->at, NULL, "'required' must be true or false");
    }
    return yaml_text_is(value, "true");
}

static void check_argument_name(const struct check *c, const struct prompt *prompt, const struct node *name)
{
    if (strspn(name->text, ANY_NAME) != name->len) {
        check_report(c, LEVEL_E, name->at, NULL, "argument name '%s': only A-Z a-z 0-9 _ -",
                     excerpt(name->text, name->len));
    }
    for (size_t i = 0; i < prompt->arg_count; i++) {
        if (yaml_text_is(name, prompt->args[i].name)) {
            check_report(c, LEVEL_E, name->at, NULL, "argument '%s' given twice; remove one", excerpt_str(name->text));
        }
    }
}

/* One map of the list: name, title?, description?, required?, values?. */
static void take_argument(struct draft *d, const struct node *map, struct buf *json)
{
    const struct check *c = d->check;
    struct prompt *prompt = d->prompt;
    const struct node *name = map->kind == NODE_MAPPING ? yaml_member(map, "name", NULL) : NULL;
    bool is_required = false;
    char *values = NULL;

    if (!name || !yaml_is_string(name) || name->len == 0) {
        check_report(c, LEVEL_E, map->at, NULL, "an argument must be a map with a 'name'");
        return;
    }
    check_argument_name(c, prompt, name);
    for (size_t i = 0; i + 1 < map->count; i += 2) {
        const struct node *key = map->items[i], *value = map->items[i + 1];
        if (yaml_text_is(key, "required")) {
            is_required = flag_value(c, value);
        } else if (yaml_text_is(key, "description") || yaml_text_is(key, "title")) {
            check_text(c, key, value);
        } else if (yaml_text_is(key, "values")) {
            values = member_values(c, value);
        } else if (!yaml_text_is(key, "name")) {
            check_report(c, LEVEL_E, key->at, NULL,
                         "an argument has no '%s'; it has name, title, description, required, values",
                         excerpt(key->text, key->len));
        }
    }
    d->arg_at[prompt->arg_count] = name->at;
    d->arg_used[prompt->arg_count] = false;
    prompt->args[prompt->arg_count++] =
        (struct argument){.name = name->text, .required = is_required, .values = values};
    buf_puts(json, json->n ? ",{\"name\":" : "{\"name\":");
    json_string(json, name->text, name->len);
    add_member(json, "title", yaml_member(map, "title", NULL));
    add_member(json, "description", yaml_member(map, "description", NULL));
    buf_puts(json, is_required ? ",\"required\":true}" : "}");
}

static void take_arguments(struct draft *d, const struct node *list, struct buf *json)
{
    if (list->kind != NODE_SEQUENCE) {
        check_report(d->check, LEVEL_E, list->at, NULL, "'arguments' must be a list");
        return;
    }
    d->prompt->args = xmalloc(list->count * sizeof *d->prompt->args);
    d->arg_at = xmalloc(list->count * sizeof *d->arg_at);
    d->arg_used = xmalloc(list->count * sizeof *d->arg_used);
    for (size_t i = 0; i < list->count; i++) {
        take_argument(d, list->items[i], json);
    }
}

static void take_fields(struct draft *d, const struct node *root)
{
    const struct check *c = d->check;
    struct prompt *prompt = d->prompt;
    struct buf json = {0}, arguments = {0};

    for (size_t i = 0; root && i + 1 < root->count; i += 2) {
        const struct node *key = root->items[i], *value = root->items[i + 1];
        if (yaml_text_is(key, "arguments")) {
            take_arguments(d, value, &arguments);
        } else if (yaml_text_is(key, "description") || yaml_text_is(key, "title")) {
            check_text(c, key, value);
        } else {
            check_report(c, LEVEL_W, key->at, NULL, "unknown member '%s' is ignored; %s", excerpt(key->text, key->len),
                         check_hint(key->text, key->len, "title, description, arguments", NULL));
        }
    }
    buf_puts(&json, "{\"name\":");
    json_string(&json, prompt->name, strlen(prompt->name));
    if (root) {
        const struct node *description = yaml_member(root, "description", NULL);
        add_member(&json, "title", yaml_member(root, "title", NULL));
        add_member(&json, "description", description);
        if (description && yaml_is_string(description)) {
            prompt->description_json = json_quoted(description->text, description->len);
        }
    }
    if (arguments.n) {
        buf_printf(&json, ",\"arguments\":[%s]", buf_str(&arguments));
    }
    buf_puts(&json, "}");
    prompt->json = buf_str(&json);
}

static void add_part(struct prompt *prompt, struct buf *text, int arg)
{
    if (text->n) {
        prompt->parts = xrealloc(prompt->parts, (prompt->part_count + 2) * sizeof *prompt->parts);
        prompt->parts[prompt->part_count++] = (struct prompt_part){buf_str(text), -1};
        *text = (struct buf){0};
    }
    if (arg >= 0) {
        prompt->parts = xrealloc(prompt->parts, (prompt->part_count + 1) * sizeof *prompt->parts);
        prompt->parts[prompt->part_count++] = (struct prompt_part){NULL, arg};
    }
}

/* Length of the name in `{{name}}` at p; 0 if there is no placeholder. */
static size_t placeholder_length(const char *p, const char *end)
{
    const char *q = p + 2;

    if (end - p < 5 || p[0] != '{' || p[1] != '{') {
        return 0;
    }
    while (q < end && strchr(ANY_NAME, *q)) {
        q++;
    }
    return end - q >= 2 && q[0] == '}' && q[1] == '}' ? (size_t)(q - p - 2) : 0;
}

static int argument_number(const struct prompt *prompt, const char *name, size_t n)
{
    for (size_t i = 0; i < prompt->arg_count; i++) {
        if (strlen(prompt->args[i].name) == n && memcmp(prompt->args[i].name, name, n) == 0) {
            return (int)i;
        }
    }
    return -1;
}

/* Cuts the text from `from` to `to` into parts. Line ends become LF. */
static void take_text(struct draft *d, const char *text, size_t from, size_t to)
{
    struct buf fixed = {0};
    struct pos at = {1, 1};
    size_t located = 0; /* where `at` is */

    for (size_t i = from; i < to;) {
        size_t n = placeholder_length(text + i, text + to);
        if (n) {
            int arg = argument_number(d->prompt, text + i + 2, n);
            if (arg < 0) {
                at = utf8_pos_from(at, text + located, i - located);
                located = i;
                check_report(d->check, LEVEL_E, at, NULL,
                             "'{{%s}}' is not an argument of this prompt; add it to 'arguments'",
                             excerpt(text + i + 2, n));
            } else {
                d->arg_used[arg] = true;
                add_part(d->prompt, &fixed, arg);
            }
            i += n + 4;
            continue;
        }
        if (text[i] != '\r' || text[i + 1] != '\n') {
            buf_add(&fixed, text + i, 1);
        }
        i++;
    }
    add_part(d->prompt, &fixed, -1);
}

static void load_prompt(const struct check *c, struct disk_entry *file, struct prompt *prompt)
{
    const char *text = (const char *)file->bytes;
    size_t size = (size_t)file->size, from = 0, to = size;
    struct fenced fenced;
    struct node *root = NULL;
    struct draft draft = {.check = c, .prompt = prompt};

    if (!frontmatter_check_text(c, text, size)) {
        return;
    }
    if (strncmp(text, "---\n", 4) == 0 || strncmp(text, "---\r\n", 5) == 0) {
        if (!frontmatter_split(c, text, size, &fenced)) {
            return;
        }
        from = fenced.body;
        root = fenced.yaml_size ? frontmatter_parse(c, &fenced) : NULL;
        if (fenced.yaml_size && !root) {
            return;
        }
    }
    take_fields(&draft, root);
    trim_blank_lines(text, &from, &to);
    take_text(&draft, text, from, to);
    if (prompt->part_count == 0) {
        check_report(c, LEVEL_E, whole_file, NULL, "this prompt has no text; write it below the frontmatter");
    }
    for (size_t i = 0; i < prompt->arg_count; i++) {
        if (!draft.arg_used[i]) {
            check_report(c, LEVEL_W, draft.arg_at[i], NULL, "argument '%s' is never used; write {{%s}} in the text",
                         excerpt_str(prompt->args[i].name), excerpt_str(prompt->args[i].name));
        }
    }
}

static int by_name(const void *a, const void *b)
{
    const struct prompt *x = a, *y = b;

    return strcmp(x->name, y->name);
}

void prompts_load(const struct check *c, struct disk_entry *dir, struct device *out)
{
    scan_report(c, dir);
    out->prompts = xmalloc(dir->child_count * sizeof *out->prompts);
    for (size_t i = 0; i < dir->child_count; i++) {
        struct disk_entry *file = dir->children[i];
        struct check at = check_at(c, file->disk_path);
        char *stem = load_stem(file->name, ".md");
        if (file->leftover) {
            continue;
        }
        if (!stem) {
            check_report(&at, LEVEL_W, whole_file, NULL, "left out: prompts/ is for .md files");
            continue;
        }
        if (file->kind != DISK_FILE) {
            check_report(&at, LEVEL_E, whole_file, NULL, "this is %s; it must be a regular file", file->what);
            continue;
        }
        if (!is_prompt_name(stem)) {
            check_report(&at, LEVEL_E, whole_file, NULL, "prompt name '%s': 1 to %d characters of a-z 0-9 _ -",
                         excerpt_str(stem), PROMPT_NAME_MAX);
        }
        rules_windows_name(&at, file->name);
        if (disk_load(&at, file)) {
            struct prompt *prompt = &out->prompts[out->prompt_count++];
            *prompt = (struct prompt){.name = stem};
            load_prompt(&at, file, prompt);
        }
    }
    qsort(out->prompts, out->prompt_count, sizeof *out->prompts, by_name);
}
