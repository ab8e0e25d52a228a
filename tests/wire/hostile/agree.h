/* agree.h -- do the core and another reader of JSON (judge.h) see the same in a text? */
#ifndef AGREE_H
#define AGREE_H

#include "judge.h"

#define AGREE_TOKENS 24 /* few, so that a text of moderate length has too many values */

/* What both say of it. */
enum agreed {
    AGREED_NOT, /* they differ: in their verdict, its reason, the tokens, or the values where it is walked without tokens */
    AGREED_JSON,
    AGREED_CROWDED, /* JSON with more than AGREE_TOKENS values */
    AGREED_BAD,
    AGREED_DEEP,
    AGREED_KINDS
};

/* copy[0..n) should end where a block ends, so that a sanitizer sees a reader that reads past it. At most 1000 values. */
enum agreed texts_agree(char *copy, size_t n);

#endif
