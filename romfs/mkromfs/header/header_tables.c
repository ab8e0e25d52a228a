/* header_tables.c -- the tables from which core/run/args.c reads arguments. See header.h. */
#include <string.h>

#include "skr_args.h"
#include "header/header_parts.h"

void header_literal(struct buf *out, const char *text, size_t n)
{
    buf_puts(out, "\"");
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c >= 0x20 && c < 0x7F && c != '"' && c != '\\' && c != '?') {
            buf_add(out, &text[i], 1);
        } else {
            buf_printf(out, "\\%03o", c); /* three digits: no digit behind it is taken for a part of it */
        }
    }
    buf_puts(out, "\"");
}

char *header_number(int64_t value)
{
    return value >= INT32_MIN + 1 && value <= INT32_MAX ? xasprintf("%lld", (long long)value) :
                                                          xasprintf("INT64_C(%lld)", (long long)value);
}

/* ---- What members point to ---- */

/* What belongs to one value. It begins as no handler does: these names are in one scope. */
static char *table(const char *what, const struct shape *owner, const struct shape *value)
{
    return xasprintf("skr_%s_%s", what, schema_place(owner, value));
}

static void write_before(struct buf *out, const struct shape *owner, const struct shape *value)
{
    if (value->kind == SHAPE_ENUM) {
        buf_printf(out, "static const char *const %s[] = {", table("names", owner, value));
        for (size_t i = 0; i < value->count; i++) {
            buf_puts(out, i > 0 ? ", " : "");
            header_literal(out, value->texts[i], strlen(value->texts[i]));
        }
        buf_puts(out, "};\n");
    }
    if (value->values != NULL) {
        buf_printf(out, "static const int64_t %s[] = {", table("values", owner, value));
        for (size_t i = 0; i < value->count; i++) {
            buf_printf(out, "%s%s", i > 0 ? ", " : "", header_number(value->values[i]));
        }
        buf_puts(out, "};\n");
    }
    if (value->bounded) {
        buf_printf(out, "static const int64_t %s[2] = {%s, %s};\n", table("range", owner, value),
                   header_number(value->min), header_number(value->max));
    }
}

/* ---- Rows ---- */

/* What `of` points to, NULL: nothing. */
static char *target(const struct shape *owner, const struct shape *value)
{
    switch (value->kind) {
    case SHAPE_INT: return value->values != NULL ? table("values", owner, value) : NULL;
    case SHAPE_ENUM: return table("names", owner, value);
    case SHAPE_ARRAY: return xasprintf("&skr_element_%s", value->tag);
    case SHAPE_OBJECT: return xasprintf("&skr_shape_%s", value->tag);
    default: return NULL;
    }
}

/* Numbers that need no more get what is smallest. */
static const char *kind(const struct shape *value)
{
    static const char *const kinds[] = {"int", "double", "float", "bool", "string", "enum", "array", "object", "raw"};

    if (value->kind != SHAPE_INT) {
        return kinds[value->kind];
    }
    if (value->decimals > 0) {
        return "decimal";
    }
    return value->bounded && value->min >= -SKR_ARG_INT_MAX && value->max <= SKR_ARG_INT_MAX ? "int" : "wide";
}

static void write_row(struct buf *out, const struct shape *owner, const struct shape *value)
{
    char *of = target(owner, value);
    bool named = value->name != NULL, optional = named && shape_is_optional(value);

    buf_printf(out, "{.kind = &skr_arg_%s", kind(value));
    if (named) {
        buf_puts(out, ", .name = ");
        header_literal(out, value->name, strlen(value->name));
    }
    buf_printf(out, ", .offset = offsetof(struct %s, %s)", owner->tag, named ? value->field : "item");
    if (optional) {
        buf_printf(out, ", .has = offsetof(struct %s, has_%s)", owner->tag, value->field);
    }
    buf_printf(out, ", .flags = %s%s%s%s", value->required && named ? "SKR_ARG_REQUIRED" : optional ? "SKR_ARG_HAS" : "0",
               value->over_min ? " | SKR_ARG_OVER_MIN" : "", value->under_max ? " | SKR_ARG_UNDER_MAX" : "", "");
    if (of != NULL) {
        buf_printf(out, ", .of = %s", of);
    }
    if (value->bounded) {
        buf_printf(out, ", .range = %s", table("range", owner, value));
    }
    if (value->decimals > 0) {
        buf_printf(out, ", .decimals = %u", value->decimals);
    }
    if (value->count > 0 && value->kind != SHAPE_OBJECT) {
        buf_printf(out, ", .count = %zu", value->count);
    }
    if (value->kind == SHAPE_INT || value->kind == SHAPE_ENUM) {
        buf_printf(out, ", .size = sizeof(%s)", header_type(value));
    } else if (value->kind == SHAPE_ARRAY) {
        buf_printf(out, ", .size = sizeof(%s)", header_type(value->members));
    }
    buf_puts(out, "}");
}

