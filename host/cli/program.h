/* program.h -- a program that serves MCP on its stdin and stdout: a device's own program, or skillromd with an image. */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

struct program {
    pid_t pid;  /* 0 if it is not running */
    int stream; /* a socket to its stdin and stdout; its reader closes it */
    int log;    /* a file with its stderr, which is shown only when it fails */
};

/* Starts the program, whose argv ends with NULL. False after a message. */
bool program_start(struct program *p, char *const *argv);

/* Writes the last lines of its stderr to ours. */
void program_show_log(const struct program *p);

/* Ends the program, if it is running. */
void program_stop(struct program *p);

#endif
