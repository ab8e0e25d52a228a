/* nearest.c -- see nearest.h. The distance is that of Damerau and Levenshtein, over three rows of its table. */
#include "nearest.h"

#include <string.h>

#define LONGEST 32 /* longer names are not typing errors */

static size_t least_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][LONGEST + 1] = {{0}};

    for (size_t k = 0; k <= b_length; k++) {
        rows[0][k] = k;
    }
    for (size_t i = 1; i <= a_length; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t k = 1; k <= b_length; k++) {
            row[k] = least_size(above[k - 1] + (a[i - 1] != b[k - 1]), least_size(above[k], row[k - 1]) + 1);
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1]) {
                row[k] = least_size(row[k], two_above[k - 2] + 1);
            }
        }
    }
    return rows[a_length % 3][b_length];
}

void host_nearest_try(struct host_nearest *nearest, const char *name, size_t n)
{
    if (nearest->n > LONGEST || n > LONGEST) {
        return;
    }
    bool begins = nearest->n >= 3 && nearest->n < n && memcmp(nearest->typed, name, nearest->n) == 0;
    size_t far = begins ? 1 : edit_distance(nearest->typed, nearest->n, name, n);
    if (far * 3 <= n && (nearest->name == NULL || far < nearest->distance)) {
        nearest->name = name;
        nearest->name_length = n;
        nearest->distance = far;
    }
}
