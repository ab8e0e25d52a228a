/* tools.c -- tools/<name>.json: MCP Tool objects, checked and made compact.
 *
 * Key order and the spelling of numbers are kept: a client sees what is in the file, without the whitespace. */
#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "load/load.h"
#include "schema/schema.h"

#define TOOL_NAME_MAX 64
#define DEADLINE_MAX_MS 60000
#define OUTPUT_MAX 1000000

static bool is_tool_name(const char *name)
{
    size_t n = strlen(name);

    return n >= 1 && n <= TOOL_NAME_MAX &&
           strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-") == n;
}

static void check_schema(const struct check *c, const struct node *key, const struct node *value)
{
    if (value->kind != NODE_MAPPING) {
        check_report(c, LEVEL_E, value->at, NULL, "'%s' must be an object", key->text);
        return;
    }
    const struct node *type = yaml_member(value, "type", NULL);
    if (!type || type->plain || !yaml_text_is(type, "object")) {
        check_report(c, LEVEL_E, type ? type->at : value->at, NULL, "'%s' must have \"type\": \"object\"", key->text);
    }
}

static bool is_bool(const struct node *value)
{
    return value->plain && (yaml_text_is(value, "true") || yaml_text_is(value, "false"));
}

static void check_annotations(const struct check *c, const struct node *value)
{
    static const char *const hints[] = {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"};

    if (value->kind != NODE_MAPPING) {
        check_report(c, LEVEL_E, value->at, NULL, "'annotations' must be an object");
        return;
    }
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++) {
        const struct node *hint = yaml_member(value, hints[i], NULL);
        if (hint && !is_bool(hint)) {
            check_report(c, LEVEL_E, hint->at, NULL, "'%s' must be true or false", hints[i]);
        }
    }
    const struct node *title = yaml_member(value, "title", NULL);
    if (title && !yaml_is_string(title)) {
        check_report(c, LEVEL_E, title->at, NULL, "'title' must be a string");
    }
}

static void check_icons(const struct check *c, const struct node *value)
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

static void check_text(const struct check *c, const struct node *key, const struct node *value)
{
    if (!yaml_is_string(value) || value->len == 0) {
        check_report(c, LEVEL_E, value->at, NULL, "'%s' must be a non-empty string", key->text);
    }
}

static void check_member(const struct check *c, const struct node *key, const struct node *value)
{
    if (yaml_text_is(key, "name") || yaml_text_is(key, "title") || yaml_text_is(key, "description")) {
        check_text(c, key, value);
    } else if (yaml_text_is(key, "inputSchema") || yaml_text_is(key, "outputSchema")) {
        check_schema(c, key, value);
    } else if (yaml_text_is(key, "annotations")) {
        check_annotations(c, value);
    } else if (yaml_text_is(key, "icons")) {
        check_icons(c, value);
    } else if (yaml_text_is(key, "x-skillrom")) {
        return; /* see read_own */
    } else {
        check_report(c, LEVEL_E, key->at, NULL, "a tool has no member '%s'", excerpt(key->text, key->len));
    }
}

static void check_tool(const struct check *c, const struct node *root, const char *stem)
{
    static const char *const needed[] = {"name", "inputSchema"}; /* description: see links.c */
    const struct node *name = yaml_member(root, "name", NULL);

    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (!yaml_member(root, needed[i], NULL)) {
            check_report(c, LEVEL_E, root->at, NULL, "'%s' missing", needed[i]);
        }
    }
    for (size_t i = 0; i + 1 < root->count; i += 2) {
        check_member(c, root->items[i], root->items[i + 1]);
    }
    if (name && yaml_is_string(name) && name->len && !yaml_text_is(name, stem)) {
        check_report(c, LEVEL_E, name->at, NULL, "name '%s' in the file of '%s'; they must be the same",
                     excerpt(name->text, name->len), excerpt_str(stem));
    }
    if (!is_tool_name(stem)) {
        check_report(c, LEVEL_E, name ? name->at : whole_file, NULL,
                     "tool name '%s': 1 to %d characters of A-Z a-z 0-9 _ . -", excerpt_str(stem), TOOL_NAME_MAX);
    }
}

/* ---- What is for the handler ---- */

/* A whole number from 1 to max; 0 after a message. */
static uint32_t own_number(const struct check *c, const struct node *key, const struct node *value, unsigned long max)
{
    char *end;
    unsigned long number = value->kind == NODE_SCALAR && value->plain ? strtoul(value->text, &end, 10) : 0;

    if (number < 1 || number > max || *end != '\0') {
        check_report(c, LEVEL_E, value->at, NULL, "'%s' must be a whole number from 1 to %lu", key->text, max);
        return 0;
    }
    return (uint32_t)number;
}

/* "never", "optional" or "required". */
static uint8_t own_task(const struct check *c, const struct node *value)
{
    static const char *const uses[] = {
        [TASK_NEVER] = "never", [TASK_OPTIONAL] = "optional", [TASK_REQUIRED] = "required"};

    for (uint8_t i = 0; i < sizeof uses / sizeof uses[0]; i++) {
        if (yaml_is_string(value) && yaml_text_is(value, uses[i])) {
            return i;
        }
    }
    check_report(c, LEVEL_E, value->at, NULL, "'task' must be \"never\", \"optional\" or \"required\"");
    return TASK_NEVER;
}

