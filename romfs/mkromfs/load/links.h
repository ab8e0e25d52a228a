/* links.h -- what links.c and links_rules.c share: all skills beside the device's tools
 * and prompts, while what they name is being found. */
#ifndef MKROMFS_LINKS_H
#define MKROMFS_LINKS_H

#include "base/names.h"
#include "load/extras.h"

struct linker {
    const struct check *check;
    struct found_skill **skills; /* in the order of the image */
    size_t count;
    struct device *device;
    struct links_index *index; /* finds them by name, path and URI */
};

/* What is found by a name; each table begins empty. The values are described where they are added (links.c). */
struct links_index {
    struct names tools, prompts;
    struct names skill_paths; /* struct found_skill */
    struct names skill_names; /* the first struct named_skill of that name */
    struct names served; /* URIs and templates, of skills and of the firmware; filled when a skill depends on one */
    struct names dependencies; /* tools that a skill depends on */
};

/* The skills of one name. */
struct named_skill {
    size_t index; /* of the last one */
    size_t count;
};

/* An error where the skill names it; `format` has one %s, for the name. */
void links_wrong(const struct linker *l, const struct found_skill *found, const struct wish *wish, const char *rule,
                 const char *format, const char *name) __attribute__((format(printf, 5, 0)));

/* Adds the index of something, unless `seen` has its name. */
void links_add(struct links *links, struct names *seen, const char *name, size_t index);

/* SK-M-10, SK-X-20: which skills lie below which, and that none lies below itself. */
void links_subskills(const struct linker *l);

/* SK-S-01: tools named after a script that is not there; and the JSON of all tools. */
void links_tools(const struct linker *l);

/* SK-X-18: names that the server gives to tools and prompts of its own. */
void links_names(const struct linker *l);

#endif
