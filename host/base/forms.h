/* forms.h -- the help in its other forms, made of the same tables: manual pages and completion (`--help=man`, `--help=bash`,
 * `--help=zsh`). */
#ifndef HOST_FORMS_H
#define HOST_FORMS_H

#include "cmdline.h"
#include "print.h"

/* The options that every command has. */
extern const struct host_option host_common_rows[];
#define HOST_COMMON_ROWS 4

#define HOST_EXIT_STATUS                                                                                                      \
    "0 success; 1 failure: invalid input, a file or device that cannot be used, a tool or test that failed; 2 wrong command " \
    "line, nothing was done"

/* Row i of a command, of its own ones and then the common ones; NULL after the last. */
const struct host_option *host_row_of(const struct host_command *command, size_t i);

/* Command i of a program, of its own ones and then help and completions; NULL after the last. */
const struct host_command *host_command_of(const struct host_program *program, size_t i);

/* The next of a row's names: its length, 0 after the last. *names points to the rest. */
size_t host_next_name(const char **names, const char **name);

/* A manual page in troff. `name` is the full name of the command: "skillrom pack". */
void host_manual_of_command(struct host_print *out, const struct host_command *command, const char *name,
                            const char *version);
void host_manual_of_program(struct host_print *out, const struct host_program *program);

/* A script for a shell to read: completion of the words of a program. For one without commands `program` has its name, and its
 * only command. */
void host_complete_bash(struct host_print *out, const struct host_program *program);
void host_complete_zsh(struct host_print *out, const struct host_program *program);

#endif
