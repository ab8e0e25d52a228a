/* function:  read_int, read_bool, read_wide, read_string, read_enum, read_raw, read_array, next_element
 * property:  any value of a request, any row that fits its struct: nothing beside the value's place is written, no more elements than it has room for
 * bound:     1 4
 * unwind:    4 + BOUND
 * flags:     -DSKR_PROFILE_NET -DSKR_JOBS=0
 * contracts: skr_json_first:first_element skr_json_after:element_after skr_json_inside:inside_contract skr_json_string:string_contract skr_json_is_string:is_string_contract skr_json_equals:equals_contract skr_json_raw:raw_contract skr_span_is:is_contract skri_args_refuse:refuse_contract skr_put:put_contract skr_put_fixed:put_fixed_contract skri_args_value:value_contract skr_number_int:int_contract skr_number_scaled:scaled_contract
 * break:     core/handler/args_kinds.c: if (arg->size == sizeof(int64_t)) { -> if (true) {
 * break:     core/handler/args_kinds.c: if (arg->size == sizeof(uint32_t)) { -> if (arg->size > 0) {
 * break:     core/handler/args_kinds.c: i < text->n; i++) { -> i <= text->n + 2; i++) {
 * break:     core/handler/args_kinds.c: while (i < arg->count && !skr_json_equals -> while (!skr_json_equals
 * break:     core/handler/args_kinds.c: if (!skri_args_in_range(r, arg, (int64_t)*count, " elements")) { -> if (false) {
 * break:     core/handler/args_kinds.c: char *to = l->to;\n\n    if (element -> char *to = l->to + 1;\n    if (element
 */
#include "args_contracts.h"

#include "../../../core/handler/args.c"
#include "../../../core/handler/args_kinds.c"

#define ELEMENT 8 /* bytes of one: a struct of them has no padding, which would hide a byte too many */

static int elements; /* of the array in the request */
static struct skr_args r;

bool int_contract(struct skr_span s, int32_t *out)
{
    PROVE(__CPROVER_w_ok(out, sizeof *out));
    *out = nondet_int();
    return nondet_bool();
}

int64_t scaled_contract(struct skr_span s, unsigned decimals, bool *rest)
{
    *rest = nondet_bool();
    return (int64_t)nondet_u64();
}

/* An array whose elements are the tokens after it. */
int first_element(const struct skr_json *json, int parent)
{
    return elements > 0 ? parent + 1 : -1;
}

int element_after(const struct skr_json *json, int parent, int child)
{
    return child < parent + elements ? child + 1 : -1;
}

/* args_object.c: the value goes to its place. */
bool value_contract(struct skr_args *args, const struct skr_arg *arg, int token, char *to)
{
    PROVE(token >= 0 && token < args->json->count && __CPROVER_w_ok(to, ELEMENT));
    return nondet_bool();
}

static void prove_scalar(struct skr_arg *arg, int token)
{
    static const char *const names[] = {"fast", "slow"};
    static const int64_t values[] = {1, 2};
    char one[1], two[2], four[4], eight[8];
    struct skr_span span;

    arg->count = nondet_bool() ? 2 : 0;
    switch (nondet_u8()) {
    case 0: (void)read_int(&r, arg, token, four); break;
    case 1: (void)read_bool(&r, arg, token, one); break;
    case 2:
        arg->of = values;
        arg->size = nondet_bool() ? 8 : 4;
        (void)read_wide(&r, arg, token, arg->size == 8 ? eight : four);
        break;
    case 3: (void)read_string(&r, arg, token, (char *)&span); break;
    case 4:
        arg->of = names;
        arg->size = nondet_bool() ? 4 : nondet_bool() ? 2 : 1;
        (void)read_enum(&r, arg, token, arg->size == 4 ? four : arg->size == 2 ? two : one);
        break;
    default: (void)read_raw(&r, arg, token, (char *)&span); break;
    }
}

/* A struct with room for BOUND elements, as the schema's maxItems says, and a request with one more at most. */
static void prove_array(struct skr_arg *arg, int token)
{
    struct {
        size_t count;
        char at[BOUND * ELEMENT];
    } array;
    struct skr_arg element = {.offset = sizeof array.count};
    int64_t range[] = {(int64_t)nondet_u64(), BOUND};

    arg->range = range;
    arg->of = &element;
    arg->size = ELEMENT;
    ASSUME(elements <= BOUND + 1 && token + elements < call.json.count);
    r.depth = 1;
    bool good = read_array(&r, arg, token, (char *)&array);
    PROVE(!good || (r.depth == 2 && array.count == (size_t)elements && elements <= BOUND));
    while (good && r.depth == 2) {
        good = next_element(&r);
    }
}

int main(void)
{
    struct skr_arg_kind kind = {"a value"};
    struct skr_arg arg;
    int64_t range[] = {(int64_t)nondet_u64(), (int64_t)nondet_u64()};
    int token = nondet_int();

    __CPROVER_havoc_object(text);
    r.call = &call;
    r.json = &call.json;
    elements = nondet_int();
    call.json.count = nondet_int();
    call.out.max = nondet_size();
    call.out.n = nondet_size();
    ASSUME(call.out.n <= call.out.max && call.json.count <= INT16_MAX && elements >= 0);
    ASSUME(token >= 0 && token < call.json.count);
    arg.kind = &kind;
    arg.name = "x";
    arg.range = nondet_bool() ? range : NULL;
    if (nondet_bool()) {
        prove_scalar(&arg, token);
    } else {
        prove_array(&arg, token);
    }
    return 0;
}
