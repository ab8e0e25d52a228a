/* schema.c -- objects, arrays and keywords of a tool's inputSchema. See schema.h;
 * schema_values.c has numbers and strings. */
#include "schema/schema.h"

#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "schema/schema_parts.h"

#define ELEMENTS_MAX 1024
#define HEADERS_KEPT 4 /* SKR_PARAMS of the smallest profile that has headers */

static void read_shape(struct schema_reader *r, const struct node *schema, const char *tag, unsigned depth,
                       struct shape *out);

void schema_wrong(const struct schema_reader *r, const struct node *at, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    check_report(r->check, LEVEL_E, at->at, NULL, "%s", xvasprintf(format, list));
    va_end(list);
}

/* ---- Names ---- */

bool shape_is_optional(const struct shape *member)
{
    return !member->required && member->preset == NULL;
}

static void take_tag(const struct schema_reader *r, const struct node *at, struct shape *shape, const char *tag)
{
    shape->tag = xstrdup(tag);
    (void)schema_take_name(r, at, NAME_TYPE, shape->tag);
}

/* Each value with limits or choices has tables of its own, named after its place. */
static void take_place(const struct schema_reader *r, const struct node *at, const struct shape *owner,
                       const struct shape *value)
{
    if (value->bounded || value->values || value->kind == SHAPE_ENUM) {
        (void)schema_take_name(r, at, NAME_TABLE, schema_place(owner, value));
    }
}

static void check_fields(const struct schema_reader *r, const struct node *properties, const struct shape *object)
{
    for (size_t i = 0; i < object->count; i++) {
        for (size_t k = 0; k < object->count; k++) {
            const struct shape *one = &object->members[i], *other = &object->members[k];
            bool same = k < i && strcmp(one->field, other->field) == 0;
            if (same || (shape_is_optional(other) && strcmp(one->field, xasprintf("has_%s", other->field)) == 0)) {
                schema_wrong(r, properties->items[2 * i], "'%s' and '%s' would have the same name in C; rename one",
                             excerpt_str(other->name), excerpt_str(one->name));
            }
        }
    }
}

/* ---- Keywords ---- */

/* Keywords that only describe, for any kind of value. */
static bool is_annotation(const char *key)
{
    static const char *const keywords[] = {"type",     "title",      "description", "default",  "examples",
                                           "$comment", "deprecated", "readOnly",    "writeOnly"};

    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
        if (strcmp(key, keywords[i]) == 0) {
            return true;
        }
    }
    return strncmp(key, "x-", 2) == 0;
}

/* The list has a blank between its words. */
static bool is_among(const char *key, const char *list)
{
    size_t n = strlen(key);

    for (const char *word = list; *word != '\0';) {
        size_t size = strcspn(word, " ");
        if (size == n && memcmp(word, key, n) == 0) {
            return true;
        }
        word += size + strspn(word + size, " ");
    }
    return false;
}

/* True for a keyword that only describes, or is in the list. A key with U+0000 is neither, whatever it begins with. */
static bool is_listed(const struct node *key, const char *list)
{
    return strlen(key->text) == key->len && (is_annotation(key->text) || is_among(key->text, list));
}

/* Every keyword is in the list, or describes, or is an error. */
static void check_keywords(const struct schema_reader *r, const struct node *schema, const char *list)
{
    for (size_t i = 0; i + 1 < schema->count; i += 2) {
        const struct node *key = schema->items[i];
        if (yaml_text_is(key, "format") && is_among("maxLength", list)) {
            check_report(r->check, LEVEL_W, key->at, NULL, "'format' only describes: the device does not check it");
        } else if (!is_listed(key, list)) {
            schema_wrong(r, key,
                         "'%s' cannot be checked on the device here; leave it out, or mark this value "
                         "\"x-skillrom\": \"raw\" and check it in the handler",
                         excerpt(key->text, key->len));
        }
    }
}

/* "raw" or "float", NULL: no hint. */
static const char *hint_of(const struct schema_reader *r, const struct node *schema)
{
    const struct node *hint = yaml_member(schema, "x-skillrom", NULL);

    if (hint == NULL) {
        return NULL;
    }
    if (hint->plain || (!yaml_text_is(hint, "raw") && !yaml_text_is(hint, "float"))) {
        schema_wrong(r, hint, "'x-skillrom' in a schema is \"raw\" or \"float\"");
        return "raw";
    }
    return hint->text;
}

