/* bridge.c -- the program skillrom without the image compiler, for machines that only have devices: it needs no library. */
#include "../bridge/bridge.h"

#include <signal.h>

#include "../client/client.h"
#include "skillrom.h"

static const struct host_command *const commands[] = {&client_find_command, &client_call_command, &client_read_command,
                                                      &bridge_command};

static const struct host_program bridge = {
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
    signal(SIGPIPE, SIG_IGN); /* a client that is gone must not end a server; host_stdout_failed is for stdout */
    return host_program_run(&bridge, argc, argv);
}
