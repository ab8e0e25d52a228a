/* test_lint.c -- runs cases.txt, cases_extras.txt and cases_panel.txt: small folders, what the rules must
 * say about them, and what becomes of them in an image.
 *
 * Each case is one Unity test. At the end every id with a message must have been seen
 * to strike in one case and to keep silent in another. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "record.h"
#include "sandbox.h"
#include "unity.h"

#define EXPECTATIONS_MAX 40

/* The ids that print something. The others are about what is built: test_load.c. */
static const char *const speaking[] = {
    "SK-V-01", "SK-V-02", "SK-V-03", "SK-V-04", "SK-V-05", "SK-V-06", "SK-V-07", "SK-V-08", "SK-V-09",
    "SK-V-10", "SK-V-11", "SK-V-12", "SK-V-13", "SK-V-14", "SK-V-15", "SK-V-16", "SK-V-20", "SK-V-21",
    "SK-V-22", "SK-V-23", "SK-V-24", "SK-V-25", "SK-V-30", "SK-V-31", "SK-V-32", "SK-V-33", "SK-V-34",
    "SK-V-35", "SK-V-36", "SK-V-37", "SK-V-40", "SK-V-50", "SK-V-51", "SK-V-52", "SK-V-53", "SK-V-54",
    "SK-V-55", "SK-V-56", "SK-V-57", "SK-V-58", "SK-V-59", "SK-V-60", "SK-V-61", "SK-M-01", "SK-M-02",
    "SK-M-03", "SK-M-04", "SK-M-05", "SK-M-06", "SK-M-07", "SK-M-08", "SK-M-09", "SK-M-10", "SK-M-11",
    "SK-M-12", "SK-M-13", "SK-M-14", "SK-M-15", "SK-M-16", "SK-M-17", "SK-M-18", "SK-M-19", "SK-M-20",
    "SK-M-21", "SK-M-22", "SK-M-23", "SK-B-07", "SK-D-03", "SK-S-01", "SK-X-09", "SK-X-18",
};

#define SPEAKING (sizeof speaking / sizeof speaking[0])

struct expectation {
    char kind; /* 'e'rror, 'w'arning, 'n'one of a rule, 'o'k, 'j'son, 'p'ath, 'f'iles, 'r'ecord */
    bool strict;
    char *text;
};

static struct {
    char *title;
    unsigned line; /* in cases.txt */
    char *below;   /* load this folder of the sandbox */
    bool allow_oversize;
    char *base; /* --base, or NULL */
    struct expectation expect[EXPECTATIONS_MAX];
    size_t count;
} the_case;

static bool struck[SPEAKING], silent[SPEAKING];

void setUp(void)
{
}

void tearDown(void)
{
}

static void add_seen(bool *seen, const char *rule)
{
    for (size_t i = 0; i < SPEAKING; i++) {
        seen[i] = seen[i] || strcmp(speaking[i], rule) == 0;
    }
}

/* \n \r \t \\ \xNN; anything else stands for itself. */
static char *unescape(const char *text, size_t *n)
{
    struct buf b = {0};

    for (const char *p = text; *p; p++) {
        char c = *p;
        if (c == '\\' && p[1] == 'x') {
            char hex[3] = {p[2], p[3], '\0'};
            c = (char)strtoul(hex, NULL, 16);
            p += 3;
        } else if (c == '\\' && p[1]) {
            p++;
            c = *p == 'n' ? '\n' : *p == 'r' ? '\r' : *p == 't' ? '\t' : *p;
        }
        buf_add(&b, &c, 1);
    }
    *n = b.n;
    return buf_str(&b);
}

static char *first_file(const struct outcome *o)
{
    return o->device.skill_count ? o->device.skills[0].path : NULL;
}

static char *file_list(const struct outcome *o)
{
    struct buf b = {0};

    for (size_t i = 0; o->device.skill_count && i < o->device.skills[0].file_count; i++) {
        const struct source *s = &o->device.skills[0].files[i];
        buf_printf(&b, "%s%s%s", i ? " " : "", s->path, s->is_dir ? "/" : "");
    }
    return buf_str(&b);
}

