/* layout.h -- an image while it is being laid out; what image.c and its parts share.
 *
 * The sizes of the tables follow from counts alone, so the position of the text area is known from the start, and
 * every offset is final when it is written. Texts and digests grow side by side; only the offsets of digests wait until both are
 * complete. Then the contents of files are appended to the image itself, so that they are in memory once. */
#ifndef MKROMFS_LAYOUT_H
#define MKROMFS_LAYOUT_H

#include "image/instructions.h"
#include "image/model.h"
#include "image/texts.h"
#include "image/tree.h"
#include "romfs.h"

/* The forms in which a content can lie in the image: each once for all files that have it so. */
enum form { FORM_RAW, FORM_DEFLATED, FORM_ESCAPED, FORMS };

struct stored {
    bool done;
    bool useless; /* deflating has not made it smaller */
    size_t at;    /* in the image */
    size_t size;
};

struct layout {
    const struct device *device;
    struct tree tree;
    struct instructions *instructions; /* of each skill */
    struct romfs_header header;
    struct romfs_panel panel; /* where the device has one */
    struct romfs_node *nodes;
    struct romfs_skill *skills;
    struct romfs_file *files;
    struct romfs_body_part *bodies;
    uint32_t *links;
    struct romfs_tool *tools;
    struct romfs_prompt *prompts;
    struct romfs_arg *args;
    struct romfs_prompt_part *parts;
    uint32_t args_used; /* records filled so far: skills come first, then prompts */
    struct texts texts;
    struct texts digests; /* 32 bytes each */
    uint32_t digests_at;  /* where they are in the image, once the texts are complete */
    struct buf *image;
    struct stored (*stored)[FORMS]; /* by number of digest */
};

/* A text as it is; NULL gives an empty one. */
struct romfs_text layout_text(struct layout *l, const char *text);

/* A text as the inside of a JSON string, and as a whole one. */
struct romfs_text layout_inside(struct layout *l, const char *text);
struct romfs_text layout_quoted(struct layout *l, const char *text);

/* The bytes of `text` inside `outer` if they are there; otherwise as layout_text. */
struct romfs_text layout_within(struct layout *l, struct romfs_text outer, const char *text);

/* Fills the next `count` records of the table of arguments; returns the first. Names may
 * be found inside `outer`. */
uint32_t layout_args(struct layout *l, const struct argument *args, size_t count, struct romfs_text outer);

/* Fill the tables of skills, with files, bodies and links; of tools; of prompts. */
void layout_skills(struct layout *l);
void layout_tools(struct layout *l);
void layout_prompts(struct layout *l);

/* Fills the record of the panel, if there is one, once the header is filled. */
void layout_panel(struct layout *l);

/* To be called when the SKILL.md of a skill is stored: the stretches of one that is stored escaped count its stored bytes. */
void layout_escaped_body(struct layout *l, uint32_t index);

#endif
