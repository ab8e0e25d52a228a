/* check.h -- what every check needs: the file in question, how severe the profile makes a finding, and where to
 * report it. */
#ifndef MKROMFS_CHECK_H
#define MKROMFS_CHECK_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/utf8.h"

struct check {
    struct diag *diag;
    const char *path;    /* the file or folder in question, for messages */
    bool strict;         /* --strict: LEVEL_L is an error */
    bool allow_oversize; /* SK-V-11, SK-V-12 only warn */
    bool rule_ids;       /* messages name SK-V ids; false for tools, prompts and device.json */
};

/* The severities of the rule tables. */
enum level {
    LEVEL_E, /* refuse to build */
    LEVEL_L, /* refuse under --strict, otherwise warn */
    LEVEL_W, /* warn */
    LEVEL_P, /* refuse under --strict, which is for publishing; otherwise nothing */
};

/* The position of a finding about a whole file or folder. */
extern const struct pos whole_file;

void check_report(const struct check *c, enum level level, struct pos at, const char *rule, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Text for a message: at most 60 bytes of it, with "..." if it was cut. */
const char *excerpt(const char *text, size_t n);
const char *excerpt_str(const char *text);

/* The remedy for an unknown key: the one of `members`, words with ", " between them, that it resembles; otherwise the
 * text `otherwise`, or if that is NULL all members. */
const char *check_hint(const char *key, size_t n, const char *members, const char *otherwise);

/* Makes a check of another file. */
struct check check_at(const struct check *c, const char *path);

#endif
