/* args.c -- a tool's arguments, checked against its tables and put into its struct.
 *
 * The tables come from the tool's JSON schema (romfs/mkromfs/header.c), so what reaches a
 * handler is what the schema allows; the rest is refused with the name of the member and
 * the rule. The walk keeps its place in a few levels instead of calling itself: how deep
 * it goes was decided when the tables were made. */
#include "args.h"

#include "call.h"
#include "number.h"

#define NAME_QUOTED 64 /* of a member that the tables do not know */

/* An object or array that is being read. */
struct level {
    const struct skr_object *object; /* NULL: an array */
    const struct skr_arg *arg;       /* the member being read, NULL: an unknown one; or the element */
    char *to;                        /* its struct; of an array: the element being read */
    int token;
    int child;                       /* the key or element being read, -1: behind the last */
    uint32_t seen;                   /* object: a bit for each member; array: elements before this one */
    uint16_t size;                   /* array: of an element */
};

struct reader {
    struct skr_call *call;
    const struct skr_json *json;
    unsigned depth;
    struct level levels[SKR_ARGS_DEPTH];
};

/* ---- Refusals ---- */

static void put_name(struct skr_call *call, struct skr_span name)
{
    if (call->out.n > 0) {
        skr_put(call, ".");
    }
    name.n = name.n < NAME_QUOTED ? name.n : NAME_QUOTED;
    skr_put_span(call, name);
}

/* Begins the refusal with the place of what is wrong: "steps[2].ml". */
static struct skr_call *name_it(struct reader *r)
{
    struct skr_call *call = r->call;
    (void)skr_stop(call, SKR_BAD_ARGUMENT, "");
    for (unsigned i = 0; i <= r->depth; i++) {
        const struct level *l = &r->levels[i];
        if (l->object == NULL) {
            skr_put(call, "[");
            skr_put_int(call, (int32_t)l->seen);
            skr_put(call, "]");
        } else if (l->arg != NULL) {
            put_name(call, skr_span_of(l->arg->name));
        } else {
            struct skr_span key;
            (void)skr_json_string(r->json, l->child, &key);
            put_name(call, key);
        }
    }
    skr_argument_named(call);
    return call;
}

static bool refuse(struct reader *r, const char *rule)
{
    skr_put(name_it(r), rule);
    return false;
}

/* "must be at most 500", "must have at least 2 characters" */
static bool refuse_size(struct reader *r, const struct skr_arg *arg, bool above)
{
    static const char *const units[] = {[SKR_ARG_STRING] = " characters", [SKR_ARG_ARRAY] = " elements"};
    bool sized = arg->kind == SKR_ARG_STRING || arg->kind == SKR_ARG_ARRAY;
    bool open = (arg->flags & (above ? SKR_ARG_UNDER_MAX : SKR_ARG_OVER_MIN)) != 0;
    struct skr_call *call = name_it(r);
    skr_put(call, sized ? "must have " : "must be ");
    skr_put(call, open ? above ? "less than " : "more than " : above ? "at most " : "at least ");
    skr_put_fixed(call, arg->range[above], arg->decimals);
    skr_put(call, sized ? units[arg->kind] : "");
    return false;
}

/* "must be one of fast, slow"; of many only as many as there is room for. */
static bool refuse_value(struct reader *r, const struct skr_arg *arg)
{
    struct skr_call *call = name_it(r);
    skr_put(call, "must be one of ");
    for (unsigned i = 0; i < arg->count; i++) {
        const char *text = arg->kind == SKR_ARG_ENUM ? ((const char *const *)arg->of)[i] : "";
        if (call->out.max - call->out.n < strlen(text) + 32) {
            skr_put(call, ", ...");
            break;
        }
        skr_put(call, i > 0 ? ", " : "");
        skr_put(call, text);
        if (arg->kind == SKR_ARG_INT) {
            skr_put_fixed(call, ((const int64_t *)arg->of)[i], arg->decimals);
        }
    }
    return false;
}

