/* panel.c -- the panel of a device: a page that hosts with MCP Apps show in a conversation.
 *
 * It is generated for every device that has a tool or a resource: a shell, which is the same for all, with the device's
 * tools and resources as JSON in it. panel/panel.json chooses and orders them; panel/index.html replaces the shell. */
#include "load/panel.h"

#include <string.h>

#include "base/json_out.h"
#include "base/uri_path.h"
#include "load/frontmatter.h"
#include "load/members.h"

#define MIME "text/html;profile=mcp-app"
#define MARKER "{{device}}"

/* What panel/panel.json says, or the defaults. */
struct choice {
    const struct tool **tools;
    size_t tool_count;
    const struct resource **resources;
    size_t resource_count;
    const char *title;
    bool border;
};

/* ---- What is on it ---- */

static const struct tool *find_tool(const struct device *device, const struct node *name)
{
    for (size_t i = 0; i < device->tool_count; i++) {
        if (yaml_is_string(name) && yaml_text_is(name, device->tools[i].name)) {
            return &device->tools[i];
        }
    }
    return NULL;
}

static const struct resource *find_resource(const struct device *device, const struct node *name)
{
    for (size_t i = 0; i < device->resource_count; i++) {
        if (yaml_is_string(name) && yaml_text_is(name, device->resources[i].name)) {
            return &device->resources[i];
        }
    }
    return NULL;
}

static void report_twice(const struct check *c, const struct node *name)
{
    check_report(c, LEVEL_E, name->at, "SK-P-06", "'%s' is listed twice; remove one", excerpt_str(name->text));
}

/* Reports an item of a list that names no file of the folder. */
static void report_unknown(const struct check *c, const struct node *name, const char *folder)
{
    if (!yaml_is_string(name)) {
        check_report(c, LEVEL_E, name->at, "SK-P-06", "a name must be a string");
    } else {
        check_report(c, LEVEL_E, name->at, "SK-P-06", "'%s' is not in %s/; write a name from there, without .json",
                     excerpt_str(name->text), folder);
    }
}

static void choose_tool(const struct check *c, const struct device *device, const struct node *name, struct choice *out)
{
    const struct tool *tool = find_tool(device, name);
    bool twice = false;

    for (size_t i = 0; tool && i < out->tool_count; i++) {
        twice = twice || out->tools[i] == tool;
    }
    if (twice) {
        report_twice(c, name);
    } else if (tool && !tool->scoped && panel_may_call(tool)) {
        out->tools[out->tool_count++] = tool;
    } else if (tool) {
        check_report(c, LEVEL_E, name->at, "SK-P-06", "a panel cannot call '%s': %s; leave it out here",
                     excerpt_str(tool->name), tool->scoped ? "only a skill shows it" : "its visibility has no \"app\"");
    } else {
        report_unknown(c, name, "tools");
    }
}

static void choose_resource(const struct check *c, const struct device *device, const struct node *name,
                            struct choice *out)
{
    const struct resource *resource = find_resource(device, name);
    bool twice = false;

    for (size_t i = 0; resource && i < out->resource_count; i++) {
        twice = twice || out->resources[i] == resource;
    }
    if (twice) {
        report_twice(c, name);
    } else if (resource && !resource->is_template) {
        out->resources[out->resource_count++] = resource;
    } else if (resource) {
        check_report(c, LEVEL_E, name->at, "SK-P-06",
                     "'%s' has a uriTemplate: a panel shows what one URI names; leave it out here",
                     excerpt_str(resource->name));
    } else {
        report_unknown(c, name, "resources");
    }
}

/* True for a list; otherwise false, after a message. */
static bool is_list(const struct check *c, const struct node *key, const struct node *value)
{
    if (value->kind != NODE_SEQUENCE) {
        check_report(c, LEVEL_E, value->at, "SK-P-06", "'%s' must be an array of names", key->text);
    }
    return value->kind == NODE_SEQUENCE;
}

static void take_member(const struct check *c, const struct node *key, const struct node *value,
                        const struct device *device, struct choice *out)
{
    if (yaml_text_is(key, "tools") && is_list(c, key, value)) {
        out->tools = xmalloc(value->count * sizeof *out->tools + 1);
        out->tool_count = 0;
        for (size_t i = 0; i < value->count; i++) {
            choose_tool(c, device, value->items[i], out);
        }
    } else if (yaml_text_is(key, "resources") && is_list(c, key, value)) {
        out->resources = xmalloc(value->count * sizeof *out->resources + 1);
        out->resource_count = 0;
        for (size_t i = 0; i < value->count; i++) {
            choose_resource(c, device, value->items[i], out);
        }
    } else if (yaml_text_is(key, "title")) {
        member_check_text(c, key, value);
        out->title = yaml_is_string(value) ? value->text : out->title;
    } else if (yaml_text_is(key, "prefersBorder")) {
        out->border = member_bool(c, key, value);
    } else if (!yaml_text_is(key, "tools") && !yaml_text_is(key, "resources")) {
        member_unknown(c, key, "panel.json", "tools, resources, title, prefersBorder");
    }
}

