/* span.c -- see span.h. */
#include "text/span.h"

bool skr_same_nocase(const char *a, const char *b, size_t n)
{
    size_t i = 0;

    while (i < n && skr_lower(a[i]) == skr_lower(b[i])) {
        i++;
    }
    return i == n;
}

bool skr_span_is(struct skr_span s, const char *text)
{
    return skr_span_eq(s, skr_span_of(text));
}
