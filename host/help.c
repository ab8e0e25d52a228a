/* help.c -- what is asked of a program before anything else: its help and its version; and choosing its command. */
#include <stdio.h>
#include <string.h>

#include "cmdline.h"
#include "forms.h"
#include "nearest.h"
#include "say.h"

#define TEXT_COLUMN 22 /* where explanations begin, at the latest */
#define GAP 2          /* blanks before an option's name, and behind it at least */

const struct skr_opt skr_common_rows[SKR_COMMON_ROWS] = {
    {.names = "-h, --help",
     .value = "FORM",
     .kind = SKR_OPT_MAYBE,
     .help = "print this; as a manual page (man), or for a shell to complete these options (bash, zsh)"},
    {.names = "--version", .help = "print the version"},
};

const struct skr_opt *skr_row_of(const struct skr_command *command, size_t i)
{
    if (i < command->row_count) {
        return &command->rows[i];
    }
    i -= command->row_count;
    return i < SKR_COMMON_ROWS ? &skr_common_rows[i] : NULL;
}

static const char exit_status[] = "\nExit status: " SKR_EXIT_STATUS ".\n";

/* ---- The help of a command ---- */

static size_t width_of(const struct skr_opt *row)
{
    size_t value = row->value != NULL ? strlen(row->value) + 1 : 0;

    return strlen(row->names) + value + (row->kind == SKR_OPT_MAYBE ? 2 : 0);
}

/* The column of the explanations: narrow if all names are short. */
static unsigned text_column(const struct skr_command *command)
{
    size_t widest = 0;

    for (size_t i = 0; skr_row_of(command, i) != NULL; i++) {
        size_t width = width_of(skr_row_of(command, i));
        widest = width > widest ? width : widest;
    }
    return widest + 2 * GAP < TEXT_COLUMN ? (unsigned)widest + 2 * GAP : TEXT_COLUMN;
}

static void print_row(struct skr_print *out, const struct skr_opt *row, unsigned column)
{
    skr_print_to(out, GAP);
    skr_print(out, row->names);
    if (row->value != NULL) {
        skr_print(out, row->kind == SKR_OPT_MAYBE ? "[=" : " ");
        skr_print(out, row->value);
        skr_print(out, row->kind == SKR_OPT_MAYBE ? "]" : "");
    }
    if (out->column + 1 > column) {
        skr_print(out, "\n");
    }
    skr_print_to(out, column);
    skr_print_words(out, row->help, column);
}

static void print_help(struct skr_print *out, const struct skr_command *command)
{
    unsigned column = text_column(command);

    skr_print(out, "usage: ");
    skr_print(out, skr_say_name());
    skr_print(out, " ");
    skr_print_words(out, command->usage, GAP);
    skr_print(out, "\n");
    skr_print_words(out, command->about, 0);
    skr_print(out, "\n");
    for (size_t i = 0; skr_row_of(command, i) != NULL; i++) {
        print_row(out, skr_row_of(command, i), column);
    }
    if (command->closing != NULL) {
        skr_print(out, "\n");
        skr_print_words(out, command->closing, 0);
    }
    skr_print(out, exit_status);
}

static void print_version(struct skr_print *out, const struct skr_program *program)
{
    skr_print(out, program->name);
    skr_print(out, " ");
    skr_print(out, program->version);
    skr_print(out, "\n");
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
static int answer(const struct skr_program *program, const struct skr_command *command, enum asked asked)
{
    struct skr_print out = {.length = 0};

    switch (asked) {
    case MANUAL: skr_manual_of_command(&out, command, skr_say_name(), program->version); break;
    case BASH: skr_complete_bash(&out, program); break;
    case ZSH: skr_complete_zsh(&out, program); break;
    case VERSION: print_version(&out, program); break;
    default: print_help(&out, command); break;
    }
    return skr_print_end(&out) ? 0 : 1;
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

int skr_command_answer(const struct skr_command *command, const char *version, int argc, char **argv)
{
    const struct skr_program program = {
        .name = skr_say_name(), .version = version, .commands = &command, .command_count = 1};
    enum asked asked = asks_any(argc, argv);

    return asked == NOTHING ? -1 : answer(&program, command, asked);
}

/* ---- A program with commands ---- */

static void print_overview(struct skr_print *out, const struct skr_program *program)
{
    skr_print(out, "usage: ");
    skr_print(out, program->name);
    skr_print(out, " COMMAND ...\n\n");
    skr_print_words(out, program->about, 0);
    skr_print(out, "\n");
    for (size_t i = 0; i < program->command_count; i++) {
        skr_print_to(out, GAP);
        skr_print(out, program->commands[i]->name);
        skr_print_to(out, 11);
        skr_print_words(out, program->commands[i]->summary, 11);
    }
    skr_print(out, "\n'");
    skr_print(out, program->name);
    skr_print(out, " COMMAND --help' explains a command.\n");
    skr_print(out, exit_status);
}

static const struct skr_command *find_command(const struct skr_program *program, const char *name)
{
    struct skr_nearest nearest = {.typed = name, .n = strlen(name)};

    for (size_t i = 0; i < program->command_count; i++) {
        const char *known = program->commands[i]->name;
        if (strcmp(known, name) == 0) {
            return program->commands[i];
        }
        skr_nearest_try(&nearest, known, strlen(known));
    }
    if (nearest.name != NULL) {
        skr_say("unknown command '%s'; did you mean %s? '%s help' lists them", name, nearest.name, program->name);
    } else {
        skr_say("unknown command '%s'; '%s help' lists them", name, program->name);
    }
    return NULL;
}

/* From here on messages begin with the program's and the command's name. */
static void be_called(const struct skr_program *program, const struct skr_command *command)
{
    static char name[64];

    (void)snprintf(name, sizeof name, "%s %s", program->name, command->name);
    skr_say_as(name);
}

/* Answers for the program as a whole. */
static int answer_alone(const struct skr_program *program, enum asked asked)
{
    struct skr_print out = {.length = 0};

    if (asked != HELP && asked != MANUAL) {
        return answer(program, NULL, asked);
    }
    (asked == MANUAL ? skr_manual_of_program : print_overview)(&out, program);
    return skr_print_end(&out) ? 0 : 1;
}

int skr_program_run(const struct skr_program *program, int argc, char **argv)
{
    skr_say_as(program->name);
    if (argc < 2) {
        struct skr_print out = {.errors = true};
        print_overview(&out, program);
        (void)skr_print_end(&out);
        return 2;
    }
    enum asked asked = strcmp(argv[1], "help") == 0 ? HELP : strcmp(argv[1], "version") == 0 ? VERSION : asks(argv[1]);
    if (asked != NOTHING && !(asked == HELP && argc > 2)) {
        return answer_alone(program, asked);
    }
    const struct skr_command *command = find_command(program, argv[asked == HELP ? 2 : 1]);
    if (command == NULL) {
        return 2;
    }
    be_called(program, command);
    asked = asked == HELP ? HELP : asks_any(argc - 1, argv + 1);
    return asked != NOTHING ? answer(program, command, asked) : command->run(argc - 1, argv + 1);
}
