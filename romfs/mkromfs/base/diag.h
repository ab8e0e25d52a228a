/* diag.h -- compiler-like messages: `path:line:col: error: text [SK-V-52]`. */
#ifndef MKROMFS_DIAG_H
#define MKROMFS_DIAG_H

#include <stdbool.h>
#include <stdio.h>

#include "base/names.h"

enum severity { SEVERITY_WARNING, SEVERITY_ERROR };

struct diag_message {
    enum severity severity;
    const char *path;
    unsigned line, col;
    const char *rule;
    char *text;
    size_t file;   /* files are counted in the order of their first message */
    unsigned more; /* findings of the same severity in the same file that were not kept after this one */
};

struct diag_file;

/* Where messages go and how many there were. Messages are printed immediately, or held. Of each file at most
 * DIAG_FILE_MAX errors and as many warnings are kept, so that a hostile file cannot fill the memory or the screen. */
#define DIAG_FILE_MAX 100

struct diag {
    FILE *out;
    bool json; /* one JSON object per line instead of text */
    bool colour;
    bool places; /* show the line of each message, with a caret under the place */
    bool silent; /* only count */
    unsigned errors;
    unsigned warnings;
    bool hold; /* keep messages here instead of printing them */
    struct diag_message *held;
    size_t held_count;
    struct names files; /* those that there are messages about: struct diag_file */
    size_t file_count;
    struct diag_file *first_cut, *last_cut; /* those that have more messages than were kept */
};

/* Line and col count from 1; 0 leaves them out. `rule` may be NULL. */
void diag_report(struct diag *d, enum severity severity, const char *path, unsigned line, unsigned col,
                 const char *rule, const char *format, ...) __attribute__((format(printf, 7, 8)));

/* Reports, for each file with more than DIAG_FILE_MAX errors or warnings, how many were not printed. To be called once, after
 * the last message. */
void diag_end(struct diag *d);

/* A text with every byte that is not printable UTF-8 spelled as \xNN. */
char *diag_printable(const char *text);

/* Reports to `d` what `from` has held: file by file, in the order of their first messages, and in each by line and column. */
void diag_release(struct diag *d, struct diag *from);

#endif
