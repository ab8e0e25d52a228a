/* span.c -- see span.h. */
#include "text/span.h"

bool skr_span_is(struct skr_span s, const char *text)
{
    return skr_span_eq(s, skr_span_of(text));
}
