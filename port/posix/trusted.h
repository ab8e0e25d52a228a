/* trusted.h -- reads files with tokens and keys that are trusted. */
#ifndef SKR_TRUSTED_H
#define SKR_TRUSTED_H

#include <stdbool.h>
#include <stddef.h>

/* Reads a text file of less than `size` bytes, and puts a NUL after it. False, after a message, when it cannot be read, is
 * no text, or when others than its owner may write to it, who could add `what`. */
bool posix_trusted_read(const char *path, const char *what, char *text, size_t size);

#endif
