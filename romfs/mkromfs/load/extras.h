/* extras.h -- what the readers of the metadata keys of section 5 share (SK-M-01..23). */
#ifndef MKROMFS_EXTRAS_H
#define MKROMFS_EXTRAS_H

#include "load/load.h"

/* One key being read. */
struct extra {
    const struct check *check;
    struct found_skill *found;
    const char *rule;         /* "SK-M-02" */
    const struct node *key;   /* as the author wrote it */
    const struct node *value; /* a scalar */
    struct source *file;      /* the file the key names, for those that name one */
};

/* An error at the value, with the key before the message. */
void extra_wrong(const struct extra *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* SK-M-04 and SK-M-19: the value is JSON text. */
void extra_arguments(const struct extra *e);
void extra_icons(const struct extra *e);

/* SK-M-01, SK-M-23: uses bare keys where a skill has no dev.skillrom/ key; SK-F-05. */
void extras_fallbacks(const struct check *c, struct found_skill *found);
void extras_metadata(struct found_skill *found);

/* A JSON array of strings that grows: adds one. */
void extras_add_string(struct buf *array, const char *text, size_t n);

#endif