static void choose_all(const struct device *device, struct choice *out)
{
    *out = (struct choice){.title = device->title_text ? device->title_text : device->name, .border = true};
    out->tools = xmalloc(device->tool_count * sizeof *out->tools + 1);
    for (size_t i = 0; i < device->tool_count; i++) {
        if (!device->tools[i].scoped && panel_may_call(&device->tools[i])) {
            out->tools[out->tool_count++] = &device->tools[i];
        }
    }
    out->resources = xmalloc(device->resource_count * sizeof *out->resources + 1);
    for (size_t i = 0; i < device->resource_count; i++) {
        if (!device->resources[i].is_template) {
            out->resources[out->resource_count++] = &device->resources[i];
        }
    }
}

static void choose_file(const struct check *c, struct disk_entry *dir, const struct device *device, struct choice *out)
{
    struct disk_entry *file = dir ? disk_child(dir, "panel.json") : NULL;

    choose_all(device, out);
    if (!file) {
        return;
    }
    struct check at = check_at(c, file->disk_path);
    const struct node *root = load_json_object(&at, file);
    for (size_t i = 0; root && i + 1 < root->count; i += 2) {
        take_member(&at, root->items[i], root->items[i + 1], device, out);
    }
}

/* ---- The JSON in it ---- */

/* Writes an object with those members of `root` that a panel reads; it has the first. */
static void write_members(struct buf *b, const struct node *root, const char *const keys[])
{
    const char *between = "{";

    for (size_t i = 0; keys[i]; i++) {
        const struct node *value = yaml_member(root, keys[i], NULL);
        if (value) {
            buf_printf(b, "%s\"%s\":", between, keys[i]);
            load_json_compact(b, members_public(value));
            between = ",";
        }
    }
    buf_puts(b, "}");
}

static char *device_object(const struct device *device, const struct choice *choice)
{
    static const char *const of_tool[] = {"name", "title", "description", "inputSchema", "annotations", NULL};
    static const char *const of_resource[] = {"uri", "name", "title", "description", NULL};
    struct buf b = {0};

    buf_puts(&b, "{\"name\":");
    json_string(&b, device->name, strlen(device->name));
    buf_puts(&b, ",\"title\":");
    json_string(&b, choice->title, strlen(choice->title));
    buf_puts(&b, ",\"version\":");
    json_string(&b, device->version, strlen(device->version));
    buf_puts(&b, ",\"tools\":[");
    for (size_t i = 0; i < choice->tool_count; i++) {
        buf_puts(&b, i ? "," : "");
        write_members(&b, choice->tools[i]->root, of_tool);
    }
    buf_puts(&b, "],\"resources\":[");
    for (size_t i = 0; i < choice->resource_count; i++) {
        buf_puts(&b, i ? "," : "");
        write_members(&b, choice->resources[i]->root, of_resource);
    }
    buf_puts(&b, "]}");
    return buf_str(&b);
}

/* JSON that cannot end the script element it is in, nor a line of JavaScript: U+2028 and U+2029 did so before 2019. */
static void add_in_script(struct buf *b, const char *json)
{
    for (; *json; json++) {
        if (*json == '<') {
            buf_puts(b, "\\u003c");
        } else if (strncmp(json, "\xE2\x80\xA8", 3) == 0 || strncmp(json, "\xE2\x80\xA9", 3) == 0) {
            buf_puts(b, json[2] == '\xA8' ? "\\u2028" : "\\u2029");
            json += 2;
        } else {
            buf_add(b, json, 1);
        }
    }
}

static void fill_shell(struct buf *b, const char *shell, size_t size, const char *json)
{
    const char *end = shell + size, *at;

    while ((at = memmem(shell, (size_t)(end - shell), MARKER, strlen(MARKER))) != NULL) {
        buf_add(b, shell, (size_t)(at - shell));
        add_in_script(b, json);
        shell = at + strlen(MARKER);
    }
    buf_add(b, shell, (size_t)(end - shell));
}

/* ---- The tool that opens it ---- */