static void check_message(const struct outcome *o, const struct expectation *e)
{
    char rule[32], where[512];
    unsigned line, col;
    char *shown = xasprintf("%s\n  wanted: %s%s\n  got:%s", the_case.title, e->strict ? "(strict) " : "", e->text,
                            outcome_text(o));

    if (e->kind == 'n') {
        TEST_ASSERT_TRUE_MESSAGE(outcome_count(o, e->text) == 0, shown);
        add_seen(silent, e->text);
        return;
    }
    TEST_ASSERT_EQUAL_INT_MESSAGE(2, sscanf(e->text, "%31s %511[^\n]", rule, where), shown);
    char *colon = strrchr(where, ':');
    TEST_ASSERT_NOT_NULL_MESSAGE(colon, shown);
    col = (unsigned)atoi(colon + 1);
    *colon = '\0';
    colon = strrchr(where, ':');
    TEST_ASSERT_NOT_NULL_MESSAGE(colon, shown);
    line = (unsigned)atoi(colon + 1);
    *colon = '\0';
    const char *wanted = strcmp(rule, "-") == 0 ? NULL : rule;
    const struct message *m = outcome_find(o, e->kind == 'e', wanted, where, line, col);
    TEST_ASSERT_NOT_NULL_MESSAGE(m, shown);
    add_seen(struck, rule);
}

/* `@record KEY TEXT`: what the image says of the first skill, or of the device. */
static void check_record(const struct outcome *o, const struct expectation *e)
{
    size_t n = strcspn(e->text, " ");
    char *key = xstrndup(e->text, n);

    TEST_ASSERT_TRUE_MESSAGE(o->well, xasprintf("%s:%s", the_case.title, outcome_text(o)));
    TEST_ASSERT_EQUAL_STRING_MESSAGE(e->text[n] != '\0' ? e->text + n + 1 : "", record_of(&o->device, key),
                                     xasprintf("%s: %s", the_case.title, key));
}

static void check_expectation(const struct outcome *o, const struct expectation *e)
{
    switch (e->kind) {
    case 'o':
        TEST_ASSERT_TRUE_MESSAGE(o->well, xasprintf("%s: must load, but:%s", the_case.title, outcome_text(o)));
        break;
    case 'j':
        TEST_ASSERT_TRUE_MESSAGE(o->device.skill_count > 0, outcome_text(o));
        TEST_ASSERT_EQUAL_STRING_MESSAGE(e->text, o->device.skills[0].frontmatter, the_case.title);
        break;
    case 'p': TEST_ASSERT_EQUAL_STRING_MESSAGE(e->text, first_file(o), the_case.title); break;
    case 'r': check_record(o, e); break;
    case 'f': TEST_ASSERT_EQUAL_STRING_MESSAGE(e->text, file_list(o), the_case.title); break;
    default: check_message(o, e);
    }
}

static void run_case(void)
{
    for (int strict = 0; strict <= 1; strict++) {
        bool wanted = false;
        for (size_t i = 0; i < the_case.count; i++) {
            wanted = wanted || the_case.expect[i].strict == strict;
        }
        if (!wanted) {
            continue;
        }
        struct load_options options = {
            .strict = strict, .allow_oversize = the_case.allow_oversize, .base = the_case.base};
        struct outcome o = sandbox_load(the_case.below, &options);
        TEST_ASSERT_EQUAL_UINT_MESSAGE(0, o.odd, "a line that is not a message");
        for (size_t i = 0; i < the_case.count; i++) {
            if (the_case.expect[i].strict == strict) {
                check_expectation(&o, &the_case.expect[i]);
            }
        }
    }
}

static void finish_case(void)
{
    if (the_case.title) {
        UnityDefaultTestRun(run_case, the_case.title, (int)the_case.line);
        sandbox_close();
    }
    memset(&the_case, 0, sizeof the_case);
}

/* A file being written, line by line, as the case lists it. */
static struct {
    char *path;
    struct buf text;
    bool demo;
} open_file;

static void finish_file(void)
{
    if (open_file.path) {
        if (open_file.demo) {
            buf_puts(&open_file.text, "---\n\nText.\n");
        }
        sandbox_file(open_file.path, open_file.text.p ? (const char *)open_file.text.p : "", open_file.text.n);
    }
    memset(&open_file, 0, sizeof open_file);
}

static void start_file(const char *path, bool demo)
{
    open_file.path = xstrdup(path);
    open_file.demo = demo;
    if (demo) {
        buf_puts(&open_file.text, "---\nname: demo\ndescription: Shows a rule. Use when testing the checks.\n");
    }
}

static bool expect(char kind, bool strict, const char *text)
{
    if (the_case.count == EXPECTATIONS_MAX) {
        return false;
    }
    the_case.expect[the_case.count++] = (struct expectation){kind, strict, xstrdup(text)};
    return true;
}

