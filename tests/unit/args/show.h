/* show.h -- what a handler was given, as JSON that a test can compare (show.c). */
#ifndef ARGS_SHOW_H
#define ARGS_SHOW_H

#include "skr_args.h"

/* Puts all values of the struct. Members are pairs of their number in the table and their
 * value; strings and raw text are {"s": hex} and {"r": hex}, an enum is its number, a number
 * in steps is a count of these. Returns 0. */
int show(struct skr_call *call, const struct skr_object *shape, const void *args);

#endif
