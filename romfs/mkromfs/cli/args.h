/* args.h -- options and operands of a command, parsed from one table per command.
 *
 * `--x=V` and `--x V` mean the same; an option with an optional value takes it only after '='. `--` ends the options.
 * Options and operands come in any order. */
#ifndef MKROMFS_ARGS_H
#define MKROMFS_ARGS_H

#include <stdbool.h>
#include <stddef.h>

enum arg_kind {
    ARG_FLAG,     /* --strict */
    ARG_VALUE,    /* --name X */
    ARG_OPTIONAL, /* --compress or --compress=X */
};

struct arg {
    const char *name; /* "--strict" */
    enum arg_kind kind;
    bool *given;        /* may be NULL */
    const char **value; /* may be NULL for a flag; untouched when no value is given */
};

/* What a command is called with: `least` to `most` operands, and what they are. */
struct args {
    const char *command; /* "pack", for messages */
    const struct arg *table;
    size_t count;
    int least, most;
    const char *operands; /* "DIR", for messages */
};

/* Distributes argv[1..] to the table's options and operands[]. Returns how many operands there
 * are, or -1 with a message on stderr: then the command exits with 2. */
int args_parse(const struct args *a, int argc, char **argv, const char **operands);

/* Prints a usage error and a hint to --help. Returns 2. */
int args_misuse(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* If arg starts with the option `name`: true, and *value is what follows '=' or NULL. */
bool args_is(const char *arg, const char *name, const char **value);

#endif