/* Directives that make something in the sandbox. */
static bool make(const char *verb, char *rest)
{
    size_t n, length;
    char a[512] = "", b[512] = "";
    long count = 0;
    int behind = 0;
    char *bytes = unescape(rest, &length);

    if (strcmp(verb, "dir") == 0) {
        sandbox_dir(bytes);
    } else if (strcmp(verb, "file") == 0) {
        start_file(bytes, false);
    } else if (strcmp(verb, "demo") == 0) {
        start_file(*bytes ? bytes : "demo/SKILL.md", true);
    } else if (strcmp(verb, "bytes") == 0 && sscanf(rest, "%511s %n", a, &behind) == 1) {
        bytes = unescape(rest + behind, &n);
        sandbox_file(a, bytes, n);
    } else if (strcmp(verb, "append") == 0 && sscanf(rest, "%511s %ld %n", a, &count, &behind) == 2) {
        for (bytes = unescape(rest + behind, &n); count > 0; count--) {
            sandbox_append(a, bytes, n);
        }
    } else if (strcmp(verb, "many") == 0 && sscanf(rest, "%511s %ld", a, &count) == 2) {
        for (; count > 0; count--) {
            sandbox_file(xasprintf("%s%ld", a, count), "x", 1);
        }
    } else if (strcmp(verb, "size") == 0 && sscanf(rest, "%511s %ld", a, &count) == 2) {
        sandbox_file(a, "", 0);
        return truncate(sandbox_path(a), count) == 0;
    } else if (strcmp(verb, "symlink") == 0 && sscanf(rest, "%511s %511s", a, b) == 2) {
        return symlink(b, sandbox_path(a)) == 0;
    } else if (strcmp(verb, "hardlink") == 0 && sscanf(rest, "%511s %511s", a, b) == 2) {
        return link(sandbox_path(b), sandbox_path(a)) == 0;
    } else if (strcmp(verb, "pipe") == 0) {
        return mkfifo(sandbox_path(bytes), 0600) == 0;
    } else {
        return false;
    }
    return true;
}

static bool directive(char *line, unsigned number)
{
    static bool strict;
    char *rest = line + strcspn(line, " ");

    rest += *rest == ' ';
    char *verb = xstrndup(line, strcspn(line, " "));
    finish_file();
    if (strcmp(verb, "case") == 0) {
        finish_case();
        strict = false;
        the_case.title = xstrdup(rest);
        the_case.line = number;
        sandbox_open();
        return true;
    }
    if (strcmp(verb, "strict") == 0) {
        strict = true;
        return true;
    }
    if (strcmp(verb, "oversize") == 0) {
        the_case.allow_oversize = true;
        return true;
    }
    if (strcmp(verb, "load") == 0) {
        the_case.below = xstrdup(rest);
        return true;
    }
    if (strcmp(verb, "base") == 0) {
        the_case.base = xstrdup(rest);
        return true;
    }
    static const char *const expectations[] = {"error", "warning", "none", "ok", "json", "path", "files", "record"};
    for (size_t i = 0; i < sizeof expectations / sizeof expectations[0]; i++) {
        if (strcmp(verb, expectations[i]) == 0) {
            return expect(*verb, strict, rest);
        }
    }
    return make(verb, rest);
}

static void run_cases(const char *path)
{
    FILE *in = fopen(path, "rb");
    char *line = NULL;
    size_t room = 0;
    ssize_t n;

    if (!in) {
        fprintf(stderr, "cannot open %s\n", path);
        exit(1);
    }
    for (unsigned number = 1; (n = getline(&line, &room, in)) > 0; number++) {
        if (line[0] == '@') {
            line[strcspn(line, "\n")] = '\0';
            if (!directive(line + 1, number)) {
                fprintf(stderr, "%s:%u: cannot do '%s'\n", path, number, line);
                exit(1);
            }
        } else if (open_file.path) {
            buf_add(&open_file.text, line, (size_t)n);
        }
    }
    finish_file();
    finish_case();
    free(line);
    fclose(in);
}

static void every_speaking_rule_strikes_and_keeps_silent(void)
{
    for (size_t i = 0; i < SPEAKING; i++) {
        TEST_ASSERT_TRUE_MESSAGE(struck[i], xasprintf("no case where %s strikes", speaking[i]));
        TEST_ASSERT_TRUE_MESSAGE(silent[i], xasprintf("no neighbour without %s", speaking[i]));
    }
}

int main(void)
{
    char *here = xstrdup(__FILE__);

    *strrchr(here, '/') = '\0';
    UNITY_BEGIN();
    run_cases(xasprintf("%s/cases.txt", here));
    run_cases(xasprintf("%s/cases_extras.txt", here));
    run_cases(xasprintf("%s/cases_panel.txt", here));
    RUN_TEST(every_speaking_rule_strikes_and_keeps_silent);
    return UNITY_END();
}
