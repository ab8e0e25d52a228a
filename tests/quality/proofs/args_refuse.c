/* function:  skri_args_refuse, _refuse_type, _in_range (args.c)
 * property:  at any depth, of objects and arrays: a refusal shows only levels and names that are there, a name of any length cut
 * bound:     70
 * unwind:    7
 * flags:     -DSKR_PROFILE_NET -DSKR_JOBS=0
 * contracts: skr_json_inside:inside_contract skr_stop:stop_contract skr_put:put_contract skr_put_span:put_span_contract skr_put_int:put_int_contract skr_put_fixed:put_fixed_contract skri_argument_named:named_contract
 * break:     core/handler/args.c: l < r->levels + r->depth; l++) { -> l <= r->levels + r->depth; l++) {
 * break:     core/handler/args.c: name.n = name.n < NAME_QUOTED ? name.n : NAME_QUOTED; -> name.n += 8;
 * break:     core/handler/args.c: if (l->key < 0) { /* all -> if (false) { /* all
 * break:     core/handler/args.c: bool above = arg->range != NULL && value -> bool above = value
 */
#include "args_contracts.h"

#include "../../../core/handler/args.c"

int main(void)
{
    struct skr_args r;
    struct skr_arg arg;
    struct skr_arg_kind kind = {"a value"};
    int64_t range[] = {(int64_t)nondet_u64(), (int64_t)nondet_u64()};

    call.json.count = nondet_int();
    r.call = &call;
    r.json = &call.json;
    r.missing = "x";
    arg.kind = &kind;
    arg.range = nondet_bool() ? range : NULL;
    ASSUME(r.depth <= SKR_ARGS_DEPTH);
    for (unsigned i = 0; i < SKR_ARGS_DEPTH; i++) {
        ASSUME(r.levels[i].key < call.json.count);
    }
    if (nondet_bool()) {
        (void)skri_args_refuse_type(&r, &arg);
    } else {
        (void)skri_args_in_range(&r, &arg, (int64_t)nondet_u64(), nondet_bool() ? " elements" : "");
    }
    return 0;
}
