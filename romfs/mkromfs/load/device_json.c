/* device_json.c -- a device's description of itself: its name, which of the server's own features it switches off,
 * and what its firmware serves besides the skills. */
#include <string.h>

#include "base/json_out.h"
#include "load/load.h"
#include "load/members.h"

#define TITLE_MAX 1024 /* bytes, with what is around it: the image has 16 bits for that */
#define MEMBERS                                                                                                        \
    "name, version, title, instructions, resources, templates, lastModified, skillTools, "                             \
    "skillPrompts, panel, budgets"
#define DEFAULT_NAME "skillrom"
#define DEFAULT_VERSION "0.1.0"

/* False, after a message, unless the value is a non-empty string. */
static bool is_text(const struct check *c, const struct node *key, const struct node *value)
{
    if (!yaml_is_string(value)) {
        check_report(c, LEVEL_E, value->at, NULL, "'%s' must be a string", key->text);
        return false;
    }
    if (value->len == 0) {
        check_report(c, LEVEL_E, value->at, NULL, "'%s' is empty; write its value, or remove it", key->text);
        return false;
    }
    return true;
}

/* True when the feature is switched off. */
static bool is_off(const struct check *c, const struct node *key, const struct node *value)
{
    bool off = value->plain && yaml_text_is(value, "false");

    if (!off && !(value->plain && yaml_text_is(value, "true"))) {
        check_report(c, LEVEL_E, value->at, NULL, "'%s' must be true or false", key->text);
    }
    return off;
}

/* URIs and URI templates that the firmware serves, for skills to depend on. */
static void take_resources(const struct check *c, const struct node *list, struct device *out)
{
    if (list->kind != NODE_SEQUENCE) {
        check_report(c, LEVEL_E, list->at, NULL, "'resources' must be an array of URIs");
        return;
    }
    out->served = xmalloc(list->count * sizeof *out->served);
    for (size_t i = 0; i < list->count; i++) {
        const struct node *uri = list->items[i];
        if (yaml_is_string(uri) && strstr(uri->text, "://")) {
            out->served[out->served_count++] = uri->text;
        } else {
            check_report(c, LEVEL_E, uri->at, NULL, "a resource is named by its URI, as in \"pump://status\"");
        }
    }
}

/* {"plant/pumps": "Maintenance skills of one pump"} */
static void take_templates(const struct check *c, const struct node *map, struct device *out)
{
    if (map->kind != NODE_MAPPING) {
        check_report(c, LEVEL_E, map->at, NULL, "'templates' must be an object that maps prefixes to descriptions");
        return;
    }
    out->prefixes = xmalloc((map->count / 2) * sizeof *out->prefixes);
    for (size_t i = 0; i + 1 < map->count; i += 2) {
        const struct node *prefix = map->items[i], *description = map->items[i + 1];
        if (is_text(c, prefix, description)) {
            out->prefixes[out->prefix_count++] = (struct prefix){prefix->text, description->text, prefix->at};
        }
    }
}

static void take_last_modified(const struct check *c, const struct node *value, struct device *out)
{
    if (!yaml_is_string(value) || !load_is_timestamp(value->text, value->len)) {
        check_report(c, LEVEL_E, value->at, NULL, "'lastModified' must be YYYY-MM-DDThh:mm:ssZ");
        return;
    }
    out->last_modified = json_quoted(value->text, value->len);
}

/* {"alwaysTokens": 2000} */
static void take_limit(const struct check *c, const struct node *key, const struct node *value, struct device *out)
{
    size_t i = 0;

    while (i <= LIMIT_HITS && !yaml_text_is(key, limit_names[i])) {
        i++;
    }
    if (i > LIMIT_HITS) {
        member_unknown(c, key, "'budgets'",
                       "alwaysTokens, activationTokens, fileTokens, listBytes, imageBytes, panelBytes, queryHits");
        return;
    }
    uint32_t max = member_number(c, key, value, i == LIMIT_HITS ? 100 : 0x40000000);
    if (max != 0) {
        out->limits[i] = (struct budget_limit){max, key->at};
    }
}

