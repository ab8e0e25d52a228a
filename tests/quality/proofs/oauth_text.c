/* function:  skr_oauth_member, skr_oauth_text (oauth_json.c)
 * property:  any checked text into any room: nothing behind either, it ends with a NUL; a member that is there twice is refused
 * bound:     6 12
 * unwind:    3 + BOUND
 * flags:     -DSKR_PROFILE_FULL -Iport/oauth
 * contracts: skr_json_decode:decode_contract skr_scan_inside:inside_contract skr_scan_pair:pair_contract skr_scan_is:is_contract
 * break:     port/oauth/oauth_json.c: if (n >= room - made || -> if (n > room - made ||
 * break:     port/oauth/oauth_json.c: if (inside.p == NULL) { -> if (false) {
 * break:     port/oauth/oauth_json.c: return times < 2; -> return times < 3;
 */
#include "proof.h"

#include "../../../port/oauth/oauth_json.c"

static unsigned matches;

/* json_decode.c */
unsigned decode_contract(const char *p, const char *end, char *out, unsigned *used)
{
    PROVE(p < end && __CPROVER_r_ok(p, (size_t)(end - p)) && __CPROVER_w_ok(out, 4));
    unsigned made = nondet_u8();
    *used = nondet_u8();
    ASSUME(made >= 1 && made <= 4 && made <= *used && *used <= (size_t)(end - p));
    for (unsigned i = 0; i < 4; i++) {
        out[i] = (char)nondet_u8();
    }
    return made;
}

struct skr_span inside_contract(struct skr_span value)
{
    return nondet_bool() ? value : (struct skr_span){NULL, 0};
}

/* json_scan.c: a walk takes at least a byte for each member. */
bool pair_contract(struct skr_span *rest, struct skr_span *key, struct skr_span *value)
{
    if (rest->n == 0 || nondet_bool()) {
        return false;
    }
    key->p = value->p = rest->p;
    rest->p++;
    rest->n--;
    return true;
}

bool is_contract(struct skr_span value, const char *text)
{
    bool is = nondet_bool();

    matches += is;
    return is;
}

int main(void)
{
    size_t n = any_length(), room = any_length();

    ANY_BYTES(text, n);
    ANY_BYTES(out, room);
    ASSUME(room > 0);
    struct skr_span value = {text, n};
    if (nondet_bool()) {
        if (skr_oauth_text(value, out, room)) {
            PROVE(strlen(out) < room);
        }
    } else {
        PROVE(skr_oauth_member((struct skr_span){text, n}, "x", &value) == (matches < 2));
        PROVE((value.p == NULL) == (matches == 0));
    }
    return 0;
}
