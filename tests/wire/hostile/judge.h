/* judge.h -- is what the server sent well-formed? Written apart from the server's own JSON
 * code, so that the two can disagree. */
#ifndef JUDGE_H
#define JUDGE_H

#include <stdbool.h>
#include <stddef.h>

/* What a sequence of messages held. */
struct verdict {
    const char *flaw;   /* NULL: none */
    unsigned messages;  /* in all, batch elements counted one by one */
    unsigned responses; /* with a result or an error */
    unsigned notifications;
    unsigned client_requests; /* requests to the client */
    unsigned http_responses;  /* HTTP only */
};

/* One JSON text in valid UTF-8, no raw control characters, nothing after it. */
bool judge_json(const char *text, size_t n);

/* A value or key of a text: text[start..end), with brackets or quotes. */
struct judged {
    char first; /* its first character */
    size_t start, end;
    int parent; /* which array or object it stands in; -1: none */
};

/* The values of a text, in their order. */
struct judged_text {
    unsigned depth_max; /* brackets may be nested so deep */
    bool too_deep;      /* one is deeper, before anything else was wrong */
    unsigned count;
    struct judged values[1024];
};

/* The same as judge_json, with what was found. */
bool judge_values(struct judged_text *found, const char *text, size_t n, unsigned depth_max);

/* Lines, each one JSON-RPC message or batch of them. */
struct verdict judge_lines(const char *text, size_t n);

/* HTTP responses one after the other, each whole, with JSON, events or nothing in it. */
struct verdict judge_http(const char *text, size_t n);

#endif
