/* record.h -- `skillrom call URL --log`: prints a device's record of tool calls and checks its chain
 * (record_chain.h). */
#ifndef CLIENT_RECORD_H
#define CLIENT_RECORD_H

#include "client.h"

/* Prints the record of a device. Returns the exit code: 1, after a message, when it cannot be read or an entry is
 * missing or changed. */
int client_record_show(struct client *c);

/* Checks a copy in a file, of a device or of a fleet (--audit-log). Returns the exit code. */
int client_record_check(const char *path);

#endif
