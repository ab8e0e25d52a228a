/* macro.c -- definitions, repetitions, escapes; and, when an exchange is run, the
 * values that earlier answers gave. */
#include "macro.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "transcript.h"

struct macro {
    char *name;
    struct bytes value;
};

static size_t name_length(const char *text, size_t n)
{
    size_t i = 0;

    while (i < n && (isupper((unsigned char)text[i]) || isdigit((unsigned char)text[i]) || text[i] == '_')) {
        i++;
    }
    return i > 0 && isupper((unsigned char)text[0]) ? i : 0;
}

bool macro_define(struct macros *m, const char *name, struct bytes *value)
{
    size_t n = strlen(name);
    struct bytes copy = {0};

    if (name_length(name, n) != n) {
        return false;
    }
    for (size_t i = 0; i < m->count; i++) {
        if (strcmp(m->at[i].name, name) == 0) {
            bytes_free(&m->at[i].value);
            m->at[i].value = *value;
            return true;
        }
    }
    struct macro *at = realloc(m->at, (m->count + 1) * sizeof *at);
    if (at == NULL) {
        return false;
    }
    bytes_text(&copy, name);
    m->at = at;
    m->at[m->count].name = copy.p;
    m->at[m->count++].value = *value;
    return true;
}

void macro_free(struct macros *m)
{
    for (size_t i = 0; i < m->count; i++) {
        free(m->at[i].name);
        bytes_free(&m->at[i].value);
    }
    free(m->at);
}

/* ---- Escapes: \xNN \n \r \t \\ ---- */

static const char *unescape(const char *text, size_t n, struct bytes *out)
{
    for (size_t i = 0; i < n; i++) {
        char c = text[i];
        if (c == '\\' && i + 1 < n) {
            char hex[3] = {0};
            switch (text[++i]) {
            case 'n': c = '\n'; break;
            case 'r': c = '\r'; break;
            case 't': c = '\t'; break;
            case '\\': c = '\\'; break;
            case 'x':
                if (n - i < 3) {
                    return "\\x needs two digits";
                }
                memcpy(hex, text + i + 1, 2);
                c = (char)strtoul(hex, NULL, 16);
                i += 2;
                break;
            default: return "the escapes are \\xNN \\n \\r \\t \\\\";
            }
        }
        bytes_add(out, &c, 1);
    }
    return NULL;
}

/* ---- Macros ---- */

static bool is_later(const char *name, size_t n)
{
    static const char *const values[] = {"CURSOR", "SESSION", "LENGTH", "STATE", "TASK", "EVENT"};

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (strlen(values[i]) == n && memcmp(name, values[i], n) == 0) {
            return true;
        }
    }
    return false;
}

static const struct bytes *find(const struct macros *m, const char *name, size_t n)
{
    for (size_t i = 0; i < m->count; i++) {
        if (strlen(m->at[i].name) == n && memcmp(m->at[i].name, name, n) == 0) {
            return &m->at[i].value;
        }
    }
    return NULL;
}

/* $(300*x) at text; *used gets its length. */
static const char *repeat(const char *text, size_t n, size_t *used, struct bytes *out)
{
    char *star;
    const char *end = memchr(text, ')', n);
    unsigned long times = strtoul(text + 2, &star, 10);

    if (end == NULL || *star != '*') {
        return "a repetition is $(COUNT*text)";
    }
    for (unsigned long i = 0; i < times; i++) {
        bytes_add(out, star + 1, (size_t)(end - star - 1));
    }
    *used = (size_t)(end - text) + 1;
    return NULL;
}

static const char *replace(const struct macros *m, const char *text, size_t n, struct bytes *out)
{
    for (size_t i = 0; i < n;) {
        size_t used = 1, name = text[i] == '$' ? name_length(text + i + 1, n - i - 1) : 0;
        if (n - i > 2 && text[i] == '$' && text[i + 1] == '(' && isdigit((unsigned char)text[i + 2])) {
            const char *problem = repeat(text + i, n - i, &used, out);
            if (problem != NULL) {
                return problem;
            }
        } else if (name > 0 && !is_later(text + i + 1, name)) {
            const struct bytes *value = find(m, text + i + 1, name);
            if (value == NULL) {
                return "a $NAME that no @let defines";
            }
            bytes_add(out, value->p, value->n);
            used = 1 + name;
        } else {
            bytes_add(out, text + i, 1);
        }
        i += used;
    }
    return NULL;
}

