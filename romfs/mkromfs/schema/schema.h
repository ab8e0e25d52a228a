/* schema.h -- a tool's inputSchema, in the form from which a handler's struct is generated.
 *
 * Only what the device can check is accepted: a keyword that is not known here is an error. What an author wants to
 * check by hand is marked "x-skillrom": "raw". */
#ifndef MKROMFS_SCHEMA_H
#define MKROMFS_SCHEMA_H

#include <stdint.h>

#include "base/check.h"
#include "base/names.h"
#include "base/yaml.h"

/* What core/skr_args.h has room for: the arguments, and objects and arrays inside each other;
 * members of an object. */
#define SHAPE_DEPTH 5
#define SHAPE_MEMBERS 32
#define SHAPE_BYTES 65535 /* of a struct: the tables count in 16 bits */

enum shape_kind {
    SHAPE_INT, /* also a number that is a multiple of 10^-decimals */
    SHAPE_DOUBLE,
    SHAPE_FLOAT,
    SHAPE_BOOL,
    SHAPE_STRING,
    SHAPE_ENUM,
    SHAPE_ARRAY,
    SHAPE_OBJECT,
    SHAPE_RAW,
};

struct shape {
    enum shape_kind kind;
    char *name;  /* of the member; NULL: the arguments, or an element */
    char *field; /* the same as a C identifier */
    char *tag;   /* OBJECT, ARRAY, ENUM, and RAW arguments: name of its C type */
    bool required;
    bool bounded;             /* min and max count */
    int64_t min, max;         /* INT, DOUBLE, FLOAT: times 10^decimals; STRING: characters; ARRAY: elements */
    bool over_min, under_max; /* DOUBLE, FLOAT: the limits themselves are not allowed */
    unsigned decimals;
    int64_t *values; /* INT: the only ones allowed, count of them; NULL: all */
    char **texts;    /* ENUM: the strings, count of them */
    char **constants;
    size_t count;
    struct shape *members;     /* OBJECT: count of them; ARRAY: one, the element */
    bool closed;               /* OBJECT: no other members */
    uint64_t bytes;            /* OBJECT, ARRAY: its struct has at least these */
    const struct node *preset; /* its default, or NULL */
    int64_t preset_value;      /* INT: the default; ENUM: its index */
};

/* The names in C of all tools of a device, which share one header. Starts as all zeros. */
enum schema_name { NAME_HANDLER, NAME_TYPE, NAME_CONSTANT, NAME_TABLE, NAME_KINDS };

struct schema_names {
    struct names taken[NAME_KINDS]; /* names of different kinds do not clash in C */
};

/* Reads the schema, which is an object of type "object". `prefix` is the handler's name, with which the names of C
 * types begin: "tool_run_dose". Errors are reported; the result is usable if there were none. */
struct shape *schema_read(const struct check *c, const struct node *schema, const char *prefix,
                          struct schema_names *names);

/* A C identifier made from a text: other characters become '_', and reserved words get one appended. */
char *schema_identifier(const char *text);

/* A value's position in its struct, as part of names: "tool_run_dose_args_line". */
char *schema_place(const struct shape *owner, const struct shape *value);

/* True when a struct of this shape has the member bool has_<field>. */
bool shape_is_optional(const struct shape *member);

/* True for a number of JSON. */
bool schema_is_number(const struct node *node);

#endif
