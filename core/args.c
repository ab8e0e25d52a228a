/* args.c -- a tool's arguments, checked against its tables and put into its struct.
 *
 * The tables come from the tool's JSON schema (romfs/mkromfs/header.c), so what reaches a
 * handler is what the schema allows; the rest is refused with the name of the member and
 * the rule. The walk keeps its place in a few levels instead of calling itself: how deep
 * it goes was decided when the tables were made. */
#include "skr_args.h"

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
    struct level *top; /* the one being read */
    struct level levels[SKR_ARGS_DEPTH];
};

/* ---- Refusals ---- */

/* Begins a refusal with the place of what is wrong: "steps[2].ml". */
static bool refuse(struct reader *r, const char *rule)
{
    struct skr_call *call = r->call;
    (void)skr_stop(call, SKR_BAD_ARGUMENT, "");
    for (const struct level *l = r->levels; l <= r->top; l++) {
        if (l->object == NULL) {
            skr_put(call, "[");
            skr_put_int(call, l->seen);
            skr_put(call, "]");
            continue;
        }
        struct skr_span name;
        if (l->arg != NULL) {
            name = skr_span_of(l->arg->name);
        } else {
            (void)skr_json_string(r->json, l->child, &name);
            name.n = name.n < NAME_QUOTED ? name.n : NAME_QUOTED;
        }
        skr_put(call, l > r->levels ? "." : "");
        skr_put_span(call, name);
    }
    skr_argument_named(call);
    skr_put(call, rule);
    return false;
}

static bool refuse_type(struct reader *r, const struct skr_arg *arg)
{
    static const char *const types[] = {"a whole number", "a number", "true or false", "a string",
                                        "a string",       "an array", "an object"}; /* by kind */
    (void)refuse(r, "must be ");
    skr_put(r->call, types[arg->decimals > 0 ? SKR_ARG_REAL : arg->kind]);
    return false;
}

/* "must be at most 500", "must have at least 2 characters" */
static bool refuse_size(struct reader *r, const struct skr_arg *arg, unsigned above)
{
    static const char *const limits[] = {"at least ", "at most ", "more than ", "less than "};
    bool open = (arg->flags & SKR_ARG_OVER_MIN << above) != 0;
    bool number = arg->kind <= SKR_ARG_REAL;
    (void)refuse(r, number ? "must be " : "must have ");
    skr_put(r->call, limits[above + 2u * open]);
    skr_put_fixed(r->call, arg->range[above], arg->decimals);
    skr_put(r->call, number ? "" : arg->kind == SKR_ARG_STRING ? " characters" : " elements");
    return false;
}

/* "must be one of fast, slow"; of many only as many as there is room for. */
static bool refuse_value(struct reader *r, const struct skr_arg *arg)
{
    struct skr_call *call = r->call;
    (void)refuse(r, "must be one of");
    for (unsigned i = 0; i < arg->count; i++) {
        const char *text = arg->kind == SKR_ARG_ENUM ? ((const char *const *)arg->of)[i] : "";
        skr_put(call, i > 0 ? ", " : " ");
        if (call->out.max - call->out.n < strlen(text) + 32) {
            skr_put(call, "...");
            break;
        }
        skr_put(call, text);
        if (arg->kind == SKR_ARG_INT) {
            skr_put_fixed(call, ((const int64_t *)arg->of)[i], arg->decimals);
        }
    }
    return false;
}

/* ---- Values ---- */

/* By its first character, what kind of value a JSON text is: all numbers are '0', both
 * booleans 't'. */
static char type_of(char c)
{
    return c == 'f' ? 't' : c != '"' && c <= '9' ? '0' : c;
}

static uint32_t characters(struct skr_span text)
{
    uint32_t count = 0;
    while (text.n > 0) {
        count += (text.p[--text.n] & 0xC0) != 0x80;
    }
    return count;
}

/* Which of the values allowed it is; `count` for none. */
static unsigned choice(const struct skr_arg *arg, struct skr_span text, int64_t number)
{
    unsigned i = 0;
    while (i < arg->count && (arg->kind == SKR_ARG_ENUM
                                  ? !skr_span_eq(text, skr_span_of(((const char *const *)arg->of)[i]))
                                  : ((const int64_t *)arg->of)[i] != number)) {
        i++;
    }
    return i;
}

static void enter(struct level *l, const struct skr_json *json, int token, const struct skr_object *object, char *to)
{
    l->object = object;
    l->to = to;
    l->token = token;
    l->child = token >= 0 ? skr_json_first(json, token) : -1;
    l->seen = 0;
    if (object != NULL) {
        memset(to, 0, object->size);
        if (object->defaults != NULL) {
            memcpy(to, object->defaults, object->size);
        }
    }
}

