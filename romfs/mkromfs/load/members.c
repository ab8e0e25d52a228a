/* members.c -- see members.h. */
#include "load/members.h"

#include <string.h>

#include "decimal.h"
#include "load/rules.h"

#define NAME_MAX_CHARACTERS 64
#define VALUES_MAX 100 /* the maximum for one response to completion/complete (CMP-02) */

bool members_next(const struct check *c, struct disk_entry *dir, size_t *next, struct member_file *file)
{
    while (*next < dir->child_count) {
        file->entry = dir->children[(*next)++];
        file->check = check_at(c, file->entry->disk_path);
        file->stem = load_stem(file->entry->name, ".json");
        if (file->entry->leftover) {
            continue;
        }
        if (!file->stem) {
            check_report(&file->check, LEVEL_W, whole_file, NULL, "left out: %s/ is for .json files", dir->name);
            continue;
        }
        rules_windows_name(&file->check, file->entry->name);
        file->root = load_json_object(&file->check, file->entry);
        if (file->root) {
            return true;
        }
    }
    return false;
}

static bool is_name(const char *name)
{
    size_t n = strlen(name);

    return n >= 1 && n <= NAME_MAX_CHARACTERS &&
           strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-") == n;
}

void members_check_name(const struct check *c, const struct node *root, const char *stem, const char *what)
{
    const struct node *name = yaml_member(root, "name", NULL);

    if (name && yaml_is_string(name) && name->len && !yaml_text_is(name, stem)) {
        check_report(c, LEVEL_E, name->at, NULL, "name '%s' in the file of '%s'; rename one, they must be the same",
                     excerpt(name->text, name->len), excerpt_str(stem));
    }
    if (!is_name(stem)) {
        check_report(c, LEVEL_E, name ? name->at : whole_file, NULL,
                     "%s name '%s': 1 to %d characters of A-Z a-z 0-9 _ . -", what, excerpt_str(stem),
                     NAME_MAX_CHARACTERS);
    }
}

void member_check_text(const struct check *c, const struct node *key, const struct node *value)
{
    if (!yaml_is_string(value) || value->len == 0) {
        check_report(c, LEVEL_E, value->at, NULL, "'%s' must be a non-empty string", key->text);
    }
}

void member_check_icons(const struct check *c, const struct node *value)
{
    if (value->kind != NODE_SEQUENCE) {
        check_report(c, LEVEL_E, value->at, NULL, "'icons' must be an array");
        return;
    }
    for (size_t i = 0; i < value->count; i++) {
        const struct node *icon = value->items[i];
        const struct node *src = icon->kind == NODE_MAPPING ? yaml_member(icon, "src", NULL) : NULL;
        if (!src || !yaml_is_string(src)) {
            check_report(c, LEVEL_E, icon->at, NULL, "an icon must be an object with a string 'src'");
        }
    }
}

void member_unknown(const struct check *c, const struct node *key, const char *owner, const char *members)
{
    check_report(c, LEVEL_E, key->at, NULL, "%s has no member '%s'; %s", owner, excerpt(key->text, key->len),
                 check_hint(key->text, key->len, members, NULL));
}

bool member_is_bool(const struct node *value)
{
    return value->plain && (yaml_text_is(value, "true") || yaml_text_is(value, "false"));
}

bool member_bool(const struct check *c, const struct node *key, const struct node *value)
{
    if (!member_is_bool(value)) {
        check_report(c, LEVEL_E, value->at, NULL, "'%s' must be true or false", key->text);
        return false;
    }
    return yaml_text_is(value, "true");
}

uint32_t member_number(const struct check *c, const struct node *key, const struct node *value, uint32_t max)
{
    uint64_t number = 0;

    if (value->kind != NODE_SCALAR || !value->plain || !host_decimal(value->text, value->len, max, &number) ||
        number < 1) {
        check_report(c, LEVEL_E, value->at, NULL, "'%s' must be a whole number from 1 to %lu", key->text,
                     (unsigned long)max);
        return 0;
    }
    return (uint32_t)number;
}

static bool is_plain_text(const struct node *value)
{
    if (value->kind != NODE_SCALAR || value->len == 0) {
        return false;
    }
    for (size_t i = 0; i < value->len; i++) {
        unsigned char c = (unsigned char)value->text[i];
        if (c < 0x20 || c == '"' || c == '\\') {
            return false;
        }
    }
    return true;
}

char *member_values(const struct check *c, const struct node *list)
{
    struct buf joined = {0};

    if (list->kind != NODE_SEQUENCE || list->count == 0 || list->count > VALUES_MAX) {
        check_report(c, LEVEL_E, list->at, NULL, "'values' must be a list of 1 to %d texts", VALUES_MAX);
        return NULL;
    }
    for (size_t i = 0; i < list->count; i++) {
        const struct node *value = list->items[i];
        if (!is_plain_text(value)) {
            check_report(c, LEVEL_E, value->at, NULL, "a value must be text without quotes, backslashes and newlines");
            return NULL;
        }
        buf_puts(&joined, i > 0 ? "\n" : "");
        buf_add(&joined, value->text, value->len);
    }
    return buf_str(&joined);
}

struct node *members_public(const struct node *node)
{
    struct node *out = xmalloc(sizeof *out);
    bool mapping = node->kind == NODE_MAPPING;

    *out = *node;
    if (node->kind == NODE_SCALAR) {
        return out;
    }
    out->count = 0;
    out->keys = (struct names){NULL};
    out->items = xmalloc(node->count * sizeof *out->items + 1);
    for (size_t i = 0; i < node->count; i += mapping ? 2 : 1) {
        if (mapping && yaml_text_is(node->items[i], "x-skillrom")) {
            continue;
        }
        for (size_t k = i; k <= i + mapping; k++) {
            out->items[out->count++] = members_public(node->items[k]);
        }
    }
    return out;
}
