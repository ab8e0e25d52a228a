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

#include "base/diag.h"
#include "base/utf8.h"
#include "romfs.h"

struct disk_entry;

/* A file of a skill, or a directory (also an empty one). */
struct source {
    char *path;      /* below the skill's directory, '/'-separated, as on disk: "references/limits.md" */
    char *disk_path; /* where it was read, for messages */
    bool is_dir;
    uint8_t *bytes; /* content; NULL for a directory */
    size_t size;
    const char *mime;
    bool text;      /* SK-V-63: travels as text */
    char *about;    /* the author's description (SK-M-14), or NULL */
    char *title;    /* SK-M-15, or NULL */
    char *alias;    /* SK-M-16, or NULL */
    bool required;  /* SK-M-17 */
    bool is_script; /* under scripts/, and `tool` runs it (SK-S-01) */
    size_t tool;    /* index in the device's tools */
};

/* An argument of a skill or prompt. */
struct argument {
    char *name;
    bool required;
    char *value;  /* used when none is given; NULL: nothing */
    char *values; /* completion values, one per line; NULL: none */
};

/* What a skill says about itself beyond its name and description (the extra fields in
 * README.md), as the JSON that is sent. NULL: not given. */
struct skill_extras {
    char *title;        /* JSON string with quotes */
    char *version;      /* JSON string with quotes */
    char *tags;         /* JSON array of strings */
    char *arguments;    /* JSON array as the dialect sep2076 lists them */
    char *dependencies; /* JSON object */
    char *icons;        /* JSON array */
    char *annotations;  /* JSON object, all members; NULL when all are defaults */
    char *metadata;     /* JSON object of strings, as the dialect skills_page shows it (SK-F-05) */
};

/* Indexes of tools, prompts or skills, each once. */
struct links {
    size_t *index;
    size_t count;
};

struct skill {
    char *path;             /* "plant/pumps/purge-line": prefix and name (SK-V-60) */
    char *disk_path;        /* its directory */
    char *name;             /* frontmatter name, decoded */
    char *frontmatter;      /* the frontmatter as one compact JSON object (SK-V-38..41) */
    char *name_json;        /* the JSON string of `name` with quotes, byte for byte as in frontmatter */
    char *description_json; /* likewise */
    size_t body;            /* offset in SKILL.md after the closing fence line (SK-V-25) */
    bool listed;
    bool dynamic;      /* SK-M-21 */
    bool archived;     /* SK-M-22: the index also offers archives as entries */
    bool unarchivable; /* SK-B-07: no archive can hold it */
    struct skill_extras extras;
    struct argument *args; /* what placeholders in the body may stand for */
    size_t arg_count;
    struct links tools;   /* scoped ones, those of scripts among them */
    struct links prompts; /* scoped ones */
    struct links subskills;
    struct source *files; /* every file and directory below, SKILL.md first, then byte order of path */
    size_t file_count;
};

/* Whether a call of a tool may become a task. */
enum tool_task { TASK_NEVER, TASK_OPTIONAL, TASK_REQUIRED };

/* One of a tool's limits. */
struct tool_limit {
    const struct shape *argument; /* whose sum is limited; NULL: tool calls are counted */
    uint32_t max; /* times 10^decimals of the argument; 0: period_s is the least time between tool calls */
    uint32_t period_s;
};

/* A predicate of the firmware. */
struct tool_condition {
    char *name;
    char *otherwise;         /* the refusal */
    const char *skill;       /* the skill that helps, or NULL */
    const struct node *node; /* of the skill, for messages */
};

/* What the core checks before it calls the handler: load/tool_rules.c. */
struct tool_rules {
    bool any;
    char *confirm; /* NULL: no confirmation */
    bool without_person;
    bool plan;
    bool while_locked;
    struct tool_limit *limits;
    size_t limit_count;
    struct tool_condition *requires;
    size_t require_count;
    const char **excludes; /* names of tools */
    size_t exclude_count;
};

struct tool {
    char *name;
    char *json;        /* the Tool object, compact, keys in the author's order */
    bool scoped;       /* only skills show it (SK-X-18) */
    char *disk_path;   /* its file, for messages */
    struct node *root; /* what was read there; `json` is made of it once all skills are known */
    char *symbol;      /* "tool_run_dose": its handler in C */
    struct shape *args;
    uint32_t deadline_ms; /* how long its handler may take; 0: it needs no time */
    uint32_t output_max;  /* 0: the profile's default */
    bool parallel;        /* several calls of it may be pending simultaneously */
    uint8_t task;         /* enum tool_task */
    bool read_only;
    bool structured;       /* it has an outputSchema */
    uint32_t interface_id; /* load/interface.c */
    bool orphan;           /* scoped by a skill that was left out: nobody shows it */
    struct tool_rules rules;
};

