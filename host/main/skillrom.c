/* skillrom.c -- the program skillrom: the commands of the image compiler, the bridge and the fleet. It is above them, so that
 * the compiler depends on neither. To add a command, add its name here. */
#include "skillrom.h"

#include <signal.h>

#include "../bridge/bridge.h"
#include "../client/client.h"
#include "../fleet/fleet.h"
#include "cli/commands.h"
#include "console.h"
#include "end_output.h"
#include "romfs.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

static const struct host_command *const commands[] = {&cmd_new,
                                                      &cmd_lint,
                                                      &cmd_test,
                                                      &cmd_explain,
                                                      &cmd_pack,
                                                      &cmd_info,
                                                      &cmd_ls,
                                                      &cmd_cat,
                                                      &cmd_verify,
                                                      &cmd_serve,
                                                      &cmd_token,
                                                      &cmd_keys,
                                                      &cmd_sign,
                                                      &bridge_command,
                                                      &client_call_command,
                                                      &client_read_command,
                                                      &client_find_command,
                                                      &client_update_command,
                                                      &fleet_command};

static const struct host_program skillrom = {
    .name = "skillrom",
    .version = SKR_VERSION ", image format " TEXT(ROMFS_VERSION),
    .summary = "make and serve images of Agent Skills for devices",
    .about = "Makes read-only images of Agent Skills for devices that carry their own manual.",
    .commands = commands,
    .command_count = sizeof commands / sizeof commands[0],
};

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN); /* a pipe without a reader is an error like any other */
    return end_output(host_program_run(&skillrom, argc, argv));
}