/* ---- Defaults ---- */

/* A number of JSON as a double: digits alone would be an int, which may be too small for them. */
static char *floating(const char *text)
{
    return xasprintf("%s%s", text, strpbrk(text, ".eE") != NULL ? "" : ".0");
}

static void write_default(struct buf *out, const struct shape *member)
{
    const struct node *preset = member->preset;

    buf_printf(out, ".%s = ", member->field);
    switch (member->kind) {
    case SHAPE_INT: buf_puts(out, header_number(member->preset_value)); break;
    case SHAPE_STRING:
        buf_puts(out, "{");
        header_literal(out, preset->text, preset->len);
        buf_printf(out, ", %zu}", preset->len);
        break;
    case SHAPE_ENUM: buf_printf(out, "(enum %s)%lld", member->tag, (long long)member->preset_value); break;
    case SHAPE_DOUBLE: buf_puts(out, floating(preset->text)); break;
    case SHAPE_FLOAT: buf_printf(out, "(float)%s", floating(preset->text)); break;
    default: buf_puts(out, preset->text); break;
    }
}

static bool has_defaults(const struct shape *object)
{
    for (size_t i = 0; i < object->count; i++) {
        if (object->members[i].preset != NULL) {
            return true;
        }
    }
    return false;
}

static void write_defaults(struct buf *out, const struct shape *object)
{
    const char *comma = "";

    buf_printf(out, "static const struct %s skr_defaults_%s = {", object->tag, object->tag);
    for (size_t i = 0; i < object->count; i++) {
        if (object->members[i].preset != NULL) {
            buf_puts(out, comma);
            write_default(out, &object->members[i]);
            comma = ", ";
        }
    }
    buf_puts(out, "};\n");
}

/* ---- Objects and arrays ---- */

/* Offsets and sizes in the tables have 16 bits. How large the struct is, only the compiler knows. */
static void write_fits(struct buf *out, const struct shape *shape)
{
    buf_printf(out, "typedef char skr_fits_%s[sizeof(struct %s) <= %d ? 1 : -1]; /* else too large: make it smaller */\n",
               shape->tag, shape->tag, SHAPE_BYTES);
}

static void write_object(struct buf *out, const struct shape *object)
{
    write_fits(out, object);
    for (size_t i = 0; i < object->count; i++) {
        write_before(out, object, &object->members[i]);
    }
    if (object->count > 0) {
        buf_printf(out, "static const struct skr_arg skr_members_%s[] = {\n", object->tag);
        for (size_t i = 0; i < object->count; i++) {
            buf_puts(out, "    ");
            write_row(out, object, &object->members[i]);
            buf_puts(out, ",\n");
        }
        buf_puts(out, "};\n");
    }
    if (has_defaults(object)) {
        write_defaults(out, object);
    }
    buf_printf(out, "static const struct skr_object skr_shape_%s = {.size = sizeof(struct %s), .closed = %s", object->tag,
               object->tag, object->closed ? "true" : "false");
    if (object->count > 0) {
        buf_printf(out, ", .members = skr_members_%s, .count = %zu", object->tag, object->count);
    }
    if (has_defaults(object)) {
        buf_printf(out, ", .defaults = &skr_defaults_%s", object->tag);
    }
    buf_puts(out, "};\n");
}

void header_tables(struct buf *out, const struct shape *shape)
{
    size_t inside = shape->kind == SHAPE_OBJECT ? shape->count : shape->kind == SHAPE_ARRAY ? 1 : 0;

    for (size_t i = 0; i < inside; i++) {
        header_tables(out, &shape->members[i]);
    }
    if (shape->kind == SHAPE_OBJECT) {
        write_object(out, shape);
    } else if (shape->kind == SHAPE_ARRAY) {
        write_fits(out, shape);
        write_before(out, shape, shape->members);
        buf_printf(out, "static const struct skr_arg skr_element_%s =\n    ", shape->tag);
        write_row(out, shape, shape->members);
        buf_puts(out, ";\n");
    }
}
