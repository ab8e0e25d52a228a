/* schema_values.c -- numbers, strings and defaults of a schema. See schema.h. */
#include <ctype.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "schema/decimal.h"
#include "schema/schema_parts.h"

#define DECIMALS_MAX 9
#define SIZE_LIMIT 1000000000
#define VALUES_MAX 1000

bool schema_is_number(const struct node *node)
{
    return node->kind == NODE_SCALAR && node->plain && (*node->text == '-' || isdigit((unsigned char)*node->text));
}

/* ---- Numbers ---- */

/* A keyword's number; false when it is not given or has been reported. */
static bool number_of(const struct schema_reader *r, const struct node *schema, const char *key, struct decimal *out)
{
    const struct node *value = yaml_member(schema, key, NULL);

    if (!value) {
        return false;
    }
    if (!schema_is_number(value) || !decimal_parse(value->text, out)) {
        schema_wrong(r, value, "'%s' must be a number of at most 18 digits", key);
        return false;
    }
    return true;
}

static unsigned decimals_of(struct decimal d)
{
    return d.power < 0 ? (unsigned)-d.power : 0;
}

/* A number in steps of a power of ten is counted in these steps. */
static bool read_step(const struct schema_reader *r, const struct node *schema, bool integer, struct shape *out)
{
    struct decimal step;

    if (integer || number_of(r, schema, "multipleOf", &step)) {
        out->kind = SHAPE_INT;
    }
    if (!number_of(r, schema, "multipleOf", &step)) {
        return integer;
    }
    out->decimals = decimals_of(step);
    if (step.digits != 1 || step.power > 0 || out->decimals > DECIMALS_MAX || (integer && step.power != 0)) {
        schema_wrong(r, yaml_member(schema, "multipleOf", NULL),
                     integer ? "'multipleOf' of an integer cannot be checked on the device; leave it out"
                             : "'multipleOf' must be a power of ten from 1 to 0.000000001: the handler gets a count "
                               "of these steps");
        out->decimals = 0;
    }
    return true;
}

/* Moves a limit to another one if that is narrower. `open`: the limit itself is outside. */
static void narrow_limit(struct shape *out, bool upper, struct decimal limit, bool open)
{
    bool counts = out->kind == SHAPE_INT;
    int64_t value = decimal_scaled(limit, out->decimals, counts && upper == open);

    if (counts && open) {
        value += upper ? -1 : 1; /* the next one inside */
    }
    if (upper ? value < out->max || (value == out->max && open) : value > out->min || (value == out->min && open)) {
        *(upper ? &out->max : &out->min) = value;
        *(upper ? &out->under_max : &out->over_min) = open && !counts;
    }
}

static void read_limits(const struct schema_reader *r, const struct node *schema, struct shape *out)
{
    static const struct {
        const char *key;
        bool upper, open;
    } limits[] = {{"minimum", false, false},
                  {"maximum", true, false},
                  {"exclusiveMinimum", false, true},
                  {"exclusiveMaximum", true, true}};
    bool counts = out->kind == SHAPE_INT;
    struct decimal d;

    for (size_t i = 0; !counts && i < 4; i++) {
        if (number_of(r, schema, limits[i].key, &d) && decimals_of(d) > out->decimals) {
            out->decimals = decimals_of(d);
        }
    }
    if (out->decimals > DECIMALS_MAX) {
        schema_wrong(r, schema, "a limit can have at most %d decimals; round it", DECIMALS_MAX);
        out->decimals = 0;
    }
    out->bounded = counts;
    out->min = counts ? -DECIMAL_MOST : -INT64_MAX;
    out->max = -out->min;
    for (size_t i = 0; i < 4; i++) {
        if (number_of(r, schema, limits[i].key, &d)) {
            out->bounded = true;
            narrow_limit(out, limits[i].upper, d, limits[i].open);
            int64_t limit = decimal_scaled(d, out->decimals, false);
            if (!counts && (limit == DECIMAL_MOST || limit == -DECIMAL_MOST)) {
                schema_wrong(r, yaml_member(schema, limits[i].key, NULL),
                             "this limit is too large for the device to check; leave it out");
            }
        }
    }
    if (out->min > out->max) {
        schema_wrong(r, schema, "there is no number between these limits; correct one");
    }
}

