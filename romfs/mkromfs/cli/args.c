/* args.c -- parsing of a command's options. See args.h. */
#include "cli/args.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int args_misuse(const char *command, const char *format, ...)
{
    va_list list;

    fprintf(stderr, "skillrom %s: ", command);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fprintf(stderr, "\ntry 'skillrom %s --help'\n", command);
    return 2;
}

bool args_is(const char *arg, const char *name, const char **value)
{
    size_t n = strlen(name);

    *value = NULL;
    if (strncmp(arg, name, n) != 0 || (arg[n] != '\0' && arg[n] != '=')) {
        return false;
    }
    if (arg[n] == '=') {
        *value = arg + n + 1;
    }
    return true;
}

static const struct arg *lookup(const struct args *a, const char *text, const char **value)
{
    for (size_t i = 0; i < a->count; i++) {
        if (args_is(text, a->table[i].name, value)) {
            return &a->table[i];
        }
    }
    return NULL;
}

/* Handles the option at argv[*i], and moves *i on when it takes the next word. */
static bool take_option(const struct args *a, int argc, char **argv, int *i)
{
    const char *value;
    const struct arg *row = lookup(a, argv[*i], &value);

    if (row == NULL) {
        args_misuse(a->command, "unknown option '%s'", argv[*i]);
        return false;
    }
    if (row->kind == ARG_FLAG && value != NULL) {
        args_misuse(a->command, "option %s takes no value", row->name);
        return false;
    }
    if (row->kind == ARG_VALUE && value == NULL) {
        if (*i + 1 >= argc) {
            args_misuse(a->command, "option %s needs a value", row->name);
            return false;
        }
        value = argv[++*i];
    }
    if (row->given != NULL) {
        *row->given = true;
    }
    if (value != NULL && row->value != NULL) {
        *row->value = value;
    }
    return true;
}

int args_parse(const struct args *a, int argc, char **argv, const char **operands)
{
    int count = 0;
    bool options_end = false;

    for (int i = 1; i < argc; i++) {
        if (!options_end && strcmp(argv[i], "--") == 0) {
            options_end = true;
        } else if (!options_end && argv[i][0] == '-' && argv[i][1] != '\0') {
            if (!take_option(a, argc, argv, &i)) {
                return -1;
            }
        } else if (count == a->most) {
            args_misuse(a->command, "unexpected argument '%s'", argv[i]);
            return -1;
        } else {
            operands[count++] = argv[i];
        }
    }
    if (count < a->least) {
        args_misuse(a->command, "%s is missing", a->operands);
        return -1;
    }
    return count;
}
