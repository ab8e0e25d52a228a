/* rules_fields.c -- what the fields of a frontmatter may hold (SK-V-50..59).
 *
 * Lengths count UTF-16 units: where libraries differ, that is the larger count. */
#include <string.h>

#include "base/screen.h"
#include "base/trim.h"
#include "load/rules.h"

#define NAME_MAX_CHARS 64
#define DESCRIPTION_MAX_CHARS 1024
#define DESCRIPTION_FEW_CHARS 20
#define LICENSE_MANY_CHARS 100
#define COMPATIBILITY_MAX_CHARS 500
#define FIELDS "name, description, license, compatibility, metadata, allowed-tools"
#define RESERVED_PREFIX "io.modelcontextprotocol/"
#define OUR_PREFIX "dev.skillrom/"

static bool only_blanks(const struct node *value)
{
    for (size_t i = 0; i < value->len; i++) {
        if (!trim_is_blank(value->text[i])) {
            return false;
        }
    }
    return true;
}

static size_t length_of(const struct node *value)
{
    return utf8_units(value->text, value->len);
}

/* ^[a-z0-9]+(-[a-z0-9]+)*$ */
static bool is_name(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool word = (text[i] >= 'a' && text[i] <= 'z') || (text[i] >= '0' && text[i] <= '9');
        bool inner_hyphen = text[i] == '-' && i > 0 && i + 1 < n && text[i - 1] != '-';
        if (!word && !inner_hyphen) {
            return false;
        }
    }
    return n > 0;
}

bool rules_name_is_valid(const struct node *name)
{
    return name && yaml_is_string(name) && name->len <= NAME_MAX_CHARS && is_name(name->text, name->len);
}

static void check_name(const struct check *c, const struct node *name)
{
    if (!name) {
        check_report(c, LEVEL_E, whole_file, "SK-V-51", "name missing; add `name: ...`, the name of the folder");
    } else if (!yaml_is_string(name)) {
        check_report(c, LEVEL_E, name->at, "SK-V-51", "name must be text");
    } else if (name->len == 0) {
        check_report(c, LEVEL_E, name->at, "SK-V-51", "name is empty; write the name of the folder");
    } else {
        if (length_of(name) > NAME_MAX_CHARS) {
            check_report(c, LEVEL_E, name->at, "SK-V-51", "name has %zu characters, at most %d are allowed; shorten it",
                         length_of(name), NAME_MAX_CHARS);
        }
        if (!is_name(name->text, name->len)) {
            check_report(c, LEVEL_E, name->at, "SK-V-52", "name '%s': only a-z, 0-9 and single hyphens between them",
                         excerpt(name->text, name->len));
        }
    }
}

static void check_description(const struct check *c, const struct node *description)
{
    if (!description) {
        check_report(c, LEVEL_E, whole_file, "SK-V-53",
                     "description missing; say what the skill does and when to use it");
        return;
    }
    if (!yaml_is_string(description)) {
        check_report(c, LEVEL_E, description->at, "SK-V-53", "description must be text");
        return;
    }
    size_t length = length_of(description);
    if (only_blanks(description)) {
        check_report(c, LEVEL_E, description->at, "SK-V-53",
                     "description is blank; say what the skill does and when to use it");
        return;
    }
    if (length > DESCRIPTION_MAX_CHARS) {
        check_report(c, LEVEL_E, description->at, "SK-V-53",
                     "description has %zu characters, at most %d are allowed; move detail below", length,
                     DESCRIPTION_MAX_CHARS);
    }
    /* The final newline of a block scalar is acceptable; blanks are not. */
    char first = description->text[0], last = description->text[description->len - 1];
    if (trim_is_blank(first) || last == ' ' || last == '\t') {
        check_report(c, LEVEL_W, description->at, "SK-V-54", "description begins or ends with spaces; remove them");
    } else if (length < DESCRIPTION_FEW_CHARS) {
        check_report(c, LEVEL_W, description->at, "SK-V-54",
                     "add when to use this skill; a description of %zu character%s can hardly say it", length,
                     screen_plural(length));
    }
}