/* ---- Numbers ---- */

static bool is_number(const struct skr_json *json, int token)
{
    return json->tokens[token].type == JSMN_PRIMITIVE && *skr_json_inside(json, token).p <= '9';
}

/* Enums may be of any size, so the compiler's byte order is asked by way of assignments. */
static void store(void *to, int64_t value, unsigned size)
{
    int32_t four = (int32_t)value;
    int16_t two = (int16_t)value;
    int8_t one = (int8_t)value;
    memcpy(to, size == 8 ? (void *)&value : size == 4 ? (void *)&four : size == 2 ? (void *)&two : (void *)&one, size);
}

static bool read_number(struct reader *r, const struct skr_arg *arg, int token, char *to)
{
    struct skr_span text = skr_json_inside(r->json, token);
    bool rest, whole = arg->kind == SKR_ARG_INT && arg->decimals == 0;
    if (!is_number(r->json, token)) {
        return refuse(r, whole ? "must be a whole number" : "must be a number");
    }
    int64_t value = skr_number_scaled(text, arg->decimals, &rest);
    if (arg->kind == SKR_ARG_INT && rest) {
        skr_put(name_it(r), whole ? "must be a whole number" : "must be a multiple of ");
        if (!whole) {
            skr_put_fixed(r->call, 1, arg->decimals);
        }
        return false;
    }
    if (arg->range != NULL) {
        int64_t least = arg->range[0], most = arg->range[1];
        if (value < least || (value == least && !rest && (arg->flags & SKR_ARG_OVER_MIN) != 0)) {
            return refuse_size(r, arg, false);
        }
        if (value > most || (value == most && (rest || (arg->flags & SKR_ARG_UNDER_MAX) != 0))) {
            return refuse_size(r, arg, true);
        }
    }
    if (arg->kind == SKR_ARG_REAL) {
        return ((const struct skr_real *)arg->of)->store(text, to) || refuse(r, "is too large");
    }
    for (unsigned i = 0; i < arg->count; i++) {
        if (((const int64_t *)arg->of)[i] == value) {
            i = arg->count;
        } else if (i + 1 == arg->count) {
            return refuse_value(r, arg);
        }
    }
    store(to, value, arg->size);
    return true;
}

/* ---- Strings ---- */

static bool read_string(struct reader *r, const struct skr_arg *arg, int token, char *to)
{
    struct skr_span text;
    if (!skr_json_string(r->json, token, &text)) {
        return refuse(r, "must be a string");
    }
    if (arg->kind == SKR_ARG_ENUM) {
        for (unsigned i = 0; i < arg->count; i++) {
            if (skr_span_eq(text, skr_span_of(((const char *const *)arg->of)[i]))) {
                store(to, i, arg->size);
                return true;
            }
        }
        return refuse_value(r, arg);
    }
    int64_t characters = 0;
    for (size_t i = 0; i < text.n; i++) {
        characters += (text.p[i] & 0xC0) != 0x80;
    }
    if (arg->range != NULL && (characters < arg->range[0] || characters > arg->range[1])) {
        return refuse_size(r, arg, characters > arg->range[1]);
    }
    memcpy(to, &text, sizeof text);
    return true;
}

/* ---- Objects and arrays ---- */

static void enter(struct reader *r, const struct skr_object *object, int token, char *to)
{
    struct level *l = &r->levels[r->depth];
    l->object = object;
    l->arg = NULL;
    l->to = to;
    l->token = token;
    l->child = token >= 0 ? skr_json_first(r->json, token) : -1;
    l->seen = 0;
    if (object != NULL && object->defaults != NULL) {
        memcpy(to, object->defaults, object->size);
    } else if (object != NULL) {
        memset(to, 0, object->size);
    }
}

