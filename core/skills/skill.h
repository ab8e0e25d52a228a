/* skill.h -- the common parts of all dialects: skills by name, their instructions, their files.
 *
 * Each dialect is a view of the same records, in a file named after its document. */
#ifndef SKR_SKILL_H
#define SKR_SKILL_H

#include "store/cursor.h"

/* The skill with this path or, if no path matches, with this name. NULL when there is none, or when several have the
 * name: then *shared is true (SK-X-06). */
const struct romfs_skill *skri_skill_find(const struct romfs *fs, struct skr_span name, bool *shared);

/* True when this is the skill's name or path. */
bool skri_skill_is_named(const struct romfs *fs, const struct romfs_skill *skill, struct skr_span name);

/* As skri_skill_find, for params.name. NULL when the response is an error: `unknown`; `ambiguous`, when several
 * skills have the name; or that the parameter is not a string. */
const struct romfs_skill *skri_skill_named(struct skr_call *call, enum skr_rpc_error unknown,
                                           enum skr_rpc_error ambiguous);

/* The skill that is offered as a prompt of this name, or NULL. */
const struct romfs_skill *skri_skill_prompt(const struct romfs *fs, struct skr_span name);

/* The file of a skill at a path below its directory; NULL: none. SKILL.md is not among them. */
const struct romfs_file *skri_skill_file(const struct romfs *fs, const struct romfs_skill *skill, struct skr_span path);

/* True when `text` equals the inside of a JSON string, decoded. Knows only the escape that a name in the image can
 * have, that of a quote. */
bool skri_inside_equals_bytes(const char *inside, size_t inside_n, const char *text, size_t n);
static inline bool skri_inside_equals(struct skr_span inside, struct skr_span text)
{
    return skri_inside_equals_bytes(inside.p, inside.n, text.p, text.n);
}

/* The kind of the file (SK-F-03): a script counts as one only if the device has its handler. */
enum romfs_file_kind skri_file_kind(const struct romfs *fs, const struct skr_device *device,
                                    const struct romfs_file *file);

/* An entry of a list of resources: a skill's SKILL.md; any file, without the last brace. */
#define SKR_SKILL_RESOURCE                                                                                             \
    "{\"uri\":\"" FIELD_URI "\",\"name\":" FIELD_NAME ",\"description\":" FIELD_DESCRIPTION                            \
    ",\"mimeType\":\"" FIELD_MIME_TYPE "\",\"size\":" FIELD_SIZE FIELD_RESOURCE_MEMBERS "}"
#define SKR_FILE_RESOURCE                                                                                              \
    "{\"uri\":\"" FIELD_URI "\",\"name\":\"" FIELD_FILE_NAME "\"" FIELD_OPTIONAL ",\"description\":" FIELD_ABOUT_GIVEN \
    ",\"mimeType\":\"" FIELD_MIME_TYPE "\",\"size\":" FIELD_SIZE

/* ---- A skill as a dialect shows it: its instructions, and arrays of its files, tools, prompts or skills ---- */

struct skr_array {
    const char *open; /* the member up to its bracket */
    skr_item_fn *item;
    uint8_t count_at; /* offset of their number in the skill's record */
};

/* `open`, `rest` and `end` are shapes. An array without items is left out. */
struct skr_view {
    const char *open;   /* up to the instructions */
    const char *rest;   /* after them */
    const char *before; /* the first of the arrays */
    const char *after;  /* the last, if there was one */
    const char *end;    /* after everything */
    const struct skr_array *arrays;
    uint8_t count;
};

/* Which of the view's arrays an item is for. */
uint8_t skri_view_array(const struct skr_response *a);

/* Makes the response this view of a skill; nothing if that is NULL, because the response is an error. */
void skri_view(struct skr_call *call, const struct romfs_skill *skill, const struct skr_view *view);

#endif