static void take_budgets(const struct check *c, const struct node *map, struct device *out)
{
    if (map->kind != NODE_MAPPING) {
        check_report(c, LEVEL_E, map->at, NULL, "'budgets' must be an object, as in {\"alwaysTokens\": 2000}");
        return;
    }
    for (size_t i = 0; i + 1 < map->count; i += 2) {
        take_limit(c, map->items[i], map->items[i + 1], out);
    }
}

static void take_title(const struct check *c, const struct node *key, const struct node *value, struct device *out)
{
    struct buf b = {0};

    if (!is_text(c, key, value)) {
        return;
    }
    buf_puts(&b, ",\"title\":");
    json_string(&b, value->text, value->len);
    buf_puts(&b, "}");
    if (b.n > TITLE_MAX) {
        check_report(c, LEVEL_E, value->at, NULL,
                     "'title' is too long; people see it beside the name: use a few words");
        return;
    }
    out->title = buf_str(&b);
    out->title_text = value->text;
}

static void take_member(const struct check *c, const struct node *key, const struct node *value, struct device *out)
{
    if (yaml_text_is(key, "skillTools")) {
        out->no_skill_tools = is_off(c, key, value);
    } else if (yaml_text_is(key, "skillPrompts")) {
        out->no_skill_prompts = is_off(c, key, value);
    } else if (yaml_text_is(key, "panel")) {
        out->no_panel = is_off(c, key, value);
    } else if (yaml_text_is(key, "resources")) {
        take_resources(c, value, out);
    } else if (yaml_text_is(key, "templates")) {
        take_templates(c, value, out);
    } else if (yaml_text_is(key, "budgets")) {
        take_budgets(c, value, out);
    } else if (yaml_text_is(key, "lastModified")) {
        take_last_modified(c, value, out);
    } else if (yaml_text_is(key, "instructions")) {
        out->instructions_at = value->at;
        if (is_text(c, key, value)) {
            out->instructions = value->text;
            out->instructions_json = json_quoted(value->text, value->len);
        }
    } else if (yaml_text_is(key, "title")) {
        take_title(c, key, value, out);
    } else if (yaml_text_is(key, "name") || yaml_text_is(key, "version")) {
        is_text(c, key, value);
    } else {
        check_report(c, LEVEL_W, key->at, NULL, "unknown member '%s' is ignored; %s", excerpt(key->text, key->len),
                     check_hint(key->text, key->len, MEMBERS, NULL));
    }
}

static const struct node *required_member(const struct check *c, const struct node *root, const char *key)
{
    const struct node *value = yaml_member(root, key, NULL);

    if (!value) {
        check_report(c, LEVEL_E, root->at, NULL, "'%s' missing; add it", key);
    }
    return value;
}

static char *server_info(const char *name, size_t name_len, const char *version, size_t version_len)
{
    struct buf b = {0};

    buf_puts(&b, "{\"name\":");
    json_string(&b, name, name_len);
    buf_puts(&b, ",\"version\":");
    json_string(&b, version, version_len);
    buf_puts(&b, "}");
    return buf_str(&b);
}

void device_json_load(const struct check *c, struct disk_entry *file, struct device *out)
{
    out->name = xstrdup(DEFAULT_NAME);
    out->version = xstrdup(DEFAULT_VERSION);
    out->server_info = server_info(DEFAULT_NAME, strlen(DEFAULT_NAME), DEFAULT_VERSION, strlen(DEFAULT_VERSION));
    if (!file) {
        return;
    }
    struct check at = check_at(c, file->disk_path);
    out->json_path = file->disk_path;
    struct node *root = load_json_object(&at, file);
    if (!root) {
        return;
    }
    for (size_t i = 0; i + 1 < root->count; i += 2) {
        take_member(&at, root->items[i], root->items[i + 1], out);
    }
    const struct node *name = required_member(&at, root, "name"), *version = required_member(&at, root, "version");
    if (name && version && yaml_is_string(name) && yaml_is_string(version)) {
        out->name = name->text;
        out->version = version->text;
        out->server_info = server_info(name->text, name->len, version->text, version->len);
    }
}
