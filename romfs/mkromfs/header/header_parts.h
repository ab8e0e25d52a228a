/* header_parts.h -- what the files that write a tools header share. */
#ifndef MKROMFS_HEADER_PARTS_H
#define MKROMFS_HEADER_PARTS_H

#include "base/buf.h"
#include "image/model.h"
#include "schema/schema.h"

/* header_types.c: the struct of the arguments and what it is made of. */
void header_types(struct buf *out, const struct shape *args);

/* The C type of a value, without the name of a member: "int32_t". */
char *header_type(const struct shape *shape);

/* header_tables.c: the tables that describe it; the last is `static const struct skr_object
 * skr_shape_<tag>`. */
void header_tables(struct buf *out, const struct shape *args);

/* header_needs.c: stops the compilation where the profile lacks what the device needs. */
void header_needs(struct buf *out, const struct device *device);

/* header_resources.c: prototypes of the handlers of resources, and their table. */
void header_resources(struct buf *out, const struct device *device);
void header_resource_table(struct buf *out, const struct device *device);

/* Text as a C string literal with quotes. */
void header_literal(struct buf *out, const char *text, size_t n);

/* A number as a C constant of type int64_t or int. */
char *header_number(int64_t value);

/* "true" or "false". */
const char *header_bool(bool value);

#endif
