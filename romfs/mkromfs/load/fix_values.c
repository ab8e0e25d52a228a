/* fix_values.c -- quotes around values that YAML cannot read: `**Bold** text`, `Use when: always`, `@home`. See fix_text.h.
 *
 * Fields are found by lines, because nothing parses: `key: value` at the top and below `metadata`. A value is read alone; if
 * that fails, only text can be meant, unless quotes, brackets or a block are begun and not ended. Double quotes fold lines
 * as no quotes do, so that a value of several lines keeps them. */
#include <string.h>

#include "base/json_out.h"
#include "base/yaml_words.h"
#include "load/fix_text.h"

/* A field whose value begins on the line of its key; offsets in the text. */
struct field {
    size_t line, value;
    size_t end;    /* of the value, without blanks after it */
    size_t next;   /* the line after it */
    size_t indent; /* of the key */
};

static size_t line_end(const struct buf *text, size_t at)
{
    const uint8_t *newline = at < text->n ? memchr(text->p + at, '\n', text->n - at) : NULL;

    return newline != NULL ? (size_t)(newline - text->p) : text->n;
}

static size_t indent_of(const struct buf *text, size_t at)
{
    size_t n = 0;

    while (at + n < text->n && text->p[at + n] == ' ') {
        n++;
    }
    return n;
}

static bool is_fence(const struct buf *text, size_t at)
{
    return line_end(text, at) - at == 3 && memcmp(text->p + at, "---", 3) == 0;
}

static bool is_blank(const struct buf *text, size_t at)
{
    return at + indent_of(text, at) == line_end(text, at);
}

/* True when the lines after `at`, up to one that is indented no deeper than the key, belong to its value. */
static bool goes_on(const struct buf *text, size_t at, size_t indent)
{
    while (at < text->n && is_blank(text, at)) {
        at = line_end(text, at) + 1;
    }
    return at < text->n && indent_of(text, at) > indent;
}

/* The field on the line at `at`. `value` is 0 when there is no value on it, or no key that could be one. */
static struct field field_at(const struct buf *text, size_t at)
{
    size_t indent = indent_of(text, at), from = at + indent, end = line_end(text, at);
    const char *key = (const char *)text->p + from, *colon = memchr(key, ':', end - from);
    struct field f = {.line = at, .indent = indent, .end = end, .next = end + 1};

    if (colon == NULL || colon == key || strchr("\"'[{#-?&*!|>%@`", *key) != NULL || colon[1] != ' ') {
        return f;
    }
    f.value = (size_t)(colon + 1 - (const char *)text->p);
    f.value += indent_of(text, f.value);
    f.value = f.value < end ? f.value : 0;
    while (f.value > 0 && goes_on(text, f.next, indent)) {
        f.end = line_end(text, f.next);
        f.next = f.end + 1;
    }
    while (f.value > 0 && strchr(" \t\n", text->p[f.end - 1]) != NULL) {
        f.end--; /* YAML also drops spaces at the end of such a value */
    }
    return f;
}

/* True when something follows the bracket that closes the first one: `[WIP] text`. */
static bool goes_on_after_bracket(const char *p, size_t n)
{
    unsigned depth = 0;

    for (size_t i = 0; i < n; i++) {
        depth += p[i] == '[' || p[i] == '{';
        depth -= (p[i] == ']' || p[i] == '}') && depth > 0;
        if (depth == 0) {
            return i + 1 < n;
        }
    }
    return false;
}

/* True when nothing but text can be meant, provided that YAML cannot read it. */
static bool is_text(const struct buf *text, const struct field *f)
{
    const char *all = (const char *)text->p, *p = all + f->value;
    size_t n = f->end - f->value;
    bool one_line = memchr(p, '\n', n) == NULL;

    if (memmem(p, n, " #", 2) != NULL || memmem(p, n, "\t#", 2) != NULL) {
        return false; /* a comment, or a number sign? */
    }
    switch (*p) {
    case '"':
    case '\'': return one_line && memchr(p + 1, *p, n - 1) != NULL;
    case '[':
    case '{': return one_line && (goes_on_after_bracket(p, n) || (n > 1 && memcmp(p, "{{", 2) == 0));
    case '>':
    case '|':
    case '#': return false;
    case '&':
    case '*':
    case '!': return !yaml_indicator_is_meant(all, text->n, p);
    default: return true;
    }
}

static bool is_readable(const char *value, size_t n)
{
    struct diag silent = {.silent = true};
    const struct check quiet = {.diag = &silent};
    struct buf alone = {0};

    buf_puts(&alone, "x: ");
    buf_add(&alone, value, n);
    buf_puts(&alone, "\n");
    return yaml_parse(&quiet, (const char *)alone.p, alone.n, 1, YAML_FRONTMATTER) != NULL && silent.errors == 0;
}

/* The value in double quotes, its lines kept. */
static char *quoted_text(const char *p, size_t n)
{
    struct buf b = {0};

    buf_puts(&b, "\"");
    for (size_t at = 0; at <= n;) {
        const char *newline = memchr(p + at, '\n', n - at);
        size_t end = newline != NULL ? (size_t)(newline - p) : n;
        json_inside(&b, p + at, end - at);
        buf_puts(&b, newline != NULL ? "\n" : "\"");
        at = end + 1;
    }
    return buf_str(&b);
}

/* Adds the line of a field and what belongs to it, with quotes where they are missing. */
static bool add_field(struct buf *out, const struct buf *text, const struct field *f)
{
    const char *p = (const char *)text->p;
    size_t n = f->end - f->value, next = f->next < text->n ? f->next : text->n;
    bool bad = f->value > 0 && is_text(text, f) && !is_readable(p + f->value, n);

    buf_add(out, p + f->line, (bad ? f->value : next) - f->line);
    if (bad) {
        buf_puts(out, quoted_text(p + f->value, n));
        buf_add(out, p + f->end, next - f->end);
    }
    return bad;
}

bool fix_values(struct buf *text)
{
    struct buf out = {0};
    bool changed = false, below_metadata = false;
    size_t at = 4, indent = 0; /* of the keys below metadata, once known */

    buf_str(text); /* a NUL after it lets every look ahead end */
    if (text->n < 4 || !is_fence(text, 0) || fix_parse(text) != NULL) {
        return false;
    }
    buf_add(&out, text->p, at);
    while (at < text->n && !is_fence(text, at)) {
        struct field f = field_at(text, at);
        bool top = f.indent == 0 && !is_blank(text, at), metadata = strncmp((char *)text->p + at, "metadata:", 9) == 0;
        below_metadata = top ? metadata : below_metadata;
        indent = top ? 0 : indent == 0 && !is_blank(text, at) ? f.indent : indent;
        bool is_field = top ? !metadata : below_metadata && f.indent == indent;
        f.value = is_field ? f.value : 0;
        f.next = f.value > 0 ? f.next : line_end(text, at) + 1;
        changed |= add_field(&out, text, &f);
        at = f.next;
    }
    if (at < text->n) {
        buf_add(&out, text->p + at, text->n - at);
    }
    bool fixed = changed && fix_parse(&out) != NULL;
    *text = fixed ? out : *text;
    return fixed;
}
