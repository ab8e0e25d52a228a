/* judge.c -- see judge.h. Recursive and slow on purpose: nothing here resembles the code it
 * is to check. */
#include "judge.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 400

/* ---- JSON ---- */

struct text {
    const char *at, *end;
    struct judged_text *found; /* where values are noted; NULL: nowhere */
    const char *from;          /* where the text begins */
    int parent;
};

static bool value(struct text *t, unsigned depth);

static void blanks(struct text *t)
{
    while (t->at < t->end && strchr(" \t\r\n", *t->at) != NULL && *t->at != '\0') {
        t->at++;
    }
}

static bool take(struct text *t, char c)
{
    if (t->at < t->end && *t->at == c) {
        t->at++;
        return true;
    }
    return false;
}

/* Notes the value that begins here; returns its number. */
static int add_value(struct text *t)
{
    struct judged_text *f = t->found;

    if (f == NULL) {
        return -1;
    }
    if (f->count == sizeof f->values / sizeof f->values[0]) {
        abort(); /* the text is too large for this table */
    }
    f->values[f->count] = (struct judged){*t->at, (size_t)(t->at - t->from), 0, t->parent};
    return (int)f->count++;
}

static void end_value(struct text *t, int number)
{
    if (number >= 0) {
        t->found->values[number].end = (size_t)(t->at - t->from);
    }
}

/* Decodes one character and looks at the number it stands for. */
static bool character(struct text *t)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    unsigned char lead = (unsigned char)*t->at++;
    int more = lead < 0x80 ? 0 : (lead & 0xE0) == 0xC0 ? 1 : (lead & 0xF0) == 0xE0 ? 2 : (lead & 0xF8) == 0xF0 ? 3 : -1;
    uint32_t number = more <= 0 ? lead : lead & (0x3Fu >> more);

    if (more < 0 || t->end - t->at < more) {
        return false;
    }
    for (int i = 0; i < more; i++) {
        unsigned char next = (unsigned char)*t->at++;
        if (next >> 6 != 2) {
            return false;
        }
        number = number << 6 | (next & 0x3F);
    }
    return number >= least[more] && number <= 0x10FFFF && (number < 0xD800 || number > 0xDFFF) && number >= 0x20;
}

static bool string(struct text *t)
{
    if (t->at == t->end || *t->at != '"') {
        return false;
    }
    int self = add_value(t);
    t->at++;
    while (t->at < t->end && *t->at != '"') {
        if (!take(t, '\\')) {
            if (!character(t)) {
                return false;
            }
        } else if (take(t, 'u')) {
            if (t->end - t->at < 4 ||
                strspn((char[5]){t->at[0], t->at[1], t->at[2], t->at[3], 0}, "0123456789abcdefABCDEF") != 4) {
                return false;
            }
            t->at += 4;
        } else if (t->at == t->end || *t->at == '\0' || strchr("\"\\/bfnrt", *t->at) == NULL) {
            return false;
        } else {
            t->at++;
        }
    }
    bool closed = take(t, '"');
    end_value(t, self);
    return closed;
}

static bool digits(struct text *t)
{
    const char *from = t->at;

    while (t->at < t->end && *t->at >= '0' && *t->at <= '9') {
        t->at++;
    }
    return t->at > from;
}

static bool number(struct text *t)
{
    take(t, '-');
    if (!take(t, '0') && !digits(t)) {
        return false;
    }
    if (take(t, '.') && !digits(t)) {
        return false;
    }
    if (take(t, 'e') || take(t, 'E')) {
        if (!take(t, '+')) {
            take(t, '-');
        }
        return digits(t);
    }
    return true;
}

static bool word(struct text *t, const char *expected)
{
    size_t n = strlen(expected);

    if ((size_t)(t->end - t->at) < n || memcmp(t->at, expected, n) != 0) {
        return false;
    }
    t->at += n;
    return true;
}

static bool elements(struct text *t, unsigned depth, char close, bool keys)
{
    t->at++;
    blanks(t);
    if (take(t, close)) {
        return true;
    }
    do {
        blanks(t);
        if (keys && (!string(t) || (blanks(t), !take(t, ':')))) {
            return false;
        }
        if (!value(t, depth + 1)) {
            return false;
        }
    } while (take(t, ','));
    return take(t, close);
}

