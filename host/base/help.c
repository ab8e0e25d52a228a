/* help.c -- the help and version of a program, and the choice of its command. */
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "cmdline.h"
#include "console.h"
#include "forms.h"
#include "nearest.h"

#define TEXT_COLUMN 22 /* where explanations begin, at the latest */
#define SUMMARY_COLUMN 14
#define GAP 2 /* spaces before an option's name, and at least after it */

/* clang-format off */
const struct host_option host_common_rows[HOST_COMMON_ROWS] = {
    HOST_FLAG("-q, --quiet", struct host_console, quiet, "print results and errors only"),
    HOST_FLAG("-v, --verbose", struct host_console, verbose,
        "print more: how long it took; a server also logs each request and connection"),
    {.names = "-h, --help",
     .value = "FORM",
     .kind = HOST_OPTION_MAYBE,
     .help = "print this; as a manual page (man), or for a shell to complete these options (bash, zsh)"},
    {.names = "-V, --version", .help = "print the version"},
};
/* clang-format on */

const struct host_option *host_row_of(const struct host_command *command, size_t i)
{
    if (i < command->row_count) {
        return &command->rows[i];
    }
    i -= command->row_count;
    return i < HOST_COMMON_ROWS ? &host_common_rows[i] : NULL;
}

static void print_exit_status(struct host_print *out)
{
    host_print(out, "\n");
    host_print_words(out, "Exit status: " HOST_EXIT_STATUS ".", 0);
}

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

static void print_examples(struct host_print *out, const struct host_command *command)
{
    host_print(out, "\nExamples:\n");
    for (size_t i = 0; i < HOST_EXAMPLES; i++) {
        host_print_to(out, GAP);
        if (command->name == NULL) {
            host_print(out, host_log_name());
            host_print(out, " ");
        }
        host_print(out, command->examples[i].line);
        host_print(out, "\n");
        host_print_to(out, 2 * GAP);
        host_print_words(out, command->examples[i].does, 2 * GAP);
    }
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
    print_examples(out, command);
    print_exit_status(out);
}

static void print_version(struct host_print *out, const struct host_program *program)
{
    host_print(out, program->name);
    host_print(out, " ");
    host_print(out, program->version);
    host_print(out, "\n");
}

/* ---- Requests for help ---- */

enum help_form { NOTHING, HELP, MANUAL, BASH, ZSH, VERSION, UNKNOWN };

static enum help_form form_of(const char *word)
{
    static const struct {
        const char *word;
        enum help_form form;
    } forms[] = {{"--help", HELP},    {"-h", HELP},           {"--help=man", MANUAL}, {"--help=bash", BASH},
                 {"--help=zsh", ZSH}, {"--version", VERSION}, {"-V", VERSION}};

    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (strcmp(word, forms[i].word) == 0) {
            return forms[i].form;
        }
    }
    return strncmp(word, "--help=", 7) == 0 ? UNKNOWN : NOTHING;
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
    case UNKNOWN: return host_usage_error("--help has the forms man, bash and zsh");
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

static const struct host_program *running; /* which `help` and `completions` are about */

static int run_help(int argc, char **argv);
static int run_completions(int argc, char **argv);

static const struct host_command help_command = {
    .name = "help",
    .run = run_help,
    .group = "Help",
    .summary = "list the commands, or explain one",
    .usage = "[COMMAND]",
    .about = "Lists the commands, or prints the help of one, as COMMAND --help does.",
    .examples = {{"skillrom help", "list all commands"}, {"skillrom help call", "explain `skillrom call`"}},
    .most = 1,
};

static const struct host_command completions_command = {
    .name = "completions",
    .run = run_completions,
    .group = "Help",
    .summary = "print a script that completes command lines in bash or zsh",
    .usage = "bash|zsh",
    .about = "Prints a script for a shell to read, with which it completes commands and options.",
    .examples = {{"source <(skillrom completions bash)", "complete in this shell"},
                 {"skillrom completions zsh > ~/.zfunc/_skillrom", "complete in zsh, whose fpath has ~/.zfunc"}},
    .operands = {"the shell, bash or zsh,"},
    .least = 1,
    .most = 1,
};

