/* fix_text.c -- one step for each thing that is mended. See fix_text.h. */
#include "load/fix_text.h"

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
    return silent.errors == 0 ? root : NULL;
}

/* n bytes at `at` become a text. */
static void replace(struct buf *text, size_t at, size_t n, const char *by)
{
    struct buf out = {0};

    buf_add(&out, text->p, at);
    buf_puts(&out, by);
    buf_add(&out, text->p + at + n, text->n - at - n);
    *text = out;
}

bool fix_mark(struct buf *text)
{
    bool there = text->n >= 3 && memcmp(text->p, "\xEF\xBB\xBF", 3) == 0;

    if (there) {
        replace(text, 0, 3, "");
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
        i = next < text->n && text->p[next] == '\n' ? next : i;
        buf_add(&out, &text->p[i], 1);
    }
    bool changed = out.n != text->n;
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

static bool tighten(struct buf *text, size_t at)
{
    size_t length;

    if (at >= text->n || !nearly_fence(text, at, &length) || length == 3) {
        return false;
    }
    replace(text, at, length, "---");
    return true;
}

bool fix_fences(struct buf *text)
{
    size_t length;

    if (text->n == 0 || !nearly_fence(text, 0, &length)) {
        return false;
    }
    bool closed = tighten(text, closing_line(text, length + 1)); /* the later one first: it moves nothing */
    return tighten(text, 0) || closed;
}

/* Where the value of a one-line field begins whose colon makes the YAML malformed; 0: it does not. */
static size_t misread_value(const char *line, size_t n)
{
    static const char *const fields[] = {"name: ", "description: ", "license: ", "compatibility: "};

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        size_t k = strlen(fields[i]);
        if (n > k && memcmp(line, fields[i], k) == 0 && strchr("\"'|>&*!%@`[{#-? ", line[k]) == NULL &&
            memmem(line + k, n - k, ": ", 2) != NULL && memmem(line + k, n - k, " #", 2) == NULL) {
            return k;
        }
    }
    return 0;
}

bool fix_colons(struct buf *text)
{
    bool changed = false;
    size_t length;

    if (text->n == 0 || fix_parse(text) != NULL || !nearly_fence(text, 0, &length)) {
        return false;
    }
    for (size_t at = length + 1; at < text->n && !nearly_fence(text, at, &length); at += length + 1) {
        const char *line = (const char *)text->p + at;
        bool goes_on = at + length + 1 < text->n && (line[length + 1] == ' ' || line[length + 1] == '\t');
        size_t value = goes_on ? 0 : misread_value(line, length);
        while (value > 0 && length > value && line[length - 1] == ' ') {
            length--; /* YAML drops blanks at the end of such a value, too */
        }
        if (value > 0) {
            const char *quoted = json_quoted(line + value, length - value);
            replace(text, at + value, length - value, quoted);
            length = value + strlen(quoted);
            changed = true;
        }
        const uint8_t *newline = memchr(text->p + at, '\n', text->n - at);
        length = newline != NULL ? (size_t)(newline - text->p) - at : text->n - at;
    }
    return changed && fix_parse(text) != NULL;
}

/* The offset of a place; the size of the text if there is none. */
static size_t offset_of(const struct buf *text, struct pos at)
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
static bool respell(struct buf *text, const struct node *value, const char *by)
{
    size_t at = offset_of(text, value->at), quote = value->plain ? 0 : 1;
    size_t n = value->len + 2 * quote;
    const char *p = (const char *)text->p + at;

    if (at + n > text->n || memcmp(p + quote, value->text, value->len) != 0 ||
        (quote == 1 && (strchr("\"'", p[0]) == NULL || p[n - 1] != p[0]))) {
        return false;
    }
    replace(text, at, n, by);
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
            changed |= respell(text, value, json_quoted(value->text, value->len));
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
    return made != NULL && respell(text, name, scalar_always_string(made) ? made : json_quoted(made, strlen(made)));
}
