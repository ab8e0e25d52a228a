/* manual.c -- manual pages, in the macros of man(7). See forms.h. */
#include <stdio.h>
#include <string.h>

#include "forms.h"

/* n bytes as text. What is between backquotes is bold: a command or an option. */
static void text_bytes(struct skr_print *out, const char *text, size_t n)
{
    bool bold = false;

    for (size_t i = 0; i < n; i++) {
        char c = text[i];
        if (c == '`') {
            bold = !bold;
            skr_print(out, bold ? "\\fB" : "\\fR");
        } else if (c == '\n') { /* two make a paragraph, one is a blank */
            bool two = i + 1 < n && text[i + 1] == '\n';
            skr_print(out, two ? "\n.PP\n" : " ");
            i += two;
        } else if ((c == '.' || c == '\'') && out->column == 0) {
            skr_print(out, "\\&");
            skr_print_bytes(out, &c, 1);
        } else {
            skr_print(out, c == '\\' ? "\\e" : c == '-' ? "\\-" : c == '\'' ? "\\(aq" : c == '~' ? "\\(ti" : "");
            skr_print_bytes(out, &c, strchr("\\-'~", c) == NULL);
        }
    }
}

static void text(struct skr_print *out, const char *words)
{
    text_bytes(out, words, strlen(words));
}

static void section(struct skr_print *out, const char *title)
{
    skr_print(out, ".SH ");
    skr_print(out, title);
    skr_print(out, "\n");
}

/* "skillrom pack" as the name of its page, "skillrom-pack". */
static void page_name(struct skr_print *out, const char *name, bool upper)
{
    for (; *name != '\0'; name++) {
        char c = upper && *name >= 'a' && *name <= 'z' ? (char)(*name - 'a' + 'A') : *name;
        if (c == ' ' || c == '-') {
            skr_print(out, "\\-");
        } else {
            skr_print_bytes(out, &c, 1);
        }
    }
}

static void head(struct skr_print *out, const char *name, const char *version, const char *summary)
{
    skr_print(out, ".TH ");
    page_name(out, name, true);
    skr_print(out, " 1 \"\" \"skillrom ");
    skr_print_bytes(out, version, strcspn(version, ","));
    skr_print(out, "\" \"User Commands\"\n");
    section(out, "NAME");
    page_name(out, name, false);
    skr_print(out, " \\- ");
    text(out, summary);
    skr_print(out, "\n");
    section(out, "SYNOPSIS");
    skr_print(out, "\\fB");
    text(out, name);
    skr_print(out, "\\fR ");
}

static void row(struct skr_print *out, const struct skr_opt *row)
{
    const char *names = row->names, *name, *between = "";

    skr_print(out, ".TP\n");
    for (size_t n; (n = skr_next_name(&names, &name)) > 0; between = ", ") {
        skr_print(out, between);
        skr_print(out, "\\fB");
        text_bytes(out, name, n);
        skr_print(out, "\\fR");
    }
    if (row->value != NULL) {
        skr_print(out, row->kind == SKR_OPT_MAYBE ? "[=\\fI" : " \\fI");
        text(out, row->value);
        skr_print(out, row->kind == SKR_OPT_MAYBE ? "\\fR]" : "\\fR");
    }
    skr_print(out, "\n");
    text(out, row->help);
    if (row->kind == SKR_OPT_NUMBER) {
        char range[64];
        (void)snprintf(range, sizeof range, "; from %u to %u", (unsigned)row->min, (unsigned)row->max);
        text(out, range);
    }
    skr_print(out, ".\n");
}

void skr_manual_of_command(struct skr_print *out, const struct skr_command *command, const char *name,
                           const char *version)
{
    head(out, name, version, command->summary);
    text(out, command->usage);
    skr_print(out, "\n");
    section(out, "DESCRIPTION");
    text(out, command->about);
    skr_print(out, "\n");
    section(out, "OPTIONS");
    for (size_t i = 0; skr_row_of(command, i) != NULL; i++) {
        row(out, skr_row_of(command, i));
    }
    if (command->closing != NULL) {
        section(out, "NOTES");
        text(out, command->closing);
        skr_print(out, "\n");
    }
    section(out, "EXIT STATUS");
    skr_print(out, SKR_EXIT_STATUS ".\n");
    section(out, "SEE ALSO");
    skr_print(out, ".BR skillrom (1),\n.BR skillromd (1)\n");
}

void skr_manual_of_program(struct skr_print *out, const struct skr_program *program)
{
    head(out, program->name, program->version, program->summary);
    skr_print(out, "COMMAND ...\n");
    section(out, "DESCRIPTION");
    text(out, program->about);
    skr_print(out, "\n");
    section(out, "COMMANDS");
    for (size_t i = 0; i < program->command_count; i++) {
        skr_print(out, ".TP\n.BR ");
        page_name(out, program->name, false);
        skr_print(out, "\\-");
        page_name(out, program->commands[i]->name, false);
        skr_print(out, " (1)\n");
        text(out, program->commands[i]->summary);
        skr_print(out, ".\n");
    }
    section(out, "EXIT STATUS");
    skr_print(out, SKR_EXIT_STATUS ".\n");
    section(out, "SEE ALSO");
    skr_print(out, ".BR skillromd (1)\n");
}
