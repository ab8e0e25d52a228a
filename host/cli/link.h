/* link.h -- a client of MCP on the stdin and stdout of a program: a device's own, or a bridge to one. */
#ifndef MKROMFS_LINK_H
#define MKROMFS_LINK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/yaml.h"

/* How much longer than the longest deadlineMs of the device's tools an answer may take, because a line is slow. */
#define LINK_PATIENCE_MS 90000

struct link {
    pid_t pid;            /* 0: not running */
    uint32_t deadline_ms; /* the longest of its tools */
    int to, from;
    int said; /* what it writes to stderr: shown only when it fails */
    unsigned last_id;
    struct buf in; /* what has come and was not yet read */
};

/* Starts the program, whose argv ends with NULL, and makes itself known to it. False after a message. */
bool link_start(struct link *l, char *const *argv);

/* Sends a request and waits for its answer: the message, with "result" or "error". NULL after a message when there is none. */
const struct node *link_ask(struct link *l, const char *method, const char *params);

/* Ends it. */
void link_stop(struct link *l);

#endif
