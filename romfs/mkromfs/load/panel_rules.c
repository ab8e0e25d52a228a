/* panel_rules.c -- the rules for panels: the author's page, and `_meta` of tools. See panel.h. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "load/members.h"
#include "load/panel.h"

/* ---- The page ---- */

/* After these a browser fetches what follows; a space stands for any number of blanks. An <a> is only followed, which hosts do
 * not allow either. */
static const char *const fetches[] = {"src =",    "srcset =", "href=",     "action=",  "poster=",  "url(",
                                      "from \"",  "from '",   "import \"", "import '", "import (", "fetch (",
                                      "Socket (", "Source (", "Worker (",  "Beacon (", "Scripts ("};

/* Length of the text at `at` that the pattern matches, in any case; 0 when it does not. */
static size_t match_length(const char *at, const char *end, const char *pattern)
{
    const char *from = at;

    for (; *pattern != '\0'; pattern++) {
        if (*pattern == ' ') {
            at += strspn(at, " \t\r\n");
        } else if (at < end && tolower((unsigned char)*at) == tolower((unsigned char)*pattern)) {
            at++;
        } else {
            return 0;
        }
    }
    return (size_t)(at - from);
}

/* True when the text goes on with a URL that names a host: `"https://..`, `//..`, maybe after quotes and blanks. */
static bool names_host(const char *text, const char *end)
{
    while (text < end && strchr("\"'` \t\n(", *text) != NULL) {
        text++;
    }
    size_t scheme = 0;
    while (text + scheme < end && ((text[scheme] | 0x20) >= 'a' && (text[scheme] | 0x20) <= 'z')) {
        scheme++;
    }
    text += scheme > 0 && text + scheme < end && text[scheme] == ':' ? scheme + 1 : 0;
    return end - text > 2 && text[0] == '/' && text[1] == '/';
}

/* The element that the attribute at `at` is in is <a ...>. */
static bool is_anchor(const char *html, const char *at)
{
    while (at > html && *at != '<') {
        at--;
    }
    return (at[1] | 0x20) == 'a' && strchr(" \t\n", at[2]) != NULL;
}

static struct pos position_of(const char *html, const char *at)
{
    struct pos pos = {1, 1};

    for (; html < at; html++) {
        pos.col = *html == '\n' ? 1 : pos.col + 1;
        pos.line += *html == '\n';
    }
    return pos;
}

static void check_origins(const struct check *c, const char *html, size_t size)
{
    const char *end = html + size;

    for (const char *at = html; at < end; at++) {
        for (size_t i = 0; i < sizeof fetches / sizeof fetches[0]; i++) {
            size_t n = match_length(at, end, fetches[i]);
            if (n > 0 && names_host(at + n, end) && !(strcmp(fetches[i], "href=") == 0 && is_anchor(html, at))) {
                check_report(c, LEVEL_E, position_of(html, at), "SK-P-02",
                             "'%s' fetches from another origin: hosts block it; put the content into the page",
                             excerpt(at, n + strcspn(at + n, " >\n")));
                break;
            }
        }
    }
}

void panel_check_html(const struct check *c, const char *html, size_t size)
{
    static const char doctype[] = "<!doctype html";
    size_t blank = strspn(html, " \t\r\n");

    if (size > PANEL_SIZE_MAX) {
        check_report(c, LEVEL_E, whole_file, "SK-P-03", "%zu bytes; a panel may have at most %u: leave something out",
                     size, PANEL_SIZE_MAX);
    }
    if (size - blank < strlen(doctype) || strncasecmp(html + blank, doctype, strlen(doctype)) != 0) {
        check_report(c, LEVEL_W, (struct pos){1, 1}, "SK-P-01",
                     "no doctype: browsers lay the page out as in 1998; begin it with <!doctype html>");
    }
    check_origins(c, html, size);
}

/* ---- What tools say ---- */

/* The member `ui` of `_meta`, or NULL. */
static const struct node *ui_of(const struct tool *tool)
{
    const struct node *meta = yaml_member(tool->root, "_meta", NULL);
    const struct node *ui = meta && meta->kind == NODE_MAPPING ? yaml_member(meta, "ui", NULL) : NULL;

    return ui && ui->kind == NODE_MAPPING ? ui : NULL;
}

