/* args.h -- what the kinds of arguments share: the walk that reads them (args.c). */
#ifndef SKR_ARGS_INTERNAL_H
#define SKR_ARGS_INTERNAL_H

#include "handler/handler.h"
#include "skr_args.h"

/* An object or array that is being read. */
struct skr_args_level {
    bool (*next)(struct skr_args *args); /* reads one more value of it, or leaves it */
    const void *of;                      /* struct skr_object; of an array: struct skr_arg, its element */
    char *to;                            /* its struct; of an array: where the next element goes */
    uint32_t seen;                       /* object: a bit for each member; array: elements begun */
    int16_t token;
    int16_t key;   /* object: of the member being read */
    int16_t child; /* the next key or element; -1: none */
    uint16_t size; /* array: bytes per element; 0: an object */
};

struct skr_args {
    struct skr_call *call;
    const struct skr_json *json;
    const char *missing; /* name of a missing member: the last part of the path in a refusal */
    unsigned depth;      /* levels in use; the last is the one being read */
    struct skr_args_level levels[SKR_ARGS_DEPTH];
};

/* Begins a refusal with the path of what is wrong: "steps[2].ml". Returns false, as all refusals do. */
bool skri_args_refuse(struct skr_args *args, const char *rule);

/* "must be a string" */
bool skri_args_refuse_type(struct skr_args *args, const struct skr_arg *arg);

/* True when the value is in the range of the argument. A refusal names the unit, if there is one. */
bool skri_args_in_range(struct skr_args *args, const struct skr_arg *arg, int64_t value, const char *unit);

/* Reads a value of the argument's kind. */
bool skri_args_value(struct skr_args *args, const struct skr_arg *arg, int token, char *to);

/* Enters an object or array: from now on its values are read. */
struct skr_args_level *skri_args_enter(struct skr_args *args, int token, const void *of, char *to);
bool skri_args_enter_object(struct skr_args *args, int token, const struct skr_object *object, char *to);

#endif
