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
#include "program.h"

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
                                                      &cmd_update};

static const struct host_program skillrom = SKILLROM_PROGRAM(commands);

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN); /* a client that is gone must not end a server; host_stdout_failed is for stdout */
    return end_output(host_program_run(&skillrom, argc, argv));
}
