/* needs.c -- the configuration of the firmware under test, and what is left out because of it. */
#include "needs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MACROS 96
#define REASONS 64

static struct {
    char name[40];
    long value;
} macros[MACROS];
static size_t macro_count;

static struct {
    char why[64];
    unsigned long count;
} reasons[REASONS];
static size_t reason_count;

void needs_read(const char *path)
{
    FILE *f = fopen(path, "r");

    if (f == NULL) {
        perror(path);
        exit(2);
    }
    while (macro_count < MACROS && fscanf(f, "%39s %ld", macros[macro_count].name, &macros[macro_count].value) == 2) {
        macro_count++;
    }
    fclose(f);
    if (macro_count == 0 || macro_count == MACROS) {
        fprintf(stderr, "%s: no macros in it, or more than %d\n", path, MACROS);
        exit(2);
    }
}

/* One word: NAME or NAME>=NUMBER. A name that is not there is a misspelling. */
static bool is_met(const char *word, size_t n)
{
    const char *least = memmem(word, n, ">=", 2);
    size_t name = least != NULL ? (size_t)(least - word) : n;
    long wanted = least != NULL ? strtol(least + 2, NULL, 10) : 1;

    for (size_t i = 0; i < macro_count; i++) {
        if (strlen(macros[i].name) == name && memcmp(macros[i].name, word, name) == 0) {
            return macros[i].value >= wanted;
        }
    }
    fprintf(stderr, "wire-runner: skr_config.h has no %.*s\n", (int)name, word);
    exit(2);
}

bool needs_met(const char *needs, struct bytes *unmet)
{
    if (macro_count == 0) {
        return true;
    }
    for (const char *word = needs + strspn(needs, " "); *word != '\0'; word += strspn(word, " ")) {
        size_t n = strcspn(word, " ");
        if (!is_met(word, n)) {
            bytes_clear(unmet);
            bytes_add(unmet, word, n);
            return false;
        }
        word += n;
    }
    return true;
}

static void skip(const char *unmet)
{
    size_t i = 0;

    while (i < reason_count && strcmp(reasons[i].why, unmet) != 0) {
        i++;
    }
    if (i < REASONS) {
        snprintf(reasons[i].why, sizeof reasons[i].why, "%s", unmet);
        reasons[i].count++;
        reason_count += i == reason_count;
    }
}

/* On a serial line, what does not begin like a message is a log line: there is no response that could be compared. */
static bool is_log(const struct lines *sent)
{
    for (size_t i = 0; i < sent->count; i++) {
        const char *line = sent->at[i].text.p, *end = line + sent->at[i].text.n;
        while (line < end) {
            const char *next = memchr(line, '\n', (size_t)(end - line));
            if (memchr("{[\r\n", *line, 4) == NULL) {
                return true;
            }
            line = next != NULL ? next + 1 : end;
        }
    }
    return false;
}

/* A firmware cannot be told the size of a page or that its image may change, and may have been built without
 * something. */
bool needs_allow(const struct scene *scene, const struct exchange *e, enum wire wire)
{
    struct bytes unmet = {0};
    bool met = (e->wires & (unsigned)wire) != 0;

    if (met && macro_count > 0) {
        bool log = wire == WIRE_UART && is_log(&e->sent);
        bool reported = wire == WIRE_CORE;
        bytes_text(&unmet, reported             ? ""
                           : scene->page != 0   ? "@page"
                           : scene->reload      ? "@reload"
                           : scene->tokens      ? "@tokens"
                           : scene->sessionless ? "@sessionless"
                           : scene->restarts    ? "@restart"
                           : log                ? "a line for it alone"
                                                : "");
        met = unmet.n == 0 && needs_met(e->needs, &unmet);
        if (!met) {
            skip(unmet.p);
        }
    }
    bytes_free(&unmet);
    return met;
}

void needs_report(void)
{
    unsigned long all = 0;

    for (size_t i = 0; i < reason_count; i++) {
        all += reasons[i].count;
    }
    if (all > 0) {
        printf("%lu exchanges do not apply:\n", all);
    }
    for (size_t i = 0; i < reason_count; i++) {
        printf("  %6lu need %s\n", reasons[i].count, reasons[i].why);
    }
}
