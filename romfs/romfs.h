/* romfs.h -- read a skill image: one read-only blob of files, skills, tools and
 * prompts, laid out by `skillrom pack` so that a device only looks up and sends.
 *
 * romfs_mount() proves every offset, length and order once. After that the records may be used in place: no read
 * through them can leave the image. Nothing is copied, nothing allocated, and the image must stay where it is for as
 * long as the struct romfs is in use. romfs knows nothing of JSON-RPC; it stores text fragments that others send.
 *
 * FORMAT.md specifies the bytes. The structs below are those bytes: every field
 * is a little-endian uint32_t at a multiple of four, so a little-endian machine
 * reads them in place. */
#ifndef ROMFS_H
#define ROMFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "romfs reads the image in place and needs a little-endian machine"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define ROMFS_MAGIC "SKROM\r\n\032" /* 8 bytes; a text-mode copy damages them visibly */
#define ROMFS_VERSION 5
#define ROMFS_NONE 0xFFFFFFFFu /* "no such record" in an index field */
#define ROMFS_DIGEST_SIZE 32u
#define ROMFS_INTERFACE_SIZE 8u
#define ROMFS_FILE_MAX 0x20000000u /* 512 MiB: six times as much, escaped, still fits 32 bits */
#define ROMFS_WINDOW_MIN 256u
#define ROMFS_WINDOW_MAX 32768u

/* A piece of the image: `len` bytes at `off`. */
struct romfs_text {
    uint32_t off;
    uint32_t len;
};

/* A table: `count` records at `off`, sorted as FORMAT.md says. */
struct romfs_table {
    uint32_t off;
    uint32_t count;
};

struct romfs_header {
    uint8_t magic[8];
    uint32_t crc;                               /* CRC-32 of the bytes from `version` up to meta_size */
    uint32_t version;                           /* ROMFS_VERSION */
    uint32_t size;                              /* of the whole image */
    uint32_t meta_size;                         /* header, tables and text; file data follows */
    uint8_t digest[ROMFS_DIGEST_SIZE];          /* SHA-256 of everything after this field */
    uint32_t window;                            /* largest deflate window of any file, 0 if all are raw */
    uint32_t flags;                             /* enum romfs_flags, and the length of the title: romfs_title */
    uint32_t listed;                            /* how many skills, from the first, appear in lists */
    uint8_t interface_id[ROMFS_INTERFACE_SIZE]; /* of all tools and resources together: FORMAT.md, section 8 */
    struct romfs_table nodes;
    struct romfs_table skills;
    struct romfs_table files;  /* struct romfs_file: runs that skills point to */
    struct romfs_table bodies; /* struct romfs_body_part: runs that skills point to */
    struct romfs_table links;  /* uint32_t: runs that skills point to */
    struct romfs_table tools;
    struct romfs_table prompts;
    struct romfs_table args;           /* struct romfs_arg: runs that skills and prompts point to */
    struct romfs_table prompt_parts;   /* struct romfs_prompt_part: runs that prompts point to */
    struct romfs_text base;            /* what URIs begin with, "skill://" */
    struct romfs_text server_info;     /* JSON object: name and version of the device */
    struct romfs_text instructions;    /* JSON string, or empty: none */
    struct romfs_text templates;       /* JSON objects joined by commas: resources/templates/list */
    struct romfs_text index_templates; /* likewise: entries of type mcp-resource-template at the index's end */
    struct romfs_text skill_tools[2];  /* Tool objects: list_skills, read_skill; empty where there are none */
};

/* The features that device.json switches off, and whether there is a panel. */
enum romfs_flags {
    ROMFS_NO_SKILL_TOOLS = 1u,   /* no list_skills and read_skill among the tools */
    ROMFS_NO_SKILL_PROMPTS = 2u, /* skills are not offered as prompts */
    ROMFS_HAS_PANEL = 4u,        /* struct romfs_panel follows the header */
};

#define ROMFS_TITLE_SHIFT 16u /* of the title's length in `flags` */

