/* names.c -- see names.h. A balanced tree of libc and not a hash table: names come from strangers, who could choose
 * them so that all of them collide. */
#include "base/names.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

struct row {
    const char *name;
    size_t n;
    void *value;
};

static int name_order(const void *a, const void *b)
{
    const struct row *x = a, *y = b;

    if (x->n != y->n) {
        return x->n < y->n ? -1 : 1;
    }
    return x->n == 0 ? 0 : memcmp(x->name, y->name, x->n);
}

void *names_find(const struct names *names, const char *name, size_t n)
{
    struct row key = {.name = name, .n = n};
    struct row *const *found = tfind(&key, &names->root, name_order);

    return found != NULL ? (*found)->value : NULL;
}

void *names_add(struct names *names, const char *name, size_t n, void *value)
{
    struct row *row = xmalloc(sizeof *row);

    *row = (struct row){name, n, value};
    struct row **kept = tsearch(row, &names->root, name_order);
    if (kept == NULL) {
        out_of_memory(sizeof *row);
    }
    void *now = (*kept)->value;
    if (*kept != row) {
        free(row);
    }
    return now;
}

void names_free(struct names *names)
{
    while (names->root != NULL) {
        struct row *row = *(struct row **)names->root;
        tdelete(row, &names->root, name_order);
        free(row);
    }
}
