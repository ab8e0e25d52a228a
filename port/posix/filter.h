/* filter.h -- the system calls that a script may make (filter.c). */
#ifndef SKR_FILTER_H
#define SKR_FILTER_H

#include <stddef.h>

/* The filter as bwrap's --seccomp reads it. NULL where none has been written for this processor. */
const void *posix_filter(size_t *size);

#endif
