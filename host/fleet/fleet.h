/* fleet.h -- `skillrom fleet`: many devices on a broker as one MCP server. */
#ifndef SKR_FLEET_H
#define SKR_FLEET_H

#include "cmdline.h"

/* Its row in the table of commands; fleet_main serves until the client on stdin leaves or a signal arrives, and returns the exit
 * code. */
extern const struct host_command fleet_command;
int fleet_main(int argc, char **argv);

#endif
