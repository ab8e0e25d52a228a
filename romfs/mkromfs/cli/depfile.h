/* depfile.h -- what an output was made of, for make and ninja. */
#ifndef MKROMFS_DEPFILE_H
#define MKROMFS_DEPFILE_H

#include <stdbool.h>

#include "base/buf.h"

/* Adds a rule, `output: ...`, that names every file of the folder that is read, and the directories, whose times change when a
 * file comes or goes. False, after a message, when the folder cannot be read. */
bool depfile_write(struct buf *b, const char *output, const char *dir);

#endif
