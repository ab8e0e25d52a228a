/* fix_metadata.c -- values below `metadata` that are not text become text that holds their JSON. See fix_text.h.
 *
 * Agent Skills has a mapping of text to text there, and the official client refuses the whole list of skills for one other
 * value; other agents' formats keep settings there, in mappings and lists. JSON loses nothing of those but comments, so a
 * value with a comment stays. Places are found by lines: a value ends before the next key. */
#include <string.h>

#include "base/json_out.h"
#include "base/scalar.h"
#include "load/fix_text.h"
#include "load/frontmatter.h"

#define COMMENT_TRIES 64 /* number signs that are looked at, each by parsing everything; more count as comments */

/* ---- JSON of a value ---- */

/* True for what JSON spells the same way: a number, true, false, null. */
static bool is_json_literal(const char *text, size_t n)
{
    struct diag silent = {.silent = true};
    const struct check quiet = {.diag = &silent};
    enum scalar_type type = scalar_core_type(text);

    return type != SCALAR_STRING && strchr("+.", text[0]) == NULL &&
           yaml_parse(&quiet, text, n, 1, YAML_JSON) != NULL && silent.errors == 0 &&
           (type == SCALAR_INT || type == SCALAR_FLOAT || strcmp(text, "true") == 0 || strcmp(text, "false") == 0 ||
            strcmp(text, "null") == 0);
}

static void add_scalar(struct buf *b, const struct node *value)
{
    struct buf number = {0};

    if (value->plain && is_json_literal(value->text, value->len)) {
        buf_add(b, value->text, value->len);
    } else if (value->plain && scalar_core_type(value->text) != SCALAR_STRING &&
               scalar_core_json(&number, value->text) == NULL) {
        buf_puts(b, buf_str(&number));
    } else {
        json_string(b, value->text, value->len);
    }
}

static void add_json(struct buf *b, const struct node *value)
{
    bool mapping = value->kind == NODE_MAPPING;

    if (value->kind == NODE_SCALAR) {
        add_scalar(b, value);
        return;
    }
    buf_puts(b, mapping ? "{" : "[");
    for (size_t i = 0; i < value->count; i++) {
        buf_puts(b, i == 0 ? "" : mapping && i % 2 == 1 ? ":" : ",");
        if (mapping && i % 2 == 0) {
            json_string(b, value->items[i]->text, value->items[i]->len);
        } else {
            add_json(b, value->items[i]);
        }
    }
    buf_puts(b, mapping ? "}" : "]");
}

char *fix_json_text(const struct node *value)
{
    struct buf json = {0}, b = {0};

    add_json(&json, value);
    buf_puts(&b, "'");
    for (size_t i = 0; i < json.n; i++) {
        buf_add(&b, &json.p[i], 1);
        buf_puts(&b, json.p[i] == '\'' ? "'" : "");
    }
    buf_puts(&b, "'");
    return buf_str(&b);
}

/* Text as a field's value, whatever it was. */
static char *as_text(const struct node *value)
{
    if (value->kind != NODE_SCALAR) {
        return fix_json_text(value);
    }
    return value->plain && value->len > 0 && scalar_always_string(value->text) ? value->text
                                                                               : json_quoted(value->text, value->len);
}

/* ---- Where it is ---- */

/* The offset after the colon of a key; 0 when it is not where it should be. */
static size_t after_key(const struct buf *text, const struct node *key)
{
    size_t at = fix_offset(text, key->at);
    char quote = at < text->n && (text->p[at] == '"' || text->p[at] == '\'') ? (char)text->p[at] : '\0';

    if (quote != '\0') {
        for (at++; at < text->n && text->p[at] != (uint8_t)quote; at++) {
            at += quote == '"' && text->p[at] == '\\';
        }
        at++;
    } else {
        at += key->len;
    }
    while (at < text->n && (text->p[at] == ' ' || text->p[at] == '\t')) {
        at++;
    }
    return at < text->n && text->p[at] == ':' ? at + 1 : 0;
}

