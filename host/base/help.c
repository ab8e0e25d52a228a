/* help.c -- what is asked of a program before anything else: its help and its version; and choosing its command. */
#include <stdio.h>
#include <string.h>

#include "cmdline.h"
#include "forms.h"
#include "nearest.h"
#include "console.h"

#define TEXT_COLUMN 22 /* where explanations begin, at the latest */
#define GAP 2          /* blanks before an option's name, and behind it at least */

const struct host_option host_common_rows[HOST_COMMON_ROWS] = {
    {.names = "-h, --help",
     .value = "FORM",
     .kind = HOST_OPTION_MAYBE,
     .help = "print this; as a manual page (man), or for a shell to complete these options (bash, zsh)"},
    {.names = "--version", .help = "print the version"},
};

const struct host_option *host_row_of(const struct host_command *command, size_t i)
{
    if (i < command->row_count) {
        return &command->rows[i];
    }
    i -= command->row_count;
    return i < HOST_COMMON_ROWS ? &host_common_rows[i] : NULL;
}

static const char exit_status[] = "\nExit status: " HOST_EXIT_STATUS ".\n";

/* ---- The help of a command ---- */

static size_t width_of(const struct host_option *row)
{
    size_t value = row->value != NULL ? strlen(row->value) + 1 : 0;

    return strlen(row->names) + value + (row->kind == HOST_OPTION_MAYBE ? 2 : 0);
}

/* The column of the explanations: narrow if all names are short. */
static unsigned text_column(const struct host_command *command)
{
    size_t widest = 0;

    for (size_t i = 0; host_row_of(command, i) != NULL; i++) {
        size_t width = width_of(host_row_of(command, i));
        widest = width > widest ? width : widest;
    }
    return widest + 2 * GAP < TEXT_COLUMN ? (unsigned)widest + 2 * GAP : TEXT_COLUMN;
}

static void print_row(struct host_print *out, const struct host_option *row, unsigned column)
{
    host_print_to(out, GAP);
    host_print(out, row->names);
    if (row->value != NULL) {
        host_print(out, row->kind == HOST_OPTION_MAYBE ? "[=" : " ");
        host_print(out, row->value);
        host_print(out, row->kind == HOST_OPTION_MAYBE ? "]" : "");
    }
    if (out->column + 1 > column) {
        host_print(out, "\n");
    }
    host_print_to(out, column);
    host_print_words(out, row->help, column);
}

static void print_help(struct host_print *out, const struct host_command *command)
{
    unsigned column = text_column(command);

    host_print(out, "usage: ");
    host_print(out, host_log_name());
    host_print(out, " ");
    host_print_words(out, command->usage, GAP);
    host_print(out, "\n");
    host_print_words(out, command->about, 0);
    host_print(out, "\n");
    for (size_t i = 0; host_row_of(command, i) != NULL; i++) {
        print_row(out, host_row_of(command, i), column);
    }
    if (command->closing != NULL) {
        host_print(out, "\n");
        host_print_words(out, command->closing, 0);
    }
    host_print(out, exit_status);
}

static void print_version(struct host_print *out, const struct host_program *program)
{
    host_print(out, program->name);
    host_print(out, " ");
    host_print(out, program->version);
    host_print(out, "\n");
}

/* ---- What is asked for ---- */

enum asked { NOTHING, HELP, MANUAL, BASH, ZSH, VERSION };

static enum asked asks(const char *word)
{
    static const struct {
        const char *word;
        enum asked asked;
    } known[] = {{"--help", HELP},      {"-h", HELP},        {"--help=man", MANUAL},
                 {"--help=bash", BASH}, {"--help=zsh", ZSH}, {"--version", VERSION}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(word, known[i].word) == 0) {
            return known[i].asked;
        }
    }
    return NOTHING;
}