enum romfs_node_flags {
    ROMFS_DIR = 1u,     /* a directory; otherwise a file */
    ROMFS_TEXT = 2u,    /* travels as text: textual type and valid UTF-8 without NUL */
    ROMFS_DEFLATE = 4u, /* stored as one raw deflate stream */
    ROMFS_ESCAPED = 8u, /* a text stored as the inside of a JSON string, ready to send; unescape.h reads it */
};

/* A file or directory. Sorted by parent directory, then by last segment, so that the children of a directory are
 * adjacent. Node 0 is the root, path "". */
struct romfs_node {
    struct romfs_text path; /* canonical URI path: percent-encoded, no leading slash */
    struct romfs_text name; /* last segment decoded, as the inside of a JSON string */
    struct romfs_text mime; /* media type, as the inside of a JSON string */
    uint32_t flags;         /* enum romfs_node_flags */
    uint32_t skill;         /* skill whose SKILL.md or root directory this is, else ROMFS_NONE */
    uint32_t data;          /* file: offset of the stored bytes; directory: first child's index */
    uint32_t stored;        /* file: bytes stored;               directory: number of children */
    uint32_t size;          /* file: bytes of content;           directory: 0 */
    uint32_t json_size;     /* ROMFS_TEXT: bytes of the content as the inside of a JSON string */
    uint32_t crc;           /* file: CRC-32 of the content, for archives; directory: 0 */
    uint32_t digest;        /* file: offset of its SHA-256; directory: 0 */
};

/* The panel, an HTML page that hosts show in a conversation, and the tool that opens it. A reader that knows no panels
 * finds everything else without it. */
struct romfs_panel {
    struct romfs_text meta;     /* more members of its content in resources/read, each with a comma before it */
    struct romfs_text tool;     /* Tool object: show_panel */
    struct romfs_text resource; /* URI of the resource that is the text of show_panel's result; empty: none */
    struct romfs_text text;     /* that text where there is no such resource: the inside of a JSON string */
    struct romfs_node file;     /* its path is the whole URI, "ui://NAME/panel"; no directory lists it */
};

enum romfs_skill_flags {
    ROMFS_DYNAMIC = 1u,    /* content is made at run time: no manifest, not in the index */
    ROMFS_ARCHIVED = 2u,   /* the index also offers its archives as entries of their own */
    ROMFS_NO_ARCHIVE = 4u, /* no archive can hold its files; its digests of them are zeros */
};

/* A skill. The listed ones come first, each group in byte order of skill path. The entries of the listed skills follow
 * each other with a comma in between. So a run of them is one piece of valid JSON array content. An entry is one object
 * that serves every dialect:
 *
 *     {"uri":..,"frontmatter":{..},"resources":[..],"name":..,"title":..,...}
 *      the released extension needs these three   the older ones need these: `lean`
 *
 * Texts said to be inside it share its bytes. An empty text means "not given". */
struct romfs_skill {
    uint32_t node;                   /* its SKILL.md */
    uint32_t flags;                  /* enum romfs_skill_flags */
    struct romfs_text path;          /* skill path, canonical: the directory of SKILL.md */
    struct romfs_text entry;         /* the whole JSON object */
    struct romfs_text frontmatter;   /* inside entry: JSON object */
    struct romfs_text resources;     /* inside entry: JSON array, or "dynamic" with its quotes */
    struct romfs_text lean;          /* inside entry: the members after `resources`, without comma and brace */
    struct romfs_text name;          /* inside entry: JSON string with quotes */
    struct romfs_text description;   /* inside entry: JSON string with quotes */
    struct romfs_text prompt;        /* the beginning of lean: the members that a Prompt also has */
    struct romfs_text version;       /* JSON string with quotes */
    struct romfs_text tags;          /* JSON array of strings */
    struct romfs_text dependencies;  /* JSON object */
    struct romfs_text metadata;      /* JSON object of strings, as the dialect skills_page shows it */
    struct romfs_text extra;         /* more members of its Resource: `,"annotations":{..}`, `,"title":..` */
    uint32_t first_file, file_count; /* all its files but SKILL.md, in byte order of path */
    uint32_t first_body, body_count; /* its instructions, cut at the placeholders */
    uint32_t first_arg, arg_count;   /* what placeholders stand for */
    uint32_t first_link;             /* three consecutive runs of links: */
    uint32_t tool_links;             /*   scoped tools, scripts with a handler among them */
    uint32_t prompt_links;           /*   scoped prompts */
    uint32_t skill_links;            /*   sub-skills */
    uint32_t zip_digest, tgz_digest; /* offsets of the SHA-256 of its archives */
    uint32_t tar_crc;                /* CRC-32 of the tar inside the .tar.gz */
};

