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
    for (size_t i = 0; host_row_of(command, i) != NULL; i++) {
        const char *names = host_row_of(command, i)->names, *name;
        for (size_t length; (length = host_next_name(&names, &name)) > 0;) {
            if (length == n && memcmp(name, typed, n) == 0) {
                return host_row_of(command, i);
            }
        }
    }
    return NULL;
}

static void report_unknown_option(const struct host_command *command, const char *typed, size_t n)
{
    struct host_nearest nearest = {.typed = typed, .n = n};

    for (size_t i = 0; host_row_of(command, i) != NULL; i++) {
        const char *names = host_row_of(command, i)->names, *name;
        for (size_t length; (length = host_next_name(&names, &name)) > 0;) {
            host_nearest_try(&nearest, name, length);
        }
    }
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

/* A time with its unit, ms, s, m or h, in milliseconds from min to max, or false after a message. */
static bool host_take_time(const char *name, const char *text, uint32_t min, uint32_t max, uint32_t *out)
{
    static const struct {
        const char *unit;
        uint32_t ms;
    } units[] = {{"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}};
    size_t digits = strspn(text, "0123456789");
    uint64_t number;

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(text + digits, units[i].unit) == 0 && host_decimal(text, digits, max / units[i].ms, &number) &&
            number * units[i].ms >= min) {
            *out = (uint32_t)number * units[i].ms;
            return true;
        }
    }
    host_log("%s %s: not a time from %ums to %ums; give it with its unit (ms, s, m or h), as in 500ms or 10s", name,
             text, (unsigned)min, (unsigned)max);
    return false;
}

/* Common options set the console, the others the command's own struct. */
static bool option_take(const struct host_option *row, void *options, const char *name, const char *value)
{
    bool common = row >= host_common_rows && row < host_common_rows + HOST_COMMON_ROWS;
    void *member = (char *)(common ? &host_console : options) + row->at;

    switch (row->kind) {
    case HOST_OPTION_FLAG: *(bool *)member = true; return true;
    case HOST_OPTION_TEXT: *(const char **)member = value; return true;
    case HOST_OPTION_NUMBER: return host_take_number(name, value, row->min, row->max, member);
    case HOST_OPTION_TIME: return host_take_time(name, value, row->min, row->max, member);
    case HOST_OPTION_TAKE:
    case HOST_OPTION_MAYBE: break;
    }
    return row->take == NULL || row->take(member, name, value); /* --help was handled before */
}

/* True if the option must have a value. */
static bool has_value(const struct host_option *row)
{
    return row->kind != HOST_OPTION_FLAG && row->kind != HOST_OPTION_MAYBE;
}

/* Takes the next word, which is the value of this option, or returns NULL after a message. */
static const char *next_word(const struct host_option *row, const char *name, int argc, char **argv, int *at)
{
    if (*at + 1 < argc) {
        return argv[++*at];
    }
    (void)host_usage_error("%s needs a value, %s", name, row->value);
    return NULL;
}

/* Handles the option at argv[*at], whose row is known, and moves *at to the last word it used. */
static bool take_long(const struct host_option *row, void *options, int argc, char **argv, int *at)
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
    if (has_value(row) && value == NULL && (value = next_word(row, name, argc, argv, at)) == NULL) {
        return false;
    }
    return option_take(row, options, name, value);
}

/* Likewise for a word of short options: flags, and at the end one with a value, which may follow as in -oFILE. */
static bool take_short(const struct host_command *command, void *options, int argc, char **argv, int *at)
{
    for (const char *letter = argv[*at] + 1; *letter != '\0'; letter++) {
        const char name[] = {'-', *letter, '\0'};
        const struct host_option *row = find_row(command, name, 2);
        if (row == NULL) {
            report_unknown_option(command, name, 2);
            return false;
        }
        if (letter[1] == '=') {
            (void)host_usage_error(has_value(row) ? "%s: a short option takes its value without '='; write %sVALUE"
                                                  : "%s takes no value",
                                   name, name);
            return false;
        }
        const char *value = has_value(row) && letter[1] != '\0' ? letter + 1 : NULL;
        if (has_value(row) && value == NULL && (value = next_word(row, name, argc, argv, at)) == NULL) {
            return false;
        }
        bool taken = option_take(row, options, name, value);
        if (!taken || value != NULL) {
            return taken;
        }
    }
    return true;
}

/* The row of the option that the word begins with; NULL for none. */
static const struct host_option *row_of_word(const struct host_command *command, const char *word)
{
    return find_row(command, word, word[1] == '-' ? strcspn(word, "=") : 2);
}

int host_command_read(const struct host_command *command, void *options, int argc, char **argv)
{
    int count = 0;
    bool options_end = false;

    for (int at = 1; at < argc; at++) {
        char *word = argv[at];
        bool option = !options_end && word[0] == '-' && word[1] != '\0';
        const struct host_option *row = option ? row_of_word(command, word) : NULL;
        if (option && strcmp(word, "--") == 0) {
            options_end = true;
        } else if (row != NULL) {
            if (!(word[1] == '-' ? take_long(row, options, argc, argv, &at)
                                 : take_short(command, options, argc, argv, &at))) {
                return -1;
            }
        } else if (option && !(command->passes_on && count > 0)) {
            report_unknown_option(command, word, word[1] == '-' ? strcspn(word, "=") : strlen(word));
            return -1;
        } else if (count == command->most) {
            (void)host_usage_error("unexpected argument '%s'", word);
            return -1;
        } else {
            argv[++count] = word;
        }
    }
    if (count < command->least) {
        (void)host_usage_error("%s is missing", command->operands[count]);
        return -1;
    }
    return count;
}
