/* pack.c -- `skillrom pack` alone: makes the images that skillrom itself contains, before there is a skillrom. */
#include "cli/commands.h"
#include "skillrom.h"

static const struct host_command *const commands[] = {&cmd_pack};

static const struct host_program pack = {
    .name = "pack",
    .version = SKR_VERSION,
    .summary = "make images of Agent Skills",
    .about = "The image compiler of skillrom without the rest.",
    .commands = commands,
    .command_count = sizeof commands / sizeof commands[0],
};

int main(int argc, char **argv)
{
    return host_program_run(&pack, argc, argv);
}
