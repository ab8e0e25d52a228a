/* sandbox.h -- a throw-away folder to load, and what loading it said. */
#ifndef TESTS_LINT_SANDBOX_H
#define TESTS_LINT_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

#include "image/model.h"

#define SANDBOX_MESSAGES_MAX 4000

/* A message, taken apart again. */
struct message {
    char *path; /* below the sandbox */
    unsigned line, col;
    bool error;
    char *text;
    char *rule; /* NULL for none */
};

struct outcome {
    bool well; /* what load_device() returned */
    struct device device;
    struct message *messages;
    size_t count;
    unsigned odd; /* lines that do not look like a message */
};

void sandbox_open(void);
void sandbox_close(void);

/* Paths are relative to the sandbox; missing directories are made. */
void sandbox_dir(const char *path);
void sandbox_file(const char *path, const void *bytes, size_t n);
void sandbox_text(const char *path, const char *text);
void sandbox_append(const char *path, const void *bytes, size_t n);
char *sandbox_path(const char *path);

/* Loads the sandbox, or `below` inside it when that is not NULL. */
struct outcome sandbox_load(const char *below, const struct load_options *options);

/* Loads the sandbox without an option. */
struct outcome sandbox_load_plain(void);

/* A message with this rule (NULL: any) at this place, NULL if there is none. */
const struct message *outcome_find(const struct outcome *o, bool error, const char *rule, const char *path,
                                   unsigned line, unsigned col);

/* How many messages name the rule. */
size_t outcome_count(const struct outcome *o, const char *rule);

/* All messages as one text, for a failing test to show. */
char *outcome_text(const struct outcome *o);

#endif
