/* corpus.h -- good requests, one of every kind: what the mutator starts from, and what every
 * profile must answer. */
#ifndef CORPUS_H
#define CORPUS_H

#include <stddef.h>

/* A parameter of a method: a good value as JSON, and whether it is needed. */
struct corpus_param {
    const char *name;
    const char *value;
    int required;
};

struct corpus_method {
    const char *name;
    const char *needs; /* "": always there; else the switch it hangs on: "prompts", "completion", .. */
    int legacy, modern;
    struct corpus_param params[3];
};

extern const struct corpus_method corpus_methods[];
extern const size_t corpus_method_count;

/* Request number `which` as one line without its end, in a buffer that the next call uses
 * again; NULL after the last. The first ones are method i in the older era at 2 * i and in the
 * modern one after it. */
const char *corpus_line(size_t which);

/* The request to one method with these members of params ("" for none). */
const char *corpus_request(const struct corpus_method *m, int modern, const char *params);

/* The same as HTTP requests; legacy ones show `session`. */
const char *corpus_http(size_t which, const char *session);

/* 1 when this build has what the method needs. */
int corpus_has(const struct corpus_method *m);

#endif