/* HDR-11: clients drop a tool whose headers are wrong. */
static void check_header(struct schema_reader *r, const struct node *schema, const struct node *type)
{
    static const char token[] = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const struct node *header = yaml_member(schema, "x-mcp-header", NULL);

    if (header == NULL) {
        return;
    }
    if (!yaml_is_string(header) || header->len == 0 || strspn(header->text, token) != header->len) {
        schema_wrong(r, header, "'x-mcp-header' must be the end of a header's name (HDR-11)");
        return;
    }
    if (r->arrays > 0 || !type || !is_among(type->text, "string integer boolean")) {
        schema_wrong(r, header, "only a string, integer or boolean outside of arrays can have a header (HDR-11)");
    }
    if (r->escaped > 0) {
        schema_wrong(r, header,
                     "a property with a header needs a name without quotes, backslashes and control "
                     "characters: the device compares it as it is spelled in the schema");
    }
    for (size_t i = 0; i < r->header_count; i++) {
        if (strcasecmp(r->headers[i], header->text) == 0) {
            schema_wrong(r, header, "two properties have the header '%s'; rename one (HDR-11)", header->text);
        }
    }
    if (r->header_count == HEADERS_KEPT) {
        check_report(r->check, LEVEL_W, header->at, NULL,
                     "more than %d arguments with a header: a small device keeps as many (SKR_PARAMS), and refuses "
                     "calls that need more",
                     HEADERS_KEPT);
    }
    r->headers = xrealloc(r->headers, (r->header_count + 1) * sizeof *r->headers);
    r->headers[r->header_count++] = header->text;
}

/* ---- Sizes ---- */

/* The least a value takes on a 32-bit device; padding is up to the C compiler, and the header has a check for the
 * total. */
static uint64_t least_bytes(const struct shape *value)
{
    switch (value->kind) {
    case SHAPE_INT: return value->min >= INT32_MIN && value->max <= INT32_MAX ? 4 : 8;
    case SHAPE_DOUBLE:
    case SHAPE_STRING:
    case SHAPE_RAW: return 8;
    case SHAPE_FLOAT: return 4;
    case SHAPE_ARRAY:
    case SHAPE_OBJECT: return value->bytes;
    default: return 1;
    }
}

static void check_size(const struct schema_reader *r, const struct node *schema, struct shape *out)
{
    if (out->bytes > SHAPE_BYTES) {
        schema_wrong(r, schema,
                     "its C struct would have %llu bytes or more, at most %d are possible; lower maxLength or maxItems",
                     (unsigned long long)out->bytes, SHAPE_BYTES);
        out->bytes = 0; /* the enclosing value is not to blame */
    }
}

/* ---- Objects ---- */

/* True when this name needs escapes in JSON. */
static bool is_escaped(const struct node *name)
{
    for (size_t i = 0; i < name->len; i++) {
        if ((unsigned char)name->text[i] < 0x20 || name->text[i] == '"' || name->text[i] == '\\') {
            return true;
        }
    }
    return false;
}

static void read_members(struct schema_reader *r, const struct node *properties, const char *tag, unsigned depth,
                         struct shape *out)
{
    if (properties->kind != NODE_MAPPING) {
        schema_wrong(r, properties, "'properties' must be an object");
        return;
    }
    out->count = properties->count / 2;
    if (out->count > SHAPE_MEMBERS) {
        schema_wrong(
            r, properties,
            "an object can have at most %d properties on the device; remove some, or use \"x-skillrom\": \"raw\"",
            SHAPE_MEMBERS);
        out->count = 0;
        return;
    }
    out->members = xmalloc(out->count * sizeof *out->members + 1);
    for (size_t i = 0; i < out->count; i++) {
        const struct node *key = properties->items[2 * i];
        struct shape *member = &out->members[i];
        if (strlen(key->text) != key->len) {
            schema_wrong(r, key, "a name with U+0000 cannot be a name in C");
        }
        char *field = schema_identifier(key->text);
        r->escaped += is_escaped(key);
        read_shape(r, properties->items[2 * i + 1], xasprintf("%s_%s", tag, field), depth + 1, member);
        r->escaped -= is_escaped(key);
        member->name = key->text;
        member->field = field;
        take_place(r, key, out, member);
    }
}

static void read_required(const struct schema_reader *r, const struct node *required, struct shape *out)
{
    if (required->kind != NODE_SEQUENCE) {
        schema_wrong(r, required, "'required' must be an array of strings");
        return;
    }
    for (size_t i = 0; i < required->count; i++) {
        const struct node *name = required->items[i];
        bool found = false;
        for (size_t k = 0; yaml_is_string(name) && k < out->count; k++) {
            if (yaml_text_is(name, out->members[k].name)) {
                found = out->members[k].required = true;
            }
        }
        if (!found) {
            schema_wrong(
                r, name,
                "'required' names a property that 'properties' does not have; correct the name, or add the property");
        }
    }
}

static void read_object(struct schema_reader *r, const struct node *schema, const char *tag, unsigned depth,
                        struct shape *out)
{
    const struct node *properties = yaml_member(schema, "properties", NULL);
    const struct node *required = yaml_member(schema, "required", NULL);
    const struct node *more = yaml_member(schema, "additionalProperties", NULL);

