/* fix_json.c -- frontmatter in JSON as YAML in block style. See fix_text.h. */
#include <string.h>

#include "base/json_out.h"
#include "base/scalar.h"
#include "load/fix_text.h"
#include "load/load.h"

/* The length of a JSON object at the start of a text; 0 when it is not closed. */
static size_t object_length(const char *p, size_t n)
{
    unsigned depth = 0;
    bool quoted = false;

    for (size_t i = 0; i < n; i++) {
        if (quoted) {
            quoted = p[i] != '"';
            i += p[i] == '\\'; /* and what it escapes */
        } else if (p[i] == '"') {
            quoted = true;
        } else if (p[i] == '{') {
            depth++;
        } else if (p[i] == '}' && --depth == 0) {
            return i + 1;
        }
    }
    return 0;
}

static bool plain_key(const char *key)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";

    return *key != '\0' && *key != '-' && strspn(key, safe) == strlen(key) && scalar_always_string(key);
}

const char *fix_key(const struct node *key)
{
    return plain_key(key->text) ? key->text : json_quoted(key->text, key->len);
}

static const char *written_json(const struct node *value)
{
    struct buf b = {0};

    load_json_compact(&b, value);
    return buf_str(&b);
}

/* A list, an item a line. */
static void add_items(struct buf *b, const struct node *list)
{
    buf_puts(b, "\n");
    for (size_t i = 0; i < list->count; i++) {
        buf_printf(b, "  - %s\n", written_json(list->items[i]));
    }
}

/* `key: value` lines; maps and lists at the top in block style. What is inside those stays JSON, which is also YAML; below
 * metadata it becomes text. */
static void add_fields(struct buf *b, const struct node *map, const char *indent, bool metadata)
{
    for (size_t i = 0; i + 1 < map->count; i += 2) {
        const struct node *key = map->items[i], *value = map->items[i + 1];
        bool scalar = value->kind == NODE_SCALAR, block = !scalar && *indent == '\0' && value->count > 0;
        buf_printf(b, "%s%s:", indent, fix_key(key));
        if (block && value->kind == NODE_SEQUENCE) {
            add_items(b, value);
        } else if (block) {
            buf_puts(b, "\n");
            add_fields(b, value, "  ", yaml_text_is(key, "metadata"));
        } else {
            buf_printf(b, " %s\n",
                       metadata && !scalar && fix_may_be_json(key) ? fix_json_text(value) : written_json(value));
        }
    }
}

/* Where the object begins and ends, and the body after it. With fences it is all there is between them. */
static bool find_object(const char *text, size_t size, size_t *from, size_t *to, size_t *body)
{
    static const char fence[] = "---\n";
    bool fenced = size > strlen(fence) && memcmp(text, fence, strlen(fence)) == 0;
    size_t at = fenced ? strlen(fence) : 0;

    at += strspn(text + at, " \t\n");
    size_t n = at < size && text[at] == '{' ? object_length(text + at, size - at) : 0;
    if (n == 0) {
        return false;
    }
    *from = at;
    *to = at + n;
    size_t rest = *to + strspn(text + *to, " \t");
    if (!fenced) {
        *body = rest < size ? rest + 1 : rest;
        return rest == size || text[rest] == '\n';
    }
    rest += strspn(text + rest, "\n");
    *body = rest + strlen(fence);
    return rest > *to && size >= *body && memcmp(text + rest, fence, strlen(fence)) == 0;
}

bool fix_json(struct buf *text)
{
    struct diag silent = {.silent = true};
    const struct check quiet = {.diag = &silent};
    struct buf out = {0};
    size_t from, to, body;

    buf_str(text);
    const char *p = (const char *)text->p;
    if (text->n == 0 || !find_object(p, text->n, &from, &to, &body)) {
        return false;
    }
    const struct node *map = yaml_parse(&quiet, p + from, to - from, 1, YAML_JSON);
    buf_puts(&out, "---\n");
    if (map == NULL || silent.errors > 0 || map->kind != NODE_MAPPING) {
        return false;
    }
    add_fields(&out, map, "", false);
    buf_puts(&out, "---\n");
    buf_add(&out, p + body, text->n - body);
    if (fix_parse(&out) == NULL) { /* deeper than frontmatter may be, a key that is not text */
        return false;
    }
    *text = out;
    return true;
}
