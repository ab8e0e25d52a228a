/* nearest.h -- the most similar name to a mistyped one. */
#ifndef HOST_NEAREST_H
#define HOST_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

/* The best so far. Starts with the name that was typed, n bytes; the rest is zero. */
struct host_nearest {
    const char *typed;
    size_t n;
    const char *name; /* NULL if none is near */
    size_t name_length;
    size_t distance;
};

/* Compares this name, n bytes. A name is near if it begins with the typed text, or if at most a third of its characters
 * are wrong, missing, added or swapped. Of equally near names the first counts. */
void host_nearest_try(struct host_nearest *nearest, const char *name, size_t n);

#endif
