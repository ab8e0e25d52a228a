/* resources.c -- resources/<name>.json: what the firmware generates at run time, as MCP Resource or ResourceTemplate
 * objects, checked and made compact.
 *
 * None of it is in the image: a device without the handler has no such resource, so its row is in the header, with
 * the handler's prototype. */
#include <stdlib.h>
#include <string.h>

#include "load/load.h"
#include "load/members.h"
#include "schema/schema.h"

#define LITERAL_MAX 4095 /* compilers need not support longer string literals in C99 */
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define DIGITS "0123456789"
#define URI_CHARACTERS LETTERS DIGITS "-._~:/?#[]@!$&'()*+,;=%"

/* "pump://status": a scheme, and nothing that a URI must escape, in the first `n` bytes. */
static bool is_uri(const char *text, size_t n)
{
    size_t scheme = strspn(text, LETTERS DIGITS "+.-");

    return scheme > 0 && scheme < n && text[scheme] == ':' && strchr(LETTERS, text[0]) != NULL &&
           strspn(text, URI_CHARACTERS) >= n;
}

/* Likewise with one variable, {n}, after the scheme: devices cannot match more. */
static bool is_template(const char *text, size_t n)
{
    const char *open = strchr(text, '{'), *close = open ? strchr(open, '}') : NULL;
    size_t before = open ? (size_t)(open - text) : 0, behind = close ? strlen(close + 1) : 0;

    return close && close > open + 1 && strspn(open + 1, LETTERS DIGITS "_") == (size_t)(close - open - 1) &&
           is_uri(text, before) && strspn(close + 1, URI_CHARACTERS) == behind && strlen(text) == n;
}

static void check_uri(const struct check *c, const struct node *value)
{
    if (!yaml_is_string(value) || strlen(value->text) != value->len || !is_uri(value->text, value->len)) {
        check_report(c, LEVEL_E, value->at, NULL, "'uri' must be a URI, as in \"pump://status\"");
    }
}

static void check_template(const struct check *c, const struct node *value)
{
    if (!yaml_is_string(value) || !is_template(value->text, value->len)) {
        check_report(c, LEVEL_E, value->at, NULL,
                     "'uriTemplate' must be a URI with one variable, as in \"pump://line/{n}/status\"");
    }
}

/* type/subtype; parameters may follow. */
static void check_mime(const struct check *c, const struct node *value)
{
    const char *slash = yaml_is_string(value) ? strchr(value->text, '/') : NULL;
    bool sound = slash && slash > value->text && slash[1] != '\0' && strlen(value->text) == value->len;

    for (const char *p = value->text; sound && *p != '\0'; p++) {
        sound = *p >= ' ' && *p < 0x7F && *p != '"' && *p != '\\';
    }
    if (!sound) {
        check_report(c, LEVEL_E, value->at, NULL, "'mimeType' must be a media type, as in \"application/json\"");
    }
}

static void check_member(const struct check *c, const struct node *key, const struct node *value)
{
    if (yaml_text_is(key, "name") || yaml_text_is(key, "title") || yaml_text_is(key, "description")) {
        member_check_text(c, key, value);
    } else if (yaml_text_is(key, "uri")) {
        check_uri(c, value);
    } else if (yaml_text_is(key, "uriTemplate")) {
        check_template(c, value);
    } else if (yaml_text_is(key, "mimeType")) {
        check_mime(c, value);
    } else if (yaml_text_is(key, "icons")) {
        member_check_icons(c, value);
    } else if (yaml_text_is(key, "annotations")) {
        if (value->kind != NODE_MAPPING) {
            check_report(c, LEVEL_E, value->at, NULL, "'annotations' must be an object");
        }
    } else if (!yaml_text_is(key, "x-skillrom")) { /* see read_own */
        member_unknown(c, key, "a resource",
                       "name, title, description, uri, uriTemplate, mimeType, icons, annotations, x-skillrom");
    }
}

static void check_resource(const struct check *c, const struct node *root, const char *stem)
{
    static const char *const needed[] = {"name", "mimeType"};
    bool has_uri = yaml_member(root, "uri", NULL), has_template = yaml_member(root, "uriTemplate", NULL);

    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (!yaml_member(root, needed[i], NULL)) {
            check_report(c, LEVEL_E, root->at, NULL, "'%s' missing; add it", needed[i]);
        }
    }
    if (has_uri == has_template) {
        check_report(c, LEVEL_E, root->at, NULL, "a resource must have either 'uri' or 'uriTemplate'; this one has %s",
                     has_uri ? "both" : "neither");
    }
    for (size_t i = 0; i + 1 < root->count; i += 2) {
        check_member(c, root->items[i], root->items[i + 1]);
    }
    members_check_name(c, root, stem, "resource");
}