static bool enter_object(struct reader *r, const struct skr_arg *arg, int token, char *to)
{
    if (!skr_json_is_object(r->json, token)) {
        return refuse(r, "must be an object");
    }
    r->depth++;
    enter(r, arg->of, token, to);
    return true;
}

static bool enter_array(struct reader *r, const struct skr_arg *arg, int token, char *to)
{
    if (!skr_json_is_array(r->json, token)) {
        return refuse(r, "must be an array");
    }
    size_t count = (size_t)r->json->tokens[token].size;
    bool above = (int64_t)count > arg->range[1];
    if (above || (int64_t)count < arg->range[0]) {
        return refuse_size(r, arg, above);
    }
    memcpy(to, &count, sizeof count);
    const struct skr_arg *element = arg->of;
    struct level *l = &r->levels[++r->depth];
    enter(r, NULL, token, to + element->offset);
    l->arg = element;
    l->size = arg->size;
    return true;
}

/* Reads a value, or enters it. */
static bool read_value(struct reader *r, const struct skr_arg *arg, int token, char *to)
{
    struct skr_span raw;
    bool truth;
    switch (arg->kind) {
    case SKR_ARG_INT:
    case SKR_ARG_REAL: return read_number(r, arg, token, to);
    case SKR_ARG_STRING:
    case SKR_ARG_ENUM: return read_string(r, arg, token, to);
    case SKR_ARG_ARRAY: return enter_array(r, arg, token, to);
    case SKR_ARG_OBJECT: return enter_object(r, arg, token, to);
    case SKR_ARG_BOOL:
        if (!skr_json_boolean(r->json, token, &truth)) {
            return refuse(r, "must be true or false");
        }
        memcpy(to, &truth, sizeof truth);
        return true;
    default:
        raw = skr_json_raw(r->json, token);
        memcpy(to, &raw, sizeof raw);
        return true;
    }
}

static bool read_member(struct reader *r, struct level *l)
{
    unsigned i = 0;
    while (i < l->object->count && !skr_json_equals(r->json, l->child, l->object->members[i].name)) {
        i++;
    }
    if (i == l->object->count) {
        l->arg = NULL;
        return !l->object->closed || refuse(r, "is not known");
    }
    l->arg = &l->object->members[i];
    if ((l->seen >> i & 1) != 0) {
        return refuse(r, "is given twice");
    }
    l->seen |= (uint32_t)1 << i;
    if ((l->arg->flags & SKR_ARG_HAS) != 0) {
        memcpy(l->to + l->arg->has, &(bool){true}, sizeof(bool));
    }
    return read_value(r, l->arg, l->child + 1, l->to + l->arg->offset);
}

/* What must be there when the last member has been read. */
static bool is_complete(struct reader *r, struct level *l)
{
    for (unsigned i = 0; l->object != NULL && i < l->object->count; i++) {
        l->arg = &l->object->members[i];
        if ((l->arg->flags & SKR_ARG_REQUIRED) != 0 && (l->seen >> i & 1) == 0) {
            return refuse(r, "is missing");
        }
    }
    return true;
}

bool skr_args_read(struct skr_call *call, const struct skr_object *shape, void *to)
{
    struct reader r;
    r.call = call;
    r.json = &call->json;
    r.depth = 0;
    enter(&r, shape, call->arguments, to);
    for (;;) {
        struct level *l = &r.levels[r.depth];
        if (l->child < 0) {
            if (!is_complete(&r, l) || r.depth == 0) {
                return r.call->out.reason == SKR_ENDED;
            }
            l = &r.levels[--r.depth];
        } else if (!(l->object != NULL ? read_member(&r, l) : read_value(&r, l->arg, l->child, l->to))) {
            return false;
        } else if (l != &r.levels[r.depth]) {
            continue; /* entered: what lies inside comes first */
        }
        if (l->object == NULL) {
            l->seen++;
            l->to += l->size;
        }
        l->child = skr_json_after(r.json, l->token, l->child);
    }
}
