/* function:  after_spaces, after_string, after_number (json_scan.c)
 * property:  read only up to the end, end themselves, and return a place inside the text, or NULL
 * bound:     4 8
 * unwind:    5 + BOUND
 * contracts: skr_plain_run:plain_run_contract
 * sources:   core/text/json_string.c core/text/span.c core/text/plain.c
 * break:     core/text/json_scan.c: if (++p == end || skr_hex_digit -> ++p; if (skr_hex_digit
 * break:     core/text/json_scan.c: p += p < end && *p == '-'; -> p += *p == '-';
 * break:     core/text/json_scan.c: (size_t)(end - p))) < end) { -> (size_t)(end - p))) <= end) {
 */
#include "scan_contracts.h"

#include "../../../core/text/json_scan.c"

int main(void)
{
    size_t n = any_length();

    ANY_BYTES(text, n);
    const char *end = text + n, *behind;
    bool escapes = false;
    switch (nondet_u8()) {
    case 0:
        behind = after_spaces(text, end);
        PROVE(behind >= text && behind <= end);
        return 0;
    case 1: behind = after_string(text, end, &escapes); break;
    default: behind = after_number(text, end); break;
    }
    PROVE(behind == NULL || (behind > text && behind <= end));
    return 0;
}