/* ---- For the firmware ---- */

/* "x-skillrom": {"values": ["1", "2"]} for a template, {"subscribe": true} for any other resource. */
static void read_own(const struct check *c, const struct node *own, struct resource *resource)
{
    if (own->kind != NODE_MAPPING) {
        check_report(c, LEVEL_E, own->at, NULL, "'x-skillrom' of a resource must be an object");
        return;
    }
    for (size_t i = 0; i + 1 < own->count; i += 2) {
        const struct node *key = own->items[i], *value = own->items[i + 1];
        if (yaml_text_is(key, "values") && resource->is_template) {
            resource->values = member_values(c, value);
        } else if (yaml_text_is(key, "subscribe") && !resource->is_template) {
            resource->subscribe = member_bool(c, key, value);
        } else if (yaml_text_is(key, "values") || yaml_text_is(key, "subscribe")) {
            check_report(c, LEVEL_E, key->at, NULL, "'%s' is for resources with a '%s'", key->text,
                         resource->is_template ? "uri" : "uriTemplate");
        } else {
            member_unknown(c, key, "'x-skillrom'", resource->is_template ? "values" : "subscribe");
        }
    }
}

/* ---- All of it ---- */

static char *text_of(const struct node *node)
{
    return node && yaml_is_string(node) ? node->text : "";
}

static void take_resource(const struct member_file *file, struct resource *out)
{
    const struct node *uri = yaml_member(file->root, "uri", NULL), *own = yaml_member(file->root, "x-skillrom", NULL);
    struct buf json = {0};

    *out = (struct resource){
        .name = file->stem, .disk_path = file->entry->disk_path, .root = file->root, .is_template = uri == NULL};
    out->symbol = schema_identifier(xasprintf("resource_%s", file->stem));
    out->uri = text_of(uri ? uri : yaml_member(file->root, "uriTemplate", NULL));
    out->mime = text_of(yaml_member(file->root, "mimeType", NULL));
    load_json_compact(&json, members_public(file->root));
    out->json = buf_str(&json);
    if (own) {
        read_own(&file->check, own, out);
    }
    if (strlen(out->json) > LITERAL_MAX || (out->values && strlen(out->values) > LITERAL_MAX)) {
        check_report(&file->check, LEVEL_E, whole_file, NULL,
                     "too long: the object and its values may have at most %d bytes each", LITERAL_MAX);
    }
}

/* True when `a` and `b` would have a name in common in C. */
static bool names_meet(const struct resource *a, const struct resource *b)
{
    char *version_a = xasprintf("%s_version", a->symbol), *version_b = xasprintf("%s_version", b->symbol);

    return strcmp(a->symbol, b->symbol) == 0 || (a->subscribe && strcmp(version_a, b->symbol) == 0) ||
           (b->subscribe && strcmp(version_b, a->symbol) == 0);
}

static void check_against(const struct member_file *file, const struct resource *own, const struct resource *other)
{
    if (strcmp(own->uri, other->uri) == 0 && *own->uri != '\0') {
        check_report(&file->check, LEVEL_E, file->root->at, NULL, "'%s' is already served by %s; change one of them",
                     excerpt_str(own->uri), other->disk_path);
    }
    if (names_meet(own, other)) {
        check_report(&file->check, LEVEL_E, file->root->at, NULL,
                     "its handler '%s' would have the same name in C as what %s needs; rename one", own->symbol,
                     other->disk_path);
    }
}

/* URIs before templates that also match them: the first match is read. */
static int by_kind_and_name(const void *a, const void *b)
{
    const struct resource *x = a, *y = b;

    return x->is_template != y->is_template ? x->is_template - y->is_template : strcmp(x->name, y->name);
}

void resources_load(const struct check *c, struct disk_entry *dir, struct device *out)
{
    struct member_file file;

    scan_report(c, dir);
    out->resources = xmalloc(dir->child_count * sizeof *out->resources);
    out->served = xrealloc(out->served, (out->served_count + dir->child_count) * sizeof *out->served);
    for (size_t next = 0; members_next(c, dir, &next, &file);) {
        struct resource *resource = &out->resources[out->resource_count];
        check_resource(&file.check, file.root, file.stem);
        take_resource(&file, resource);
        for (size_t i = 0; i < out->resource_count; i++) {
            check_against(&file, resource, &out->resources[i]);
        }
        out->resource_count++;
        out->served[out->served_count++] = resource->uri;
    }
    qsort(out->resources, out->resource_count, sizeof *out->resources, by_kind_and_name);
}
