/* json_scan.c -- reading JSON as text. See json_scan.h.
 *
 * Small readers take where to start and where the text ends. They return the end of what they have read, or NULL if it
 * is not what they expect. The check and the walk are built from them. */
#include "text/json_scan.h"

#include "text/json_string.h"
#include "text/plain.h"
#include "text/span.h"

static const char *after_spaces(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')) {
        p++;
    }
    return p;
}

/* ---- Strings ---- */

/* After the backslash. */
static const char *after_escape(const char *p, const char *end)
{
    if (p == end || *p != 'u') {
        return p < end && memchr("\"\\/bfnrt", *p, 8) != NULL ? p + 1 : NULL;
    }
    for (unsigned i = 0; i < 4; i++) {
        if (++p == end || skr_hex_digit(*p) < 0) {
            return NULL;
        }
    }
    return p + 1;
}

/* After a character that is not plain, in a string. */
static const char *after_special(const char *p, const char *end, bool *escapes)
{
    if (*p == '\\') {
        *escapes = true;
        return after_escape(p + 1, end);
    }
    size_t n = (unsigned char)*p < ' ' ? 0 : skr_utf8_char(p, (size_t)(end - p));
    return n > 0 ? p + n : NULL;
}

/* From the opening quote to the closing one. Sets *escapes if it has any. */
static const char *after_string(const char *p, const char *end, bool *escapes)
{
    if (p == end || *p != '"') {
        return NULL;
    }
    p++;
    while (p != NULL && (p += skr_plain_run(p, (size_t)(end - p))) < end) {
        if (*p == '"') {
            return p + 1;
        }
        p = after_special(p, end, escapes);
    }
    return NULL;
}

/* ---- Numbers and words ---- */

/* One or more. */
static const char *after_digits(const char *p, const char *end)
{
    const char *from = p;

    while (p < end && *p >= '0' && *p <= '9') {
        p++;
    }
    return p > from ? p : NULL;
}

static const char *after_number(const char *p, const char *end)
{
    p += p < end && *p == '-';
    p = p < end && *p == '0' ? p + 1 : after_digits(p, end);
    if (p != NULL && p < end && *p == '.') {
        p = after_digits(p + 1, end);
    }
    if (p != NULL && p < end && (*p | 0x20) == 'e') {
        p++;
        p += p < end && (*p == '+' || *p == '-');
        p = after_digits(p, end);
    }
    return p;
}

static const char *after_word(const char *p, const char *end, struct skr_span text)
{
    return (size_t)(end - p) >= text.n && memcmp(p, text.p, text.n) == 0 ? p + text.n : NULL;
}

/* A value that is not an object or array. */
static const char *after_scalar(const char *p, const char *end, bool *escapes)
{
    switch (p < end ? *p : '\0') {
    case '"': return after_string(p, end, escapes);
    case 't': return after_word(p, end, SPAN("true"));
    case 'f': return after_word(p, end, SPAN("false"));
    case 'n': return after_word(p, end, SPAN("null"));
    default: return after_number(p, end);
    }
}

/* ---- The check ---- */

/* How far the text has been read. `p` only moves past what is valid. */
struct check {
    const char *p, *end;
    bool *escapes; /* set when there are any */
    unsigned depth;
    char close[SKR_JSON_DEPTH]; /* the closing bracket of each open one */
};

static bool check_move(struct check *c, const char *to)
{
    if (to == NULL) {
        return false;
    }
    c->p = to;
    return true;
}

/* A key and its colon, up to where the value starts. */
static bool check_key(struct check *c)
{
    if (!check_move(c, after_string(after_spaces(c->p, c->end), c->end, c->escapes))) {
        return false;
    }
    const char *p = after_spaces(c->p, c->end);
    return check_move(c, p < c->end && *p == ':' ? p + 1 : NULL);
}

/* After a value: closes brackets, and moves on to where the next value or its key starts. */
static bool finish_value(struct check *c)
{
    while (c->depth > 0) {
        const char *p = c->p = after_spaces(c->p, c->end);
        if (p < c->end && *p == ',') {
            return check_move(c, p + 1);
        }
        if (p == c->end || *p != c->close[c->depth - 1]) {
            return false;
        }
        c->p++;
        c->depth--;
    }
    return (c->p = after_spaces(c->p, c->end)) == c->end;
}

