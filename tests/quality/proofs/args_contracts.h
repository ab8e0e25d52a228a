/* args_contracts.h -- what reading arguments by tables leans on: a request whose tokens are whole, and the calls that write a
 * refusal. For the proofs of core/handler/args.c and args_kinds.c. */
#ifndef SKR_ARGS_CONTRACTS_H
#define SKR_ARGS_CONTRACTS_H

#include "small.h"

#include "handler/args.h"

static struct skr_call call;
static char text[BOUND + 2]; /* the request */

/* json_tokens.c: a child is a token that exists, after its parent. Of a checked text that jsmn has read to its end, a key
 * has its value after it. */
int first_contract(const struct skr_json *json, int parent)
{
    PROVE(parent >= 0 && parent < json->count);
    int child = nondet_int();
    ASSUME(child == -1 || (child == parent + 1 && child < json->count - 1));
    return child;
}

int after_contract(const struct skr_json *json, int parent, int child)
{
    PROVE(parent >= 0 && parent < child && child < json->count);
    int next = nondet_int();
    ASSUME(next == -1 || (next > child && next < json->count - 1));
    return next;
}

/* json_strings.c: a piece of the text, in which something follows a string: its quote. Only strings may be empty. */
struct skr_span inside_contract(const struct skr_json *json, int token)
{
    PROVE(token >= 0 && token < json->count);
    size_t at = nondet_size(), n = nondet_size();
    ASSUME(at >= 1 && at <= BOUND && n <= BOUND - at);
    return (struct skr_span){text + at, n};
}

bool string_contract(const struct skr_json *json, int token, struct skr_span *out)
{
    PROVE(__CPROVER_w_ok(out, sizeof *out));
    *out = inside_contract(json, token);
    return true;
}

bool is_string_contract(const struct skr_json *json, int token)
{
    PROVE(token >= 0 && token < json->count);
    return nondet_bool();
}

bool equals_contract(const struct skr_json *json, int token, const char *other)
{
    PROVE(token >= 0 && token < json->count && __CPROVER_r_ok(other, 1));
    return nondet_bool();
}

struct skr_span raw_contract(const struct skr_json *json, int token)
{
    return inside_contract(json, token);
}

bool is_contract(struct skr_span s, const char *name)
{
    PROVE(__CPROVER_r_ok(s.p, s.n) && __CPROVER_r_ok(name, 1));
    return nondet_bool();
}

/* args_refuse.c: it shows the levels that are there. */
bool refuse_contract(struct skr_args *args, const char *rule)
{
    PROVE(args->depth <= SKR_ARGS_DEPTH && __CPROVER_r_ok(rule, 1));
    return false;
}

/* What is put into it is there. */
int stop_contract(struct skr_call *c, enum skr_reason reason, const char *why)
{
    return 0;
}

void put_contract(struct skr_call *c, const char *what)
{
    PROVE(__CPROVER_r_ok(what, 1));
}

void put_span_contract(struct skr_call *c, struct skr_span bytes)
{
    PROVE(__CPROVER_r_ok(bytes.p, bytes.n));
}

void put_int_contract(struct skr_call *c, int64_t value)
{
}

void put_fixed_contract(struct skr_call *c, int64_t value, unsigned decimals)
{
}

void named_contract(struct skr_call *c)
{
}

#endif
