/* skr_args.h -- the tables in the headers that `skillrom pack --header` writes.
 *
 * A tool's arguments are described by tables: an object has members, a member says where in the
 * handler's struct its value goes and what the schema allows. skr_args_read (args.c) fills the struct
 * or refuses the call. The tables are generated, but can also be written by hand. */
#ifndef SKR_ARGS_H
#define SKR_ARGS_H

#include "skillrom.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SKR_ARGS_DEPTH 5    /* the arguments, and objects and arrays inside each other */
#define SKR_ARGS_MEMBERS 32 /* of one object: there is a bit for each that has been seen */

struct skr_arg;
struct skr_args; /* arguments that are being read */

/* A kind of value. Tables point to the kinds they use, so the firmware contains the code of no others. */
struct skr_arg_kind {
    const char *what; /* for messages: "a string" */
    char first;       /* what its JSON begins with; all numbers begin with '0', both booleans with 't'; 0: any */
    bool (*read)(struct skr_args *args, const struct skr_arg *arg, int token, char *to);
};

#define SKR_ARG_INT_MAX 2000000000 /* limit of skr_arg_int, both ways; wider limits need a skr_arg_wide */

extern const struct skr_arg_kind skr_arg_int, /* int32_t. It has a range */
    skr_arg_wide,                             /* int32_t or int64_t, by its size; may be one of several */
    skr_arg_decimal,                          /* the same: a number of 10^-decimals */
    skr_arg_double,                           /* double */
    skr_arg_float,                            /* float */
    skr_arg_bool,                             /* bool */
    skr_arg_string,                           /* struct skr_span, decoded */
    skr_arg_enum,                             /* an enum: the index of one of several strings */
    skr_arg_array,                            /* a struct that begins with size_t count */
    skr_arg_object,                           /* a struct */
    skr_arg_raw;                              /* struct skr_span: JSON text as sent, not checked */

enum skr_arg_flag {
    SKR_ARG_REQUIRED = 1,
    SKR_ARG_HAS = 2,      /* the bool at `has` says whether it was given */
    SKR_ARG_OVER_MIN = 4, /* double, float: the limits themselves are excluded */
    SKR_ARG_UNDER_MAX = 8,
};

/* A member, or the element of an array. */
struct skr_arg {
    const struct skr_arg_kind *kind;
    const char *name;
    const void *of;       /* array: its element. object: struct skr_object. enum: const char *const[].
                           * wide, decimal: the only values allowed, const int64_t[], if count is set */
    const int64_t *range; /* least and most: of a number times 10^decimals, of characters, of
                           * elements; NULL: any */
    uint16_t offset;      /* in the struct of the object; of an element: in that of the array */
    uint16_t has;
    uint16_t size;  /* wide, decimal, enum: of the value. array: of an element */
    uint16_t count; /* of values in `of` */
    uint8_t flags;  /* enum skr_arg_flag */
    uint8_t decimals;
};

struct skr_object {
    const struct skr_arg *members;
    const void *defaults; /* initial content of the struct; NULL: zeros */
    uint16_t count;
    uint16_t size; /* of the struct */
    bool closed;   /* other members are refused, not ignored */
};

/* Checks the arguments of the call and fills the struct. False when the call is refused, which is then the response:
 * the handler must not run, and the tool returns 0. Strings are decoded in place; they and raw text stay valid until
 * the handler returns. */
bool skr_args_read(struct skr_call *call, const struct skr_object *shape, void *to);

/* All arguments as sent, for a tool whose schema is marked raw. */
struct skr_span skr_args_json(struct skr_call *call);

/* False when the handler has been called before and returned SKR_PENDING: then the
 * arguments are gone. */
bool skr_args_are_there(const struct skr_call *call);

#ifdef __cplusplus
}
#endif

#endif
