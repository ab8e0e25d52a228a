/* function:  after_value (json_scan.c)
 * property:  any text, whatever its brackets: read up to its end, never beyond
 * bound:     6 16
 * unwind:    2 + BOUND
 * contracts: after_spaces:blanks_contract after_scalar:spelled_contract
 * sources:   core/text/json_string.c core/text/span.c core/text/plain.c
 * break:     core/text/json_scan.c: switch (p < end ? *p : '\0') {\n        case '{': -> switch (*p) {\n        case '{':
 */
#include "scan_contracts.h"

#include "../../../core/text/json_scan.c"

int main(void)
{
    size_t n = any_length();

    ANY_BYTES(text, n);
    const char *behind = after_value(text, text + n);
    PROVE(behind == NULL || (behind > text && behind <= text + n));
    return 0;
}
