/* device_json.c -- who the device says it is: {"name", "version", "title"?, "instructions"?}. */
#include <string.h>

#include "buf.h"
#include "json_out.h"
#include "load.h"
#include "yaml.h"

#define DEFAULT_NAME "skillrom"
#define DEFAULT_VERSION "0.1.0"

static bool is_member(const struct node *key)
{
    return yaml_text_is(key, "name") || yaml_text_is(key, "version") || yaml_text_is(key, "title") ||
           yaml_text_is(key, "instructions");
}

static void check_members(const struct check *c, const struct node *root)
{
    for (size_t i = 0; i + 1 < root->count; i += 2) {
        const struct node *key = root->items[i], *value = root->items[i + 1];
        if (!is_member(key)) {
            check_report(c, LEVEL_W, key->at, NULL,
                         "unknown member '%s' is ignored; known are name, version, title, instructions",
                         excerpt(key->text, key->len));
        } else if (!yaml_is_string(value)) {
            check_report(c, LEVEL_E, value->at, NULL, "'%s' must be a string", key->text);
        } else if (value->len == 0) {
            check_report(c, LEVEL_E, value->at, NULL, "'%s' is empty", key->text);
        }
    }
}

static const struct node *required(const struct check *c, const struct node *root, const char *key)
{
    const struct node *value = yaml_member(root, key, NULL);

    if (!value) {
        check_report(c, LEVEL_E, root->at, NULL, "'%s' missing", key);
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
    out->server_info =
        server_info(DEFAULT_NAME, strlen(DEFAULT_NAME), DEFAULT_VERSION, strlen(DEFAULT_VERSION));
    if (!file) {
        return;
    }
    struct check at = check_at(c, file->disk_path);
    struct node *root = load_json_object(&at, file);
    if (!root) {
        return;
    }
    check_members(&at, root);
    const struct node *name = required(&at, root, "name"), *version = required(&at, root, "version");
    const struct node *instructions = yaml_member(root, "instructions", NULL);
    if (name && version && yaml_is_string(name) && yaml_is_string(version)) {
        out->server_info = server_info(name->text, name->len, version->text, version->len);
    }
    if (instructions && yaml_is_string(instructions)) {
        out->instructions_json = json_quoted(instructions->text, instructions->len);
    }
}
