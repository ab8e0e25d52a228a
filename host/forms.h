/* forms.h -- the help in its other forms, made of the same tables: manual pages and completion (`--help=man`, `--help=bash`,
 * `--help=zsh`). */
#ifndef SKR_FORMS_H
#define SKR_FORMS_H

#include "cmdline.h"
#include "print.h"

/* The options that every command has. */
extern const struct skr_opt skr_common_rows[];
#define SKR_COMMON_ROWS 2

#define SKR_EXIT_STATUS "0 success, 1 bad input, 2 usage error"

/* Row i of a command, of its own ones and then the common ones; NULL behind the last. */
const struct skr_opt *skr_row_of(const struct skr_command *command, size_t i);

/* The next of a row's names: its length, 0 behind the last. *names points to the rest. */
size_t skr_next_name(const char **names, const char **name);

/* A manual page in troff. `name` is what the command is called by: "skillrom pack". */
void skr_manual_of_command(struct skr_print *out, const struct skr_command *command, const char *name,
                           const char *version);
void skr_manual_of_program(struct skr_print *out, const struct skr_program *program);

/* A script for a shell to read: completion of the words of a program. For one without commands `program` has its name, and its
 * only command. */
void skr_complete_bash(struct skr_print *out, const struct skr_program *program);
void skr_complete_zsh(struct skr_print *out, const struct skr_program *program);

#endif
