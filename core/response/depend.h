/* depend.h -- the tools that the firmware has, and the dependencies of skills on them. */
#ifndef SKR_DEPEND_H
#define SKR_DEPEND_H

#include "response/response.h"
#include "text/span.h"

/* The row of this name in a table of the firmware's handlers, or NULL. */
static inline const struct skr_tool *skri_find_handler(const struct skr_tool *handlers, size_t count,
                                                       struct skr_span name)
{
    for (; count > 0; count--, handlers++) {
        if (skr_span_is(name, handlers->name)) {
            return handlers;
        }
    }
    return NULL;
}

/* The firmware's handler of a tool, or NULL. */
const struct skr_tool *skri_tool_handler(const struct skr_device *d, struct skr_span name);

/* True when every listed tool of the image has a handler, so that no dependency has to be left out. */
bool skri_depend_all(const struct romfs *fs, const struct skr_device *d);

/* Pushes text of a skill, n bytes at p, in which its dependencies may lie. Tools without a handler are left out of
 * those (SK-D-03), as tools/list leaves them out. */
void skri_push_depend(struct skr_response *a, const struct romfs_skill *skill, const char *p, size_t n);

#endif
