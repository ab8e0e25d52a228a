/* transcript.h -- the examples in a manual that can be tried: fenced blocks marked `transcript`.
 *
 *     ```transcript
 *     > line_status line=2
 *     < line 2 ready, bottle ... ml, tube ... % used, dosed 0.000 ml
 *     > run_dose {"line": 9, "volume_ul": 100}
 *     ! line must be at most 4
 *     > pump://line/2/status
 *     < {"line":2,...}
 *     ```
 *
 * `>` calls a tool, or reads a resource; `<` is a line of its result, `!` one of an error; `#` is a remark. In a line that is
 * expected, `...` stands for any text; a line of nothing but `...` for any number of lines. A call without expected lines
 * must only not fail. */
#ifndef MKROMFS_TRANSCRIPT_H
#define MKROMFS_TRANSCRIPT_H

#include "base/check.h"
#include "image/model.h"

struct expected {
    char *text;
    bool error; /* `!` */
    struct pos at;
};

struct step {
    char *name;      /* of a tool, or the URI of a resource */
    char *arguments; /* what follows it: a JSON object, or words name=value; "" for none */
    struct pos at, arguments_at;
    struct expected *lines;
    size_t line_count;
};

struct transcript {
    struct step *steps;
    size_t count;
};

/* All steps of a Markdown file, block by block. What is malformed is reported (SK-T-01) and left out. */
struct transcript transcript_read(const struct check *c, const char *text, size_t size);

/* True for a step that reads a resource. */
bool transcript_reads(const struct step *step);

/* The arguments of a call as a JSON object. `tool` has the schema that says which values are text; NULL: a value that is not JSON
 * is. NULL after a message (SK-T-01). */
char *transcript_arguments(const struct check *c, const struct step *step, const struct tool *tool);

/* The tool with this name; NULL if the device has none. */
const struct tool *transcript_tool(const struct device *device, const char *name);

/* Reports transcripts of a skill's Markdown that are malformed, and calls of tools that the device does not have (SK-T-02). */
void transcripts_check(const struct check *c, const struct device *device);

#endif
