/* function:  next_member, leave_object, skri_args_enter_object, _value (args.c)
 * property:  any request and any table that fits its struct, at any depth: only the struct is written, levels stay inside their table
 * bound:     1 4
 * unwind:    2 + BOUND
 * flags:     -DSKR_PROFILE_NET -DSKR_JOBS=0
 * contracts: skr_json_first:first_contract skr_json_after:after_contract skr_json_inside:inside_contract skr_json_string:string_contract skr_json_is_string:is_string_contract skr_json_equals:equals_contract skr_json_raw:raw_contract skr_span_is:is_contract skri_args_refuse:refuse_contract skr_put:put_contract skr_put_fixed:put_fixed_contract
 * break:     core/handler/args.c: for (; i < object->count && !skr_span_is -> for (; !skr_span_is
 * break:     core/handler/args.c: if (i == object->count) { -> if (i > object->count) {
 * break:     core/handler/args.c: if (l->key < 0) {\n        return leave_object(r, l); -> if (false) {\n        return leave_object(r, l);
 * break:     core/handler/args.c: memset(to, 0, object->size); -> memset(to, 0, object->size + 1u);
 * break:     core/handler/args.c: r->depth--;\n    return true; -> r->depth -= 2;\n    return true;
 */
#include "args_contracts.h"

#include "../../../core/handler/args.c"

#define MADE 8 /* bytes of a struct */

static char made[MADE], defaults[MADE];
static struct skr_arg members[BOUND];
static struct skr_object object;
static struct skr_args r;

/* Of whatever kind a member is, it gets a token that exists and a place in the struct. args_kinds.c shows what they do. */
static bool read_any(struct skr_args *args, const struct skr_arg *arg, int token, char *to)
{
    PROVE(token >= 0 && token < args->json->count && __CPROVER_w_ok(to, arg->size));
    return nondet_bool();
}

static bool is_sound(void)
{
    const struct skr_args_level *l = &r.levels[r.depth - 1];

    return r.depth >= 1 && r.depth <= SKR_ARGS_DEPTH && l->token >= 0 && l->token < call.json.count &&
           (l->child == -1 || (l->child > l->token && l->child + 1 < call.json.count));
}

int main(void)
{
    struct skr_arg_kind kind = {"a value", (char)nondet_u8(), read_any};

    __CPROVER_havoc_object(text);
    __CPROVER_havoc_object(members);
    __CPROVER_havoc_object(&object);
    __CPROVER_havoc_object(&r);
    call.json.count = nondet_int();
    ASSUME(call.json.count >= 1 && call.json.count <= INT16_MAX && object.count <= BOUND);
    for (unsigned i = 0; i < BOUND; i++) {
        members[i].kind = &kind;
        members[i].name = "x";
        ASSUME(members[i].size <= MADE && members[i].offset <= MADE - members[i].size && members[i].has < MADE);
    }
    object.members = members + (BOUND - object.count);
    object.size = MADE;
    object.defaults = nondet_bool() ? defaults : NULL;
    r.call = &call;
    r.json = &call.json;
    if (nondet_bool()) {
        ASSUME(is_sound());
        struct skr_args_level *l = &r.levels[r.depth - 1];
        l->of = &object;
        l->to = made;
        l->size = 0;
        unsigned depth = r.depth;
        bool good = next_member(&r);
        PROVE(!good || r.depth == depth - 1 || (r.depth == depth && is_sound()));
    } else {
        int token = nondet_int();
        ASSUME(token >= 0 && token < call.json.count && r.depth < SKR_ARGS_DEPTH); /* as deep as the tables are */
        (void)skri_args_enter_object(&r, token, &object, made);
        PROVE(is_sound());
    }
    return 0;
}
