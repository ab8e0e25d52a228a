/* instructions.c -- cutting a skill's body at its placeholders. See instructions.h. */
#include "image/instructions.h"

#include <string.h>

#include "base/buf.h"
#include "base/names.h"
#include "base/trim.h"

/* The argument whose placeholder is at p, or -1. *n is the placeholder's length. */
static int argument_at(const struct skill *skill, const struct names *args, const char *p, size_t left, size_t *n)
{
    size_t name = 0;

    if (left < 4 || p[0] != '{' || p[1] != '{') {
        return -1;
    }
    while (name + 4 < left && p[2 + name] != '{' && p[2 + name] != '}') {
        name++;
    }
    bool closed = p[2 + name] == '}' && p[3 + name] == '}';
    const struct argument *arg = closed ? names_find(args, p + 2, name) : NULL;
    *n = name + 4;
    return arg != NULL ? (int)(arg - skill->args) : -1;
}

static void add_stretch(struct instructions *out, size_t from, size_t to, int arg)
{
    if ((out->count & (out->count - 1)) == 0) { /* full at every power of two */
        out->list = xrealloc(out->list, (out->count ? 2 * out->count : 1) * sizeof *out->list);
    }
    out->list[out->count++] = (struct stretch){from, to - from, arg};
}

struct instructions instructions_of(const struct skill *skill)
{
    const struct source *manifest = &skill->files[0];
    size_t from = skill->body, to = manifest->size;
    struct instructions out = {0};
    struct names args = {0};

    trim_blank_lines((const char *)manifest->bytes, &from, &to);
    for (size_t i = 0; i < skill->arg_count; i++) {
        names_add(&args, skill->args[i].name, strlen(skill->args[i].name), &skill->args[i]);
    }
    for (size_t at = skill->arg_count > 0 ? from : to; at < to;) {
        size_t n;
        int arg = argument_at(skill, &args, (const char *)manifest->bytes + at, to - at, &n);
        if (arg < 0) {
            at++;
        } else {
            add_stretch(&out, from, at, arg);
            at += n;
            from = at;
        }
    }
    if (from < to) {
        add_stretch(&out, from, to, -1);
    }
    names_free(&args);
    return out;
}
