/* report.h -- compare what came with what was wanted, count, and show differences. */
#ifndef WIRE_REPORT_H
#define WIRE_REPORT_H

#include "transcript.h"

/* Where a check belongs. */
struct place {
    const struct transcript *file;
    const struct scene *scene;
    const struct exchange *exchange;
    const char *how; /* "stdio", "core, split at 17" */
};

struct totals {
    unsigned long passed;
    unsigned long failed;
};
extern struct totals totals;

/* One message of a response, with the HTTP status it came with (0: no HTTP). */
struct response {
    int status;
    struct bytes text;
};

struct responses {
    struct response *at;
    size_t count;
};

void responses_add(struct responses *a, int status, const char *text, size_t n);
void responses_free(struct responses *a);

/* Cuts out[0..n) at its line ends. False when the last line is not ended. */
bool responses_of_lines(struct responses *a, const struct bytes *out);

/* Compares messages, or raw HTTP, with the exchange's `<` lines; counts, and shows what differs. */
bool report_messages(const struct place *place, const struct memory *memory, const struct bytes *sent,
                     const struct responses *got);
bool report_raw(const struct place *place, const struct memory *memory, const struct bytes *sent,
                const struct bytes *got, bool closed);

/* Compares with what the same exchange gave when it was run whole. */
bool report_same(const struct place *place, const struct bytes *sent, const struct bytes *whole,
                 const struct bytes *got);

/* Counts a failure that is not a difference of responses, such as silence. */
void report_trouble(const struct place *place, const struct bytes *sent, const char *what);
void report_pass(void);

#endif
