/* args.c -- a tool's arguments, checked against its tables and put into its struct.
 *
 * The tables come from the tool's JSON schema (romfs/mkromfs/header/header_tables.c), so a handler gets only what the
 * schema allows; anything else is refused with the name of the member and the rule. The walk keeps a small stack of
 * levels instead of calling itself: its depth was fixed when the tables were generated. Each kind of value has its own
 * reader: the two that most tools need are here, the others in args_kinds.c. */
#include "handler/args.h"

#include "text/number.h"

#define NAME_QUOTED 64 /* bytes of a member's name in a refusal: the client may have made it up */

/* ---- Refusals ---- */

bool skri_args_refuse(struct skr_args *r, const char *rule)
{
    struct skr_call *call = r->call;

    (void)skr_stop(call, SKR_BAD_ARGUMENT, "");
    for (const struct skr_args_level *l = r->levels; l < r->levels + r->depth; l++) {
        if (l->size > 0) {
            skr_put(call, "[");
            skr_put_int(call, l->seen - 1);
            skr_put(call, "]");
            continue;
        }
        skr_put(call, l > r->levels ? "." : "");
        if (l->key < 0) { /* all members that are there have been read */
            skr_put(call, r->missing);
        } else {
            struct skr_span name = skr_json_inside(r->json, l->key);
            name.n = name.n < NAME_QUOTED ? name.n : NAME_QUOTED;
            skr_put_span(call, name);
        }
    }
    skri_argument_named(call);
    skr_put(call, rule);
    return false;
}

bool skri_args_refuse_type(struct skr_args *r, const struct skr_arg *arg)
{
    (void)skri_args_refuse(r, "must be ");
    skr_put(r->call, arg->kind->what);
    return false;
}

bool skri_args_in_range(struct skr_args *r, const struct skr_arg *arg, int64_t value, const char *unit)
{
    bool above = arg->range != NULL && value > arg->range[1];

    if (!above && (arg->range == NULL || value >= arg->range[0])) {
        return true;
    }
    (void)skri_args_refuse(r, *unit != '\0' ? "must have " : "must be ");
    skr_put(r->call, above ? "at most " : "at least ");
    skr_put_fixed(r->call, arg->range[above], arg->decimals);
    skr_put(r->call, unit);
    return false;
}

/* ---- Values ---- */

/* The kind of a value, as in `first` of struct skr_arg_kind. */
static char type_of(const struct skr_json *json, int token)
{
    char c = *skr_json_inside(json, token).p;

    return skr_json_is_string(json, token) ? '"' : c == 'f' ? 't' : c <= '9' ? '0' : c;
}

bool skri_args_value(struct skr_args *r, const struct skr_arg *arg, int token, char *to)
{
    char first = arg->kind->first;

    if (first != '\0' && type_of(r->json, token) != first) {
        return skri_args_refuse_type(r, arg);
    }
    return arg->kind->read(r, arg, token, to);
}

static bool read_int(struct skr_args *r, const struct skr_arg *arg, int token, char *to)
{
    int32_t value;

    if (!skr_number_int(skr_json_inside(r->json, token), &value)) {
        return skri_args_refuse_type(r, arg);
    }
    *(int32_t *)(void *)to = value;
    return skri_args_in_range(r, arg, value, "");
}

static bool read_bool(struct skr_args *r, const struct skr_arg *arg, int token, char *to)
{
    (void)arg;
    *(bool *)(void *)to = *skr_json_inside(r->json, token).p == 't';
    return true;
}

const struct skr_arg_kind skr_arg_int = {"a whole number", '0', read_int};
const struct skr_arg_kind skr_arg_bool = {"true or false", 't', read_bool};

/* ---- Objects ---- */

struct skr_args_level *skri_args_enter(struct skr_args *r, int token, const void *of, char *to)
{
    struct skr_args_level *l = &r->levels[r->depth++];

    l->of = of;
    l->to = to;
    l->token = (int16_t)token; /* below SKR_TOKENS, so it fits */
    l->child = (int16_t)(token >= 0 ? skr_json_first(r->json, token) : -1);
    l->seen = 0;
    l->size = 0;
    return l;
}

/* All members have been read. False, after a refusal, when a required one is missing. */
static bool leave_object(struct skr_args *r, struct skr_args_level *l)
{
    const struct skr_object *object = l->of;

    for (unsigned i = 0; i < object->count; i++) {
        const struct skr_arg *arg = &object->members[i];
        if ((arg->flags & SKR_ARG_REQUIRED) != 0 && (l->seen >> i & 1) == 0) {
            r->missing = arg->name;
            return skri_args_refuse(r, "is missing");
        }
    }
    r->depth--;
    return true;
}

static bool next_member(struct skr_args *r)
{
    struct skr_args_level *l = &r->levels[r->depth - 1];
    const struct skr_object *object = l->of;
    struct skr_span name;
    uint32_t bit = 1;
    unsigned i = 0; /* not a pointer: an object without members has no table */

    l->key = l->child;
    if (l->key < 0) {
        return leave_object(r, l);
    }
    l->child = (int16_t)skr_json_after(r->json, l->token, l->key);
    (void)skr_json_string(r->json, l->key, &name);
    for (; i < object->count && !skr_span_is(name, object->members[i].name); i++) {
        bit <<= 1;
    }
    if (i == object->count) {
        return !object->closed || skri_args_refuse(r, "is not known");
    }
    const struct skr_arg *arg = &object->members[i];
    if ((l->seen & bit) != 0) {
        return skri_args_refuse(r, "is given twice");
    }
    l->seen |= bit;
    if ((arg->flags & SKR_ARG_HAS) != 0) {
        *(bool *)(void *)(l->to + arg->has) = true;
    }
    return skri_args_value(r, arg, l->key + 1, l->to + arg->offset);
}

bool skri_args_enter_object(struct skr_args *r, int token, const struct skr_object *object, char *to)
{
    skri_args_enter(r, token, object, to)->next = next_member;
    memset(to, 0, object->size);
    if (object->defaults != NULL) {
        memcpy(to, object->defaults, object->size);
    }
    return true;
}

bool skr_args_read(struct skr_call *call, const struct skr_object *shape, void *to)
{
    struct skr_args r = {.call = call, .json = &call->json};

    (void)skri_args_enter_object(&r, call->arguments, shape, to);
    while (r.depth > 0) {
        if (!r.levels[r.depth - 1].next(&r)) {
            return false;
        }
    }
    return true;
}