/* The end of what stands before line `next`, without the empty lines and the comments of whole lines above it. */
static size_t end_before(const struct buf *text, unsigned next)
{
    size_t end = fix_offset(text, (struct pos){next, 1});

    for (;;) {
        size_t line = end - (end > 0);
        while (line > 0 && text->p[line - 1] != '\n') {
            line--;
        }
        size_t first = line;
        while (first < end && strchr(" \t\n", text->p[first]) != NULL) {
            first++;
        }
        if (line == 0 || (first < end && text->p[first] != '#')) {
            while (end > 0 && strchr(" \t\n", text->p[end - 1]) != NULL) {
                end--;
            }
            return end;
        }
        end = line;
    }
}

/* Where the first comment of a stretch begins, `to` if there is none: at a number sign without which, and without what
 * follows on its line, everything reads as before. */
static size_t first_comment(const struct buf *text, const struct node *root, size_t from, size_t to)
{
    unsigned tries = 0;

    for (size_t i = from; i < to; i++) {
        if (text->p[i] != '#' || strchr(" \t\n", text->p[i - 1]) == NULL) {
            continue;
        }
        const uint8_t *newline = memchr(text->p + i, '\n', text->n - i);
        size_t end = newline != NULL ? (size_t)(newline - text->p) : text->n;
        struct buf without = {0};
        buf_add(&without, text->p, i);
        buf_add(&without, text->p + end, text->n - end);
        const struct node *read = fix_parse(&without);
        if ((read != NULL && fix_same(root, read)) || ++tries == COMMENT_TRIES) {
            return i;
        }
    }
    return to;
}

/* Moves the end of a value before a comment on its last line. False when there is another comment inside. */
static bool without_comment(const struct buf *text, const struct node *root, size_t from, size_t *to)
{
    size_t at = from > 0 && from < *to ? first_comment(text, root, from, *to) : *to;

    if (at < *to && memchr(text->p + at, '\n', *to - at) != NULL) {
        return false;
    }
    while (at > from && strchr(" \t", text->p[at - 1]) != NULL) {
        at--;
    }
    *to = at;
    return true;
}

/* ---- What is done ---- */

bool fix_may_be_json(const struct node *key)
{
    static const char ours[] = "dev.skillrom/";

    return strncmp(key->text, ours, strlen(ours)) != 0 || yaml_text_is(key, "dev.skillrom/arguments") ||
           yaml_text_is(key, "dev.skillrom/icons");
}

struct place {
    struct buf *text;
    const struct buf before; /* the text as it was, of which root is the frontmatter */
    const struct node *root, *metadata;
    unsigned next;    /* the line of the field after metadata, or of the closing fence */
    struct buf *left; /* lines: what cannot be fixed, and why */
};

static bool leave_key(const struct place *p, const struct node *key, const char *what, const char *why)
{
    buf_printf(p->left, "%u: %s '%s' %s\n", key->at.line, what, diag_printable(excerpt(key->text, key->len)), why);
    return false;
}

static bool respell_key(const struct place *p, size_t from, size_t to, const char *by)
{
    if (from == 0 || to < from) {
        return false;
    }
    fix_replace(p->text, from, to - from, by);
    return true;
}

