/* cmdline.h -- the command line of a program as a table, in which an option is one row: the same table
 * reads the options and prints the help. Nothing is allocated, so servers can also use it.
 *
 * Options and operands come in any order. `--x=V` and `--x V` mean the same, and so do `-xV` and `-x V`; a value that may be
 * left out follows only '='. Short options without a value may be joined, as in `-lq`. `--` ends the options; `-` is an operand.
 * Names are not abbreviated. An option that is repeated counts as given last, except one of which each counts
 * (HOST_TAKE_EACH). Every command also has -h, -V, -q and -v (console.h). */
#ifndef HOST_CMDLINE_H
#define HOST_CMDLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Takes the value of an option into the command's struct, or into the member of it that the row names. The value is NULL if it
 * is optional and missing; it points into argv. False after a message. */
typedef bool (*host_take_fn)(void *into, const char *name, const char *value);

enum host_option_kind {
    HOST_OPTION_FLAG,   /* no value: a bool becomes true */
    HOST_OPTION_TEXT,   /* a const char *, which then points into argv */
    HOST_OPTION_NUMBER, /* a uint32_t from min to max */
    HOST_OPTION_TIME,   /* a uint32_t of milliseconds from min to max; written with its unit, as in 500ms or 10s */
    HOST_OPTION_TAKE,   /* a function reads the value */
    HOST_OPTION_MAYBE,  /* likewise, and the value is optional */
};

/* A row. Use the macros below. */
struct host_option {
    const char *names; /* "--http", or with a short form "-o, --output" */
    const char *value; /* the name of its value: "ADDR:PORT"; NULL if it has none */
    const char *help;  /* sentences, without line breaks; as a rule they end with the default in parentheses */
    enum host_option_kind kind;
    bool each; /* may be repeated, and each counts */
    uint32_t min, max;
    size_t at; /* where in the command's struct */
    host_take_fn take;
};

/* Where a member is in a struct; does not compile if the member is of another type. */
#define HOST_AT(type, options, member) (offsetof(options, member) + 0 * sizeof(&((options *)0)->member == (type *)0))

/* The rows. `options` is the struct that the command's options are read into, `member` one of its members. A value
 * called FILE... or DIR... is completed as such by shells. */
/* clang-format off */
#define HOST_FLAG(names, options, member, help) \
    {names, NULL, help, HOST_OPTION_FLAG, false, 0, 0, HOST_AT(bool, options, member), NULL}
#define HOST_TEXT(names, value, options, member, help) \
    {names, value, help, HOST_OPTION_TEXT, false, 0, 0, HOST_AT(const char *, options, member), NULL}
#define HOST_NUMBER(names, value, options, member, min, max, help) \
    {names, value, help, HOST_OPTION_NUMBER, false, min, max, HOST_AT(uint32_t, options, member), NULL}
#define HOST_TIME(names, options, member, min, max, help) \
    {names, "TIME", help, HOST_OPTION_TIME, false, min, max, HOST_AT(uint32_t, options, member), NULL}
#define HOST_TAKE(names, value, take, help) {names, value, help, HOST_OPTION_TAKE, false, 0, 0, 0, take}
#define HOST_TAKE_EACH(names, value, take, help) {names, value, help, HOST_OPTION_TAKE, true, 0, 0, 0, take}
#define HOST_TAKE_IN(names, value, options, member, take, help) \
    {names, value, help, HOST_OPTION_TAKE, false, 0, 0, offsetof(options, member), take}
#define HOST_TAKE_EACH_IN(names, value, options, member, take, help) \
    {names, value, help, HOST_OPTION_TAKE, true, 0, 0, offsetof(options, member), take}
#define HOST_TAKE_MAYBE_IN(names, value, options, member, take, help) \
    {names, value, help, HOST_OPTION_MAYBE, false, 0, 0, offsetof(options, member), take}
/* clang-format on */

/* A command line that a reader can copy, and what it does. */
struct host_example {
    const char *line; /* "skillrom pack desk-lamp -o desk-lamp.rom"; without a program's name if that has no commands */
    const char *does; /* "pack a folder into an image" */
};
#define HOST_EXAMPLES 2
#define HOST_OPERANDS 2 /* that a command may require */

/* A command of a program, or a program that has none. Texts are paragraphs, separated by two newlines. */
struct host_command {
    const char *name;         /* "pack"; NULL for a program without commands */
    int (*run)(int, char **); /* the exit code; argv[0] is the command's name. NULL for a program without commands */
    const char *group;        /* the heading it is listed under: "Author" */
    const char *summary;      /* "make an image from a folder" */
    const char *usage;        /* the words after its name: "DIR -o FILE.rom [options]" */
    const char *about;        /* its description */
    const struct host_option *rows; /* its options; HOST_ROWS sets both */
    size_t row_count;
    const char *closing; /* text after the options in the help; may be NULL */
    struct host_example examples[HOST_EXAMPLES];
    const char *operands[HOST_OPERANDS]; /* those that are required, for a message when one is missing: "DIR" */
    int least, most;                     /* the number of operands */
    bool passes_on;                      /* unknown options after the first operand are operands for another program */
};

#define HOST_ROWS(table) .rows = table, .row_count = sizeof table / sizeof table[0]
#define HOST_ANY_NUMBER 0x7fffffff /* of operands */

struct host_program {
    const char *name;    /* "skillrom" */
    const char *version; /* "0.2.0" */
    const char *summary; /* "make images of Agent Skills" */
    const char *about;
    const struct host_command *const *commands;
    size_t command_count;
};

/* Runs the command that argv[1] names, or handles help, completions, --help and --version. Returns the exit code; 2, after a message,
 * for an unknown command. Messages then begin with "NAME COMMAND: ". */
int host_program_run(const struct host_program *program, int argc, char **argv);

/* Handles --help[=FORM], -h, --version or -V among the words before "--". Returns 0 if there was one; 1, after a message, if stdout
 * could not be written; -1 if there was none. host_program_run does it for its commands. */
int host_command_help(const struct host_command *command, const char *version, int argc, char **argv);

/* Reads the options into `options`, which holds the defaults, and moves the operands to argv[1] and so on; a '=' before a value
 * becomes the end of the option's name. Returns the number of operands; -1, after a message, for a usage error. */
int host_command_read(const struct host_command *command, void *options, int argc, char **argv);

/* Reports an error of the command line and where the help is. Returns the exit code for it, 2. */
int host_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A decimal number from min to max, or false after a message that begins with the name and the text. */
bool host_take_number(const char *name, const char *text, uint32_t min, uint32_t max, uint32_t *out);

#endif
