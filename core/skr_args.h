/* skr_args.h -- what the headers that `skillrom pack --header` writes are made of.
 *
 * A tool's arguments are described by tables: an object has members, a member says where
 * in the handler's struct its value goes and what the schema allows. skr_args_read (args.c)
 * fills the struct or refuses the call. Nothing here is meant to be written by hand, but
 * it can be. */
#ifndef SKR_ARGS_H
#define SKR_ARGS_H

#include "skillrom.h"

#define SKR_ARGS_DEPTH 5     /* the arguments, and objects and arrays inside each other */
#define SKR_ARGS_MEMBERS 32  /* of one object: a bit for each tells which have been seen */

enum skr_arg_kind {
    SKR_ARG_INT,    /* int32_t or int64_t, by its size: a whole number of 10^-decimals */
    SKR_ARG_REAL,   /* what its struct skr_real makes of a number */
    SKR_ARG_BOOL,   /* bool */
    SKR_ARG_STRING, /* struct skr_span, decoded */
    SKR_ARG_ENUM,   /* an enum: the index of one of several strings */
    SKR_ARG_ARRAY,  /* a struct that begins with size_t count */
    SKR_ARG_OBJECT, /* a struct */
    SKR_ARG_RAW,    /* struct skr_span: JSON text as it was sent, not looked at */
};

enum skr_arg_flag {
    SKR_ARG_REQUIRED = 1,
    SKR_ARG_HAS = 2,      /* the bool at `has` tells whether it was given */
    SKR_ARG_OVER_MIN = 4, /* a number may not be the least or the most itself */
    SKR_ARG_UNDER_MAX = 8,
};

/* A member, or the element of an array. */
struct skr_arg {
    const char *name;
    const void *of;       /* ARRAY: its element. OBJECT: struct skr_object. ENUM: const char *const[].
                           * INT: the only values allowed, const int64_t[], if count is set.
                           * REAL: struct skr_real */
    const int64_t *range; /* least and most: of a number times 10^decimals, of characters, of
                           * elements; NULL: any */
    uint16_t offset;      /* in the struct of the object; of an element: in that of the array */
    uint16_t has;
    uint16_t size;        /* INT, ENUM: of the value. ARRAY: of an element */
    uint16_t count;       /* ENUM, INT: values in `of` */
    uint8_t kind;         /* enum skr_arg_kind */
    uint8_t flags;        /* enum skr_arg_flag */
    uint8_t decimals;
};

struct skr_object {
    const struct skr_arg *members;
    const void *defaults; /* what the struct is before members are read; NULL: zeros */
    uint16_t count;
    uint16_t size;        /* of the struct */
    bool closed;          /* other members are refused, not ignored */
};

/* How a number that is not counted in steps is stored: a function of its own, so that
 * firmware without such numbers has no floating point. False: it is too large. */
struct skr_real {
    bool (*store)(struct skr_span number, void *to);
};
bool skr_arg_double(struct skr_span number, void *to);
bool skr_arg_float(struct skr_span number, void *to);

/* Checks the arguments of the call and fills the struct. False when the refusal has been
 * put: then the handler is not to be run, and the tool returns 0. Strings are decoded in
 * place; they and raw text stay until the handler returns. */
bool skr_args_read(struct skr_call *call, const struct skr_object *shape, void *to);

/* All arguments as they were sent, for a tool whose schema is marked raw. */
struct skr_span skr_args_json(struct skr_call *call);

/* False when the handler has been called before and returned SKR_PENDING: then the
 * arguments are gone. */
bool skr_args_are_there(const struct skr_call *call);

#endif
