/* c_output.h -- an image as C source, for firmware that links it. */
#ifndef MKROMFS_C_OUTPUT_H
#define MKROMFS_C_OUTPUT_H

#include "base/buf.h"
#include "romfs.h"

/* True when `symbol` can be the name of a C array. */
bool c_output_is_symbol(const char *symbol);

/* The C file: `const uint32_t symbol[]` and `const size_t symbol_size`, so that
 * the image is aligned wherever the linker puts it. It includes `header`. */
void c_output_source(struct buf *out, const struct romfs *fs, const char *symbol, const char *header);

/* The header that declares both. */
void c_output_header(struct buf *out, const struct romfs *fs, const char *symbol);

#endif
