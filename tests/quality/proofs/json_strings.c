/* function:  skr_json_string, _equals_span, _raw, _is_id, _boolean, skr_json_same_text, _same_id
 * property:  any token of a checked text, also one decoded before: only its bytes are read, and decoding in place stays in its quotes
 * bound:     3 8
 * unwind:    2 + BOUND
 * contracts: skr_json_decode:decode_contract
 * sources:   core/text/json_scan.c core/text/json_string.c core/text/span.c core/text/plain.c
 * break:     core/text/json.c: for (unsigned used; from < end; from += used) { -> for (unsigned used; from <= end; from += used) {
 * break:     core/text/json.c: s.n += 2; -> s.n += 3;
 * break:     core/text/json.c: i < raw.n; i++) { -> i <= raw.n; i++) {
 * break:     core/text/json_string.c: if (text.n - at < n || memcmp -> if (memcmp
 * break:     core/text/json_string.c: if (u->p == u->end) { -> if (u->p > u->end) {
 */
#include "proof.h"

#include "../../../core/text/json.c"

/* json_decode.c, of what json_readers.c lets through */
unsigned decode_contract(const char *p, const char *end, char *out, unsigned *used)
{
    PROVE(p < end && __CPROVER_r_ok(p, (size_t)(end - p)));
    unsigned made = nondet_u8();
    *used = nondet_u8();
    ASSUME(made >= 1 && made <= 4 && made <= *used && *used <= 12 && *used <= (size_t)(end - p));
    PROVE(__CPROVER_w_ok(out, made));
    for (unsigned i = 0; i < 4; i++) {
        if (i < made) {
            out[i] = (char)nondet_u8();
        }
    }
    return made;
}

int main(void)
{
    size_t n = any_length(), m = any_length();

    ANY_BYTES(text, n);
    ANY_BYTES(other, m);
    struct skr_token block[1];
    struct skr_json json = {.text = text, .tokens = block, .count = 1, .escapes = nondet_bool()};
    jsmntok_t *t = token_at(&json, 0);
    bool quoted = t->type == JSMN_STRING, yes;
    /* What jsmn makes of a checked text: a string has its quotes around it, and anything else at least a byte. */
    ASSUME(t->start >= quoted && t->end <= (int)n - quoted && (quoted ? t->start <= t->end : t->start < t->end));
    int start = t->start, end = t->end;
    struct skr_span out, raw;
    switch (nondet_u8()) {
    case 0:
        if (skr_json_string(&json, 0, &out)) {
            PROVE(out.p == text + start && out.n <= (size_t)(end - start));
            PROVE(json.escapes || out.n == (size_t)(end - start));
        }
        PROVE(t->start == start && t->end <= end);
        break;
    case 1: (void)skr_json_equals_span(&json, 0, (struct skr_span){other, m}); break;
    case 2:
        raw = skr_json_raw(&json, 0);
        PROVE(raw.p >= text && raw.n <= n && (size_t)(raw.p - text) <= n - raw.n);
        break;
    case 3: (void)skr_json_is_id(&json, 0); break;
    case 4: (void)skr_json_boolean(&json, 0, &yes); break;
    case 5: (void)skr_json_same_text((struct skr_span){text, n}, (struct skr_span){other, m}); break;
    default: (void)skr_json_same_id((struct skr_span){text, n}, (struct skr_span){other, m}); break;
    }
    return 0;
}
