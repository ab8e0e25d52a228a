/* cmdline.c -- read a command line by its table. See cmdline.h. */
#include "cmdline.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "forms.h"
#include "nearest.h"
#include "say.h"

int skr_misuse(const char *format, ...)
{
    char text[512];
    va_list list;

    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    size_t n = strlen(text);
    skr_say("%s%s see %s --help", text, n > 0 && text[n - 1] == '?' ? "" : ";", skr_say_name());
    return 2;
}

size_t skr_next_name(const char **names, const char **name)
{
    *names += strspn(*names, ", ");
    size_t n = strcspn(*names, ", ");
    *name = *names;
    *names += n;
    return n;
}

static const struct skr_opt *find_row(const struct skr_command *command, const char *typed, size_t n)
{
    for (size_t i = 0; i < command->row_count; i++) {
        const char *names = command->rows[i].names, *name;
        for (size_t length; (length = skr_next_name(&names, &name)) > 0;) {
            if (length == n && memcmp(name, typed, n) == 0) {
                return &command->rows[i];
            }
        }
    }
    return NULL;
}

static void say_unknown(const struct skr_command *command, const char *typed, size_t n)
{
    struct skr_nearest nearest = {.typed = typed, .n = n};

    for (size_t i = 0; i < command->row_count; i++) {
        const char *names = command->rows[i].names, *name;
        for (size_t length; (length = skr_next_name(&names, &name)) > 0;) {
            skr_nearest_try(&nearest, name, length);
        }
    }
    skr_nearest_try(&nearest, "--help", 6);
    skr_nearest_try(&nearest, "--version", 9);
    if (nearest.name != NULL) {
        (void)skr_misuse("unknown option %.*s; did you mean %.*s?", (int)n, typed, (int)nearest.name_length,
                         nearest.name);
    } else {
        (void)skr_misuse("unknown option %.*s", (int)n, typed);
    }
}

bool skr_take_number(const char *name, const char *text, uint32_t min, uint32_t max, uint32_t *out)
{
    uint64_t number = 0;
    const char *digit = text;

    while (*digit >= '0' && *digit <= '9' && number <= max) {
        number = number * 10 + (uint64_t)(*digit++ - '0');
    }
    if (*text == '\0' || *digit != '\0' || number < min || number > max) {
        skr_say("%s %s: give a number from %u to %u", name, text, (unsigned)min, (unsigned)max);
        return false;
    }
    *out = (uint32_t)number;
    return true;
}

static bool take(const struct skr_opt *row, void *call, const char *name, const char *value)
{
    void *member = (char *)call + row->at;

    switch (row->kind) {
    case SKR_OPT_FLAG: *(bool *)member = true; return true;
    case SKR_OPT_TEXT: *(const char **)member = value; return true;
    case SKR_OPT_NUMBER: return skr_take_number(name, value, row->min, row->max, member);
    case SKR_OPT_TAKE:
    case SKR_OPT_MAYBE: break;
    }
    return row->take(member, name, value);
}

/* Handles the option at argv[*at], whose row is known, and moves *at to the last word it used. */
static bool take_option(const struct skr_opt *row, void *call, int argc, char **argv, int *at)
{
    char *name = argv[*at], *equals = strchr(name, '=');
    const char *value = equals != NULL ? equals + 1 : NULL;

    if (equals != NULL) {
        *equals = '\0';
    }
    if (row->kind == SKR_OPT_FLAG && value != NULL) {
        (void)skr_misuse("%s takes no value", name);
        return false;
    }
    if (row->kind != SKR_OPT_FLAG && row->kind != SKR_OPT_MAYBE && value == NULL) {
        if (*at + 1 >= argc) {
            (void)skr_misuse("%s needs a value, %s", name, row->value);
            return false;
        }
        value = argv[++*at];
    }
    return take(row, call, name, value);
}

int skr_command_read(const struct skr_command *command, void *call, int argc, char **argv)
{
    int count = 0;
    bool options_end = false;

    for (int at = 1; at < argc; at++) {
        char *word = argv[at];
        size_t n = strcspn(word, "=");
        bool option = !options_end && word[0] == '-' && word[1] != '\0';
        const struct skr_opt *row = option ? find_row(command, word, n) : NULL;
        if (option && strcmp(word, "--") == 0) {
            options_end = true;
        } else if (row != NULL) {
            if (!take_option(row, call, argc, argv, &at)) {
                return -1;
            }
        } else if (option && !(command->passes_on && count > 0)) {
            say_unknown(command, word, n);
            return -1;
        } else if (count == command->most) {
            (void)skr_misuse("unexpected argument '%s'", word);
            return -1;
        } else {
            argv[++count] = word;
        }
    }
    if (count < command->least) {
        (void)skr_misuse("%s is missing", command->operands);
        return -1;
    }
    return count;
}
