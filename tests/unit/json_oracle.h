/* json_oracle.h -- a second opinion about JSON, which shares nothing with the core: the grammar of RFC 8259 written down as
 * functions that call each other, and UTF-8 as utf8proc judges it. */
#ifndef JSON_ORACLE_H
#define JSON_ORACLE_H

#include <stdbool.h>
#include <stddef.h>

enum oracle_verdict {
    ORACLE_JSON,
    ORACLE_NOT_JSON,
    ORACLE_TOO_DEEP, /* before anything else is wrong */
};

/* A value or key: text[start..end), with brackets or quotes. In the order of the text. */
struct oracle_value {
    char kind; /* '{', '[', '"', or 'w' for a number, true, false or null */
    size_t start, end;
    int parent; /* the array or object it stands in; -1: none */
};

struct oracle {
    struct oracle_value values[1024];
    int count;
};

enum oracle_verdict oracle_judge(struct oracle *o, const char *text, size_t n, unsigned depth_max);

#endif
