/* fix.h -- fixes a SKILL.md where only one thing can be meant: its spelling, a byte-order mark, newlines, spaces around fences,
 * frontmatter in JSON, values that need quotes, capitals and underscores in a name, metadata that is not text.
 *
 * No content is lost: the fixed text is parsed again, and is kept only if every field has the value it had. Only
 * a name may be spelled otherwise, and metadata may become its JSON as text. Each file is replaced as a whole. */
#ifndef MKROMFS_FIX_H
#define MKROMFS_FIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/buf.h"

/* Fixes the text of a SKILL.md in place. Returns what was done, "newlines, quotes", or NULL when there was nothing to do.
 * *left gets a line, "4: metadata 'x' has ...", for each value that needs a fix and cannot get one. */
const char *fix_text(struct buf *text, const char **left);

/* Fixes every SKILL.md below dir, and renames folders below it whose name differs from that of their skill only in capitals
 * and underscores. Prints on `out` what it did; with a NULL `out` it changes nothing. Returns how many skills it fixes. Sets *failed,
 * after a message, when something could not be written. */
size_t fix_folder(const char *dir, FILE *out, bool *failed);

#endif
