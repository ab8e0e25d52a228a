/* yaml_words.c -- libfyaml's messages speak of tokens and streams; these speak of what the author wrote. See
 * yaml_words.h. */
#include "base/yaml_words.h"

#include <string.h>

#include "base/buf.h"

const char *yaml_line(const char *text, size_t size, unsigned line, size_t *len)
{
    const char *p = text, *end = text + size;

    while (--line && p < end) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        p = newline ? newline + 1 : end;
    }
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    *len = (size_t)((newline ? newline : end) - p);
    return p;
}

/* `key: some text: more` is by far the most common mistake and deserves its own message. Returns the offset of the
 * second ": ", or 0. */
static size_t second_colon(const char *line, size_t len)
{
    size_t found = 0;
    unsigned count = 0;

    for (size_t i = 0; i + 1 < len && count < 2; i++) {
        if (line[i] == ':' && line[i + 1] == ' ') {
            found = i;
            count++;
        }
    }
    return count == 2 ? found : 0;
}

/* libfyaml's messages for the most common mistakes, and more helpful ones. */
static const struct {
    const char *theirs, *ours;
    unsigned back; /* columns by which its position is too far right */
} plain_words[] = {
    {"nested block mapping", "quote this value: it contains ': '", 0},
    {"multiline plain key", "quote this value: a line of it contains ': '", 0},
    {"cannot start with", "quote this value: it begins with a character that YAML reserves", 0},
    {"invalid alias", "quote this value: it begins with '*'", 1},
    {"invalid anchor", "quote this value: it begins with '&'", 1},
    {"without closing quote", "this quote is never closed", 1},
    {"wrongly indented double-quoted", "this quote is never closed", 0},
    {"wrongly indented single-quoted", "this quote is never closed", 0},
    {"trailing content after", "text after the closing quote; escape the quotes inside the value", 0},
};

/* Where the value of `key: value` begins in a line; 0 when there is none. */
static size_t value_in(const char *line, size_t len)
{
    const char *colon = memmem(line, len, ": ", 2);
    size_t at = colon ? (size_t)(colon - line) + 1 : len;

    while (at < len && line[at] == ' ') {
        at++;
    }
    return at < len ? at : 0;
}

/* True for a value that begins with a character which YAML gives a meaning; `unclosed`: a bracket that is never closed. */
static bool begins_oddly(char first, bool unclosed)
{
    return first != '\0' && strchr(unclosed ? "[{" : "[{>|,]}-?", first) != NULL;
}

/* The message for such a value, on the line of the error or, for an unclosed bracket, above it. */
static const char *first_character(const char *text, size_t size, const char *theirs, struct pos *at)
{
    bool unclosed = strstr(theirs, "without a closing") || strstr(theirs, "missing comma");
    const char *line = text, *end = text + size;
    char found = '\0';

    for (unsigned number = 1, last = at->line; number <= last && line < end; number++) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t value = value_in(line, (size_t)((newline ? newline : end) - line));
        if (value > 0 && (unclosed || number == last) && begins_oddly(line[value], unclosed)) {
            found = line[value];
            *at = (struct pos){number, utf8_pos(line, value).col};
        }
        line = newline ? newline + 1 : end;
    }
    const char *hint = found == '>' || found == '|' ? "begin the text on the next line, or "
                       : unclosed                   ? "close the bracket, or "
                                                    : "";
    return found != '\0' ? xasprintf("%squote this value: it begins with '%c'", hint, found) : NULL;
}

const char *yaml_words(const char *text, size_t size, const char *theirs, struct pos *at)
{
    size_t len;
    const char *source = yaml_line(text, size, at->line, &len);

    for (size_t i = 0; i < sizeof plain_words / sizeof plain_words[0]; i++) {
        size_t colon = i == 0 ? second_colon(source, len) : 0;
        if (strstr(theirs, plain_words[i].theirs)) {
            at->col = colon ? utf8_pos(source, colon).col : at->col;
            at->col -= at->col > plain_words[i].back ? plain_words[i].back : 0;
            return plain_words[i].ours;
        }
    }
    return first_character(text, size, theirs, at);
}

/* libfyaml's messages about JSON, which it words as for YAML. */
static const struct {
    const char *theirs, *ours;
} json_words[] = {
    {"single quoted", "use double quotes"},
    {"trailing comma", "remove the last comma"},
    {"missing comma", "a comma or a closing bracket is missing here or before"},
    {"empty root", "the file is empty"},
    {"empty values", "a value, a colon or a closing bracket is missing here or before"},
    {"without a closing bracket", "a closing bracket is missing here or before"},
    {"invalid extra closing", "this bracket closes nothing"},
    {"without closing quote", "this quote is never closed"},
};

const char *yaml_words_json(const char *theirs, const char *rest)
{
    for (size_t i = 0; i < sizeof json_words / sizeof json_words[0]; i++) {
        if (strstr(theirs, json_words[i].theirs)) {
            return json_words[i].ours;
        }
    }
    if (strstr(theirs, "plain scalar") != NULL) {
        return *rest == '/' || *rest == '#' ? "there are no comments"
               : *rest == '-' || (*rest >= '0' && *rest <= '9')
                   ? "not a number; it has no zero before it, and a comma or a closing bracket after it"
                   : "text is in double quotes";
    }
    return theirs;
}

static const char stops[] = " \t\n,[]{}"; /* characters after a name; and the NUL */

/* `!!str`, and `!<...>`: other tags are nobody's. */
static bool is_tag(const char *name, size_t n)
{
    static const char tags[] = " str int float bool null map seq set omap pairs binary timestamp ";

    return n > 1 && (*name == '<' || (*name == '!' && strstr(tags, xasprintf(" %.*s ", (int)n - 1, name + 1)) != NULL));
}

bool yaml_indicator_is_meant(const char *text, size_t size, const char *indicator)
{
    const char *end = text + size, *name = indicator + 1;
    size_t n = 0;

    while (name + n < end && strchr(stops, name[n]) == NULL) {
        n++;
    }
    if (*indicator == '!') {
        return is_tag(name, n);
    }
    const char *other = xasprintf("%c%.*s", *indicator == '&' ? '*' : '&', (int)n, name), *p = text;
    while (n > 0 && (p = memmem(p, (size_t)(end - p), other, n + 1)) != NULL) {
        p += n + 1;
        if (p == end || strchr(stops, *p) != NULL) {
            return true;
        }
    }
    return false;
}
