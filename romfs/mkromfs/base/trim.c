/* trim.c -- see trim.h. */
#include "base/trim.h"

bool trim_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

void trim_blank_lines(const char *text, size_t *from, size_t *to)
{
    size_t first = *from, last = *to, end = *to;

    while (first < *to && trim_is_blank(text[first])) {
        if (text[first++] == '\n') {
            *from = first;
        }
    }
    if (first == *to) {
        *from = *to;
    }
    while (last > *from && trim_is_blank(text[last - 1])) {
        if (text[--last] == '\n') {
            *to = last;
        }
    }
    if (*to<end && * to> * from && text[*to - 1] == '\r') {
        --*to;
    }
}