static bool own_bool(const struct check *c, const struct node *key, const struct node *value)
{
    if (!is_bool(value)) {
        check_report(c, LEVEL_E, value->at, NULL, "'%s' must be true or false", key->text);
        return false;
    }
    return yaml_text_is(value, "true");
}

/* "x-skillrom": {"deadlineMs": 10000, "outputMax": 200, "parallel": true, "task": "optional"} */
static void read_own(const struct check *c, const struct node *own, struct tool *tool)
{
    if (own->kind != NODE_MAPPING) {
        check_report(c, LEVEL_E, own->at, NULL, "'x-skillrom' of a tool must be an object");
        return;
    }
    for (size_t i = 0; i + 1 < own->count; i += 2) {
        const struct node *key = own->items[i], *value = own->items[i + 1];
        if (yaml_text_is(key, "deadlineMs")) {
            tool->deadline_ms = own_number(c, key, value, DEADLINE_MAX_MS);
        } else if (yaml_text_is(key, "outputMax")) {
            tool->output_max = own_number(c, key, value, OUTPUT_MAX);
        } else if (yaml_text_is(key, "parallel")) {
            tool->parallel = own_bool(c, key, value);
        } else if (yaml_text_is(key, "task")) {
            tool->task = own_task(c, value);
        } else {
            check_report(c, LEVEL_E, key->at, NULL, "'x-skillrom' has no member '%s'", excerpt(key->text, key->len));
        }
    }
    if ((tool->parallel || tool->task != TASK_NEVER) && yaml_member(own, "deadlineMs", NULL) == NULL) {
        check_report(c, LEVEL_E, own->at, NULL, "'%s' needs a 'deadlineMs': without one a call ends at once",
                     tool->parallel ? "parallel" : "task");
    }
}

static void read_handler(const struct check *c, struct tool *tool, struct schema_names *names)
{
    const struct node *schema = yaml_member(tool->root, "inputSchema", NULL);
    const struct node *own = yaml_member(tool->root, "x-skillrom", NULL);
    const struct node *hints = yaml_member(tool->root, "annotations", NULL);
    const struct node *reads = hints && hints->kind == NODE_MAPPING ? yaml_member(hints, "readOnlyHint", NULL) : NULL;

    tool->symbol = xasprintf("tool_%s", schema_identifier(tool->name));
    tool->read_only = reads && is_bool(reads) && yaml_text_is(reads, "true");
    tool->structured = yaml_member(tool->root, "outputSchema", NULL) != NULL;
    if (own) {
        read_own(c, own, tool);
    }
    const struct node *type = schema && schema->kind == NODE_MAPPING ? yaml_member(schema, "type", NULL) : NULL;
    if (type && yaml_text_is(type, "object")) {
        tool->args = schema_read(c, schema, tool->symbol, names);
    }
}

/* ---- What is for clients ---- */

/* The same without "x-skillrom", which is not for clients. */
static struct node *public_part(const struct node *node)
{
    struct node *out = xmalloc(sizeof *out);
    bool mapping = node->kind == NODE_MAPPING;

    *out = *node;
    if (node->kind == NODE_SCALAR) {
        return out;
    }
    out->count = 0;
    out->items = xmalloc(node->count * sizeof *out->items + 1);
    for (size_t i = 0; i < node->count; i += mapping ? 2 : 1) {
        if (mapping && yaml_text_is(node->items[i], "x-skillrom")) {
            continue;
        }
        for (size_t k = i; k <= i + mapping; k++) {
            out->items[out->count++] = public_part(node->items[k]);
        }
    }
    return out;
}

char *tool_json(const struct tool *tool, const char *about)
{
    struct buf json = {0};
    const struct node *root = public_part(tool->root);

    for (size_t i = 0; i + 1 < root->count; i += 2) {
        const struct node *key = root->items[i];
        buf_puts(&json, i ? "," : "{");
        load_json_compact(&json, key);
        buf_puts(&json, ":");
        load_json_compact(&json, root->items[i + 1]);
        if (about && yaml_text_is(key, "name")) {
            buf_puts(&json, ",\"description\":");
            json_string(&json, about, strlen(about));
        }
    }
    buf_puts(&json, "}");
    return buf_str(&json);
}

static int by_name(const void *a, const void *b)
{
    const struct tool *x = a, *y = b;

    return strcmp(x->name, y->name);
}

void tools_load(const struct check *c, struct disk_entry *dir, struct device *out)
{
    struct schema_names names = {{NULL}};

    scan_report(c, dir);
    out->tools = xmalloc(dir->child_count * sizeof *out->tools);
    for (size_t i = 0; i < dir->child_count; i++) {
        struct disk_entry *file = dir->children[i];
        struct check at = check_at(c, file->disk_path);
        char *stem = load_stem(file->name, ".json");
        if (file->leftover) {
            continue;
        }
        if (!stem) {
            check_report(&at, LEVEL_W, whole_file, NULL, "left out: tools/ is for .json files");
            continue;
        }
        struct node *root = load_json_object(&at, file);
        if (root) {
            check_tool(&at, root, stem);
            struct tool *tool = &out->tools[out->tool_count++];
            *tool = (struct tool){.name = stem, .disk_path = file->disk_path, .root = root};
            read_handler(&at, tool, &names);
        }
    }
    qsort(out->tools, out->tool_count, sizeof *out->tools, by_name);
}
