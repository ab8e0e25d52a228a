/* links.h -- what links.c and links_rules.c share: all skills beside the device's tools
 * and prompts, while what they name is being found. */
#ifndef MKROMFS_LINKS_H
#define MKROMFS_LINKS_H

#include "load/extras.h"

struct linker {
    const struct check *check;
    struct found_skill **skills; /* in the order of the image */
    size_t count;
    struct device *device;
};

/* An error where the skill names it; `format` has one %s, for the name. */
void links_wrong(const struct linker *l, const struct found_skill *found, const struct wish *wish, const char *rule,
                 const char *format, const char *name) __attribute__((format(printf, 5, 0)));

/* Adds an index that is not there yet. */
void links_add(struct links *links, size_t index);

/* SK-M-10, SK-X-20: which skills lie below which, and that none lies below itself. */
void links_subskills(const struct linker *l);

/* SK-S-01: tools named after a script that is not there; and the JSON of all tools. */
void links_tools(const struct linker *l);

/* SK-X-18: names that the server gives to tools and prompts of its own. */
void links_names(const struct linker *l);

#endif
