/* manual.c -- manual pages, in the macros of man(7). See forms.h. */
#include <stdio.h>
#include <string.h>

#include "forms.h"

/* n bytes as text. What is between backquotes is bold: a command or an option. */
static void text_bytes(struct host_print *out, const char *text, size_t n)
{
    bool bold = false;

    for (size_t i = 0; i < n; i++) {
        char c = text[i];
        if (c == '`') {
            bold = !bold;
            host_print(out, bold ? "\\fB" : "\\fR");
        } else if (c == '\n') { /* two make a paragraph, one is a space */
            bool two = i + 1 < n && text[i + 1] == '\n';
            host_print(out, two ? "\n.PP\n" : " ");
            i += two;
        } else if ((c == '.' || c == '\'') && out->column == 0) {
            host_print(out, "\\&");
            host_print_bytes(out, &c, 1);
        } else {
            host_print(out, c == '\\' ? "\\e" : c == '-' ? "\\-" : c == '\'' ? "\\(aq" : c == '~' ? "\\(ti" : "");
            host_print_bytes(out, &c, strchr("\\-'~", c) == NULL);
        }
    }
}

static void put_text(struct host_print *out, const char *words)
{
    text_bytes(out, words, strlen(words));
}

static void put_section(struct host_print *out, const char *title)
{
    host_print(out, ".SH ");
    host_print(out, title);
    host_print(out, "\n");
}

/* "skillrom pack" as the name of its page, "skillrom-pack". */
static void page_name(struct host_print *out, const char *name, bool upper)
{
    for (; *name != '\0'; name++) {
        char c = upper && *name >= 'a' && *name <= 'z' ? (char)(*name - 'a' + 'A') : *name;
        if (c == ' ' || c == '-') {
            host_print(out, "\\-");
        } else {
            host_print_bytes(out, &c, 1);
        }
    }
}

static void put_head(struct host_print *out, const char *name, const char *version, const char *summary)
{
    host_print(out, ".TH ");
    page_name(out, name, true);
    host_print(out, " 1 \"\" \"skillrom ");
    host_print_bytes(out, version, strcspn(version, ","));
    host_print(out, "\" \"User Commands\"\n");
    put_section(out, "NAME");
    page_name(out, name, false);
    host_print(out, " \\- ");
    put_text(out, summary);
    host_print(out, "\n");
    put_section(out, "SYNOPSIS");
    host_print(out, "\\fB");
    put_text(out, name);
    host_print(out, "\\fR ");
}

static void put_row(struct host_print *out, const struct host_option *row)
{
    const char *names = row->names, *name, *between = "";

    host_print(out, ".TP\n");
    for (size_t n; (n = host_next_name(&names, &name)) > 0; between = ", ") {
        host_print(out, between);
        host_print(out, "\\fB");
        text_bytes(out, name, n);
        host_print(out, "\\fR");
    }
    if (row->value != NULL) {
        host_print(out, row->kind == HOST_OPTION_MAYBE ? "[=\\fI" : " \\fI");
        put_text(out, row->value);
        host_print(out, row->kind == HOST_OPTION_MAYBE ? "\\fR]" : "\\fR");
    }
    host_print(out, "\n");
    put_text(out, row->help);
    if (row->kind == HOST_OPTION_NUMBER) {
        char range[64];
        (void)snprintf(range, sizeof range, "; from %u to %u", (unsigned)row->min, (unsigned)row->max);
        put_text(out, range);
    }
    host_print(out, ".\n");
}

static void put_examples(struct host_print *out, const struct host_command *command, const char *name)
{
    put_section(out, "EXAMPLES");
    for (size_t i = 0; i < HOST_EXAMPLES; i++) {
        host_print(out, ".TP\n\\fB");
        if (command->name == NULL) {
            put_text(out, name);
            host_print(out, " ");
        }
        put_text(out, command->examples[i].line);
        host_print(out, "\\fR\n");
        put_text(out, command->examples[i].does);
        host_print(out, ".\n");
    }
}

void host_manual_of_command(struct host_print *out, const struct host_command *command, const char *name,
                            const char *version)
{
    put_head(out, name, version, command->summary);
    put_text(out, command->usage);
    host_print(out, "\n");
    put_section(out, "DESCRIPTION");
    put_text(out, command->about);
    host_print(out, "\n");
    put_section(out, "OPTIONS");
    for (size_t i = 0; host_row_of(command, i) != NULL; i++) {
        put_row(out, host_row_of(command, i));
    }
    if (command->closing != NULL) {
        put_section(out, "NOTES");
        put_text(out, command->closing);
        host_print(out, "\n");
    }
    put_examples(out, command, name);
    put_section(out, "EXIT STATUS");
    host_print(out, HOST_EXIT_STATUS ".\n");
    put_section(out, "SEE ALSO");
    host_print(out, ".BR skillrom (1),\n.BR skillromd (1)\n");
}

void host_manual_of_program(struct host_print *out, const struct host_program *program)
{
    put_head(out, program->name, program->version, program->summary);
    host_print(out, "COMMAND ...\n");
    put_section(out, "DESCRIPTION");
    put_text(out, program->about);
    host_print(out, "\n");
    put_section(out, "COMMANDS");
    for (size_t i = 0; host_command_of(program, i) != NULL; i++) {
        host_print(out, ".TP\n.BR ");
        page_name(out, program->name, false);
        host_print(out, "\\-");
        page_name(out, host_command_of(program, i)->name, false);
        host_print(out, " (1)\n");
        put_text(out, host_command_of(program, i)->summary);
        host_print(out, ".\n");
    }
    put_section(out, "EXIT STATUS");
    host_print(out, HOST_EXIT_STATUS ".\n");
    put_section(out, "SEE ALSO");
    host_print(out, ".BR skillromd (1)\n");
}
