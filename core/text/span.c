/* span.c -- see span.h. */
#include "text/span.h"

bool skri_span_is(struct skr_span s, const char *text)
{
    return skri_span_eq(s, skri_span_of(text));
}
