/* argv.c -- the command line of a script: its argument `argv`, an array of strings and numbers.
 *
 * Most scripts of skills were written to be called by hand, as their manual shows, and do not read JSON. Each item of
 * the array is one word; no shell interprets it. */
#include "argv.h"

#include <string.h>

#include "posix_config.h"
#include "skr_text.h"

#define STRING_(x) #x
#define STRING(x) STRING_(x)

static struct skr_token tokens[SKR_TOKENS];

/* The array, or -1. */
static int find(struct skr_json *json, struct skr_span arguments)
{
    /* The request that it is part of has been parsed, so this cannot fail. */
    (void)skr_json_parse(json, (char *)arguments.p, arguments.n, tokens, SKR_TOKENS);
    int list = skr_json_get(json, 0, "argv");
    return list >= 0 && skr_json_is_array(json, list) ? list : -1;
}

/* True if a string that has not been decoded contains a NUL, which would end the word early. */
static bool has_nul(struct skr_span s)
{
    for (size_t i = 0; i + 1 < s.n; i++) {
        if (s.p[i] == '\\') {
            i++;
            if (s.n - i >= 5 && memcmp(s.p + i, "u0000", 5) == 0) {
                return true;
            }
        }
    }
    return false;
}

static bool is_number(struct skr_span s)
{
    return s.n > 0 && (*s.p == '-' || (*s.p >= '0' && *s.p <= '9'));
}

const char *posix_argv_wrong(struct skr_span arguments)
{
    struct skr_json json;
    int list = find(&json, arguments);
    unsigned count = 0;

    if (list < 0) {
        return NULL;
    }
    for (int i = skr_json_first(&json, list); i >= 0; i = skr_json_after(&json, list, i)) {
        bool is_text = skr_json_is_string(&json, i);
        if (!is_text && !is_number(skr_json_raw(&json, i))) {
            return "is the command line: an array of strings and numbers";
        }
        if (is_text && has_nul(skr_json_inside(&json, i))) {
            return "is the command line, and a word cannot contain a NUL character";
        }
        if (++count > POSIX_EXEC_WORDS) {
            return "has more than " STRING(POSIX_EXEC_WORDS) " words";
        }
    }
    return NULL;
}

size_t posix_argv_words(struct skr_span arguments, const char **words)
{
    struct skr_json json;
    int list = find(&json, arguments);
    size_t count = 0;

    for (int i = list >= 0 ? skr_json_first(&json, list) : -1; i >= 0 && count < POSIX_EXEC_WORDS;) {
        struct skr_span word = skr_json_raw(&json, i);
        (void)skr_json_string(&json, i, &word);
        i = skr_json_after(&json, list, i);
        ((char *)word.p)[word.n] = '\0'; /* where its closing quote, or the comma after a number, was */
        words[count++] = word.p;
    }
    return count;
}
