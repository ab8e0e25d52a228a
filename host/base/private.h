/* private.h -- files with a secret in them. */
#ifndef HOST_PRIVATE_H
#define HOST_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Reads the first `size` bytes of a file. Returns their number; -1 after a message. *shared becomes true for a plain file of another
 * user, or that other users can read. */
ssize_t host_private_read(const char *path, char *text, size_t size, bool *shared);

#endif
