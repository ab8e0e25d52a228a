/* header_tables.c -- the tables from which core/handler/args.c reads arguments. See header.h. */
#include <string.h>

#include "header/header_parts.h"
#include "skr_args.h"

void header_literal(struct buf *out, const char *text, size_t n)
{
    buf_puts(out, "\"");
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c >= 0x20 && c < 0x7F && c != '"' && c != '\\' && c != '?') {
            buf_add(out, &text[i], 1);
        } else if (c == '"' || c == '\\') {
            buf_printf(out, "\\%c", c);
        } else {
            buf_printf(out, "\\%03o", c); /* three digits, so that a digit after it is not taken for part of it */
        }
    }
    buf_puts(out, "\"");
}

/* A number as a C constant of type int64_t or int. */
static char *header_number(int64_t value)
{
    return value >= INT32_MIN + 1 && value <= INT32_MAX ? xasprintf("%lld", (long long)value)
                                                        : xasprintf("INT64_C(%lld)", (long long)value);
}

const char *header_bool(bool value)
{
    return value ? "true" : "false";
}

/* ---- What members point to ---- */

/* The name of something that belongs to one value. No handler's name begins like it, since they share a scope. */
static char *member_table(const char *what, const struct shape *owner, const struct shape *value)
{
    return xasprintf("skr_%s_%s", what, schema_place(owner, value));
}

static void write_before(struct buf *out, const struct shape *owner, const struct shape *value)
{
    if (value->kind == SHAPE_ENUM) {
        buf_printf(out, "static const char *const %s[] = {", member_table("names", owner, value));
        for (size_t i = 0; i < value->count; i++) {
            buf_puts(out, i > 0 ? ", " : "");
            header_literal(out, value->texts[i], strlen(value->texts[i]));
        }
        buf_puts(out, "};\n");
    }
    if (value->values != NULL) {
        buf_printf(out, "static const int64_t %s[] = {", member_table("values", owner, value));
        for (size_t i = 0; i < value->count; i++) {
            buf_printf(out, "%s%s", i > 0 ? ", " : "", header_number(value->values[i]));
        }
        buf_puts(out, "};\n");
    }
    if (value->bounded) {
        buf_printf(out, "static const int64_t %s[2] = {%s, %s};\n", member_table("range", owner, value),
                   header_number(value->min), header_number(value->max));
    }
}

/* ---- Rows ---- */

/* What `of` points to; "NULL": nothing. */
static char *member_target(const struct shape *owner, const struct shape *value)
{
    switch (value->kind) {
    case SHAPE_INT: return value->values != NULL ? member_table("values", owner, value) : "NULL";
    case SHAPE_ENUM: return member_table("names", owner, value);
    case SHAPE_ARRAY: return xasprintf("&skr_element_%s", value->tag);
    case SHAPE_OBJECT: return xasprintf("&skr_shape_%s", value->tag);
    default: return "NULL";
    }
}

/* Numbers get the smallest kind that will do. */
static const char *value_kind(const struct shape *value)
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

/* The type of a number or an element, where the reader cannot know it. */
static char *value_size(const struct shape *value)
{
    if (value->kind == SHAPE_INT || value->kind == SHAPE_ENUM) {
        return xasprintf("sizeof(%s)", header_type(value));
    }
    return value->kind == SHAPE_ARRAY ? xasprintf("sizeof(%s)", header_type(value->members)) : "0";
}