static bool is_visible_to(const struct tool *tool, const char *who)
{
    const struct node *ui = ui_of(tool), *list = ui ? yaml_member(ui, "visibility", NULL) : NULL;

    if (!list || list->kind != NODE_SEQUENCE) {
        return true;
    }
    for (size_t i = 0; i < list->count; i++) {
        if (yaml_text_is(list->items[i], who)) {
            return true;
        }
    }
    return false;
}

bool panel_may_call(const struct tool *tool)
{
    return is_visible_to(tool, "app");
}

static bool is_page_of(const struct device *device, const char *uri)
{
    bool found = device->panel && strcmp(uri, device->panel->uri) == 0;

    for (size_t i = 0; i < device->resource_count && !found; i++) {
        found = strncmp(uri, "ui://", 5) == 0 && strcmp(uri, device->resources[i].uri) == 0;
    }
    return found;
}

static void check_uri(const struct check *c, const struct node *value, const struct device *device)
{
    if (!yaml_is_string(value) || strncmp(value->text, "ui://", 5) != 0) {
        check_report(c, LEVEL_E, value->at, "SK-P-04", "'resourceUri' must begin with ui://; hosts refuse any other");
    } else if (!is_page_of(device, value->text)) {
        check_report(c, LEVEL_E, value->at, "SK-P-04", "this device has no page '%s'; %s%s",
                     excerpt(value->text, value->len), device->panel ? "its panel is " : "it has no panel",
                     device->panel ? device->panel->uri : "");
    }
}

static void check_visibility(const struct check *c, const struct node *value)
{
    bool sound = value->kind == NODE_SEQUENCE && value->count > 0;

    for (size_t i = 0; sound && i < value->count; i++) {
        const struct node *who = value->items[i];
        sound = yaml_is_string(who) && (yaml_text_is(who, "model") || yaml_text_is(who, "app"));
    }
    if (!sound) {
        check_report(c, LEVEL_E, value->at, "SK-P-04",
                     "'visibility' must be a list of \"model\" and \"app\"; leave it out for both");
    }
}

static void check_meta(const struct check *c, const struct tool *tool, const struct node *meta,
                       const struct device *device)
{
    const struct node *ui = ui_of(tool);

    if (meta->kind != NODE_MAPPING || meta->count != 2 || !ui) {
        check_report(c, LEVEL_E, meta->at, "SK-P-04",
                     "'_meta' of a tool must be an object with the object 'ui' alone, as in "
                     "{\"ui\": {\"visibility\": [\"app\"]}}");
        return;
    }
    for (size_t i = 0; i + 1 < ui->count; i += 2) {
        if (yaml_text_is(ui->items[i], "resourceUri")) {
            check_uri(c, ui->items[i + 1], device);
        } else if (yaml_text_is(ui->items[i], "visibility")) {
            check_visibility(c, ui->items[i + 1]);
        } else {
            member_unknown(c, ui->items[i], "'ui' of a tool", "resourceUri, visibility");
        }
    }
    if (!is_visible_to(tool, "model") && !yaml_member(tool->root, "description", NULL)) {
        check_report(
            c, LEVEL_E, tool->root->at, "SK-P-05",
            "'description' missing: hosts without panels show the tool to the model all the same; say what it does");
    }
}

void panel_check_resources(const struct check *c, const struct device *device)
{
    for (size_t i = 0; device->panel && i < device->resource_count; i++) {
        const struct resource *resource = &device->resources[i];
        if (strcmp(resource->uri, device->panel->uri) == 0) {
            struct check at = check_at(c, resource->disk_path);
            check_report(&at, LEVEL_E, whole_file, "SK-X-18",
                         "'%s' is the URI of the panel; choose another one, or set \"panel\": false in device.json",
                         excerpt_str(resource->uri));
        }
    }
}

void panel_check_tools(const struct check *c, const struct device *device)
{
    for (size_t i = 0; i < device->tool_count; i++) {
        const struct tool *tool = &device->tools[i];
        struct check at = check_at(c, tool->disk_path);
        const struct node *meta = yaml_member(tool->root, "_meta", NULL);
        if (meta) {
            check_meta(&at, tool, meta, device);
        }
        if (device->panel && strcmp(tool->name, PANEL_TOOL) == 0) {
            check_report(&at, LEVEL_E, whole_file, "SK-X-18",
                         "'" PANEL_TOOL
                         "' is one of the server's own tools; rename this one, or set \"panel\": false in "
                         "device.json");
        }
    }
}
