/* cmdline.c -- reads a command line with its table. See cmdline.h. */
#include "cmdline.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "console.h"
#include "decimal.h"
#include "forms.h"
#include "nearest.h"

int host_usage_error(const char *format, ...)
{
    char text[512];
    va_list list;

    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    size_t n = strlen(text);
    host_log("%s%s see %s --help", text, n > 0 && text[n - 1] == '?' ? "" : ";", host_log_name());
    return 2;
}

size_t host_next_name(const char **names, const char **name)
{
    *names += strspn(*names, ", ");
    size_t n = strcspn(*names, ", ");
    *name = *names;
    *names += n;
    return n;
}

static const struct host_option *find_row(const struct host_command *command, const char *typed, size_t n)
{
    for (size_t i = 0; i < command->row_count; i++) {
        const char *names = command->rows[i].names, *name;
        for (size_t length; (length = host_next_name(&names, &name)) > 0;) {
            if (length == n && memcmp(name, typed, n) == 0) {
                return &command->rows[i];
            }
        }
    }
    return NULL;
}

static void say_unknown(const struct host_command *command, const char *typed, size_t n)
{
    struct host_nearest nearest = {.typed = typed, .n = n};

    for (size_t i = 0; i < command->row_count; i++) {
        const char *names = command->rows[i].names, *name;
        for (size_t length; (length = host_next_name(&names, &name)) > 0;) {
            host_nearest_try(&nearest, name, length);
        }
    }
    host_nearest_try(&nearest, "--help", 6);
    host_nearest_try(&nearest, "--version", 9);
    if (nearest.name != NULL) {
        (void)host_usage_error("unknown option %.*s; did you mean %.*s?", (int)n, typed, (int)nearest.name_length,
                               nearest.name);
    } else {
        (void)host_usage_error("unknown option %.*s", (int)n, typed);
    }
}

bool host_take_number(const char *name, const char *text, uint32_t min, uint32_t max, uint32_t *out)
{
    uint64_t number;

    if (!host_decimal(text, strlen(text), max, &number) || number < min) {
        host_log("%s %s: give a number from %u to %u", name, text, (unsigned)min, (unsigned)max);
        return false;
    }
    *out = (uint32_t)number;
    return true;
}

static bool take(const struct host_option *row, void *options, const char *name, const char *value)
{
    void *member = (char *)options + row->at;

    switch (row->kind) {
    case HOST_OPTION_FLAG: *(bool *)member = true; return true;
    case HOST_OPTION_TEXT: *(const char **)member = value; return true;
    case HOST_OPTION_NUMBER: return host_take_number(name, value, row->min, row->max, member);
    case HOST_OPTION_TAKE:
    case HOST_OPTION_MAYBE: break;
    }
    return row->take(member, name, value);
}

/* Handles the option at argv[*at], whose row is known, and moves *at to the last word it used. */
static bool take_option(const struct host_option *row, void *options, int argc, char **argv, int *at)
{
    char *name = argv[*at], *equals = strchr(name, '=');
    const char *value = equals != NULL ? equals + 1 : NULL;

    if (equals != NULL) {
        *equals = '\0';
    }
    if (row->kind == HOST_OPTION_FLAG && value != NULL) {
        (void)host_usage_error("%s takes no value", name);
        return false;
    }
    if (row->kind != HOST_OPTION_FLAG && row->kind != HOST_OPTION_MAYBE && value == NULL) {
        if (*at + 1 >= argc) {
            (void)host_usage_error("%s needs a value, %s", name, row->value);
            return false;
        }
        value = argv[++*at];
    }
    return take(row, options, name, value);
}

int host_command_read(const struct host_command *command, void *options, int argc, char **argv)
{
    int count = 0;
    bool options_end = false;

    for (int at = 1; at < argc; at++) {
        char *word = argv[at];
        size_t n = strcspn(word, "=");
        bool option = !options_end && word[0] == '-' && word[1] != '\0';
        const struct host_option *row = option ? find_row(command, word, n) : NULL;
        if (option && strcmp(word, "--") == 0) {
            options_end = true;
        } else if (row != NULL) {
            if (!take_option(row, options, argc, argv, &at)) {
                return -1;
            }
        } else if (option && !(command->passes_on && count > 0)) {
            say_unknown(command, word, n);
            return -1;
        } else if (count == command->most) {
            (void)host_usage_error("unexpected argument '%s'", word);
            return -1;
        } else {
            argv[++count] = word;
        }
    }
    if (count < command->least) {
        (void)host_usage_error("%s is missing", command->operands);
        return -1;
    }
    return count;
}
