/* names.h -- finds things by their names, in logarithmic time whatever the names are. */
#ifndef MKROMFS_NAMES_H
#define MKROMFS_NAMES_H

#include <stddef.h>

/* Starts as all zeros. Names are not copied: they must outlive the table. */
struct names {
    void *root;
};

/* Adds a value, which is not NULL, unless the name is there already. Returns the value that the name has now. */
void *names_add(struct names *names, const char *name, size_t n, void *value);

/* The value of a name; NULL if the name is missing. */
void *names_find(const struct names *names, const char *name, size_t n);

/* Frees the table, not its names and values. */
void names_free(struct names *names);

#endif
