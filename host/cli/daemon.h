/* daemon.h -- skillromd, or a device's own program, as a child of `skillrom serve`. */
#ifndef CLI_DAEMON_H
#define CLI_DAEMON_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* How it is started: argv[0] is the program, argv[1] is set to the image when it starts, then come its options and
 * NULL. */
struct daemon {
    char **argv;
    pid_t pid;     /* 0 if it is not running */
    sigset_t mask; /* signals blocked in the child */
};

/* Takes the given program, or for NULL skillromd beside this one, and prepares argv with the options, or with HTTP on
 * the default port when there are none. With `reload` the image can be replaced later. False after a message. */
bool daemon_find(struct daemon *d, const char *given, bool reload, char **options, int count);

/* Starts it. False after a message when that is impossible. */
bool daemon_start(struct daemon *d, char *image);

/* Makes it load its replaced image. Its clients stay connected. */
void daemon_reload(const struct daemon *d);

/* Becomes it. Returns only when that is impossible, after a message. */
void daemon_become(struct daemon *d, char *image);

/* Sends a child SIGTERM, and SIGKILL after a few seconds; returns when it has ended. */
void daemon_end(pid_t pid);
void daemon_stop(struct daemon *d);

/* The path of a program that lies beside this one, or NULL with a message. */
char *daemon_beside_us(const char *name);

/* True when it has ended by itself; *code is then our exit code. */
bool daemon_has_ended(struct daemon *d, int *code);

#endif