/* A struct skr_arg: kind, name, of, range, offset, has, size, count, flags, decimals. */
static void write_row(struct buf *out, const struct shape *owner, const struct shape *value)
{
    bool named = value->name != NULL, optional = named && shape_is_optional(value);

    buf_printf(out, "{&skr_arg_%s, ", value_kind(value));
    if (named) {
        header_literal(out, value->name, strlen(value->name));
    } else {
        buf_puts(out, "NULL");
    }
    buf_printf(out, ", %s, %s, offsetof(struct %s, %s), ", member_target(owner, value),
               value->bounded ? member_table("range", owner, value) : "NULL", owner->tag,
               named ? value->field : "item");
    buf_puts(out, optional ? xasprintf("offsetof(struct %s, has_%s)", owner->tag, value->field) : "0");
    buf_printf(out, ", %s, %zu, ", value_size(value), value->kind != SHAPE_OBJECT ? value->count : 0);
    buf_printf(out, "%s%s%s, %u}",
               value->required && named ? "SKR_ARG_REQUIRED"
               : optional               ? "SKR_ARG_HAS"
                                        : "0",
               value->over_min ? " | SKR_ARG_OVER_MIN" : "", value->under_max ? " | SKR_ARG_UNDER_MAX" : "",
               value->decimals);
}

/* ---- Defaults ---- */

/* A JSON number as a C double: digits alone would be an int, and might not fit. */
static char *floating_text(const char *text)
{
    return xasprintf("%s%s", text, strpbrk(text, ".eE") != NULL ? "" : ".0");
}

static void write_initials(struct buf *out, const struct shape *object);

/* What a value is before its member is read: its default, or zero in each of its parts. */
static void write_initial(struct buf *out, const struct shape *value)
{
    const struct node *preset = value->preset;

    switch (value->kind) {
    case SHAPE_INT: buf_puts(out, preset != NULL ? header_number(value->preset_value) : "0"); break;
    case SHAPE_STRING:
    case SHAPE_RAW:
        buf_puts(out, "{");
        if (preset != NULL) {
            header_literal(out, preset->text, preset->len);
        } else {
            buf_puts(out, "NULL");
        }
        buf_printf(out, ", %zu}", preset != NULL ? preset->len : 0);
        break;
    case SHAPE_ENUM:
        buf_printf(out, "(enum %s)%lld", value->tag, preset != NULL ? (long long)value->preset_value : 0);
        break;
    case SHAPE_DOUBLE: buf_puts(out, preset != NULL ? floating_text(preset->text) : "0"); break;
    case SHAPE_FLOAT: buf_printf(out, "(float)%s", preset != NULL ? floating_text(preset->text) : "0"); break;
    case SHAPE_BOOL: buf_puts(out, preset != NULL ? preset->text : "false"); break;
    case SHAPE_ARRAY:
        buf_puts(out, "{0, {");
        write_initial(out, value->members);
        buf_puts(out, "}}");
        break;
    case SHAPE_OBJECT: write_initials(out, value); break;
    }
}

static void write_initials(struct buf *out, const struct shape *object)
{
    buf_puts(out, object->count == 0 ? "{0" : "{");
    for (size_t i = 0; i < object->count; i++) {
        buf_puts(out, i > 0 ? ", " : "");
        buf_puts(out, shape_is_optional(&object->members[i]) ? "false, " : "");
        write_initial(out, &object->members[i]);
    }
    buf_puts(out, "}");
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
    buf_printf(out, "static const struct %s skr_defaults_%s = ", object->tag, object->tag);
    write_initials(out, object);
    buf_puts(out, ";\n");
}

/* ---- Objects and arrays ---- */

/* Offsets and sizes in the tables have 16 bits. How large the struct is, only the compiler knows. */
static void write_fits(struct buf *out, const struct shape *shape)
{
    buf_printf(out,
               "typedef char skr_fits_%s[sizeof(struct %s) <= %d ? 1 : -1]; /* else too large: make it smaller */\n",
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
    /* members, defaults, count, size, closed */
    buf_printf(out, "static const struct skr_object skr_shape_%s = {%s, %s, %zu, sizeof(struct %s), %s};\n",
               object->tag, object->count > 0 ? xasprintf("skr_members_%s", object->tag) : "NULL",
               has_defaults(object) ? xasprintf("&skr_defaults_%s", object->tag) : "NULL", object->count, object->tag,
               header_bool(object->closed));
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