/* A resource that the firmware generates. It is not in the image: its row is in the header. */
struct resource {
    char *name;
    char *symbol; /* "resource_line_status": its handler in C */
    char *uri;    /* or template */
    bool is_template;
    char *mime;
    char *json;        /* the Resource or ResourceTemplate object, compact, keys in the author's order */
    struct node *root; /* what was read in its file */
    char *values;      /* completion values of the variable, one per line, or NULL */
    bool subscribe;    /* the firmware counts its changes in <symbol>_version */
    char *disk_path;   /* its file, for messages */
};

/* The page that hosts show in a conversation. */
struct panel {
    struct source file; /* its HTML, ready to send */
    char *uri;          /* "ui://NAME/panel" */
    char *meta;         /* `,"_meta":{"ui":{..}}` */
    char *tool;         /* the Tool object of show_panel */
    char *resource;     /* URI of the resource whose text show_panel returns, or NULL */
    char *text;         /* what it returns otherwise */
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
    bool scoped;            /* only skills show it */
    struct argument *args;
    size_t arg_count;
    struct prompt_part *parts;
    size_t part_count;
};

/* A prefix of skill paths that device.json describes (SK-X-09). */
struct prefix {
    char *path;        /* "plant/pumps", or "" */
    char *description; /* of the skills below it */
    struct pos at;     /* in device.json */
};

/* A directory with a SKILL.md that is meant to be served. */
struct place {
    const char *dir;  /* on disk */
    const char *path; /* of the skill, as struct skill has it */
};

/* What device.json may limit in its "budgets"; the last is for `skillrom test`. */
enum limit {
    LIMIT_ALWAYS,
    LIMIT_ACTIVATION,
    LIMIT_FILE,
    LIMIT_LISTS,
    LIMIT_IMAGE,
    LIMIT_PANEL,
    LIMITS,
    LIMIT_HITS = LIMITS,
};

/* Their names there. */
extern const char *const limit_names[LIMIT_HITS + 1];

struct budget_limit {
    uint64_t max; /* 0: none */
    struct pos at;
};

struct device {
    char *base;            /* "skill://" */
    const char *json_path; /* of its device.json, for messages; NULL: there is none */
    char *name;            /* how it calls itself */
    char *server_info;     /* JSON object {"name":"..","version":".."} */
    char *title;           /* what replaces its last byte: ,"title":".."} or NULL */
    struct pos instructions_at;
    struct budget_limit limits[LIMIT_HITS + 1];
    char *instructions_json; /* JSON string with quotes, or NULL */
    struct skill *skills;    /* listed first, each group in byte order of path */
    size_t skill_count;
    struct tool *tools; /* byte order of name */
    size_t tool_count;
    struct prompt *prompts; /* byte order of name */
    size_t prompt_count;
    bool no_skill_tools;   /* device.json: "skillTools": false */
    bool no_skill_prompts; /* device.json: "skillPrompts": false */
    bool no_panel;         /* device.json: "panel": false */
    char *title_text;      /* the title as it is, or NULL */
    char *version;         /* as server_info has it */
    char *instructions;    /* the instructions as they are, or NULL */
    struct panel *panel;   /* NULL: there is none */
    char *last_modified;   /* of skills that do not say (SK-W-15), or NULL */
    char **served;         /* URIs and templates that the firmware serves: what skills may depend on */
    size_t served_count;
    struct resource *resources; /* those with a file in resources/: URIs first, then templates, in byte order of name */
    size_t resource_count;
    uint8_t interface_id[ROMFS_INTERFACE_SIZE]; /* of all tools and resources: load/interface.c */
    struct prefix *prefixes;                    /* offered as templates in the index, in the order of device.json */
    size_t prefix_count;
    const char *top;      /* where skills were looked for: the folder, or skills/ in that of a device */
    struct place *places; /* what was found there, valid or not */
    size_t place_count;
    struct place *left; /* skills that were left out because something is wrong with them */
    size_t left_count;
    struct disk_entry *scanned[2]; /* what was read from the disk: the folder, and what its skills/ links to */
};

struct omit;

struct load_options {
    bool strict;             /* L rows are errors */
    bool allow_oversize;     /* SK-V-11, SK-V-12 only warn */
    const char *base;        /* what URIs begin with; NULL: "skill://" (SK-V-61) */
    const struct omit *omit; /* what to skip in the folder; NULL: nothing */
    bool no_panel;           /* leave out the panel */
};

/* Reads the device folder or folder of skills at `dir`. Everything wrong goes to
 * diag; false when diag holds an error, or when there is nothing to serve. */
bool load_device(const char *dir, const struct load_options *options, struct diag *diag, struct device *out);

#endif
