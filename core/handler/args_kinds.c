/* args_kinds.c -- the kinds of arguments that not every device uses. See args.h; those with floating point are in
 * real.c. Tables point to the kinds, so that only what a device uses is linked. */
#include "handler/args.h"
#include "text/number.h"

/* ---- Numbers in 64 bits, and in decimals ---- */

/* Puts what precedes choice i in "must be one of fast, slow". False when there is no room for it: then the list ends in
 * "...". */
static bool put_choice(struct skr_args *r, unsigned i, size_t length)
{
    struct skr_output *out = &r->call->out;

    if (i == 0) {
        (void)skri_args_refuse(r, "must be one of");
    }
    bool room = out->max - out->n >= length + 32;
    skr_put(r->call, i > 0 ? ", " : " ");
    skr_put(r->call, room ? "" : "...");
    return room;
}

static bool is_chosen(struct skr_args *r, const struct skr_arg *arg, int64_t value)
{
    const int64_t *values = arg->of;

    for (unsigned i = 0; i < arg->count; i++) {
        if (values[i] == value) {
            return true;
        }
    }
    for (unsigned i = 0; i < arg->count && put_choice(r, i, 0); i++) {
        skr_put_fixed(r->call, values[i], arg->decimals);
    }
    return arg->count == 0;
}

static bool read_wide(struct skr_args *r, const struct skr_arg *arg, int token, char *to)
{
    bool rest;
    void *place = to;
    int64_t value = skr_number_scaled(skr_json_inside(r->json, token), arg->decimals, &rest);

    if (rest) {
        return arg->decimals > 0 ? skri_args_refuse(r, "has too many decimals") : skri_args_refuse_type(r, arg);
    }
    if (arg->size == sizeof(int64_t)) {
        *(int64_t *)place = value;
    } else {
        *(int32_t *)place = (int32_t)value;
    }
    return skri_args_in_range(r, arg, value, "") && is_chosen(r, arg, value);
}

const struct skr_arg_kind skr_arg_wide = {"a whole number", '0', read_wide};
const struct skr_arg_kind skr_arg_decimal = {"a number", '0', read_wide};

/* ---- Strings ---- */

static bool read_string(struct skr_args *r, const struct skr_arg *arg, int token, char *to)
{
    struct skr_span *text = (void *)to;
    uint32_t characters = 0;

    (void)skr_json_string(r->json, token, text);
    for (size_t i = 0; i < text->n; i++) {
        characters += (text->p[i] & 0xC0) != 0x80;
    }
    return skri_args_in_range(r, arg, characters, " characters");
}

static bool read_enum(struct skr_args *r, const struct skr_arg *arg, int token, char *to)
{
    const char *const *names = arg->of;
    void *place = to;
    unsigned i = 0;

    while (i < arg->count && !skr_json_equals(r->json, token, names[i])) {
        i++;
    }
    if (i == arg->count) {
        for (i = 0; i < arg->count && put_choice(r, i, strlen(names[i])); i++) {
            skr_put(r->call, names[i]);
        }
        return false;
    }
    if (arg->size == sizeof(uint32_t)) { /* compilers may make enums small */
        *(uint32_t *)place = i;
    } else if (arg->size == sizeof(uint16_t)) {
        *(uint16_t *)place = (uint16_t)i;
    } else {
        *to = (char)i;
    }
    return true;
}

static bool read_raw(struct skr_args *r, const struct skr_arg *arg, int token, char *to)
{
    (void)arg;
    *(struct skr_span *)(void *)to = skr_json_raw(r->json, token);
    return true;
}

const struct skr_arg_kind skr_arg_string = {"a string", '"', read_string};
const struct skr_arg_kind skr_arg_enum = {"a string", '"', read_enum};
const struct skr_arg_kind skr_arg_raw = {"", '\0', read_raw};

/* ---- Objects and arrays ---- */

static bool read_object(struct skr_args *r, const struct skr_arg *arg, int token, char *to)
{
    return skri_args_enter_object(r, token, arg->of, to);
}

static bool next_element(struct skr_args *r)
{
    struct skr_args_level *l = &r->levels[r->depth - 1];
    int element = l->child;
    char *to = l->to;

    if (element < 0) {
        r->depth--;
        return true;
    }
    l->child = (int16_t)skr_json_after(r->json, l->token, element);
    l->to += l->size;
    l->seen++;
    return skri_args_value(r, l->of, element, to);
}

static bool read_array(struct skr_args *r, const struct skr_arg *arg, int token, char *to)
{
    const struct skr_arg *element = arg->of;
    size_t *count = (void *)to;

    *count = 0;
    for (int i = skr_json_first(r->json, token); i >= 0; i = skr_json_after(r->json, token, i)) {
        ++*count;
    }
    if (!skri_args_in_range(r, arg, (int64_t)*count, " elements")) {
        return false;
    }
    struct skr_args_level *l = skri_args_enter(r, token, element, to + element->offset);
    l->next = next_element;
    l->size = arg->size;
    return true;
}

const struct skr_arg_kind skr_arg_object = {"an object", '{', read_object};
const struct skr_arg_kind skr_arg_array = {"an array", '[', read_array};
