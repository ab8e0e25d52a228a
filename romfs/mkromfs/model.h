/* model.h -- what a device folder means, between reading it and writing an image.
 *
 * load.c fills a struct device from disk and reports what is wrong; image.c
 * turns it into bytes. This is a host tool: it allocates, and frees nothing
 * before it exits, because it runs once over a small input. */
#ifndef MKROMFS_MODEL_H
#define MKROMFS_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "diag.h"

/* A file of a skill, or a directory (also an empty one). */
struct source {
    char *path;      /* below the skill's directory, '/'-separated, as on disk: "references/limits.md" */
    char *disk_path; /* where it was read, for messages */
    bool is_dir;
    uint8_t *bytes;  /* content; NULL for a directory */
    size_t size;
    const char *mime;
    bool text;       /* SK-V-63: travels as text */
};

struct skill {
    char *path;          /* "plant/pumps/purge-line": prefix and name (SK-V-60) */
    char *disk_path;     /* its directory */
    char *name;          /* frontmatter name, decoded */
    char *frontmatter;   /* the frontmatter as one compact JSON object (SK-V-38..41) */
    char *name_json;     /* the JSON string of `name` with quotes, byte for byte as in frontmatter */
    char *description_json; /* likewise */
    size_t body;         /* offset in SKILL.md behind the closing fence line (SK-V-25) */
    bool listed;
    struct source *files; /* every file and directory below, SKILL.md first, then byte order of path */
    size_t file_count;
};

struct tool {
    char *name;
    char *json; /* the Tool object, compact, keys in the author's order */
};

struct prompt_arg {
    char *name;
    bool required;
};

/* A stretch of prompt text: fixed text (arg < 0) or the value of argument number arg. */
struct prompt_part {
    char *text; /* decoded */
    int arg;
};

struct prompt {
    char *name;
    char *json;             /* the Prompt object, compact: name, title?, description?, arguments? */
    char *description_json; /* JSON string with quotes, or NULL */
    struct prompt_arg *args;
    size_t arg_count;
    struct prompt_part *parts;
    size_t part_count;
};

struct device {
    char *base;              /* "skill://" */
    char *server_info;       /* JSON object {"name":"..","version":".."} */
    char *instructions_json; /* JSON string with quotes, or NULL */
    struct skill *skills;    /* listed first, each group in byte order of path */
    size_t skill_count;
    struct tool *tools;      /* byte order of name */
    size_t tool_count;
    struct prompt *prompts;  /* byte order of name */
    size_t prompt_count;
};

struct load_options {
    bool strict;         /* L rows are errors */
    bool allow_oversize; /* SK-V-11, SK-V-12 only warn */
};

/* Reads the device folder or folder of skills at `dir`. Everything wrong goes to
 * diag; false when diag holds an error, or when there is nothing to serve. */
bool load_device(const char *dir, const struct load_options *options, struct diag *diag, struct device *out);

#endif
