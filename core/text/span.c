/* span.c -- see span.h. */
#include "text/span.h"

/* Most peers spell names as we do, so the exact comparison comes first. */
bool skri_span_eq_nocase(struct skr_span a, struct skr_span b)
{
    bool same = skri_span_eq(a, b);
    for (size_t i = 0; !same && a.n == b.n && skri_lower(a.p[i]) == skri_lower(b.p[i]);) {
        same = ++i == a.n;
    }
    return same;
}

bool skri_span_is(struct skr_span s, const char *text)
{
    return skri_span_eq(s, skri_span_of(text));
}
