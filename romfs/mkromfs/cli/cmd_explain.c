/* cmd_explain.c -- `skillrom explain`: explains the rule in brackets after a message. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/screen.h"
#include "cli/commands.h"
#include "cli/rules_text.h"

#define COLUMNS 78

/* Prints a text in lines of at most COLUMNS. */
static void print_wrapped(const char *text)
{
    size_t column = 0;

    while (*text != '\0') {
        size_t n = strcspn(text, " ");
        if (column > 0 && column + 1 + n > COLUMNS) {
            putchar('\n');
            column = 0;
        }
        column += (size_t)printf("%s%.*s", column > 0 ? " " : "", (int)n, text);
        text += n + strspn(text + n, " ");
    }
    putchar('\n');
}

static void print_rule(const struct rule_text *rule)
{
    printf("%s: %s\n\n", rule->id, rule->title);
    print_wrapped(rule->why);
    print_wrapped(rule->remedy);
}

static int explain_main(int argc, char **argv)
{
    int count = host_command_read(&cmd_explain, NULL, argc, argv);
    const char *id = count > 0 ? argv[1] : NULL;

    if (count < 0) {
        return 2;
    }
    for (size_t i = 0; i < rule_text_count; i++) {
        if (id == NULL) {
            printf("%s  %s\n", rule_texts[i].id, rule_texts[i].title);
        } else if (strcasecmp(rule_texts[i].id, id) == 0) {
            print_rule(&rule_texts[i]);
            return 0;
        }
    }
    if (id != NULL) {
        screen_error("unknown rule '%s'; `skillrom explain` lists all rules", id);
    }
    return id == NULL ? 0 : 1;
}

const struct host_command cmd_explain = {
    .name = "explain",
    .run = explain_main,
    .group = "Author",
    .summary = "explain a rule ID from a lint message",
    .usage = "[RULE]",
    .about =
        "Prints the reason of the rule in brackets after a message, such as SK-V-52, and the remedy. Without RULE, lists all "
        "rules.",
    .examples = {{"skillrom explain", "list all rules"}, {"skillrom explain SK-V-52", "explain one of them"}},
    .most = 1,
};