static int read_all(struct check *c)
{
    do { /* each pass reads one value, with its key if it has one, or opens one bracket */
        if (c->depth > 0 && c->close[c->depth - 1] == '}' && !check_key(c)) {
            return SKR_JSON_BAD;
        }
        const char *p = c->p = after_spaces(c->p, c->end);
        char first = p < c->end ? *p : '\0', close = (char)(first + 2); /* in ASCII a pair of brackets is two apart */
        if (first == '{' || first == '[') {
            if (c->depth == SKR_JSON_DEPTH) {
                return SKR_JSON_DEEP;
            }
            c->close[c->depth++] = close;
            p = c->p = after_spaces(p + 1, c->end);
            if (p == c->end || *p != close) {
                continue;
            }
        } else if (!check_move(c, after_scalar(p, c->end, c->escapes))) {
            return SKR_JSON_BAD;
        }
        if (!finish_value(c)) {
            return SKR_JSON_BAD;
        }
    } while (c->depth > 0);
    return SKR_JSON_OK;
}

int skr_json_check_part(const char *text, size_t n, size_t *good, bool *escapes)
{
    struct check c;

    c.p = text;
    c.end = text + n;
    c.escapes = escapes;
    c.depth = 0;
    int error = read_all(&c);
    *good = (size_t)(c.p - text);
    return error;
}

/* ---- Walking a text that has been checked ---- */

/* Brackets are no longer matched by kind, so values may be nested to any depth. */
static const char *after_value(const char *p, const char *end)
{
    unsigned depth = 0;
    bool escapes;

    do {
        p = after_spaces(p, end);
        switch (p < end ? *p : '\0') {
        case '{':
        case '[': depth++, p++; break;
        case '}':
        case ']': depth--, p++; break;
        case ',':
        case ':': p++; break;
        default: p = after_scalar(p, end, &escapes); break;
        }
    } while (p != NULL && depth > 0);
    return p;
}

/* Takes the value that *rest begins with; false when it is cut off. */
static bool take_value(struct skr_span *rest, struct skr_span *out)
{
    const char *end = rest->p + rest->n, *behind = after_value(rest->p, end);

    if (behind == NULL) {
        return false;
    }
    *out = (struct skr_span){rest->p, (size_t)(behind - rest->p)};
    rest->p = after_spaces(behind, end);
    rest->n = (size_t)(end - rest->p);
    return true;
}

/* Steps over a bracket, comma or colon and the blanks around it. */
static bool step_over(struct skr_span *rest, char one, char other)
{
    if (rest->n == 0) {
        return false;
    }
    const char *end = rest->p + rest->n, *p = after_spaces(rest->p, end);
    if (p == end || (*p != one && *p != other)) {
        return false;
    }
    rest->p = after_spaces(p + 1, end);
    rest->n = (size_t)(end - rest->p);
    return true;
}

bool skr_scan_item(struct skr_span *rest, struct skr_span *item)
{
    return step_over(rest, '[', ',') && rest->n > 0 && *rest->p != ']' && take_value(rest, item);
}

bool skr_scan_pair(struct skr_span *rest, struct skr_span *name, struct skr_span *text)
{
    bool bare = rest->n > 0 && *rest->p == '"';

    return (bare || (step_over(rest, '{', ',') && rest->n > 0 && *rest->p != '}')) && take_value(rest, name) &&
           step_over(rest, ':', ':') && take_value(rest, text);
}

struct skr_span skr_scan_get(struct skr_span object, const char *name)
{
    struct skr_span its, text, found = {NULL, 0};

    while (skr_scan_pair(&object, &its, &text)) {
        if (skr_scan_is(its, name)) {
            found = text;
        }
    }
    return found;
}

struct skr_span skr_scan_inside(struct skr_span string_text)
{
    bool quoted = string_text.n >= 2 && *string_text.p == '"';

    return quoted ? (struct skr_span){string_text.p + 1, string_text.n - 2} : NOTHING;
}

bool skr_scan_is(struct skr_span text, const char *expected)
{
    struct skr_span inside = skr_scan_inside(text);

    return inside.p != NULL && skr_json_same_text(inside, skr_span_of(expected));
}
