/* rules_body.c -- the Markdown of a SKILL.md: its length, and where its links lead
 * (SK-V-14, SK-V-15, SK-V-25).
 *
 * Links are found as a reader of plain text would find them: inline links and reference definitions outside code.
 * That is less than CommonMark, but enough for warnings. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/names.h"
#include "base/uri_path.h"
#include "load/load.h"
#include "load/rules.h"

#define LINES_MANY 500
#define BODY_MANY_BYTES 20000

static void check_length(const struct check *c, const char *text, size_t size, size_t body)
{
    unsigned lines = 0;

    for (size_t i = 0; i < size; i++) {
        lines += text[i] == '\n' || i + 1 == size;
        if (lines > LINES_MANY) {
            check_report(c, LEVEL_W, (struct pos){lines, 1}, "SK-V-14",
                         "SKILL.md is long (over %d lines); move detail to references/", LINES_MANY);
            return;
        }
        if (i >= body + BODY_MANY_BYTES) {
            check_report(c, LEVEL_W, utf8_pos(text, i), "SK-V-14",
                         "SKILL.md is long (over %d bytes); move detail to references/", BODY_MANY_BYTES);
            return;
        }
    }
}

void rules_body(const struct check *c, const char *text, size_t size, const struct fenced *fenced)
{
    size_t at = fenced->body;

    check_length(c, text, size, fenced->body);
    while (at < size && strchr(" \t\r\n", text[at])) {
        at++;
    }
    if (at == size) {
        check_report(c, LEVEL_W, (struct pos){fenced->close_line, 1}, "SK-V-25",
                     "no instructions after the frontmatter; write what an agent should do");
    }
}

/* The links of a body being checked, one after the other. Whatever a line holds, each of its bytes is looked at a fixed number
 * of times. */
struct link {
    const struct check *check;
    const struct skill *skill;
    struct pos at;
    const char *seen;        /* where column at.col of the line is */
    const char *spans_of;    /* the line that `last_run` is about */
    const char **last_run;   /* where its last run of so many backticks is, or one of an earlier line; NULL: none */
    size_t longest;          /* of those runs that last_run has room for */
    struct names disk_paths; /* of the skill's files, once a link has no file */
};

