/* instructions.c -- cutting a skill's body at its placeholders. See instructions.h. */
#include "image/instructions.h"

#include <string.h>

#include "base/buf.h"
#include "base/trim.h"

/* The argument whose placeholder is at p, or -1. *n is the placeholder's length. */
static int argument_at(const struct skill *skill, const uint8_t *p, size_t left, size_t *n)
{
    for (size_t i = 0; i < skill->arg_count; i++) {
        size_t name = strlen(skill->args[i].name);
        if (left >= name + 4 && memcmp(p, "{{", 2) == 0 && memcmp(p + 2, skill->args[i].name, name) == 0 &&
            memcmp(p + 2 + name, "}}", 2) == 0) {
            *n = name + 4;
            return (int)i;
        }
    }
    return -1;
}

static void add(struct instructions *out, size_t from, size_t to, int arg)
{
    out->list = xrealloc(out->list, (out->count + 1) * sizeof *out->list);
    out->list[out->count++] = (struct stretch){from, to - from, arg};
}

struct instructions instructions_of(const struct skill *skill)
{
    const struct source *manifest = &skill->files[0];
    size_t from = skill->body, to = manifest->size;
    struct instructions out = {0};

    trim_blank_lines((const char *)manifest->bytes, &from, &to);
    for (size_t at = from; at < to;) {
        size_t n;
        int arg = argument_at(skill, manifest->bytes + at, to - at, &n);
        if (arg < 0) {
            at++;
        } else {
            add(&out, from, at, arg);
            at += n;
            from = at;
        }
    }
    if (from < to) {
        add(&out, from, to, -1);
    }
    return out;
}
