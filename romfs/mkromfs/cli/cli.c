/* cli.c -- selects the command, and prints the help. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "romfs.h"
#include "skillrom.h"

static const struct command commands[] = {
    {"new", cmd_new, "a skill to start from",
     "NAME [DIR]\n"
     "\n"
     "Creates DIR/NAME (./NAME without DIR) with a SKILL.md and a references folder,\n"
     "and DIR itself if it does not exist. NAME is a-z, 0-9 and single hyphens.\n"
     "Overwrites nothing. `skillrom lint` shows what is left to write.\n"},
    {"lint", cmd_lint, "check folders of skills",
     "DIR|SKILL.md ... [options]\n"
     "\n"
     "Checks each device folder, folder of skills, or skill whose SKILL.md is named,\n"
     "and prints each finding as path:line:col: error: text [rule]. Exits with 1 if\n"
     "there is an error.\n"
     "\n"
     "  --strict          what is only discouraged is an error: for publishing\n"
     "  --json            one JSON object per line; the counts go to stderr\n"
     "  --allow-oversize  more than 512 files or 16 MiB in a skill is only a warning\n"
     "  --base URI        what URIs begin with, as for pack\n"},
    {"pack", cmd_pack, "make an image from a folder",
     "DIR -o FILE.rom [--c FILE.c] [--header FILE.h] [options]\n"
     "\n"
     "Checks the folder and writes it as one read-only image. The same folder gives\n"
     "the same bytes. At least one of -o, --c and --header is needed. Nothing is\n"
     "written when there is an error.\n"
     "Output files inside the folder are not packed; any other file of the folder is\n"
     "never overwritten.\n"
     "\n"
     "  -o FILE.rom         the image, for a flash partition or skillromd; - is stdout\n"
     "  --c FILE.c          the image as C source, and FILE.h beside it, for linking\n"
     "  --name SYMBOL       name of the C array (skills_image)\n"
     "  --header FILE.h     for each tool a struct of its arguments, the prototype of\n"
     "                      its handler, and the table that checks what a client\n"
     "                      sends; for each resource of the firmware its row. See\n"
     "                      core/skillrom.h. - is stdout\n"
     "  --compress[=WINDOW] deflate files that get smaller; a reader needs\n"
     "                      WINDOW bytes of RAM, a power of two from 256 to 32768\n"
     "                      (32768)\n"
     "  --raw-text          store text files as they are, not escaped for JSON: for\n"
     "                      firmware that reads them itself; sending them takes longer\n"
     "  --base URI          what URIs begin with, instead of skill://; as in\n"
     "                      plant://site/\n"
     "  --strict            what is only discouraged is an error\n"
     "  --skip-bad          leave out skills that have errors, and say which: for\n"
     "                      other people's folders\n"
     "  --allow-oversize    more than 512 files or 16 MiB in a skill is only a warning\n"},
    {"info", cmd_info, "what an image holds and costs",
     "FILE.rom\n"
     "\n"
     "Prints the device's name, its skills with arguments, scripts, scoped tools,\n"
     "sub-skills and archives, its tools and prompts, sizes, window and build id.\n"},
    {"ls", cmd_ls, "the files in an image",
     "FILE.rom [PATH] [-l]\n"
     "\n"
     "Lists size, media type and path of everything, or of what is at and below PATH.\n"
     "PATH may be a path or a URI.\n"
     "\n"
     "  -l  also shows what each file of a skill is for\n"},
    {"cat", cmd_cat, "print a file of an image",
     "FILE.rom PATH\n"
     "\n"
     "Writes the content of one file to stdout, as it was packed. PATH may be a path\n"
     "or a URI.\n"},
    {"verify", cmd_verify, "check an image to the last byte",
     "FILE.rom\n"
     "\n"
     "Mounts the image as a device would, then compares the image's digest, every\n"
     "file's digest, CRC and recorded sizes, and every skill's entry, files,\n"
     "instructions and archives with the bytes. Prints each problem on a line; exits\n"
     "with 1 if there is one.\n"},
    {"serve", cmd_serve, "serve a folder or image with skillromd",
     "DIR|FILE.rom [--watch] [pack options] [skillromd options]\n"
     "\n"
     "Packs a folder into an image in memory, then runs skillromd, found beside this\n"
     "program. Skills that have errors are left out, with a message.\n"
     "Options it does not know, and all after --, go to skillromd, which otherwise\n"
     "gets --http 127.0.0.1:7700. See skillromd --help.\n"
     "\n"
     "  --program FILE    run this instead of skillromd, which has no handlers for\n"
     "                    tools: a device's own program, see port/posix/README.md\n"
     "  --watch           pack again when the folder changes, and serve the new image:\n"
     "                    clients stay connected and are told. While the folder does\n"
     "                    not pack, or a skill that is served has errors, the last\n"
     "                    good image stays in service\n"
     "  --strict, --allow-oversize, --base URI, --compress[=WINDOW]  as for pack\n"},
};

#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

static const struct command *find_command(const char *name, const struct command *more)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return strcmp(more->name, name) == 0 ? more : NULL;
}

static void print_overview(FILE *out, const struct command *more)
{
    fputs("usage: skillrom COMMAND ...\n"
          "Makes read-only images of Agent Skills for devices that carry their own manual.\n"
          "\n",
          out);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].summary);
    }
    fprintf(out, "  %-8s %s\n", more->name, more->summary);
    fputs("\n"
          "'skillrom COMMAND --help' explains a command.\n"
          "Exit status: 0 success, 1 bad input, 2 usage error.\n",
          out);
}

static int print_help(const struct command *command)
{
    printf("usage: skillrom %s %s", command->name, command->help);
    return 0;
}

static int unknown_command(const char *name)
{
    fprintf(stderr, "skillrom: unknown command '%s'; 'skillrom help' lists them\n", name);
    return 2;
}

static int help(int argc, char **argv, const struct command *more)
{
    if (argc < 2) {
        print_overview(stdout, more);
        return 0;
    }
    const struct command *command = find_command(argv[1], more);
    return command != NULL ? print_help(command) : unknown_command(argv[1]);
}

/* `--help` anywhere among a command's own words; after `--` it belongs to skillromd. */
static int asks_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return 1;
        }
    }
    return 0;
}

static int run(int argc, char **argv, const struct command *more)
{
    if (argc < 2) {
        print_overview(stderr, more);
        return 2;
    }
    argc--;
    argv++;
    if (strcmp(argv[0], "help") == 0 || strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0) {
        return help(argc, argv, more);
    }
    if (strcmp(argv[0], "--version") == 0 || strcmp(argv[0], "version") == 0) {
        printf("skillrom %s, image format %u\n", SKR_VERSION, ROMFS_VERSION);
        return 0;
    }
    const struct command *command = find_command(argv[0], more);
    if (command == NULL) {
        return unknown_command(argv[0]);
    }
    return asks_for_help(argc, argv) ? print_help(command) : command->run(argc, argv);
}

/* A full disk or a closed pipe must not look like success. */
static int end_output(int code)
{
    bool lost = ferror(stdout) != 0; /* and the reason with it */

    errno = 0;
    lost |= fflush(stdout) != 0;
    if (!lost && (fclose(stdout) == 0 || errno == EBADF)) { /* EBADF: stdout was never open */
        return code;
    }
    fprintf(stderr, "skillrom: cannot write to stdout%s%s\n", errno != 0 ? ": " : "",
            errno != 0 ? strerror(errno) : "");
    return code == 0 ? 1 : code;
}

int cli_main(int argc, char **argv, const struct command *more)
{
    return end_output(run(argc, argv, more));
}
