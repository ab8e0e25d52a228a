/* span.c -- see span.h. */
#include "text/span.h"

bool skri_span_is(struct skr_span s, const char *text)
{
    return skri_span_eq(s, skri_span_of(text));
}

bool skri_span_eq_nocase(struct skr_span a, struct skr_span b)
{
    if (a.n != b.n) {
        return false;
    }
    for (size_t i = 0; i < a.n; i++) {
        if (skri_lower(a.p[i]) != skri_lower(b.p[i])) {
            return false;
        }
    }
    return true;
}