static bool has_scheme(const char *target)
{
    size_t n = strspn(target, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");

    return n > 0 && target[n] == ':';
}

/* Resolves '.' and '..' in place. False when the path climbs out. `dirs` counts the directories before the last
 * segment. */
static bool normalise_path(char *path, unsigned *dirs)
{
    char *out = path;
    unsigned depth = 0;

    for (char *save = NULL, *segment = strtok_r(path, "/", &save); segment; segment = strtok_r(NULL, "/", &save)) {
        if (strcmp(segment, ".") == 0) {
            continue;
        }
        if (strcmp(segment, "..") == 0) {
            if (depth == 0) {
                return false;
            }
            depth--;
            while (out > path && *--out != '/') {
            }
            continue;
        }
        size_t n = strlen(segment);
        if (out > path) {
            *out++ = '/';
        }
        memmove(out, segment, n);
        out += n;
        depth++;
    }
    *out = '\0';
    *dirs = depth ? depth - 1 : 0;
    return true;
}

static bool skill_holds(const struct skill *skill, const char *path)
{
    return *path == '\0' /* the skill itself */ || skill_file(skill, path) != NULL;
}

/* The path of a file whose URI differs from its place on disk: it is below a skill inside this one whose folder has a
 * different name. NULL for none. */
static const char *moved_to(struct link *link, const char *path)
{
    const struct skill *skill = link->skill;
    char *disk_path = path_join(skill->disk_path, path);

    bool listed = link->disk_paths.root != NULL;
    for (size_t i = 0; !listed && i < skill->file_count; i++) {
        names_add(&link->disk_paths, skill->files[i].disk_path, strlen(skill->files[i].disk_path), &skill->files[i]);
    }
    const struct source *moved = names_find(&link->disk_paths, disk_path, strlen(disk_path));
    free(disk_path);
    return moved != NULL ? moved->path : NULL;
}

/* The path that a target relative to the skill has, decoded; NULL for other targets. */
static char *path_in(const char *target, size_t n)
{
    char *whole = xstrndup(target, n);
    bool other = *whole == '\0' || *whole == '/' || *whole == '#' || *whole == '?' || has_scheme(whole);
    char *path = other ? NULL : uri_path_decode(whole, strcspn(whole, "#?"));

    free(whole);
    return path;
}

static void check_target(struct link *link, const char *target, size_t n)
{
    char *path = path_in(target, n);
    unsigned dirs = 0;

    for (; link->seen < target; link->seen++) {
        link->at.col += ((unsigned char)*link->seen & 0xC0) != 0x80;
    }
    if (path == NULL) {
        return;
    }
    if (!normalise_path(path, &dirs)) {
        check_report(link->check, LEVEL_W, link->at, "SK-V-15", "link '%s' leaves the skill; copy the file into it",
                     excerpt(target, n));
    } else if (!skill_holds(link->skill, path)) {
        const char *moved = moved_to(link, path);
        check_report(link->check, LEVEL_W, link->at, "SK-V-15",
                     moved ? "link '%s' has no file; it is served as '%s': link to that"
                           : "link '%s' has no file; add it, or correct the link",
                     excerpt(target, n), moved ? excerpt_str(moved) : "");
    } else if (dirs > 1) {
        check_report(link->check, LEVEL_W, link->at, "SK-V-15",
                     "link '%s' is more than one directory deep; move the file up", excerpt(target, n));
    }
    free(path);
}

/* The target that starts at p: `<a b>` or up to a blank or the closing parenthesis. */
static const char *target_at(const char *p, const char *end, size_t *n)
{
    while (p < end && (*p == ' ' || *p == '\t')) {
        p++;
    }
    if (p < end && *p == '<') {
        const char *close = ++p;
        while (close < end && *close != '>' && *close != '<') {
            close++;
        }
        *n = close < end && *close == '>' ? (size_t)(close - p) : 0;
        return p;
    }
    const char *q = p;
    for (unsigned open = 0; q < end && *q != ' ' && *q != '\t'; q++) {
        open += *q == '(';
        if (*q == ')' && open-- == 0) {
            break;
        }
    }
    *n = (size_t)(q - p);
    return p;
}

static size_t ticks_at(const char *p, const char *end)
{
    size_t n = 0;

    while (p + n < end && p[n] == '`') {
        n++;
    }
    return n;
}

/* Notes the last run of each length, so that a span that nothing closes is not searched for its end. */
static void keep_spans(struct link *link, const char *line, const char *end)
{
    for (const char *p = line; p < end;) {
        size_t run = ticks_at(p, end);
        if (run > link->longest) {
            link->last_run = xrealloc(link->last_run, run * sizeof *link->last_run);
            memset(link->last_run + link->longest, 0, (run - link->longest) * sizeof *link->last_run);
            link->longest = run;
        }
        if (run > 0) {
            link->last_run[run - 1] = p;
        }
        p += run > 0 ? run : 1;
    }
    link->spans_of = line;
}

/* The end of a code span that starts at p; after its backticks if no equal run of them follows. */
static const char *behind_code(struct link *link, const char *line, const char *p, const char *end)
{
    size_t ticks = ticks_at(p, end);

    if (link->spans_of != line) {
        keep_spans(link, line, end);
    }
    const char *last = ticks <= link->longest ? link->last_run[ticks - 1] : NULL;
    for (const char *q = p + ticks; last != NULL && q <= last;) {
        size_t run = ticks_at(q, end);
        if (run == ticks) {
            return q + run;
        }
        q += run ? run : 1;
    }
    return p + ticks;
}

static void check_line(struct link *link, const char *line, const char *end)
{
    const char *p = line;

    link->seen = line;
    link->at.col = 1;
    while (p < end && p - line < 4 && *p == ' ') {
        p++;
    }
    const char *close = p < end && *p == '[' ? memchr(p, ']', (size_t)(end - p)) : NULL;
    size_t n;
    if (close && close + 1 < end && close[1] == ':' && p[1] != '^') { /* [id]: target */
        const char *target = target_at(close + 2, end, &n);
        check_target(link, target, n);
        return;
    }
    while (p < end) {
        if (*p == '`') {
            p = behind_code(link, line, p, end);
        } else if (*p == '\\') {
            p += 2;
        } else if (*p == ']' && p + 1 < end && p[1] == '(') {
            const char *target = target_at(p + 2, end, &n);
            check_target(link, target, n);
            p = target + n;
        } else {
            p++;
        }
    }
}

/* Length of the run of ` or ~ that opens or closes a code block; 0 for none. */
static size_t code_fence(const char *line, const char *end, char *kind)
{
    size_t n = 0;

    while (line < end && (*line == ' ' || *line == '\t')) {
        line++;
    }
    if (line < end && (*line == '`' || *line == '~')) {
        *kind = *line;
        while (line + n < end && line[n] == *kind) {
            n++;
        }
    }
    return n >= 3 ? n : 0;
}

void rules_links(const struct check *c, const char *text, size_t size, size_t body, const struct skill *skill)
{
    struct link link = {.check = c, .skill = skill, .at = utf8_pos(text, body)};
    const char *end = text + size;
    size_t open = 0; /* length of the fence we are inside of */
    char open_kind = 0;

    for (const char *line = text + body; line < end; link.at.line++) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        const char *stop = newline ? newline : end;
        char kind = 0;
        size_t fence = code_fence(line, stop, &kind);
        if (stop > line && stop[-1] == '\r') {
            stop--;
        }
        if (open) {
            open = fence >= open && kind == open_kind ? 0 : open;
        } else if (fence) {
            open = fence;
            open_kind = kind;
        } else {
            check_line(&link, line, stop);
        }
        line = newline ? newline + 1 : end;
    }
    free(link.last_run);
    names_free(&link.disk_paths);
}
