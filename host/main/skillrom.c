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

/* In the order of the help, by group. */
static const struct host_command *const commands[] = {&cmd_new,
                                                      &cmd_lint,
                                                      &cmd_test,
                                                      &cmd_explain,
                                                      &cmd_pack,
                                                      &cmd_serve,
                                                      &cmd_info,
                                                      &cmd_ls,
                                                      &cmd_cat,
                                                      &cmd_verify,
                                                      &cmd_keys,
                                                      &cmd_sign,
                                                      &client_find_command,
                                                      &client_call_command,
                                                      &client_read_command,
                                                      &bridge_command,
                                                      &fleet_command,
                                                      &cmd_token,
                                                      &client_update_command};

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
    signal(SIGPIPE, SIG_IGN); /* a client that is gone must not end a server; host_stdout_failed is for stdout */
    return end_output(host_program_run(&skillrom, argc, argv));
}