static char *tool_object(const struct device *device, const struct choice *choice, const char *uri)
{
    struct buf b = {0};
    char *about = xasprintf("Shows the user the control panel of %s: its values, and a button or form for each action. "
                            "Returns the values now, or what the device is.",
                            device->name);

    buf_puts(&b, "{\"name\":\"" PANEL_TOOL "\",\"title\":");
    json_string(&b, choice->title, strlen(choice->title));
    buf_puts(&b, ",\"description\":");
    json_string(&b, about, strlen(about));
    buf_puts(&b, ",\"inputSchema\":{\"type\":\"object\",\"properties\":{}},\"annotations\":{\"readOnlyHint\":true},"
                 "\"_meta\":{\"ui\":{\"resourceUri\":");
    json_string(&b, uri, strlen(uri));
    buf_puts(&b, "}}}");
    return buf_str(&b);
}

/* What a host without panels shows where there is no resource, or no handler for it. */
static char *text_without(const struct device *device, const struct choice *choice)
{
    struct buf b = {0};

    if (device->instructions && choice->resource_count == 0) {
        return device->instructions;
    }
    buf_printf(&b, "%s %s. ", device->name, device->version);
    for (size_t i = 0; i < choice->tool_count; i++) {
        buf_printf(&b, "%s%s", i ? ", " : "Its tools: ", choice->tools[i]->name);
    }
    buf_puts(&b, choice->tool_count > 0 ? "." : "");
    return buf_str(&b);
}

/* ---- All of it ---- */

/* The author's page. NULL if there is none, or, after a message, if it cannot be used. */
static struct disk_entry *own_page(const struct check *c, struct disk_entry *dir)
{
    struct disk_entry *file = dir ? disk_child(dir, "index.html") : NULL;

    if (!file) {
        return NULL;
    }
    struct check at = check_at(c, file->disk_path);
    if (file->kind != DISK_FILE) {
        check_report(&at, LEVEL_E, whole_file, "SK-P-03", "this is %s; it must be a regular file", file->what);
        return NULL;
    }
    if (!disk_load(&at, file) || !frontmatter_check_text(&at, (const char *)file->bytes, (size_t)file->size)) {
        return NULL;
    }
    panel_check_html(&at, (const char *)file->bytes, (size_t)file->size);
    return file;
}

static void warn_others(const struct check *c, const struct disk_entry *dir)
{
    for (size_t i = 0; dir && i < dir->child_count; i++) {
        const struct disk_entry *e = dir->children[i];
        struct check at = check_at(c, e->disk_path);
        if (!e->leftover && strcmp(e->name, "index.html") != 0 && strcmp(e->name, "panel.json") != 0) {
            check_report(&at, LEVEL_W, whole_file, "SK-P-03",
                         "left out: a panel is one file, index.html, beside panel.json; write the content into it");
        }
    }
}

static void build_panel(const struct check *c, struct disk_entry *dir, struct device *out)
{
    struct disk_entry *own = own_page(c, dir);
    struct choice choice;
    struct buf html = {0};

    choose_file(c, dir, out, &choice);
    const char *shell = own ? (const char *)own->bytes : (const char *)panel_shell;
    fill_shell(&html, shell, own ? (size_t)own->size : panel_shell_size, device_object(out, &choice));
    struct check at = check_at(c, own ? own->disk_path : c->path);
    if (html.n > PANEL_SIZE_MAX) {
        /* A warning where the page is generated: nobody has asked for it. */
        check_report(
            &at, own ? LEVEL_E : LEVEL_W, whole_file, "SK-P-03",
            "the panel has %zu bytes with its device and is left out; at most %u fit: choose tools in panel/panel.json",
            html.n, PANEL_SIZE_MAX);
        return;
    }
    struct panel *panel = out->panel = xmalloc(sizeof *panel);
    panel->file = (struct source){.path = "panel", .bytes = html.p, .size = html.n, .mime = MIME, .text = true};
    panel->uri = xasprintf("ui://%s/panel", uri_path_encode(out->name));
    panel->meta = xasprintf(",\"_meta\":{\"ui\":{\"prefersBorder\":%s}}", choice.border ? "true" : "false");
    panel->tool = tool_object(out, &choice, panel->uri);
    panel->resource = choice.resource_count > 0 ? choice.resources[0]->uri : NULL;
    panel->text = text_without(out, &choice);
}

void panel_load(const struct check *c, struct disk_entry *dir, struct device *out)
{
    bool wanted = out->tool_count > 0 || out->resource_count > 0 || (dir && disk_child(dir, "index.html"));

    if (!out->no_panel && wanted) {
        build_panel(c, dir, out);
        warn_others(c, dir);
    }
    panel_check_tools(c, out);
    panel_check_resources(c, out);
}
