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

/* header_rules.c: does any tool have rules? Prototypes of their conditions; the memory; and the tables of one tool, whose
 * budgets begin at `first_budget`. Returns where those of the next begin. */
bool header_has_rules(const struct device *device);
void header_conditions(struct buf *out, const struct device *device);
void header_guard(struct buf *out, const struct device *device);
size_t header_rules(struct buf *out, const struct tool *tool, size_t first_budget);

/* Text as a C string literal with quotes. */
void header_literal(struct buf *out, const char *text, size_t n);

/* "true" or "false". */
const char *header_bool(bool value);

#endif
