/* diag.h -- compiler-like messages: `path:line:col: error: text [SK-V-52]`. */
#ifndef MKROMFS_DIAG_H
#define MKROMFS_DIAG_H

#include <stdbool.h>
#include <stdio.h>

enum severity { SEVERITY_WARNING, SEVERITY_ERROR };

struct diag_message {
    enum severity severity;
    char *path;
    unsigned line, col;
    const char *rule;
    char *text;
};

/* Where messages go and how many there were. Messages are printed at once, or held. */
struct diag {
    FILE *out;
    bool json; /* one JSON object per line instead of text */
    bool colour;
    bool places;         /* show the line of each message, with a caret under the place */
    bool quiet_warnings; /* count warnings, print errors only */
    bool silent;         /* only count */
    unsigned errors;
    unsigned warnings;
    bool hold; /* keep messages here instead of printing them */
    struct diag_message *held;
    size_t held_count;
};

/* Line and col count from 1; 0 leaves them out. `rule` may be NULL. */
void diag_report(struct diag *d, enum severity severity, const char *path, unsigned line, unsigned col,
                 const char *rule, const char *format, ...) __attribute__((format(printf, 7, 8)));

/* Reports to `d` what `from` has held. */
void diag_release(struct diag *d, const struct diag *from);

#endif