/* One value of metadata in block style. */
static bool fix_value(const struct place *p, size_t i)
{
    const struct node *key = p->metadata->items[i], *value = p->metadata->items[i + 1];
    bool empty = value->kind == NODE_SCALAR && value->plain && value->len == 0;

    if (value->kind == NODE_SCALAR && !empty) {
        return false; /* fix_quotes() sees to those */
    }
    size_t from = after_key(p->text, key);
    if (empty && (!fix_may_be_json(key) || yaml_text_is(key, "version"))) {
        return leave_key(p, key, "metadata", "is empty; give it a text, or remove the line");
    }
    if (empty && p->text->p[from + strspn((char *)p->text->p + from, " \t")] == '#') {
        return leave_key(p, key, "metadata", "is a comment to YAML; quote it, if it is the text");
    }
    if (empty) {
        return respell_key(p, from, from, " \"\"");
    }
    size_t to = end_before(p->text, i + 2 < p->metadata->count ? p->metadata->items[i + 2]->at.line : p->next);
    if (!fix_may_be_json(key)) {
        return leave_key(p, key, "metadata", "is text by a grammar of its own; see romfs/mkromfs/README.md");
    }
    if (!without_comment(&p->before, p->root, from, &to)) {
        return leave_key(p, key, "metadata", "has a comment inside, which JSON cannot hold; move it above the key");
    }
    return respell_key(p, from, to, xasprintf(" %s", fix_json_text(value)));
}

/* All of metadata, written as {...}, in block style. */
static bool fix_flow(const struct place *p, const struct node *key)
{
    size_t from = after_key(p->text, key), to = end_before(p->text, p->next);
    struct buf lines = {0};

    for (size_t i = 0; i + 1 < p->metadata->count; i += 2) {
        const struct node *name = p->metadata->items[i], *value = p->metadata->items[i + 1];
        if (value->kind != NODE_SCALAR && !fix_may_be_json(name)) {
            return leave_key(p, name, "metadata", "is text by a grammar of its own; see romfs/mkromfs/README.md");
        }
        buf_printf(&lines, "\n  %s: %s", fix_key(name), as_text(value));
    }
    if (!without_comment(&p->before, p->root, from, &to)) {
        return leave_key(p, key, "field", "has a comment inside, which block style would lose; move it above the key");
    }
    return respell_key(p, from, to, buf_str(&lines));
}

/* The line of the field after metadata, or of the closing fence. */
static unsigned line_after(const struct buf *text, const struct node *root, const struct node *key)
{
    struct diag silent = {.silent = true};
    const struct check quiet = {.diag = &silent};
    struct fenced fenced = {0};

    for (size_t i = 0; i + 2 < root->count; i += 2) {
        if (root->items[i] == key) {
            return root->items[i + 2]->at.line;
        }
    }
    frontmatter_split(&quiet, (const char *)text->p, text->n, &fenced);
    return fenced.close_line;
}

bool fix_metadata(struct buf *text, struct buf *left)
{
    const struct node *root = fix_parse(text), *key = NULL;
    const struct node *metadata = root != NULL ? yaml_member(root, "metadata", &key) : NULL;
    bool changed = false;

    if (metadata == NULL) {
        return false;
    }
    buf_str(text);
    struct buf before = {0};
    buf_add(&before, text->p, text->n);
    struct place place = {text, before, root, metadata, line_after(text, root, key), left};
    if (metadata->kind != NODE_MAPPING) {
        return leave_key(&place, key, "field",
                         "is not a mapping, and only its author knows the keys; write `key: text` lines");
    }
    if (metadata->flow) {
        return metadata->count > 0 && fix_flow(&place, key);
    }
    for (size_t i = metadata->count; i >= 2; i -= 2) { /* from the last on, so that places stay where they are */
        changed |= fix_value(&place, i - 2);
    }
    return changed;
}

bool fix_metadata_kept(const struct node *before, const struct node *after)
{
    struct diag silent = {.silent = true};
    const struct check quiet = {.diag = &silent};

    for (size_t i = 0; i < before->count; i++) {
        const struct node *was = before->items[i], *is = i < after->count ? after->items[i] : NULL;
        if (is != NULL && fix_same(was, is)) {
            continue;
        }
        const struct node *json = is != NULL && is->kind == NODE_SCALAR && was->kind != NODE_SCALAR
                                      ? yaml_parse(&quiet, is->text, is->len, 1, YAML_JSON)
                                      : NULL;
        if (json == NULL || strcmp(fix_json_text(json), fix_json_text(was)) != 0) {
            return false;
        }
    }
    return after->count == before->count;
}
