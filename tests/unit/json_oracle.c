/* json_oracle.c -- see json_oracle.h. Every function reads one rule of the grammar at `at` and moves behind it. */
#include "json_oracle.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

struct reading {
    const char *text;
    size_t n, at;
    unsigned depth, depth_max;
    bool too_deep;
    struct oracle *found;
};

static bool read_value(struct reading *r, int parent);

static bool at_one_of(const struct reading *r, const char *set)
{
    return r->at < r->n && r->text[r->at] != '\0' && strchr(set, r->text[r->at]) != NULL;
}

static bool read_one_of(struct reading *r, const char *set)
{
    bool there = at_one_of(r, set);
    r->at += there;
    return there;
}

static void read_space(struct reading *r)
{
    while (read_one_of(r, " \t\r\n")) {
    }
}

static int note(struct reading *r, char kind, size_t start, int parent)
{
    struct oracle *o = r->found;
    if (o->count == (int)(sizeof o->values / sizeof o->values[0])) {
        abort(); /* a test with a larger text needs a larger table */
    }
    o->values[o->count] = (struct oracle_value){kind, start, r->at, parent};
    return o->count++;
}

/* digit1-9 is among the digits for whom no zero may come first. */
static bool read_digits(struct reading *r)
{
    bool any = false;
    while (read_one_of(r, "0123456789")) {
        any = true;
    }
    return any;
}

/* number = [ minus ] int [ frac ] [ exp ] */
static bool read_number(struct reading *r)
{
    read_one_of(r, "-");
    if (!read_one_of(r, "0") && !read_digits(r)) {
        return false;
    }
    if (read_one_of(r, ".") && !read_digits(r)) {
        return false;
    }
    if (read_one_of(r, "eE")) {
        read_one_of(r, "+-");
        return read_digits(r);
    }
    return true;
}

static bool read_literal(struct reading *r, const char *name)
{
    for (; *name != '\0'; name++) {
        if (r->at == r->n || r->text[r->at] != *name) {
            return false;
        }
        r->at++;
    }
    return true;
}

static bool read_char(struct reading *r)
{
    if (read_one_of(r, "\\")) {
        if (read_one_of(r, "\"\\/bfnrt")) {
            return true;
        }
        bool sound = read_one_of(r, "u");
        for (int i = 0; i < 4; i++) {
            sound = sound && read_one_of(r, "0123456789abcdefABCDEF");
        }
        return sound;
    }
    utf8proc_int32_t c;
    utf8proc_ssize_t used = utf8proc_iterate((const utf8proc_uint8_t *)r->text + r->at, (utf8proc_ssize_t)(r->n - r->at), &c);
    r->at += used > 0 ? (size_t)used : 0;
    return used > 0 && c >= 0x20;
}

static bool read_string(struct reading *r, int parent)
{
    size_t start = r->at;
    if (!read_one_of(r, "\"")) {
        return false;
    }
    while (!at_one_of(r, "\"")) {
        if (r->at == r->n || !read_char(r)) {
            return false;
        }
    }
    r->at++;
    note(r, '"', start, parent);
    return true;
}

static bool read_member(struct reading *r, int parent)
{
    if (!read_string(r, parent)) {
        return false;
    }
    read_space(r);
    return read_one_of(r, ":") && read_value(r, parent);
}

/* An array or an object: the same but for brackets and members. */
static bool read_container(struct reading *r, int parent, bool (*read_element)(struct reading *, int), const char *close)
{
    if (r->depth == r->depth_max) {
        r->too_deep = true;
        return false;
    }
    r->depth++;
    int self = note(r, r->text[r->at], r->at, parent);
    r->at++;
    read_space(r);
    if (!at_one_of(r, close)) {
        do {
            read_space(r);
            if (!read_element(r, self)) {
                return false;
            }
            read_space(r);
        } while (read_one_of(r, ","));
    }
    bool closed = read_one_of(r, close);
    r->found->values[self].end = r->at;
    r->depth--;
    return closed;
}

static bool read_value(struct reading *r, int parent)
{
    read_space(r);
    if (at_one_of(r, "{")) {
        return read_container(r, parent, read_member, "}");
    }
    if (at_one_of(r, "[")) {
        return read_container(r, parent, read_value, "]");
    }
    if (at_one_of(r, "\"")) {
        return read_string(r, parent);
    }
    size_t start = r->at;
    bool sound = at_one_of(r, "t")   ? read_literal(r, "true")
                 : at_one_of(r, "f") ? read_literal(r, "false")
                 : at_one_of(r, "n") ? read_literal(r, "null")
                                     : read_number(r);
    if (sound) {
        note(r, 'w', start, parent);
    }
    return sound;
}

enum oracle_verdict oracle_judge(struct oracle *o, const char *text, size_t n, unsigned depth_max)
{
    struct reading r = {.text = text, .n = n, .depth_max = depth_max, .found = o};
    o->count = 0;
    bool sound = read_value(&r, -1);
    read_space(&r);
    return sound && r.at == n ? ORACLE_JSON : r.too_deep ? ORACLE_TOO_DEEP : ORACLE_NOT_JSON;
}