/* Stores a value that fits, or enters it. */
static bool take(struct reader *r, const struct skr_arg *arg, int token, char *to, struct skr_span text, int64_t value)
{
    void *place = to;
    switch (arg->kind) {
    case SKR_ARG_REAL: return ((const struct skr_real *)arg->of)->store(text, place) || refuse(r, "is too large");
    case SKR_ARG_BOOL: *(bool *)place = *text.p == 't'; break;
    case SKR_ARG_INT:
    case SKR_ARG_ENUM: /* of any size: compilers may make enums small */
        if (arg->size == sizeof(int64_t)) {
            *(int64_t *)place = value;
        } else if (arg->size == sizeof(int32_t)) {
            *(int32_t *)place = (int32_t)value;
        } else if (arg->size == sizeof(int16_t)) {
            *(int16_t *)place = (int16_t)value;
        } else {
            *to = (char)value;
        }
        break;
    case SKR_ARG_ARRAY:
        *(size_t *)place = (size_t)value;
        r->top++;
        r->top->arg = arg->of;
        r->top->size = arg->size;
        enter(r->top, r->json, token, NULL, to + r->top->arg->offset);
        break;
    case SKR_ARG_OBJECT: enter(++r->top, r->json, token, arg->of, to); break;
    default: *(struct skr_span *)place = text; break;
    }
    return true;
}

static bool read_value(struct reader *r, const struct skr_arg *arg, int token, char *to)
{
    static const char types[] = {'0', '0', 't', '"', '"', '[', '{'}; /* by kind; that is all but raw ones */
    struct skr_span text = skr_json_raw(r->json, token);
    int64_t value = 0;
    bool rest = false;
    if (arg->kind < sizeof types && type_of(*text.p) != types[arg->kind]) {
        return refuse_type(r, arg);
    }
    if (arg->kind <= SKR_ARG_REAL) {
        value = skr_number_scaled(text, arg->decimals, &rest);
    } else if (arg->kind <= SKR_ARG_ENUM && skr_json_string(r->json, token, &text)) {
        value = characters(text);
    } else {
        value = r->json->tokens[token].size;
    }
    if (arg->kind == SKR_ARG_INT && rest) {
        return arg->decimals > 0 ? refuse(r, "has too many decimals") : refuse_type(r, arg);
    }
    if (arg->range != NULL) {
        int64_t least = arg->range[0], most = arg->range[1];
        if (value < least || (value == least && !rest && (arg->flags & SKR_ARG_OVER_MIN) != 0)) {
            return refuse_size(r, arg, 0);
        }
        if (value > most || (value == most && (rest || (arg->flags & SKR_ARG_UNDER_MAX) != 0))) {
            return refuse_size(r, arg, 1);
        }
    }
    if (arg->count > 0) {
        unsigned chosen = choice(arg, text, value);
        if (chosen == arg->count) {
            return refuse_value(r, arg);
        }
        value = arg->kind == SKR_ARG_ENUM ? chosen : value;
    }
    return take(r, arg, token, to, text, value);
}

/* ---- Objects and arrays ---- */

static bool read_member(struct reader *r, struct level *l)
{
    const struct skr_arg *arg = l->object->members, *end = arg + l->object->count;
    uint32_t bit = 1;
    for (; arg < end && !skr_json_equals(r->json, l->child, arg->name); arg++) {
        bit <<= 1;
    }
    l->arg = arg < end ? arg : NULL;
    if (arg == end) {
        return !l->object->closed || refuse(r, "is not known");
    }
    if ((l->seen & bit) != 0) {
        return refuse(r, "is given twice");
    }
    l->seen |= bit;
    if ((arg->flags & SKR_ARG_HAS) != 0) {
        *(bool *)(void *)(l->to + arg->has) = true;
    }
    return read_value(r, arg, l->child + 1, l->to + arg->offset);
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
    r.top = r.levels;
    enter(r.top, r.json, call->arguments, shape, to);
    for (;;) {
        struct level *l = r.top;
        if (l->child < 0) {
            bool complete = is_complete(&r, l);
            if (!complete || l == r.levels) {
                return complete;
            }
            l = --r.top;
        } else if (!(l->object != NULL ? read_member(&r, l) : read_value(&r, l->arg, l->child, l->to))) {
            return false;
        } else if (l != r.top) {
            continue; /* what lies inside comes first */
        }
        if (l->object == NULL) {
            l->seen++;
            l->to += l->size;
        }
        l->child = skr_json_after(r.json, l->token, l->child);
    }
}
