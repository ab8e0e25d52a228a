/* members.h -- what the files of tools/, prompts/ and resources/ have in common. Each file of a
 * tool or resource is a JSON object, with members of MCP and "x-skillrom", which is for the firmware. */
#ifndef MKROMFS_MEMBERS_H
#define MKROMFS_MEMBERS_H

#include "load/load.h"

/* Reads the next file of a folder of .json files, from child *next on: true with its object, and its name without the
 * ending. False after the last. Files that cannot be read are reported and skipped. */
struct member_file {
    struct check check;
    char *stem;
    struct disk_entry *entry;
    struct node *root;
};
bool members_next(const struct check *c, struct disk_entry *dir, size_t *next, struct member_file *file);

/* Reports a name that differs from the file's, or has characters that clients reject. `what` is "tool" or "resource". */
void members_check_name(const struct check *c, const struct node *root, const char *stem, const char *what);

/* Each reports a value that is not what its name says. */
void member_check_text(const struct check *c, const struct node *key, const struct node *value);
void member_check_icons(const struct check *c, const struct node *value);

/* Reports a member that its object, `owner`, cannot have; `members` names those that it can have. */
void member_unknown(const struct check *c, const struct node *key, const char *owner, const char *members);

/* True for a plain true or false. */
bool member_is_bool(const struct node *value);

/* The value; false, after reporting it, for one that is neither true nor false. */
bool member_bool(const struct check *c, const struct node *key, const struct node *value);

/* A whole number from 1 to max; 0 after reporting another value. */
uint32_t member_number(const struct check *c, const struct node *key, const struct node *value, uint32_t max);

/* The completion values in a list, of a template's variable or a prompt's argument, one per line; NULL after a
 * message. They are sent as they are, so they must not need escapes in JSON. */
char *member_values(const struct check *c, const struct node *list);

/* A copy of the tree without "x-skillrom", which is not for clients. */
struct node *members_public(const struct node *node);

#endif
