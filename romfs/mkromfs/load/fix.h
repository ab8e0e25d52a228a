/* fix.h -- mending a SKILL.md where only one thing can be meant: its spelling, a byte-order mark, line ends, blanks around fences,
 * frontmatter in JSON, values that need quotes, capitals and underscores in a name, metadata that is not text.
 *
 * Nothing that is said is lost: what has been mended is read again, and is kept only if every field has the value it had; only
 * a name may be spelled otherwise, and metadata be its JSON as text. Each file is replaced as a whole. */
#ifndef MKROMFS_FIX_H
#define MKROMFS_FIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/buf.h"

/* Mends the text of a SKILL.md in place. Returns what was done, "line ends, quotes", or NULL when there was nothing to do.
 * *left gets a line, "4: metadata 'x' has ...", for each value that would have to be mended and cannot be. */
const char *fix_text(struct buf *text, const char **left);

/* Mends every SKILL.md below dir, and renames folders below it whose name is that of their skill but for capitals and
 * underscores; says on `out` what it did. With a NULL `out` it changes nothing. Returns how many skills it mends; *failed, after a
 * message, when something could not be written. */
size_t fix_folder(const char *dir, FILE *out, bool *failed);

#endif
