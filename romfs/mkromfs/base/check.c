/* check.c -- turns a finding of a rule into a message of the right severity. */
#include "base/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "nearest.h"

const struct pos whole_file = {1, 1};

void check_report(const struct check *c, enum level level, struct pos at, const char *rule, const char *format, ...)
{
    bool error = level == LEVEL_E || (level != LEVEL_W && c->strict);
    va_list args;

    if (level == LEVEL_P && !c->strict) {
        return;
    }
    va_start(args, format);
    char *message = xvasprintf(format, args);
    va_end(args);
    diag_report(c->diag, error ? SEVERITY_ERROR : SEVERITY_WARNING, c->path, at.line, at.col, c->rule_ids ? rule : NULL,
                "%s", message);
    free(message);
}

const char *excerpt(const char *text, size_t n)
{
    size_t keep = utf8_clip(text, n, 60);

    return keep == n ? xstrndup(text, n) : xasprintf("%.*s...", (int)keep, text);
}

const char *excerpt_str(const char *text)
{
    return excerpt(text, strlen(text));
}

const char *check_hint(const char *key, size_t n, const char *members, const char *otherwise)
{
    struct host_nearest nearest = {.typed = key, .n = n};

    for (const char *at = members; *at != '\0'; at += strspn(at, ", ")) {
        size_t length = strcspn(at, ",");
        host_nearest_try(&nearest, at, length);
        at += length;
    }
    if (nearest.name) {
        return xasprintf("did you mean '%.*s'?", (int)nearest.name_length, nearest.name);
    }
    return otherwise ? otherwise : xasprintf("the members are %s", members);
}

struct check check_at(const struct check *c, const char *path)
{
    struct check other = *c;

    other.path = path;
    return other;
}
