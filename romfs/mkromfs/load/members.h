/* members.h -- what the files of tools/, prompts/ and resources/ have in common. Those of tools and resources are a
 * JSON object each, with members of MCP and "x-skillrom", which is for the firmware. */
#ifndef MKROMFS_MEMBERS_H
#define MKROMFS_MEMBERS_H

#include "load/load.h"

/* Reads the next file of a folder of .json files, from child *next on: true with its name without the ending and its
 * object. False behind the last. What is wrong has been reported. */
struct member_file {
    struct check check;
    char *stem;
    struct disk_entry *entry;
    struct node *root;
};
bool members_next(const struct check *c, struct disk_entry *dir, size_t *next, struct member_file *file);

/* The name must be that of the file, in characters that clients take. `what` is "tool" or "resource". */
void members_check_name(const struct check *c, const struct node *root, const char *stem, const char *what);

/* Each reports a value that is something else. */
void member_check_text(const struct check *c, const struct node *key, const struct node *value);
void member_check_icons(const struct check *c, const struct node *value);

/* True for a plain true or false. */
bool member_is_bool(const struct node *value);

/* The value; false after reporting that it is none. */
bool member_bool(const struct check *c, const struct node *key, const struct node *value);

/* What a variable may be, of a list: one value a line, NULL after a message. They are sent as they stand, so they
 * are texts that JSON does not escape. Prompts have it for their arguments. */
char *member_values(const struct check *c, const struct node *list);

/* The same tree without "x-skillrom", which is nobody's business on the wire. */
struct node *members_public(const struct node *node);

#endif
