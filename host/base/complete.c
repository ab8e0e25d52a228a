/* complete.c -- scripts that let bash and zsh complete a command line. See forms.h. Both shells use the tables alone; the
 * programs are not run for it. */
#include <string.h>

#include "forms.h"

/* The completion of a value, which depends on its name in the table. */
static bool is_file(const char *value)
{
    return strncmp(value, "FILE", 4) == 0 || strncmp(value, "TTY", 3) == 0;
}

static bool is_folder(const char *value)
{
    return strncmp(value, "DIR", 3) == 0;
}

/* A name as a part of a shell function's name. */
static void function_name(struct host_print *out, const char *name)
{
    host_print(out, "_");
    for (; *name != '\0'; name++) {
        bool good = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') || (*name >= '0' && *name <= '9');
        host_print_bytes(out, good ? name : "_", 1);
    }
}

/* ---- bash ---- */

/* The names of all rows that `wanted` selects, or of all, with `between` between them. Returns whether there were any. */
static bool names_of(struct host_print *out, const struct host_command *command,
                     bool (*wanted)(const struct host_option *), const char *before, const char *between)
{
    bool any = false;

    for (size_t i = 0; host_row_of(command, i) != NULL; i++) {
        const struct host_option *row = host_row_of(command, i);
        const char *names = row->names, *name;
        for (size_t n; (wanted == NULL || wanted(row)) && (n = host_next_name(&names, &name)) > 0; any = true) {
            host_print(out, any ? between : before);
            host_print_bytes(out, name, n);
        }
    }
    return any;
}

static bool wants_folder(const struct host_option *row)
{
    return row->value != NULL && row->kind != HOST_OPTION_MAYBE && is_folder(row->value);
}

static bool wants_other(const struct host_option *row)
{
    return row->value != NULL && row->kind != HOST_OPTION_MAYBE && !is_folder(row->value) && !is_file(row->value);
}

static void bash_command(struct host_print *out, const struct host_command *command)
{
    names_of(out, command, NULL, "        options='", " ");
    host_print(out, "'\n        case $before in\n");
    if (names_of(out, command, wants_folder, "        ", "|")) {
        host_print(out, ") mapfile -t COMPREPLY < <(compgen -d -- \"$word\"); return ;;\n");
    }
    if (names_of(out, command, wants_other, "        ", "|")) {
        host_print(out, ") compopt +o default; return ;;\n");
    }
    host_print(out, "        esac\n");
}

void host_complete_bash(struct host_print *out, const struct host_program *program)
{
    bool only = program->commands[0]->name == NULL;

    host_print(out, "# completion of ");
    host_print(out, program->name);
    host_print(out, " for bash, made by its --help=bash\n");
    function_name(out, program->name);
    host_print(out, "()\n{\n    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options=''\n"
                    "    COMPREPLY=()\n    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; host_command_of(program, i) != NULL; i++) {
        host_print(out, "    ");
        host_print(out, only ? "*" : host_command_of(program, i)->name);
        host_print(out, ")\n");
        bash_command(out, host_command_of(program, i));
        host_print(out, "        ;;\n");
    }
    host_print(out, "    esac\n");
    if (!only) {
        host_print(out, "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        compopt +o default\n        options='");
        for (size_t i = 0; host_command_of(program, i) != NULL; i++) {
            host_print(out, host_command_of(program, i)->name);
            host_print(out, " ");
        }
        host_print(out, "--help --version'\n        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
                        "        return\n    fi\n");
    }
    host_print(
        out,
        "    case $word in\n    -*) mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\") ;;\n    esac\n}\n"
        "complete -o filenames -o default -F ");
    function_name(out, program->name);
    host_print(out, " ");
    host_print(out, program->name);
    host_print(out, "\n");
}

/* ---- zsh ---- */

/* Text within single quotes, of a specification in which brackets and colons mean something. */
static void zsh_text(struct host_print *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '\'') {
            host_print(out, "'\\''");
        } else {
            host_print(out, strchr("[]:\\", text[i]) != NULL ? "\\" : "");
            host_print_bytes(out, &text[i], 1);
        }
    }
}

/* A line of the help is enough: up to its first full stop or semicolon. */
static size_t first_clause(const char *help)
{
    const char *stop = strstr(help, ". "), *semicolon = strchr(help, ';');

    stop = semicolon != NULL && (stop == NULL || semicolon < stop) ? semicolon : stop;
    return stop != NULL ? (size_t)(stop - help) : strlen(help);
}

static void zsh_value(struct host_print *out, const struct host_option *row)
{
    host_print(out, row->kind == HOST_OPTION_MAYBE ? "::" : ":");
    zsh_text(out, row->value, strlen(row->value));
    host_print(out, is_folder(row->value) ? ":_files -/" : is_file(row->value) ? ":_files" : ": ");
}

static void zsh_row(struct host_print *out, const struct host_option *row)
{
    const char *names = row->names, *name;

    for (size_t n; (n = host_next_name(&names, &name)) > 0;) {
        host_print(out, row->each ? " \\\n            '*" : " \\\n            '");
        host_print_bytes(out, name, n);
        host_print(out, row->value == NULL ? "" : row->kind == HOST_OPTION_MAYBE ? "=-" : n > 2 ? "=" : "");
        host_print(out, "[");
        zsh_text(out, row->help, first_clause(row->help));
        host_print(out, "]");
        if (row->value != NULL) {
            zsh_value(out, row);
        }
        host_print(out, "'");
    }
}

static void zsh_commands(struct host_print *out, const struct host_program *program)
{
    host_print(out, "    if (( CURRENT == 2 )); then\n        local -a commands=(");
    for (size_t i = 0; host_command_of(program, i) != NULL; i++) {
        const struct host_command *command = host_command_of(program, i);
        host_print(out, "\n            '");
        host_print(out, command->name);
        host_print(out, ":");
        zsh_text(out, command->summary, strlen(command->summary));
        host_print(out, "'");
    }
    host_print(out, ")\n        _describe command commands\n        return\n    fi\n"
                    "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n");
}

void host_complete_zsh(struct host_print *out, const struct host_program *program)
{
    bool only = program->commands[0]->name == NULL;

    host_print(out, "#compdef ");
    host_print(out, program->name);
    host_print(out, "\n# completion for zsh, made by --help=zsh\n\n");
    function_name(out, program->name);
    host_print(out, "()\n{\n");
    if (!only) {
        zsh_commands(out, program);
    }
    host_print(out, only ? "    case x in\n" : "    case $command in\n");
    for (size_t i = 0; host_command_of(program, i) != NULL; i++) {
        const struct host_command *command = host_command_of(program, i);
        host_print(out, "    ");
        host_print(out, only ? "*" : command->name);
        host_print(out, ")\n        _arguments -S");
        for (size_t k = 0; host_row_of(command, k) != NULL; k++) {
            zsh_row(out, host_row_of(command, k));
        }
        host_print(out, command->most > 0 ? " \\\n            '*:file:_files' ;;\n" : " ;;\n");
    }
    host_print(out, "    esac\n}\n\n");
    function_name(out, program->name);
    host_print(out, " \"$@\"\n");
}