    check_keywords(r, schema,
                   depth == 1 ? "properties required additionalProperties $schema $id"
                              : "properties required additionalProperties");
    out->kind = SHAPE_OBJECT;
    take_tag(r, schema, out, depth == 1 ? xasprintf("%s_args", tag) : tag);
    if (properties) {
        read_members(r, properties, tag, depth, out);
    }
    if (required) {
        read_required(r, required, out);
    }
    if (properties && properties->kind == NODE_MAPPING) {
        check_fields(r, properties, out);
    }
    if (more && (!more->plain || (!yaml_text_is(more, "true") && !yaml_text_is(more, "false")))) {
        schema_wrong(r, more, "'additionalProperties' must be true or false: the device does not check other members");
    }
    out->closed = more && yaml_text_is(more, "false");
    for (size_t i = 0; i < out->count; i++) {
        out->bytes += least_bytes(&out->members[i]) + shape_is_optional(&out->members[i]);
    }
    check_size(r, schema, out);
}

/* ---- Arrays ---- */

static void read_array(struct schema_reader *r, const struct node *schema, const char *tag, unsigned depth,
                       struct shape *out)
{
    const struct node *items = yaml_member(schema, "items", NULL);

    check_keywords(r, schema, "items minItems maxItems");
    out->kind = SHAPE_ARRAY;
    take_tag(r, schema, out, tag);
    if (!schema_read_sizes(r, schema, "minItems", "maxItems", out) || out->max > ELEMENTS_MAX || out->max < 1) {
        schema_wrong(r, schema, "an array needs 'maxItems', from 1 to %d: the handler gets it in a C array",
                     ELEMENTS_MAX);
        out->max = 1;
    }
    if (!items) {
        schema_wrong(r, schema, "an array needs 'items'; add the schema of its elements");
        return;
    }
    out->members = xmalloc(sizeof *out->members);
    r->arrays++;
    read_shape(r, items, xasprintf("%s_item", tag), depth + 1, out->members);
    r->arrays--;
    take_place(r, items, out, out->members);
    if (out->members->preset) {
        schema_wrong(r, out->members->preset, "an element of an array has no default; remove it");
    }
    out->members->required = true;
    out->bytes = 4 + (uint64_t)out->max * least_bytes(out->members);
    check_size(r, schema, out);
}

/* ---- Any value ---- */

static void read_typed(struct schema_reader *r, const struct node *schema, const struct node *type, const char *tag,
                       unsigned depth, struct shape *out)
{
    if (yaml_text_is(type, "object") || yaml_text_is(type, "array")) {
        if (depth > SHAPE_DEPTH) {
            schema_wrong(r, schema, "objects and arrays may be nested %d deep on the device", SHAPE_DEPTH);
            out->kind = SHAPE_RAW;
        } else if (yaml_text_is(type, "object")) {
            read_object(r, schema, tag, depth, out);
        } else {
            read_array(r, schema, tag, depth, out);
        }
    } else if (yaml_text_is(type, "string")) {
        check_keywords(r, schema, "minLength maxLength enum const contentEncoding contentMediaType");
        schema_read_string(r, schema, tag, out);
        if (out->kind == SHAPE_ENUM) {
            take_tag(r, schema, out, tag);
        }
    } else if (yaml_text_is(type, "integer") || yaml_text_is(type, "number")) {
        check_keywords(r, schema, "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf enum const");
        schema_read_number(r, schema, yaml_text_is(type, "integer"), out);
    } else if (yaml_text_is(type, "boolean")) {
        check_keywords(r, schema, "");
        out->kind = SHAPE_BOOL;
    } else {
        schema_wrong(r, type, "type '%s': the device supports object, array, string, integer, number and boolean",
                     excerpt(type->text, type->len));
    }
}

static void read_shape(struct schema_reader *r, const struct node *schema, const char *tag, unsigned depth,
                       struct shape *out)
{
    memset(out, 0, sizeof *out);
    out->kind = SHAPE_RAW;
    if (schema->kind != NODE_MAPPING) {
        schema_wrong(r, schema, "a schema must be an object here");
        return;
    }
    const struct node *type = yaml_member(schema, "type", NULL);
    const char *hint = hint_of(r, schema);
    check_header(r, schema, type && yaml_is_string(type) ? type : NULL);
    if (hint && strcmp(hint, "raw") == 0) {
        return;
    }
    if (!type || !yaml_is_string(type)) {
        schema_wrong(r, type ? type : schema,
                     "a value needs one 'type' to be checked on the device; or mark it \"x-skillrom\": \"raw\"");
        return;
    }
    read_typed(r, schema, type, tag, depth, out);
    if (hint && out->kind == SHAPE_DOUBLE) {
        out->kind = SHAPE_FLOAT;
    } else if (hint) {
        schema_wrong(r, schema, "only a number without 'multipleOf' can be a float; remove one of them");
    }
    schema_read_default(r, schema, out);
}

struct shape *schema_read(const struct check *c, const struct node *schema, const char *prefix,
                          struct schema_names *names)
{
    struct schema_reader r = {.check = c, .names = names};
    struct shape *out = xmalloc(sizeof *out);

    if (!schema_take_name(&r, schema, NAME_HANDLER, prefix)) {
        *out = (struct shape){.kind = SHAPE_RAW}; /* all its other names would also clash */
        return out;
    }
    read_shape(&r, schema, prefix, 1, out);
    if (out->kind == SHAPE_RAW) {
        take_tag(&r, schema, out, xasprintf("%s_args", prefix));
    }
    return out;
}
