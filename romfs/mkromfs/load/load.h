/* load.h -- the steps load_device() is made of. Each reports what it finds wrong
 * and goes on, so that one run shows everything. */
#ifndef MKROMFS_LOAD_H
#define MKROMFS_LOAD_H

#include "base/buf.h"
#include "base/check.h"
#include "base/names.h"
#include "base/scan.h"
#include "base/yaml.h"
#include "image/model.h"

/* Something a skill names but does not contain, and where it does so. */
struct wish {
    char *name;
    struct pos at;
};

struct wishes {
    struct wish *list;
    size_t count;
};

/* A script whose handler has a name of its own (SK-M-18). */
struct handler {
    const struct source *file;
    struct wish key;
};

/* A skill on its way into the model, with what the rules between skills need. */
struct found_skill {
    struct skill skill;
    const char *manifest;                    /* disk path of its SKILL.md */
    struct node *root;                       /* its frontmatter; NULL when it is unusable */
    struct pos name_at;                      /* where its name is there */
    size_t number;                           /* order in which it was found, from 0 */
    bool usable;                             /* has a valid name; the rest may still be wrong */
    const struct found_skill *outer;         /* the skill it lies in, or NULL */
    struct wishes tools, prompts, resources; /* dependencies */
    struct wishes scoped_tools, scoped_prompts, subskills;
    struct handler *handlers;
    size_t handler_count;
    struct names aliases;                                     /* of its files */
    struct names linked_tools, linked_prompts, linked_skills; /* whatever skill.tools, .prompts and .subskills have */
    char *audience, *priority, *last_modified;                /* JSON values, NULL: not given */
};

/* Reads and checks the skill in dir. `prefix` is the path above it ("" for none),
 * `outer` the skill it lies in, or NULL. */
struct found_skill *skill_load(const struct check *c, struct disk_entry *dir, const char *prefix,
                               const struct found_skill *outer);

/* Puts the files of a skill into the order of the model. */
void skill_sort_files(struct skill *skill);

/* The file or directory with this path of a skill whose files are in order; NULL if it is missing. */
struct source *skill_file(const struct skill *skill, const char *path);

/* The SKILL.md of a skill's directory. NULL for other directories, also for those in a skill whose SKILL.md has errors. */
struct disk_entry *skill_manifest(const struct disk_entry *dir);

/* The name of an entry in URIs: for the directory of a skill the skill's name, otherwise its own. */
const char *skill_segment(const struct check *c, struct disk_entry *e);

/* Reads the extra fields of a skill, the keys under metadata that README.md lists, from the
 * frontmatter (SK-M-01..23), once the skill's files are known. */
void extras_load(const struct check *c, struct found_skill *found);

/* Rules between skills (rules_skills.c). The first sorts the skills by name and finds names and paths that clash
 * (SK-V-05, SK-V-60). The second takes them in the order of the image, with `device` as read from the file device_json;
 * `some_left`: skills were left out, so a prefix may have lost all of its skills (SK-V-61, SK-X-09, SK-X-10). */
void rules_skills_named(const struct check *c, struct found_skill **skills, size_t count);
void rules_skills_served(const struct check *c, struct found_skill **skills, size_t count, const char *device_json,
                         bool some_left, struct device *device);

/* Finds what skills name among the tools, prompts, files and skills there are, decides which
 * tools are scoped, and fills the links of every skill. `skills` is in the order of the image.
 * What is missing is an error (SK-D-03, SK-S-01, SK-X-18). */
void links_resolve(const struct check *c, struct found_skill **skills, size_t count, struct device *device);

/* Fills what device.json says, with defaults when there is none. */
void device_json_load(const struct check *c, struct disk_entry *file, struct device *out);

/* Fill tools from tools/, prompts from prompts/ and resources from resources/. */
void tools_load(const struct check *c, struct disk_entry *dir, struct device *out);
void prompts_load(const struct check *c, struct disk_entry *dir, struct device *out);
void resources_load(const struct check *c, struct disk_entry *dir, struct device *out);

/* Fills the panel from panel/, which may be NULL, once the tools have their `json`; and checks what tools say about panels.
 * (panel.c, panel_rules.c) */
void panel_load(const struct check *c, struct disk_entry *dir, struct device *out);

/* The Tool object of a tool that was read; `about`, if not NULL, replaces a missing description. */
char *tool_json(const struct tool *tool, const char *about);

/* Computes the interface ids of the tools and of the whole device, once both are read (romfs/FORMAT.md, section 8). */
void interface_identify(struct device *device);

/* Reads a JSON file that must hold an object; NULL after reporting why not. */
struct node *load_json_object(const struct check *c, struct disk_entry *file);

/* The JSON text of a tree read as JSON: key order and spelling of numbers are kept, whitespace is dropped. */
void load_json_compact(struct buf *b, const struct node *node);

/* YYYY-MM-DDThh:mm:ssZ, a time that exists. */
bool load_is_timestamp(const char *text, size_t n);

/* "pump_status" of "pump_status.json": the name without the ending; NULL if it has a different one. */
char *load_stem(const char *name, const char *ending);

#endif
