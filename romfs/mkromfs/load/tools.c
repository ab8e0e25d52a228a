/* tools.c -- tools/<name>.json: MCP Tool objects, checked and made compact.
 *
 * Key order and the spelling of numbers are kept: a client sees what is in the file, without the whitespace. */
#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "load/load.h"
#include "load/members.h"
#include "load/tool_rules.h"
#include "schema/schema.h"

#define DEADLINE_MAX_MS 2000000000 /* what the core can count; the header checks SKR_JOB_DEADLINE_MAX_MS */
#define OUTPUT_MAX 1000000

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

static void check_annotations(const struct check *c, const struct node *value)
{
    static const char *const hints[] = {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"};

    if (value->kind != NODE_MAPPING) {
        check_report(c, LEVEL_E, value->at, NULL, "'annotations' must be an object");
        return;
    }
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++) {
        const struct node *hint = yaml_member(value, hints[i], NULL);
        if (hint && !member_is_bool(hint)) {
            check_report(c, LEVEL_E, hint->at, NULL, "'%s' must be true or false", hints[i]);
        }
    }
    const struct node *title = yaml_member(value, "title", NULL);
    if (title && !yaml_is_string(title)) {
        check_report(c, LEVEL_E, title->at, NULL, "'title' must be a string");
    }
}

static void check_member(const struct check *c, const struct node *key, const struct node *value)
{
    if (yaml_text_is(key, "name") || yaml_text_is(key, "title") || yaml_text_is(key, "description")) {
        member_check_text(c, key, value);
    } else if (yaml_text_is(key, "inputSchema") || yaml_text_is(key, "outputSchema")) {
        check_schema(c, key, value);
    } else if (yaml_text_is(key, "annotations")) {
        check_annotations(c, value);
    } else if (yaml_text_is(key, "icons")) {
        member_check_icons(c, value);
    } else if (!yaml_text_is(key, "_meta") && !yaml_text_is(key, "x-skillrom")) { /* see panel_rules.c and read_own */
        member_unknown(c, key, "a tool",
                       "name, title, description, inputSchema, outputSchema, annotations, icons, _meta, x-skillrom");
    }
}

static void check_tool(const struct check *c, const struct node *root, const char *stem)
{
    static const char *const needed[] = {"name", "inputSchema"}; /* description: see links.c */

    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (!yaml_member(root, needed[i], NULL)) {
            check_report(c, LEVEL_E, root->at, NULL, "'%s' missing; add it", needed[i]);
        }
    }
    for (size_t i = 0; i + 1 < root->count; i += 2) {
        check_member(c, root->items[i], root->items[i + 1]);
    }
    members_check_name(c, root, stem, "tool");
}

/* ---- What is for the handler ---- */

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
            tool->deadline_ms = member_number(c, key, value, DEADLINE_MAX_MS);
        } else if (yaml_text_is(key, "outputMax")) {
            tool->output_max = member_number(c, key, value, OUTPUT_MAX);
        } else if (yaml_text_is(key, "parallel")) {
            tool->parallel = member_bool(c, key, value);
        } else if (yaml_text_is(key, "task")) {
            tool->task = own_task(c, value);
        } else if (!tool_rules_is_member(key)) {
            member_unknown(c, key, "'x-skillrom'", "deadlineMs, outputMax, parallel, task, " TOOL_RULES_MEMBERS);
        }
    }
    if ((tool->parallel || tool->task != TASK_NEVER) && yaml_member(own, "deadlineMs", NULL) == NULL) {
        check_report(c, LEVEL_E, own->at, NULL, "'%s' needs a 'deadlineMs': without one a call ends immediately",
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
    tool->read_only = reads && member_is_bool(reads) && yaml_text_is(reads, "true");
    tool->structured = yaml_member(tool->root, "outputSchema", NULL) != NULL;
    if (own) {
        read_own(c, own, tool);
    }
    const struct node *type = schema && schema->kind == NODE_MAPPING ? yaml_member(schema, "type", NULL) : NULL;
    if (type && yaml_text_is(type, "object")) {
        tool->args = schema_read(c, schema, tool->symbol, names);
    }
    if (own && own->kind == NODE_MAPPING && tool->args) {
        tool_rules_read(c, own, tool);
    }
}

/* ---- What is for clients ---- */

char *tool_json(const struct tool *tool, const char *about)
{
    struct buf json = {0};
    const struct node *root = members_public(tool->root);

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
    struct schema_names names = {.taken = {{NULL}}};
    struct member_file file;

    scan_report(c, dir);
    out->tools = xmalloc(dir->child_count * sizeof *out->tools);
    for (size_t next = 0; members_next(c, dir, &next, &file);) {
        struct tool *tool = &out->tools[out->tool_count++];
        check_tool(&file.check, file.root, file.stem);
        *tool = (struct tool){.name = file.stem, .disk_path = file.entry->disk_path, .root = file.root};
        read_handler(&file.check, tool, &names);
    }
    tool_rules_pair(c, out);
    qsort(out->tools, out->tool_count, sizeof *out->tools, by_name);
}
