/* header_types.c -- structs and enums for a tool's arguments. See header.h.
 *
 * A type is written before the one that holds it. Each member says in a comment what the schema
 * promises about it, so that handlers need not check it again. */
#include "header/header_parts.h"
#include "schema/decimal.h"

char *header_type(const struct shape *shape)
{
    switch (shape->kind) {
    case SHAPE_INT: return shape->min >= INT32_MIN && shape->max <= INT32_MAX ? "int32_t" : "int64_t";
    case SHAPE_DOUBLE: return "double";
    case SHAPE_FLOAT: return "float";
    case SHAPE_BOOL: return "bool";
    case SHAPE_ENUM: return xasprintf("enum %s", shape->tag);
    case SHAPE_ARRAY:
    case SHAPE_OBJECT: return xasprintf("struct %s", shape->tag);
    default: return "struct skr_span";
    }
}

/* A limit, with the decimal point where the author put it. */
static char *decimal_text(int64_t value, unsigned decimals)
{
    unsigned long long digits = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value, unit = 1;

    for (unsigned i = 0; i < decimals; i++) {
        unit *= 10;
    }
    char *whole = xasprintf("%s%llu", value < 0 ? "-" : "", digits / unit);
    return decimals == 0 ? whole : xasprintf("%s.%0*llu", whole, (int)decimals, digits % unit);
}

/* "1 to 4", "more than 0, at most 100.5"; "" when there is no limit. */
static char *limits_text(const struct shape *shape)
{
    bool low = shape->bounded && shape->min > -DECIMAL_MOST, high = shape->bounded && shape->max < DECIMAL_MOST;
    char *least = decimal_text(shape->min, shape->decimals), *most = decimal_text(shape->max, shape->decimals);

    if (low && high && !shape->over_min && !shape->under_max) {
        return xasprintf("%s to %s", least, most);
    }
    least = low ? xasprintf("%s %s", shape->over_min ? "more than" : "at least", least) : "";
    most = high ? xasprintf("%s %s", shape->under_max ? "less than" : "at most", most) : "";
    return xasprintf("%s%s%s", least, low && high ? ", " : "", most);
}

/* What the schema says of a value and its default; "" for nothing. */
static char *promise_text(const struct shape *shape)
{
    const char *facts = "";

    switch (shape->kind) {
    case SHAPE_INT:
        facts = shape->values != NULL ? "one of a few" : limits_text(shape);
        if (shape->decimals > 0) {
            facts = xasprintf("steps of %s%s%s", decimal_text(1, shape->decimals), *facts != '\0' ? ": " : "", facts);
        }
        break;
    case SHAPE_DOUBLE:
    case SHAPE_FLOAT: facts = limits_text(shape); break;
    case SHAPE_STRING: facts = shape->bounded ? xasprintf("%s characters", limits_text(shape)) : ""; break;
    case SHAPE_RAW: facts = "JSON text, not checked"; break;
    default: break;
    }
    return xasprintf("%s%s", facts, shape->preset == NULL ? "" : *facts != '\0' ? "; has a default" : "has a default");
}

static void write_member(struct buf *out, const struct shape *shape, const char *name)
{
    const char *about = promise_text(shape);

    buf_printf(out, "    %s %s;", header_type(shape), name);
    buf_printf(out, *about != '\0' ? " /* %s */\n" : "\n", about);
}

static void write_enum(struct buf *out, const struct shape *shape)
{
    buf_printf(out, "enum %s {\n", shape->tag);
    for (size_t i = 0; i < shape->count; i++) {
        buf_printf(out, "    %s,\n", shape->constants[i]);
    }
    buf_puts(out, "};\n\n");
}

static void write_object(struct buf *out, const struct shape *shape)
{
    buf_printf(out, "struct %s {\n", shape->tag);
    if (shape->count == 0) {
        buf_puts(out, "    char none; /* a struct must have a member */\n");
    }
    for (size_t i = 0; i < shape->count; i++) {
        const struct shape *member = &shape->members[i];
        if (shape_is_optional(member)) {
            buf_printf(out, "    bool has_%s;\n", member->field);
        }
        write_member(out, member, member->field);
    }
    buf_puts(out, "};\n\n");
}

static void write_array(struct buf *out, const struct shape *shape)
{
    buf_printf(out, "struct %s {\n    size_t count; /* %lld to %lld */\n", shape->tag, (long long)shape->min,
               (long long)shape->max);
    write_member(out, shape->members, xasprintf("item[%lld]", (long long)shape->max));
    buf_puts(out, "};\n\n");
}

void header_types(struct buf *out, const struct shape *shape)
{
    size_t inside = shape->kind == SHAPE_OBJECT ? shape->count : shape->kind == SHAPE_ARRAY ? 1 : 0;

    for (size_t i = 0; i < inside; i++) {
        header_types(out, &shape->members[i]);
    }
    switch (shape->kind) {
    case SHAPE_ENUM: write_enum(out, shape); break;
    case SHAPE_OBJECT: write_object(out, shape); break;
    case SHAPE_ARRAY: write_array(out, shape); break;
    default: break;
    }
}
