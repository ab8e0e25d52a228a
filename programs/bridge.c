/* bridge.c -- the program skillrom without the image compiler, for machines that only have devices: it needs no library. */
#include <signal.h>

#include "../port/bridge/bridge.h"
#include "skillrom.h"

static const struct skr_command *const commands[] = {&skr_bridge_command, &skr_call_command, &skr_read_command,
                                                     &skr_find_command};

static const struct skr_program bridge = {
    .name = "skillrom",
    .version = SKR_VERSION,
    .summary = "use devices that carry their own manual",
    .about =
        "Makes devices that carry their own manual MCP servers of this machine. This program is without the image compiler.",
    .commands = commands,
    .command_count = sizeof commands / sizeof commands[0],
};

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN); /* a pipe that nobody reads is an error as any other */
    return skr_program_run(&bridge, argc, argv);
}
