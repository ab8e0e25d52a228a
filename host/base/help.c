/* help.c -- the help and version of a program, and the choice of its command. */
#include <stdio.h>
#include <string.h>

#include "cmdline.h"
#include "console.h"
#include "forms.h"
#include "nearest.h"

#define TEXT_COLUMN 22 /* where explanations begin, at the latest */
#define GAP 2          /* spaces before an option's name, and at least after it */

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

/* ---- Requests for help ---- */

enum help_form { NOTHING, HELP, MANUAL, BASH, ZSH, VERSION };

static enum help_form form_of(const char *word)
{
    static const struct {
        const char *word;
        enum help_form form;
    } known[] = {{"--help", HELP},      {"-h", HELP},        {"--help=man", MANUAL},
                 {"--help=bash", BASH}, {"--help=zsh", ZSH}, {"--version", VERSION}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(word, known[i].word) == 0) {
            return known[i].form;
        }
    }
    return NOTHING;
}

/* Prints the help of a command; completion is for the whole program. Returns the exit code. */
static int print_form(const struct host_program *program, const struct host_command *command, enum help_form form)
{
    struct host_print out = {.length = 0};

    switch (form) {
    case MANUAL: host_manual_of_command(&out, command, host_log_name(), program->version); break;
    case BASH: host_complete_bash(&out, program); break;
    case ZSH: host_complete_zsh(&out, program); break;
    case VERSION: print_version(&out, program); break;
    default: print_help(&out, command); break;
    }
    return host_print_end(&out) ? 0 : 1;
}

/* The form that is requested among the words before "--". */
static enum help_form find_form(int argc, char **argv)
{
    enum help_form form = NOTHING;

    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0 && form == NOTHING; i++) {
        form = form_of(argv[i]);
    }
    return form;
}

int host_command_help(const struct host_command *command, const char *version, int argc, char **argv)
{
    const struct host_program program = {
        .name = host_log_name(), .version = version, .commands = &command, .command_count = 1};
    enum help_form form = find_form(argc, argv);

    return form == NOTHING ? -1 : print_form(&program, command, form);
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

/* Prints the help of the program as a whole. */
static int print_program_form(const struct host_program *program, enum help_form form)
{
    struct host_print out = {.length = 0};

    if (form != HELP && form != MANUAL) {
        return print_form(program, NULL, form);
    }
    (form == MANUAL ? host_manual_of_program : print_overview)(&out, program);
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
    enum help_form form = strcmp(argv[1], "help") == 0      ? HELP
                          : strcmp(argv[1], "version") == 0 ? VERSION
                                                            : form_of(argv[1]);
    if (form != NOTHING && !(form == HELP && argc > 2)) {
        return print_program_form(program, form);
    }
    const struct host_command *command = find_command(program, argv[form == HELP ? 2 : 1]);
    if (command == NULL) {
        return 2;
    }
    be_called(program, command);
    form = form == HELP ? HELP : find_form(argc - 1, argv + 1);
    return form != NOTHING ? print_form(program, command, form) : command->run(argc - 1, argv + 1);
}
