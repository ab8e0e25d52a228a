/* load.h -- the steps load_device() is made of. Each reports what it finds wrong
 * and goes on, so that one run shows everything. */
#ifndef MKROMFS_LOAD_H
#define MKROMFS_LOAD_H

#include "check.h"
#include "model.h"
#include "scan.h"

/* A skill on its way into the model, with what the rules between skills need. */
struct found_skill {
    struct skill skill;
    const char *manifest; /* disk path of its SKILL.md */
    struct pos name_at;   /* where its name stands there */
    bool usable;          /* has a valid name; the rest may still be wrong */
};

/* Reads and checks the skill in dir. `prefix` is the path above it ("" for none),
 * `outer` the skill it lies in, or NULL. */
struct found_skill *skill_load(const struct check *c, struct disk_entry *dir, const char *prefix,
                               const struct found_skill *outer);

/* Fills server_info and instructions_json from device.json, or with defaults when there is none. */
void device_json_load(const struct check *c, struct disk_entry *file, struct device *out);

/* Fill tools from tools/ and prompts from prompts/. */
void tools_load(const struct check *c, struct disk_entry *dir, struct device *out);
void prompts_load(const struct check *c, struct disk_entry *dir, struct device *out);

/* Reads a JSON file that must hold an object; NULL after reporting why not. */
struct node *load_json_object(const struct check *c, struct disk_entry *file);

/* "pump_status" of "pump_status.json": the name without the ending, NULL if it has another one. */
char *load_stem(const char *name, const char *ending);

#endif