enum romfs_file_kind { ROMFS_REFERENCE, ROMFS_ASSET, ROMFS_SCRIPT }; /* SK-F-03 */

enum romfs_file_flags {
    ROMFS_REQUIRED = 1u, /* dev.skillrom/required-files names it */
    ROMFS_ABOUT = 2u,    /* `about` was given by the author; otherwise it was generated (SK-F-04) */
};

/* A file of a skill, as the dialects describe it. */
struct romfs_file {
    uint32_t node;
    uint32_t kind;           /* enum romfs_file_kind */
    uint32_t flags;          /* enum romfs_file_flags */
    uint32_t tool;           /* ROMFS_SCRIPT: the tool that runs it, else ROMFS_NONE */
    struct romfs_text path;  /* below the skill's directory, as the inside of a JSON string */
    struct romfs_text about; /* JSON string with quotes, never empty */
    struct romfs_text title; /* JSON string with quotes, or empty */
    struct romfs_text alias; /* plain text, or empty */
};

/* A stretch of a skill's instructions: bytes of SKILL.md, followed by an argument. */
struct romfs_body_part {
    uint32_t off; /* in what romfs_length() counts of SKILL.md; stretches do not overlap and ascend */
    uint32_t len;
    uint32_t json_size; /* of the stretch, as the inside of a JSON string */
    uint32_t arg;       /* what follows the stretch: index among the skill's own arguments, or ROMFS_NONE */
};

enum romfs_tool_flags { ROMFS_SCOPED = 1u }; /* not in tools/list, only in skills/activate */

/* A tool, sorted by name. The handler is in the firmware; the description is here. */
struct romfs_tool {
    struct romfs_text name;
    struct romfs_text json; /* the Tool object as tools/list sends it */
    uint32_t flags;         /* enum romfs_tool_flags */
    uint32_t interface_id;  /* of what a handler relies on: FORMAT.md, section 8; 0: not known */
};

/* A prompt, sorted by name; its arguments and parts are runs of two tables. */
struct romfs_prompt {
    struct romfs_text name;
    struct romfs_text json;        /* the Prompt object as prompts/list sends it */
    struct romfs_text description; /* JSON string with quotes, or empty: none */
    uint32_t flags;                /* enum romfs_tool_flags */
    uint32_t first_arg;
    uint32_t arg_count;
    uint32_t first_part;
    uint32_t part_count;
};

struct romfs_arg {
    struct romfs_text name;
    struct romfs_text value;  /* default, as the inside of a JSON string */
    struct romfs_text values; /* completion values, one per line; no characters that JSON must escape */
    uint32_t required;        /* 0 or 1 */
};

/* One stretch of a prompt's text: fixed, or the value of an argument. */
struct romfs_prompt_part {
    struct romfs_text text; /* inside of a JSON string; used when arg is ROMFS_NONE */
    uint32_t arg;           /* index among the prompt's own arguments, or ROMFS_NONE */
};

enum romfs_error {
    ROMFS_OK = 0,
    ROMFS_ERR_SHORT = -1,    /* fewer bytes than a header, or than the header says */
    ROMFS_ERR_ALIGN = -2,    /* the image does not start at a multiple of four */
    ROMFS_ERR_MAGIC = -3,    /* not a skill image */
    ROMFS_ERR_VERSION = -4,  /* written for another version of the format */
    ROMFS_ERR_CHECKSUM = -5, /* damaged: the CRC of header, tables and text is wrong */
    ROMFS_ERR_TABLE = -6,    /* a table lies outside the image or is misaligned */
    ROMFS_ERR_TEXT = -7,     /* a text lies outside the text area */
    ROMFS_ERR_NODE = -8,     /* a file or directory record contradicts itself, or the panel's */
    ROMFS_ERR_ORDER = -9,    /* a table is not sorted */
    ROMFS_ERR_SKILL = -10,   /* a skill record contradicts itself */
    ROMFS_ERR_PROMPT = -11,  /* a prompt record contradicts itself */
    ROMFS_ERR_WINDOW = -12,  /* a deflate window that no reader can have */
};

