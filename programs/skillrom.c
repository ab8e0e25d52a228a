/* skillrom.c -- the program skillrom: the commands of the image compiler, and the bridge. It is above both, so that
 * neither knows the other. */
#include "../port/bridge/bridge.h"
#include "cli/commands.h"

int main(int argc, char **argv)
{
    static const struct command bridge = {"bridge", skr_bridge_main, "a serial device as a server on stdio or HTTP",
                                          skr_bridge_help};

    return cli_main(argc, argv, &bridge);
}
