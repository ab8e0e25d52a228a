/* skill.h -- what the dialects share: skills by name, their instructions, their files.
 *
 * Each dialect is a view of the same records and has a file of its own, dialect_*.c.
 * Rendering functions here take up the place in a->index and leave it behind what they
 * pushed. */
#ifndef SKR_SKILL_H
#define SKR_SKILL_H

#include "rpc.h"

/* The skill of this path or, when no path is like it, of this name. NULL when there is
 * none, or when several have the name: then *shared is true (SK-X-06). */
const struct romfs_skill *skr_skill_find(const struct romfs *fs, struct skr_span name, bool *shared);

/* True when this is the skill's name or path. */
bool skr_skill_is_named(const struct romfs *fs, const struct romfs_skill *skill, struct skr_span name);

/* The same for params.name. NULL when an error has been answered: `unknown`, or the
 * fault behind it, or that the parameter is no string. */
const struct romfs_skill *skr_skill_named(struct skr_call *call, enum skr_fault unknown);

/* The skill that is offered as a prompt of this name, or NULL. */
const struct romfs_skill *skr_skill_prompt(const struct romfs *fs, struct skr_span name);

/* The file of a skill at a path below its directory; NULL: none. SKILL.md is not among them. */
const struct romfs_file *skr_skill_file(const struct romfs *fs, const struct romfs_skill *skill,
                                        struct skr_span path);

/* True when `text` is what the inside of a JSON string stands for. Knows the only escape
 * that a name in the image can have, that of a quote. */
bool skr_inside_equals(struct skr_span inside, struct skr_span text);

/* Where the file belongs (SK-F-03): a script is one as long as the device has its handler. */
enum romfs_file_kind skr_file_kind(const struct romfs *fs, const struct skr_device *device,
                                   const struct romfs_file *file);

/* A file of this kind that a client calls by its alias, its name, or its name without
 * extension; *count gets how many are so called. Needs SKR_DIALECT_F. */
enum skr_spelling { SKR_AS_ALIAS, SKR_AS_NAME, SKR_AS_STEM };
const struct romfs_file *skr_file_spelled(const struct skr_call *call, const struct romfs_skill *skill,
                                          struct skr_span wanted, enum romfs_file_kind kind, enum skr_spelling as,
                                          uint32_t *count);

/* Readies the answer to carry the skill's instructions, and pushes a stretch of them each
 * time; false when there is none left. */
void skr_instructions_of(struct skr_answer *a, const struct romfs_skill *skill);
bool skr_push_instructions(struct skr_answer *a);

/* An entry of a list of resources: a skill's SKILL.md; and without its last brace any file. */
#define SKR_SKILL_RESOURCE "{\"uri\":\"%u\",\"name\":%n,\"description\":%d,\"mimeType\":\"%m\",\"size\":%s%x}"
#define SKR_FILE_RESOURCE "{\"uri\":\"%u\",\"name\":\"%l\"%?,\"description\":%A,\"mimeType\":\"%m\",\"size\":%s"

/* Arrays one behind the other, each a member of an object; empty ones are left out. */
struct skr_arrays {
    const char *open;         /* pushed before the first of them: a comma, or more */
    const char *close;        /* behind the last, when there was one */
    const char *const *names; /* with quotes, colon and bracket */
    uint8_t count;
    bool (*item)(struct skr_answer *a, uint8_t array, uint32_t i); /* pushes item i; false: it is left out */
    uint32_t (*items)(const struct romfs_skill *skill, uint8_t array);
};

/* Pushes one more item; false behind the last. Takes up the whole of a->body_step, in
 * which `step` is the first value. */
bool skr_push_arrays(struct skr_answer *a, const struct skr_arrays *arrays, uint8_t step);

#endif
