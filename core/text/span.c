/* span.c -- see span.h. */
#include "text/span.h"

bool skri_same_nocase(const char *a, const char *b, size_t n)
{
    size_t i = 0;
    while (i < n && skri_lower(a[i]) == skri_lower(b[i])) {
        i++;
    }
    return i == n;
}

bool skri_span_is(struct skr_span s, const char *text)
{
    return skri_span_eq(s, skri_span_of(text));
}
