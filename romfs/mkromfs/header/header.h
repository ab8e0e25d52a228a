/* header.h -- the C header that gives firmware its tools' arguments as structs, and the table of its resources. */
#ifndef MKROMFS_HEADER_H
#define MKROMFS_HEADER_H

#include "base/buf.h"
#include "image/model.h"

/* Structs, prototypes and tables for all tools and resources. The same files give the same text. */
void header_write(struct buf *out, const struct device *device);

#endif
