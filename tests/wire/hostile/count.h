/* count.h -- counts what passed and what failed, and says so on the last line. */
#ifndef COUNT_H
#define COUNT_H

#include <stdbool.h>
#include <stddef.h>

/* One thing that was to be shown: printed, and counted. */
void count(bool passed, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints the start of an input or output of a failure. */
void count_show(const char *title, const void *bytes, size_t n);

/* Prints "N passed, N failed"; what main returns. */
int count_end(void);

/* Numbers that look random and are the same in every run. */
struct dice {
    unsigned long long state;
};
unsigned roll(struct dice *d, unsigned below); /* 0 .. below - 1 */

#endif