static void read_values(const struct schema_reader *r, const struct node *list, struct shape *out)
{
    out->values = xmalloc(list->count * sizeof *out->values + 1);
    out->count = list->count;
    for (size_t i = 0; i < list->count; i++) {
        struct decimal d;
        const struct node *value = list->items[i];
        if (!schema_is_number(value) || !decimal_parse(value->text, &d) || !decimal_is_whole(d, out->decimals)) {
            schema_wrong(r, value,
                         "this value of 'enum' or 'const' does not agree with 'type' or 'multipleOf'; correct it");
            return;
        }
        out->values[i] = decimal_scaled(d, out->decimals, false);
        if (out->values[i] < out->min || out->values[i] > out->max) {
            schema_wrong(r, value, "this value of 'enum' or 'const' is outside the limits; correct it, or the limits");
        }
    }
    out->bounded = false; /* the list says it all; the limits choose the C type */
    out->min = out->max = out->values[0];
    for (size_t i = 0; i < list->count; i++) {
        out->min = out->values[i] < out->min ? out->values[i] : out->min;
        out->max = out->values[i] > out->max ? out->values[i] : out->max;
    }
}

/* The list of `enum`, or `const` as a list of one; NULL for neither. */
static const struct node *schema_choices(const struct schema_reader *r, const struct node *schema)
{
    const struct node *list = yaml_member(schema, "enum", NULL), *only = yaml_member(schema, "const", NULL);

    if (list && (only || list->kind != NODE_SEQUENCE || list->count < 1 || list->count > VALUES_MAX)) {
        schema_wrong(r, list, "'enum' must be an array of 1 to %d values, without 'const' beside it", VALUES_MAX);
        return NULL;
    }
    if (!only) {
        return list;
    }
    struct node *one = xmalloc(sizeof *one);
    *one = (struct node){.kind = NODE_SEQUENCE, .at = only->at, .count = 1};
    one->items = xmalloc(sizeof *one->items);
    one->items[0] = (struct node *)only;
    return one;
}

void schema_read_number(struct schema_reader *r, const struct node *schema, bool integer, struct shape *out)
{
    const struct node *list = schema_choices(r, schema);

    out->kind = SHAPE_DOUBLE;
    bool counts = read_step(r, schema, integer, out);
    read_limits(r, schema, out);
    if (list && !counts) {
        schema_wrong(r, list, "a choice of numbers needs \"type\": \"integer\", or 'multipleOf'");
    } else if (list) {
        read_values(r, list, out);
    }
}

/* ---- Strings ---- */

bool schema_read_sizes(struct schema_reader *r, const struct node *schema, const char *least, const char *most,
                       struct shape *out)
{
    struct decimal d;
    const char *const keys[] = {least, most};
    int64_t *const limits[] = {&out->min, &out->max};
    bool given = false;

    out->max = SIZE_LIMIT;
    for (size_t i = 0; i < 2; i++) {
        if (number_of(r, schema, keys[i], &d)) {
            given = i == 1;
            out->bounded = true;
            *limits[i] = decimal_scaled(d, 0, false);
            if (d.digits < 0 || d.power < 0 || *limits[i] > SIZE_LIMIT) {
                schema_wrong(r, yaml_member(schema, keys[i], NULL), "'%s' must be a whole number from 0 to %d", keys[i],
                             SIZE_LIMIT);
            }
        }
    }
    if (out->min > out->max) {
        schema_wrong(r, schema, "there is no length between these limits; correct one");
    }
    return given;
}

void schema_read_string(struct schema_reader *r, const struct node *schema, const char *tag, struct shape *out)
{
    const struct node *list = schema_choices(r, schema);

    out->kind = SHAPE_STRING;
    (void)schema_read_sizes(r, schema, "minLength", "maxLength", out);
    if (!list) {
        return;
    }
    out->kind = SHAPE_ENUM;
    if (out->bounded) {
        schema_wrong(r, schema, "'enum' and a length limit do not go together: leave out the limit");
    }
    out->texts = xmalloc(list->count * sizeof *out->texts);
    out->constants = xmalloc(list->count * sizeof *out->constants);
    for (size_t i = 0; i < list->count; i++) {
        const struct node *value = list->items[i];
        if (!yaml_is_string(value) || strlen(value->text) != value->len) {
            schema_wrong(r, value, "each choice must be a string without U+0000");
            return;
        }
        out->texts[i] = value->text;
        out->constants[i] = schema_constant(tag, value->text);
        out->count = i + 1;
        (void)schema_take_name(r, value, NAME_CONSTANT, out->constants[i]);
    }
}