const struct host_command *host_command_of(const struct host_program *program, size_t i)
{
    static const struct host_command *const common[] = {&help_command, &completions_command};

    if (i < program->command_count) {
        return program->commands[i];
    }
    i -= program->command_count;
    return program->commands[0]->name != NULL && i < sizeof common / sizeof common[0] ? common[i] : NULL;
}

static void print_overview(struct host_print *out, const struct host_program *program)
{
    const char *group = "";

    host_print(out, "usage: ");
    host_print(out, program->name);
    host_print(out, " COMMAND ...\n\n");
    host_print_words(out, program->about, 0);
    for (size_t i = 0; host_command_of(program, i) != NULL; i++) {
        const struct host_command *command = host_command_of(program, i);
        if (strcmp(command->group, group) != 0) {
            group = command->group;
            host_print(out, "\n");
            host_print(out, group);
            host_print(out, "\n");
        }
        host_print_to(out, GAP);
        host_print(out, command->name);
        host_print_to(out, SUMMARY_COLUMN);
        host_print_words(out, command->summary, SUMMARY_COLUMN);
    }
    host_print(out, "\n'");
    host_print(out, program->name);
    host_print(out, " COMMAND --help' explains a command.\n");
    print_exit_status(out);
}

static void report_unknown(const char *what, const struct host_nearest *nearest, const char *otherwise)
{
    if (nearest->name != NULL) {
        host_log("unknown %s '%s'; did you mean %s? '%s help' lists the commands", what, nearest->typed, nearest->name,
                 running->name);
    } else {
        host_log("unknown %s '%s'; %s'%s help' lists the commands", what, nearest->typed, otherwise, running->name);
    }
}

/* The command of this name, or NULL after a message. */
static const struct host_command *find_command(const struct host_program *program, const char *name)
{
    static const char *const options[] = {"--help", "--version", "-V", "-h"};
    struct host_nearest nearest = {.typed = name, .n = strlen(name)};

    for (size_t i = 0; host_command_of(program, i) != NULL; i++) {
        const char *candidate = host_command_of(program, i)->name;
        if (strcmp(candidate, name) == 0) {
            return host_command_of(program, i);
        }
        host_nearest_try(&nearest, candidate, strlen(candidate));
    }
    if (name[0] != '-') {
        report_unknown("command", &nearest, "");
        return NULL;
    }
    nearest = (struct host_nearest){.typed = name, .n = strlen(name)};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        host_nearest_try(&nearest, options[i], strlen(options[i]));
    }
    if (strcmp(name, "-v") == 0) { /* too short to be near to anything */
        nearest.name = "-V";
    }
    report_unknown("option", &nearest, "options follow the command; ");
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

static int run_help(int argc, char **argv)
{
    int count = host_command_read(&help_command, NULL, argc, argv);
    const struct host_command *command = count == 1 ? find_command(running, argv[1]) : NULL;

    if (count == 0) {
        return print_program_form(running, HELP);
    }
    if (command == NULL) {
        return 2;
    }
    be_called(running, command);
    return print_form(running, command, HELP);
}

static int run_completions(int argc, char **argv)
{
    if (host_command_read(&completions_command, NULL, argc, argv) < 0) {
        return 2;
    }
    if (strcmp(argv[1], "bash") != 0 && strcmp(argv[1], "zsh") != 0) {
        return host_usage_error("unknown shell '%s'; give bash or zsh", argv[1]);
    }
    return print_program_form(running, argv[1][0] == 'b' ? BASH : ZSH);
}

int host_program_run(const struct host_program *program, int argc, char **argv)
{
    running = program;
    host_log_set_name(program->name);
    if (argc < 2) {
        struct host_print out = {.errors = true};
        print_overview(&out, program);
        (void)host_print_end(&out);
        return 2;
    }
    enum help_form form = strcmp(argv[1], "version") == 0 ? VERSION : form_of(argv[1]);
    if (form != NOTHING) {
        return print_program_form(program, form);
    }
    const struct host_command *command = find_command(program, argv[1]);
    if (command == NULL) {
        return 2;
    }
    be_called(program, command);
    form = find_form(argc - 1, argv + 1);
    if (form != NOTHING) {
        return print_form(program, command, form);
    }
    uint64_t start_ms = host_clock_ms();
    int code = command->run(argc - 1, argv + 1);
    if (host_console.verbose) {
        host_log("took %u ms; exit status %d", (unsigned)(host_clock_ms() - start_ms), code);
    }
    return code;
}
