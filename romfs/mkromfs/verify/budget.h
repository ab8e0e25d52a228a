/* budget.h -- what an image costs a client: context of a model, and time on a serial line.
 *
 * Everything is read from the mounted image, so it is what a device will send. Bytes on the wire are those of the response on a
 * line, to a client of 2025-11-25 whose request has an id of one digit. Tokens are an estimate. */
#ifndef MKROMFS_BUDGET_H
#define MKROMFS_BUDGET_H

#include <stdint.h>

#include "base/check.h"
#include "image/model.h"
#include "romfs.h"

/* English Markdown has about 4.3 bytes per token; of a skill's text that is right to about 18 %. */
#define BUDGET_BYTES_PER_TEN_TOKENS 43u

/* Bytes per second at 115200 baud, a start and a stop bit with each. */
#define BUDGET_LINE_SPEED 11520u

struct cost {
    uint64_t tokens; /* what a model reads */
    uint64_t wire;   /* bytes of the response that brings it */
};

/* What every conversation begins with. */
struct budget {
    struct cost instructions; /* wire: the whole response to initialize, as a device with every feature sends it */
    struct cost tools;        /* wire: tools/list */
    struct cost skills;       /* tokens: names and descriptions; wire: skills/list */
    uint32_t tool_count;
};

void budget_measure(const struct romfs *fs, struct budget *out);

/* What resources/read of a file costs; a binary file has no tokens. */
struct cost budget_file(const struct romfs *fs, const struct romfs_node *file);

/* All that is loaded before anything is asked. */
struct cost budget_always(const struct budget *b);

/* Reports what hosts cut or reject (SK-H-01 to SK-H-03), and, as errors unless `lenient`, what exceeds a budget of device.json
 * (SK-H-04). */
void budget_check(const struct check *c, const struct romfs *fs, const struct device *device, bool lenient);

/* Reports what costs nothing but makes a skill hard to find: a description that says what, but not when (SK-H-05). That is a
 * guess by words, so only those are told who ask what their skills cost. */
void budget_advise(const struct check *c, const struct romfs *fs, const struct device *device);

#endif
