/* private.h -- files with a secret in them. */
#ifndef SKR_PRIVATE_H
#define SKR_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Reads the first `size` bytes of a file. Returns how many there were; -1 after a message. *shared: it is a plain file that is not
 * ours, or that others can read. */
ssize_t host_private_read(const char *path, char *text, size_t size, bool *shared);

#endif