static void check_license(const struct check *c, const struct node *license)
{
    if (!yaml_is_string(license)) {
        check_report(c, LEVEL_E, license->at, "SK-V-55", "license must be text");
    } else if (only_blanks(license)) {
        check_report(c, LEVEL_E, license->at, "SK-V-55", "license is empty");
    } else if (length_of(license) > LICENSE_MANY_CHARS) {
        check_report(c, LEVEL_W, license->at, "SK-V-55", "license has %zu characters; name it, or its file",
                     length_of(license));
    }
}

static void check_compatibility(const struct check *c, const struct node *value)
{
    if (!yaml_is_string(value)) {
        check_report(c, LEVEL_E, value->at, "SK-V-56", "compatibility must be text");
    } else if (value->len == 0 || length_of(value) > COMPATIBILITY_MAX_CHARS) {
        check_report(c, LEVEL_E, value->at, "SK-V-56", "compatibility has %zu characters, %s %d", length_of(value),
                     value->len ? "at most" : "at least", value->len ? COMPATIBILITY_MAX_CHARS : 1);
    }
}

static void check_metadata(const struct check *c, const struct node *metadata)
{
    if (metadata->kind != NODE_MAPPING) {
        bool empty = metadata->kind == NODE_SCALAR && metadata->len == 0;
        check_report(c, LEVEL_E, metadata->at, "SK-V-57", "metadata %s",
                     empty ? "is empty; write `key: text` lines below it, or remove it"
                           : "must be a mapping of text to text");
        return;
    }
    for (size_t i = 0; i + 1 < metadata->count; i += 2) {
        const struct node *key = metadata->items[i];
        const struct node *value = metadata->items[i + 1];
        if (!yaml_is_string(value)) {
            bool ours = strncmp(key->text, OUR_PREFIX, strlen(OUR_PREFIX)) == 0; /* SK-M says what it may hold */
            check_report(c, LEVEL_E, value->at, "SK-V-57", "metadata '%s' must be a quoted string%s",
                         excerpt(key->text, key->len),
                         ours || value->kind == NODE_SCALAR ? ""
                         : value->kind == NODE_MAPPING      ? ", not a mapping; write its JSON as text"
                                                            : ", not a list; write its JSON as text");
        }
        if (strncmp(key->text, RESERVED_PREFIX, strlen(RESERVED_PREFIX)) == 0) {
            check_report(c, LEVEL_W, key->at, "SK-V-58", "'%s' is unknown and ignored: the prefix %s belongs to MCP",
                         excerpt(key->text, key->len), RESERVED_PREFIX);
        }
    }
}

static void check_allowed_tools(const struct check *c, const struct node *key, const struct node *value)
{
    if (!yaml_is_string(value)) {
        check_report(c, LEVEL_L, value->at, "SK-V-59",
                     "allowed-tools must be one string, with spaces between the names");
    }
    check_report(c, LEVEL_W, key->at, "SK-V-59", "hosts ignore allowed-tools over MCP unless the user grants it");
}

void rules_fields(const struct check *c, const struct node *root)
{
    check_name(c, yaml_member(root, "name", NULL));
    check_description(c, yaml_member(root, "description", NULL));
    for (size_t i = 0; i + 1 < root->count; i += 2) {
        const struct node *key = root->items[i];
        const struct node *value = root->items[i + 1];
        if (yaml_text_is(key, "license")) {
            check_license(c, value);
        } else if (yaml_text_is(key, "compatibility")) {
            check_compatibility(c, value);
        } else if (yaml_text_is(key, "metadata")) {
            check_metadata(c, value);
        } else if (yaml_text_is(key, "allowed-tools")) {
            check_allowed_tools(c, key, value);
        } else if (!yaml_text_is(key, "name") && !yaml_text_is(key, "description")) {
            check_report(c, LEVEL_L, key->at, "SK-V-50", "unknown field '%s'; %s", excerpt(key->text, key->len),
                         check_hint(key->text, key->len, FIELDS, "put it under metadata"));
        }
    }
}