/* ---- Defaults ---- */

static bool number_fits(const struct node *preset, struct shape *out)
{
    struct decimal d;

    if (!schema_is_number(preset) || !decimal_parse(preset->text, &d)) {
        return false;
    }
    double value = strtod(preset->text, NULL);
    if (out->kind == SHAPE_FLOAT && (value > FLT_MAX || value < -FLT_MAX)) {
        return false;
    }
    out->preset_value = decimal_scaled(d, out->decimals, false);
    bool whole = decimal_is_whole(d, out->decimals);
    if (out->bounded &&
        (out->preset_value < out->min || (out->preset_value == out->min && whole && out->over_min) ||
         out->preset_value > out->max || (out->preset_value == out->max && (!whole || out->under_max)))) {
        return false;
    }
    bool found = out->values == NULL;
    for (size_t i = 0; out->values && i < out->count; i++) {
        found |= out->values[i] == out->preset_value;
    }
    return found && (whole || out->kind != SHAPE_INT);
}

static bool string_fits(const struct node *preset, struct shape *out)
{
    int64_t characters = 0;

    if (!yaml_is_string(preset)) {
        return false;
    }
    for (size_t i = 0; i < preset->len; i++) {
        characters += (preset->text[i] & 0xC0) != 0x80;
    }
    if (out->kind == SHAPE_STRING) {
        return !out->bounded || (characters >= out->min && characters <= out->max);
    }
    for (size_t i = 0; i < out->count; i++) {
        if (yaml_text_is(preset, out->texts[i])) {
            out->preset_value = (int64_t)i;
            return true;
        }
    }
    return false;
}

/* "an integer, minimum 1, maximum 4", "one of a, b", "a string, maxLength 8": the values that a schema allows, for people. */
static char *allowed_values(const struct node *schema, const struct shape *shape)
{
    static const char *const limits[] = {"minimum",    "exclusiveMinimum", "maximum",  "exclusiveMaximum",
                                         "multipleOf", "minLength",        "maxLength"};
    const struct node *list = yaml_member(schema, "enum", NULL);
    struct buf b = {0};

    if (list) {
        buf_puts(&b, "one of ");
    } else {
        buf_puts(&b, shape->kind == SHAPE_BOOL     ? "true or false"
                     : shape->kind == SHAPE_STRING ? "a string"
                     : shape->kind == SHAPE_FLOAT  ? "a number that a float can hold"
                     : shape->kind == SHAPE_DOUBLE ? "a number"
                     : shape->decimals > 0         ? "a number"
                                                   : "an integer");
    }
    for (size_t i = 0; list && i < list->count; i++) {
        buf_printf(&b, "%s%s", i > 0 ? ", " : "", excerpt(list->items[i]->text, list->items[i]->len));
    }
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const struct node *limit = yaml_member(schema, limits[i], NULL);
        if (limit) {
            buf_printf(&b, ", %s %s", limits[i], limit->text);
        }
    }
    return buf_str(&b);
}

void schema_read_default(struct schema_reader *r, const struct node *schema, struct shape *out)
{
    const struct node *preset = yaml_member(schema, "default", NULL);
    bool fits;

    if (!preset) {
        return;
    }
    switch (out->kind) {
    case SHAPE_INT:
    case SHAPE_DOUBLE:
    case SHAPE_FLOAT: fits = number_fits(preset, out); break;
    case SHAPE_STRING:
    case SHAPE_ENUM: fits = string_fits(preset, out); break;
    case SHAPE_BOOL: fits = preset->plain && (yaml_text_is(preset, "true") || yaml_text_is(preset, "false")); break;
    default:
        schema_wrong(r, preset, "only numbers, strings and booleans can have a default; let the handler choose");
        return;
    }
    if (!fits) {
        schema_wrong(r, preset, "'default' is not an allowed value; it must be %s", allowed_values(schema, out));
    }
    out->preset = preset;
}
