/* uri_path.h -- paths as they are written in URIs (SK-W-08, SK-V-09).
 *
 * Canonical form: `A-Z a-z 0-9 - . _ ~` and the '/' between segments as they
 * are, every other byte as %XX with upper-case hex. One path has one spelling,
 * so a reader compares bytes. */
#ifndef MKROMFS_URI_PATH_H
#define MKROMFS_URI_PATH_H

#include <stddef.h>

/* The canonical form of a path as on disk: "my notes/a.md" gives "my%20notes/a.md". */
char *uri_path_encode(const char *path);

/* The reverse. A '%' not followed by two hex digits stays as it is. */
char *uri_path_decode(const char *path, size_t n);

#endif
