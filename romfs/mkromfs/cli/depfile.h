/* depfile.h -- the files that an output was made of, for make, ninja, Meson and CMake. */
#ifndef MKROMFS_DEPFILE_H
#define MKROMFS_DEPFILE_H

#include <stdbool.h>

#include "base/buf.h"
#include "load/omit.h"

/* True if make and ninja both read this name in a depfile as it is. */
bool depfile_can_name(const char *path);

/* Adds the rule `output: ...`, which names each file that `pack` reads in the folder, and each directory that it lists: the
 * time of a directory changes when a file appears or vanishes. Links are not followed, except for those that `pack` follows.
 * `omit` has the outputs, which are not read. A name that cannot be written safely is reported, and then the rule holds in
 * every build. `output` is a name for which depfile_can_name() is true. */
void depfile_write(struct buf *b, const char *output, const char *dir, const struct omit *omit);

#endif
