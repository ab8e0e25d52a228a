/* nearest.h -- what somebody probably meant who mistyped a name. */
#ifndef SKR_NEAREST_H
#define SKR_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

/* The best so far. Starts with the name that was typed, n bytes; the rest is zero. */
struct host_nearest {
    const char *typed;
    size_t n;
    const char *name; /* NULL: none is near */
    size_t name_length;
    size_t distance;
};

/* Looks whether this name, n bytes, is nearer. A name is near when a third of its characters at most are wrong, missing, too
 * many, or exchanged with their neighbours, or when it begins with what was typed. Of equally near names the first counts. */
void host_nearest_try(struct host_nearest *nearest, const char *name, size_t n);

#endif
