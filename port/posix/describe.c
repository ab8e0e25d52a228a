/* describe.c -- a line about the image being served, for messages. */
#include <stdio.h>
#include <string.h>

#include "serve.h"

/* Tools that clients will see: described in the image and implemented by the device. */
static unsigned count_tools(const struct skr_server *s)
{
    unsigned count = 0;

    for (size_t i = 0; i < s->device->tool_count; i++) {
        const char *name = s->device->tools[i].name;
        if (romfs_find_tool(s->fs, name, strlen(name)) != NULL) {
            count++;
        }
    }
    return count;
}

void posix_describe(const struct skr_server *s, char *what, size_t size)
{
    unsigned skills = (unsigned)s->fs->header->listed;
    unsigned tools = count_tools(s);

    (void)snprintf(what, size, "%u skill%s, %u tool%s", skills, skills == 1 ? "" : "s", tools, tools == 1 ? "" : "s");
}
