/* commands.h -- the commands of skillrom. Each takes its own argv, argv[0] being its name, and
 * returns the exit code: 0 success, 1 bad input, 2 usage error. */
#ifndef MKROMFS_COMMANDS_H
#define MKROMFS_COMMANDS_H

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
    const char *help; /* follows "usage: skillrom NAME " */
};

/* The whole program: runs the command that argv names, one of the compiler's or `more`, and returns the exit
 * code. */
int cli_main(int argc, char **argv, const struct command *more);

int cmd_new(int argc, char **argv);
int cmd_lint(int argc, char **argv);
int cmd_pack(int argc, char **argv);
int cmd_info(int argc, char **argv);
int cmd_ls(int argc, char **argv);
int cmd_cat(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_serve(int argc, char **argv);

#endif
