/* fix_text.c -- one step per kind of fix. See fix_text.h. */
#include "load/fix_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "base/scalar.h"
#include "load/frontmatter.h"
#include "load/rules.h"

struct node *fix_parse(const struct buf *text)
{
    struct diag silent = {.silent = true};
    const struct check quiet = {.diag = &silent};
    struct fenced fenced;
    const char *p = (const char *)text->p;

    if (text->n == 0 || !frontmatter_check_text(&quiet, p, text->n) ||
        !frontmatter_split(&quiet, p, text->n, &fenced)) {
        return NULL;
    }
    struct node *root = frontmatter_parse(&quiet, &fenced);
    free(fenced.yaml);
    if (silent.errors > 0) {
        yaml_free(root);
        return NULL;
    }
    return root;
}

bool fix_same(const struct node *a, const struct node *b)
{
    if (a->kind != b->kind || a->count != b->count) {
        return false;
    }
    if (a->kind == NODE_SCALAR) {
        return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
    }
    for (size_t i = 0; i < a->count; i++) {
        if (!fix_same(a->items[i], b->items[i])) {
            return false;
        }
    }
    return true;
}

void fix_replace(struct buf *text, size_t at, size_t n, const char *by)
{
    struct buf out = {0};

    buf_add(&out, text->p, at);
    buf_puts(&out, by);
    buf_add(&out, text->p + at + n, text->n - at - n);
    free(text->p);
    *text = out;
}

bool fix_bom(struct buf *text)
{
    bool there = text->n >= 3 && memcmp(text->p, "\xEF\xBB\xBF", 3) == 0;

    if (there) {
        fix_replace(text, 0, 3, "");
    }
    return there;
}

bool fix_line_ends(struct buf *text)
{
    struct buf out = {0};

    for (size_t i = 0; i < text->n; i++) {
        size_t next = i;
        while (next < text->n && text->p[next] == '\r') { /* some editors leave two before a newline */
            next++;
        }
        bool ends = next < text->n && text->p[next] == '\n';
        size_t from = ends ? next : i; /* other runs are kept, and not looked at again */
        i = ends || next == i ? next : next - 1;
        buf_add(&out, &text->p[from], (i < text->n ? i + 1 : text->n) - from);
    }
    bool changed = out.n != text->n;
    free(text->p);
    *text = out;
    return changed;
}

/* True when the line at `at`, whose length goes to *length, is a fence but for blanks around it. */
static bool nearly_fence(const struct buf *text, size_t at, size_t *length)
{
    const char *p = (const char *)text->p + at;
    const char *newline = memchr(p, '\n', text->n - at);

    *length = newline != NULL ? (size_t)(newline - p) : text->n - at;
    size_t before = 0, after = *length;
    while (before < after && (p[before] == ' ' || p[before] == '\t')) {
        before++;
    }
    while (after > before && (p[after - 1] == ' ' || p[after - 1] == '\t')) {
        after--;
    }
    return after - before == 3 && memcmp(p + before, "---", 3) == 0;
}

/* The line that closes the frontmatter: exactly a fence if there is one, else the first that nearly is. */
static size_t closing_line(const struct buf *text, size_t from)
{
    size_t found = text->n, length;

    for (size_t at = from; at < text->n; at += length + 1) {
        if (nearly_fence(text, at, &length)) {
            found = length == 3 ? at : found < text->n ? found : at;
            if (length == 3) {
                break;
            }
        }
    }
    return found;
}

static bool remove_space(struct buf *text, size_t at)
{
    size_t length;

    if (at >= text->n || !nearly_fence(text, at, &length) || length == 3) {
        return false;
    }
    fix_replace(text, at, length, "---");
    return true;
}

bool fix_fences(struct buf *text)
{
    size_t length;

    if (text->n == 0 || !nearly_fence(text, 0, &length)) {
        return false;
    }
    bool closed = remove_space(text, closing_line(text, length + 1)); /* the later one first: it moves nothing */
    return remove_space(text, 0) || closed;
}

size_t fix_offset(const struct buf *text, struct pos at)
{
    size_t i = 0;

    for (unsigned line = 1; line < at.line && i < text->n; i++) {
        line += text->p[i] == '\n';
    }
    for (unsigned col = 1; col < at.col && i < text->n; col++) {
        uint32_t c;
        size_t width = utf8_decode((const char *)text->p + i, text->n - i, &c);
        i += width > 0 ? width : 1;
    }
    return i;
}

/* Writes a value in another way, if it is on its line as it reads. */
static bool respell_value(struct buf *text, const struct node *value, const char *by)
{
    size_t at = fix_offset(text, value->at), quote = value->plain ? 0 : 1;
    size_t n = value->len + 2 * quote;
    const char *p = (const char *)text->p + at;

    if (at + n > text->n || memcmp(p + quote, value->text, value->len) != 0 ||
        (quote == 1 && (strchr("\"'", p[0]) == NULL || p[n - 1] != p[0]))) {
        return false;
    }
    fix_replace(text, at, n, by);
    return true;
}

static bool needs_quotes(const struct node *value)
{
    return value->kind == NODE_SCALAR && value->plain && value->len > 0 && !scalar_always_string(value->text);
}

/* Fields that are text by the rules; of others nobody knows what their author means. */
static bool is_text_field(const struct node *key)
{
    static const char *const fields[] = {"name", "description", "license", "compatibility"};

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (yaml_text_is(key, fields[i])) {
            return true;
        }
    }
    return false;
}

/* From the last to the first, so that places stay where they are. */
static bool quote_fields(struct buf *text, const struct node *map, bool all)
{
    bool changed = false;

    for (size_t i = map->count; i >= 2; i -= 2) {
        const struct node *key = map->items[i - 2], *value = map->items[i - 1];
        if ((all || is_text_field(key)) && needs_quotes(value)) {
            changed |= respell_value(text, value, json_quoted(value->text, value->len));
        } else if (!all && yaml_text_is(key, "metadata") && value->kind == NODE_MAPPING && !value->flow) {
            changed |= quote_fields(text, value, true);
        }
    }
    return changed;
}

bool fix_quotes(struct buf *text)
{
    const struct node *root = fix_parse(text);

    return root != NULL && root->kind == NODE_MAPPING && quote_fields(text, root, false);
}

char *fix_name_of(const char *name)
{
    struct buf b = {0};

    for (const char *p = name; *p != '\0'; p++) {
        char c = *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
            buf_add(&b, &c, 1);
        } else if (strchr(" _-.", c) == NULL) {
            return NULL;
        } else if (b.n > 0 && b.p[b.n - 1] != '-') {
            buf_puts(&b, "-");
        }
    }
    b.n -= b.n > 0 && b.p[b.n - 1] == '-';
    const struct node made = {.kind = NODE_SCALAR, .text = buf_str(&b), .len = b.n};
    return rules_name_is_valid(&made) ? made.text : NULL;
}

bool fix_name(struct buf *text)
{
    const struct node *root = fix_parse(text);
    const struct node *name = root != NULL ? yaml_member(root, "name", NULL) : NULL;

    if (name == NULL || !yaml_is_string(name) || rules_name_is_valid(name)) {
        return false;
    }
    const char *made = fix_name_of(name->text);
    return made != NULL &&
           respell_value(text, name, scalar_always_string(made) ? made : json_quoted(made, strlen(made)));
}
