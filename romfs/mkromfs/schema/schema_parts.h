/* schema_parts.h -- what the files that read a schema share. */
#ifndef MKROMFS_SCHEMA_PARTS_H
#define MKROMFS_SCHEMA_PARTS_H

#include "schema/schema.h"

/* A schema being read. */
struct schema_reader {
    const struct check *check;
    char **headers; /* values of x-mcp-header so far */
    size_t header_count;
    struct schema_names *names;
    unsigned arrays;  /* the depth of what is being read */
    unsigned escaped; /* enclosing names that need escapes in JSON */
};

void schema_wrong(const struct schema_reader *r, const struct node *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* schema_names.c. False, after a message, when the device already has the name. `name` is kept. */
bool schema_take_name(const struct schema_reader *r, const struct node *at, enum schema_name kind, const char *name);

/* The constant of an enum that has this tag: TOOL_RUN_MODE_FAST. */
char *schema_constant(const char *tag, const char *text);

/* schema_values.c: what one value may be, by its type. */
void schema_read_number(struct schema_reader *r, const struct node *schema, bool integer, struct shape *out);
void schema_read_string(struct schema_reader *r, const struct node *schema, const char *tag, struct shape *out);

/* The limits of lengths: from 0, and at most `most`. True when the upper one is given. */
bool schema_read_sizes(struct schema_reader *r, const struct node *schema, const char *least, const char *most,
                       struct shape *out);

/* Checks a default against what is known of its value. */
void schema_read_default(struct schema_reader *r, const struct node *schema, struct shape *out);

#endif
