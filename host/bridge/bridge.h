/* bridge.h -- `skillrom bridge`: a serial device as an ordinary MCP server. */
#ifndef SKR_BRIDGE_H
#define SKR_BRIDGE_H

#include "cmdline.h"

/* Serves until the client on stdin leaves or a signal arrives. argv[0] is "bridge". Returns the exit code: 0 success,
 * 1 bad input, 2 usage error. Uses no heap. */
int bridge_main(int argc, char **argv);

/* `skillrom call` and `skillrom read`, likewise: a client of one device. */
int bridge_call_main(int argc, char **argv);
int bridge_read_main(int argc, char **argv);

/* Their rows in the table of commands, with their options. */
extern const struct host_command bridge_command, bridge_call_command, bridge_read_command, bridge_find_command,
    skr_update_command;

#endif