static bool bracket(struct text *t, unsigned depth)
{
    if (t->found != NULL && depth == t->found->depth_max) {
        t->found->too_deep = true;
        return false;
    }
    bool object = *t->at == '{';
    int outer = t->parent, self = t->parent = add_value(t);
    bool good = elements(t, depth, object ? '}' : ']', object);
    end_value(t, self);
    t->parent = outer;
    return good;
}

static bool scalar(struct text *t)
{
    bool good;
    int self = add_value(t);

    switch (*t->at) {
    case 't': good = word(t, "true"); break;
    case 'f': good = word(t, "false"); break;
    case 'n': good = word(t, "null"); break;
    default: good = number(t);
    }
    end_value(t, self);
    return good;
}

static bool value(struct text *t, unsigned depth)
{
    bool good;

    blanks(t);
    if (t->at == t->end || depth > DEPTH_MAX) {
        return false;
    }
    switch (*t->at) {
    case '{':
    case '[': good = bracket(t, depth); break;
    case '"': good = string(t); break;
    default: good = scalar(t);
    }
    blanks(t);
    return good;
}

bool judge_json(const char *p, size_t n)
{
    struct text t = {.at = p, .end = p + n};

    return value(&t, 0) && t.at == t.end;
}

bool judge_values(struct judged_text *found, const char *p, size_t n, unsigned depth_max)
{
    struct text t = {.at = p, .end = p + n, .found = found, .from = p, .parent = -1};

    found->depth_max = depth_max;
    found->too_deep = false;
    found->count = 0;
    return value(&t, 0) && t.at == t.end;
}

/* ---- JSON-RPC ---- */

/* One object that is known to be JSON: which members stand at its top? */
static void message(struct text *t, struct verdict *v)
{
    bool id = false, id_sound = true, result = false, error = false, method = false, version = false;

    v->messages++;
    if (!take(t, '{')) {
        v->flaw = "a message is not an object";
        return;
    }
    while (!take(t, '}')) {
        struct text key = *t, content;
        string(t);
        key.end = t->at;
        take(t, ':');
        content = *t;
        value(t, 0);
        content.end = t->at;
        size_t n = (size_t)(key.end - key.at), length = (size_t)(content.end - content.at);
        version |=
            n == 9 && memcmp(key.at, "\"jsonrpc\"", 9) == 0 && length == 5 && memcmp(content.at, "\"2.0\"", 5) == 0;
        result |= n == 8 && memcmp(key.at, "\"result\"", 8) == 0 && *content.at == '{';
        error |= n == 7 && memcmp(key.at, "\"error\"", 7) == 0 && *content.at == '{';
        method |= n == 8 && memcmp(key.at, "\"method\"", 8) == 0 && *content.at == '"';
        if (n == 4 && memcmp(key.at, "\"id\"", 4) == 0) {
            id = true;
            id_sound = *content.at == '"' || (length > 0 && memchr("-0123456789", *content.at, 11) != NULL &&
                                              memchr(content.at, '.', length) == NULL);
        }
        take(t, ',');
    }
    if (!version || result + error + method != 1 || (result && !id) || !id_sound) {
        v->flaw = "a message is not JSON-RPC";
    }
    v->responses += result || error;
    v->notifications += method && !id;
    v->client_requests += method && id;
}

static void message_or_batch(const char *p, size_t n, struct verdict *v)
{
    struct text t = {.at = p, .end = p + n};

    if (!judge_json(p, n)) {
        v->flaw = "not JSON";
        return;
    }
    if (!take(&t, '[')) {
        message(&t, v);
        return;
    }
    do {
        message(&t, v);
    } while (v->flaw == NULL && take(&t, ','));
    if (v->flaw == NULL && (!take(&t, ']') || t.at != t.end)) {
        v->flaw = "a batch is not an array of messages";
    }
}

struct verdict judge_lines(const char *p, size_t n)
{
    struct verdict v = {0};
    const char *end = p + n;