/* A mounted image: pointers into it, all proved. */
struct romfs {
    const uint8_t *image;
    const struct romfs_header *header;
    const struct romfs_node *nodes;
    const struct romfs_skill *skills;
    const struct romfs_file *files;
    const struct romfs_body_part *bodies;
    const uint32_t *links;
    const struct romfs_tool *tools;
    const struct romfs_prompt *prompts;
    const struct romfs_arg *args;
    const struct romfs_prompt_part *prompt_parts;
};

/* Checks the image of n bytes and initialises fs. Returns ROMFS_OK, or the reason it was refused; then fs is not
 * usable. The time is proportional to the number of records. */
int romfs_mount(struct romfs *fs, const void *image, size_t n);

/* Likewise for programs that use less. romfs_mount_prompts does not check the panel, romfs_mount_skills not `prompts` and
 * `prompt_parts` either, and romfs_mount_lean also not `files`, `bodies`, `links` and `args`, which only the older dialects of
 * skills need. What is not checked must not be used. A program that calls only one of them does not contain the other
 * checks, if its linker drops functions that are never called. */
int romfs_mount_prompts(struct romfs *fs, const void *image, size_t n);
int romfs_mount_skills(struct romfs *fs, const void *image, size_t n);
int romfs_mount_lean(struct romfs *fs, const void *image, size_t n);

/* The panel of an image that has one and that romfs_mount has accepted. */
static inline const struct romfs_panel *romfs_panel_of(const struct romfs *fs)
{
    return (const struct romfs_panel *)(const void *)(fs->header + 1);
}

/* NULL if the image has none. */
static inline const struct romfs_panel *romfs_find_panel(const struct romfs *fs)
{
    return (fs->header->flags & ROMFS_HAS_PANEL) != 0 ? romfs_panel_of(fs) : NULL;
}

/* A short description of an enum romfs_error; a constant string. */
const char *romfs_reason(int error);

/* The bytes of a text. Valid as long as the image. */
/* The text that replaces the last byte of server_info where the device's title is sent as well: `,"title":"..."}`. It lies directly
 * after server_info; the header's flags have its length. Empty: there is no title, or it is not inside the image. */
static inline struct romfs_text romfs_title(const struct romfs *fs)
{
    const struct romfs_header *h = fs->header;
    struct romfs_text title = {h->server_info.off + h->server_info.len, h->flags >> ROMFS_TITLE_SHIFT};

    if (h->server_info.len == 0 || title.len > h->meta_size - title.off) {
        title.len = 0;
    }
    return title;
}

static inline const char *romfs_at(const struct romfs *fs, struct romfs_text t)
{
    return (const char *)fs->image + t.off;
}

/* How many bytes a file is read as: those stored where they are an escaped text, else its content. */
static inline uint32_t romfs_length(const struct romfs_node *file)
{
    return (file->flags & ROMFS_ESCAPED) != 0 ? file->stored : file->size;
}

/* Finds a file or directory by its canonical path of n bytes (FORMAT.md, "Paths").
 * NULL if there is none. Binary search: O(log nodes). */
const struct romfs_node *romfs_find(const struct romfs *fs, const char *path, size_t n);

/* Finds a tool or prompt by name; NULL if there is none. */
const struct romfs_tool *romfs_find_tool(const struct romfs *fs, const char *name, size_t n);
const struct romfs_prompt *romfs_find_prompt(const struct romfs *fs, const char *name, size_t n);

/* CRC-32 (IEEE 802.3, reflected) of n bytes, continuing from crc; start with 0. */
uint32_t romfs_crc32(uint32_t crc, const void *bytes, size_t n);

/* The order of the node table: by parent directory, then by last segment, both
 * as bytes. Negative, zero or positive, as memcmp. */
int romfs_path_order(const char *a, size_t a_len, const char *b, size_t b_len);

#ifdef __cplusplus
}
#endif

#endif