const char *macro_expand(const struct macros *m, const char *text, size_t n, bool escapes, struct bytes *out)
{
    struct bytes plain = {0};

    bytes_clear(out);
    bytes_clear(&plain);
    const char *problem = escapes ? unescape(text, n, &plain) : NULL;
    if (problem == NULL) {
        problem = escapes ? replace(m, plain.p, plain.n, out) : replace(m, text, n, out);
    }
    bytes_free(&plain);
    return problem;
}

/* ---- What earlier answers gave ---- */

static bool starts(const struct bytes *b, size_t at, const char *word)
{
    size_t n = strlen(word);

    return b->n - at >= n && memcmp(b->p + at, word, n) == 0;
}

static void fill_in(const struct bytes *text, const struct memory *memory, size_t length, struct bytes *out)
{
    const struct {
        const char *name;
        const struct bytes *value;
    } values[] = {{"$CURSOR", &memory->cursor},
                  {"$SESSION", &memory->session},
                  {"$STATE", &memory->state},
                  {"$TASK", &memory->task},
                  {"$EVENT", &memory->event}};

    for (size_t i = 0; i < text->n; i++) {
        size_t k = 0;
        while (k < sizeof values / sizeof values[0] && !starts(text, i, values[k].name)) {
            k++;
        }
        if (k < sizeof values / sizeof values[0]) {
            bytes_add(out, values[k].value->p, values[k].value->n);
            i += strlen(values[k].name) - 1;
        } else if (starts(text, i, "$LENGTH")) {
            bytes_number(out, length);
            i += 6;
        } else {
            bytes_add(out, text->p + i, 1);
        }
    }
}

/* $LENGTH: the bytes of the bare lines that follow next. */
static size_t body_length(const struct lines *lines, size_t from, const struct memory *memory)
{
    struct bytes body = {0};

    while (from < lines->count && !lines->at[from].bare) {
        from++;
    }
    for (; from < lines->count && lines->at[from].bare; from++) {
        fill_in(&lines->at[from].text, memory, 0, &body);
    }
    size_t n = body.n;
    bytes_free(&body);
    return n;
}

void transcript_text(const struct lines *lines, size_t i, const struct memory *memory, struct bytes *out)
{
    size_t length = 0;

    if (lines->at[i].text.n > 0 && strstr(lines->at[i].text.p, "$LENGTH") != NULL) {
        length = body_length(lines, i + 1, memory);
    }
    fill_in(&lines->at[i].text, memory, length, out);
}

void transcript_sent(const struct lines *lines, const struct memory *memory, const char *end, struct bytes *out)
{
    bytes_clear(out);
    for (size_t i = 0; i < lines->count; i++) {
        transcript_text(lines, i, memory, out);
        if (!lines->at[i].bare && !lines->at[i].timeout) {
            bytes_text(out, end);
        }
    }
}

/* The bytes after `start` up to the first of `stops`. */
static void learn(struct bytes *into, const struct bytes *response, const char *start, const char *stops)
{
    const char *p = response->n > 0 ? memmem(response->p, response->n, start, strlen(start)) : NULL;

    if (p != NULL) {
        p += strlen(start);
        bytes_clear(into);
        bytes_add(into, p, strcspn(p, stops));
    }
}

void memory_learn(struct memory *memory, const struct bytes *response)
{
    learn(&memory->cursor, response, "\"nextCursor\":\"", "\"");
    learn(&memory->session, response, "\r\nMcp-Session-Id: ", "\r\n");
    learn(&memory->state, response, "\"requestState\":\"", "\"");
    learn(&memory->task, response, "\"taskId\":\"", "\"");
    learn(&memory->event, response, "\nid: ", "\n");
}

void memory_free(struct memory *memory)
{
    bytes_free(&memory->cursor);
    bytes_free(&memory->session);
    bytes_free(&memory->state);
    bytes_free(&memory->task);
    bytes_free(&memory->event);
}