/* Answers for the command; completion is of the whole program. Returns the exit code. */
static int answer(const struct host_program *program, const struct host_command *command, enum asked asked)
{
    struct host_print out = {.length = 0};

    switch (asked) {
    case MANUAL: host_manual_of_command(&out, command, host_log_name(), program->version); break;
    case BASH: host_complete_bash(&out, program); break;
    case ZSH: host_complete_zsh(&out, program); break;
    case VERSION: print_version(&out, program); break;
    default: print_help(&out, command); break;
    }
    return host_print_end(&out) ? 0 : 1;
}

/* What is asked for among the words before "--". */
static enum asked asks_any(int argc, char **argv)
{
    enum asked asked = NOTHING;

    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0 && asked == NOTHING; i++) {
        asked = asks(argv[i]);
    }
    return asked;
}

int host_command_help(const struct host_command *command, const char *version, int argc, char **argv)
{
    const struct host_program program = {
        .name = host_log_name(), .version = version, .commands = &command, .command_count = 1};
    enum asked asked = asks_any(argc, argv);

    return asked == NOTHING ? -1 : answer(&program, command, asked);
}

/* ---- A program with commands ---- */

static void print_overview(struct host_print *out, const struct host_program *program)
{
    host_print(out, "usage: ");
    host_print(out, program->name);
    host_print(out, " COMMAND ...\n\n");
    host_print_words(out, program->about, 0);
    host_print(out, "\n");
    for (size_t i = 0; i < program->command_count; i++) {
        host_print_to(out, GAP);
        host_print(out, program->commands[i]->name);
        host_print_to(out, 11);
        host_print_words(out, program->commands[i]->summary, 11);
    }
    host_print(out, "\n'");
    host_print(out, program->name);
    host_print(out, " COMMAND --help' explains a command.\n");
    host_print(out, exit_status);
}

static const struct host_command *find_command(const struct host_program *program, const char *name)
{
    struct host_nearest nearest = {.typed = name, .n = strlen(name)};

    for (size_t i = 0; i < program->command_count; i++) {
        const char *known = program->commands[i]->name;
        if (strcmp(known, name) == 0) {
            return program->commands[i];
        }
        host_nearest_try(&nearest, known, strlen(known));
    }
    if (nearest.name != NULL) {
        host_log("unknown command '%s'; did you mean %s? '%s help' lists them", name, nearest.name, program->name);
    } else {
        host_log("unknown command '%s'; '%s help' lists them", name, program->name);
    }
    return NULL;
}

/* From here on messages begin with the program's and the command's name. */
static void be_called(const struct host_program *program, const struct host_command *command)
{
    static char name[64];

    (void)snprintf(name, sizeof name, "%s %s", program->name, command->name);
    host_log_set_name(name);
}

/* Answers for the program as a whole. */
static int answer_alone(const struct host_program *program, enum asked asked)
{
    struct host_print out = {.length = 0};

    if (asked != HELP && asked != MANUAL) {
        return answer(program, NULL, asked);
    }
    (asked == MANUAL ? host_manual_of_program : print_overview)(&out, program);
    return host_print_end(&out) ? 0 : 1;
}

int host_program_run(const struct host_program *program, int argc, char **argv)
{
    host_log_set_name(program->name);
    if (argc < 2) {
        struct host_print out = {.errors = true};
        print_overview(&out, program);
        (void)host_print_end(&out);
        return 2;
    }
    enum asked asked = strcmp(argv[1], "help") == 0 ? HELP : strcmp(argv[1], "version") == 0 ? VERSION : asks(argv[1]);
    if (asked != NOTHING && !(asked == HELP && argc > 2)) {
        return answer_alone(program, asked);
    }
    const struct host_command *command = find_command(program, argv[asked == HELP ? 2 : 1]);
    if (command == NULL) {
        return 2;
    }
    be_called(program, command);
    asked = asked == HELP ? HELP : asks_any(argc - 1, argv + 1);
    return asked != NOTHING ? answer(program, command, asked) : command->run(argc - 1, argv + 1);
}
