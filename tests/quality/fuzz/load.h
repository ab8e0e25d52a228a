/* load.h -- a file that the build has left for the fuzzers. */
#ifndef FUZZ_LOAD_H
#define FUZZ_LOAD_H

#include <stddef.h>

/* Its bytes, for good, and their number; ends the program when it cannot be read. */
char *load_file(const char *path, size_t *n);

#endif
