/* bridge.h -- `skillrom bridge`: a device as an ordinary MCP server. */
#ifndef BRIDGE_BRIDGE_H
#define BRIDGE_BRIDGE_H

#include "cmdline.h"

/* Serves until the client on stdin disconnects or a signal arrives. argv[0] is "bridge". Returns the exit code: 0 success,
 * 1 failure, 2 wrong command line. Uses no heap. */
int bridge_main(int argc, char **argv);

extern const struct host_command bridge_command;

#endif