    while (p < end && v.flaw == NULL) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        if (stop == NULL) {
            v.flaw = "the last line has no end";
            break;
        }
        message_or_batch(p, (size_t)(stop - p), &v);
        p = stop + 1;
    }
    return v;
}

/* ---- HTTP ---- */

static const char *header(const char *head, size_t n, const char *name)
{
    const char *at = memmem(head, n, name, strlen(name));

    return at != NULL ? at + strlen(name) : NULL;
}

/* A line of an event: its message, or what says when and where to come back, or a comment that keeps the link alive. */
static void event_line(const char *p, size_t n, struct verdict *v)
{
    if (n > 6 && strncmp(p, "data: ", 6) == 0) {
        message_or_batch(p + 6, n - 6, v);
    } else if (n < 1 || (p[0] != ':' && strncmp(p, "id: ", 4) != 0 && strncmp(p, "retry: ", 7) != 0 &&
                         strncmp(p, "data: ", n) != 0)) {
        v->flaw = "not a line of an event";
    }
}

static void events(const char *p, size_t n, struct verdict *v)
{
    const char *end = p + n;

    if (n > 0 && (n < 2 || memcmp(end - 2, "\n\n", 2) != 0)) {
        v->flaw = "not a whole event";
    }
    while (p < end && v->flaw == NULL) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        if (stop > p) {
            event_line(p, (size_t)(stop - p), v);
        }
        p = stop + 1;
    }
}

/* Joins the chunks of a body; what lies after them, or NULL. */
static const char *join_chunks(const char *p, const char *end, char *body, size_t *n)
{
    *n = 0;
    for (;;) {
        char *after;
        const char *line = memmem(p, (size_t)(end - p), "\r\n", 2);
        if (line == NULL) {
            return NULL;
        }
        size_t size = strtoul(p, &after, 16);
        if (after != line || size + 4 > (size_t)(end - p)) {
            return NULL;
        }
        p = line + 2;
        if ((size_t)(end - p) < size + 2 || memcmp(p + size, "\r\n", 2) != 0) {
            return NULL;
        }
        memcpy(body + *n, p, size);
        *n += size;
        p += size + 2;
        if (size == 0) {
            return p;
        }
    }
}

static const char *response(const char *p, const char *end, struct verdict *v)
{
    const char *stop = memmem(p, (size_t)(end - p), "\r\n\r\n", 4);

    if (stop == NULL || strncmp(p, "HTTP/1.1 ", 9) != 0) {
        v->flaw = "not an HTTP response";
        return end;
    }
    const char *body = stop + 4;
    size_t head = (size_t)(body - p), length = 0;
    if (strncmp(p + 9, "100 ", 4) == 0) {
        return body;
    }
    v->http_responses++;
    if (header(p, head, "\r\nTransfer-Encoding: chunked\r\n") != NULL) {
        char *joined = malloc((size_t)(end - body) + 1);
        const char *behind = join_chunks(body, end, joined, &length);
        if (behind == NULL) {
            v->flaw = "chunks are broken";
        } else {
            message_or_batch(joined, length, v);
        }
        free(joined);
        return behind != NULL ? behind : end;
    }
    const char *number = header(p, head, "\r\nContent-Length: ");
    bool to_the_end = number == NULL && header(p, head, "\r\nConnection: close\r\n") != NULL;
    length = number != NULL ? strtoul(number, NULL, 10) : (size_t)(end - body);
    if ((number == NULL && !to_the_end) || length > (size_t)(end - body)) {
        v->flaw = "the body is not as long as promised";
        return end;
    }
    if (length > 0 && header(p, head, "\r\nContent-Type: text/event-stream\r\n") != NULL) {
        events(body, length, v);
    } else if (length > 0 && header(p, head, "\r\nContent-Type: text/") == NULL) { /* the page is for people */
        message_or_batch(body, length, v);
    }
    return body + length;
}

struct verdict judge_http(const char *p, size_t n)
{
    struct verdict v = {0};
    const char *end = p + n;

    while (p < end && v.flaw == NULL) {
        p = response(p, end, &v);
    }
    return v;
}
