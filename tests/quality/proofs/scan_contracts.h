/* scan_contracts.h -- what the small readers of core/text/json_scan.c promise each other, for proofs of those that call
 * them: take a place in the text, and return one after it that is still inside, or NULL. json_readers.c proves that they
 * keep it. */
#ifndef SKR_SCAN_CONTRACTS_H
#define SKR_SCAN_CONTRACTS_H

#include "proof.h"

const char *blanks_contract(const char *p, const char *end)
{
    PROVE(p <= end);
    size_t n = nondet_size();
    ASSUME(n <= (size_t)(end - p));
    p += n;
    ASSUME(p == end || (*p != ' ' && *p != '\t' && *p != '\n' && *p != '\r'));
    return p;
}

/* string, number, scalar: at least a byte of it. */
const char *reader_contract(const char *p, const char *end)
{
    PROVE(p <= end);
    size_t n = nondet_size();
    ASSUME(n > 0);
    return n <= (size_t)(end - p) ? p + n : NULL;
}

/* skr_plain_run, which plain.c proves. */
size_t plain_run_contract(const char *text, size_t n)
{
    size_t run = nondet_size();

    ASSUME(run <= n && (run == n || (unsigned char)text[run] < 0x20 || text[run] == '"' || text[run] == '\\' ||
                        (unsigned char)text[run] > 0x7E));
    return run;
}

/* The same of one that also tells whether there were escapes. */
const char *spelled_contract(const char *p, const char *end, bool *escapes)
{
    *escapes = *escapes || nondet_u8() != 0;
    return reader_contract(p, end);
}

#endif
