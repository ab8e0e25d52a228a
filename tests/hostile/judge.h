/* judge.h -- is what the server sent well-formed? Written apart from the server's own JSON
 * code, so that the two can disagree. */
#ifndef JUDGE_H
#define JUDGE_H

#include <stdbool.h>
#include <stddef.h>

/* What a sequence of messages held. */
struct verdict {
    const char *flaw;  /* NULL: none */
    unsigned messages; /* in all, batch elements counted one by one */
    unsigned answers;  /* with a result or an error */
    unsigned notifications;
    unsigned responses; /* HTTP only */
};

/* One JSON text in valid UTF-8, no raw control characters, nothing behind it. */
bool judge_json(const char *text, size_t n);

/* Lines, each one JSON-RPC message or batch of them. */
struct verdict judge_lines(const char *text, size_t n);

/* HTTP responses one behind the other, each whole, with JSON, events or nothing in it. */
struct verdict judge_http(const char *text, size_t n);

#endif
