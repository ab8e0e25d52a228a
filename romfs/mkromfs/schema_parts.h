/* schema_parts.h -- what the files that read a schema share. */
#ifndef MKROMFS_SCHEMA_PARTS_H
#define MKROMFS_SCHEMA_PARTS_H

#include "schema.h"

/* A schema being read. */
struct schema_reader {
    const struct check *check;
    char **headers; /* values of x-mcp-header so far */
    size_t header_count;
    char **tags; /* names of C types so far */
    size_t tag_count;
    unsigned arrays;  /* around what is being read */
    unsigned escaped; /* names around it that JSON escapes */
};

void schema_wrong(const struct schema_reader *r, const struct node *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* schema_values.c: what one value may be, by its type. */
void schema_read_number(struct schema_reader *r, const struct node *schema, bool integer, struct shape *out);
void schema_read_string(struct schema_reader *r, const struct node *schema, struct shape *out);

/* The limits of lengths: from 0, and at most `most`. True when the upper one is given. */
bool schema_read_sizes(struct schema_reader *r, const struct node *schema, const char *least, const char *most,
                       struct shape *out);

/* Checks a default against what is known of its value. */
void schema_read_default(struct schema_reader *r, const struct node *schema, struct shape *out);

/* True for a number of JSON. */
bool schema_is_number(const struct node *node);

#endif
