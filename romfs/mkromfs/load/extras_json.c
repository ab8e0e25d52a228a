/* extras_json.c -- the two metadata keys whose text is JSON: arguments (SK-M-04) and icons (SK-M-19). Positions
 * inside that text mean little to an author who sees one quoted line, so every finding is reported at the value. */
#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "load/extras.h"

#define DEFAULT_MAX 1024 /* bytes, as of a value that a client gives (SK-D-06) */

/* The array of objects that the value holds, NULL after an error. */
static const struct node *parse_array(const struct extra *e)
{
    struct diag silent = {.silent = true};
    struct check quiet = {.diag = &silent, .path = e->check->path};
    struct node *root = yaml_parse(&quiet, e->value->text, e->value->len, 1, YAML_JSON);

    if (!root || silent.errors > 0) {
        extra_wrong(e, "this is not JSON");
        return NULL;
    }
    bool sound = root->kind == NODE_SEQUENCE && root->count > 0;
    for (size_t i = 0; sound && i < root->count; i++) {
        sound = root->items[i]->kind == NODE_MAPPING;
    }
    if (!sound) {
        extra_wrong(e, "must be a JSON array of objects");
        return NULL;
    }
    return root;
}

static bool is_json_string(const struct node *node)
{
    return node->kind == NODE_SCALAR && !node->plain;
}

/* ---- Arguments ---- */

/* ^[a-z][a-z0-9_]*$ */
static bool is_argument_name(const struct node *name)
{
    return name && is_json_string(name) && name->len > 0 && name->text[0] >= 'a' && name->text[0] <= 'z' &&
           strspn(name->text, "abcdefghijklmnopqrstuvwxyz0123456789_") == name->len;
}

/* Checks one member of an argument and takes what the model keeps of it. */
static bool take_member(const struct extra *e, const struct node *key, const struct node *value, struct argument *out)
{
    if (yaml_text_is(key, "required")) {
        out->required = value->plain && yaml_text_is(value, "true");
        if (!out->required && !(value->plain && yaml_text_is(value, "false"))) {
            extra_wrong(e, "'required' of '%s' must be true or false", out->name);
            return false;
        }
        return true;
    }
    bool field = yaml_text_is(key, "name") || yaml_text_is(key, "title") || yaml_text_is(key, "description") ||
                 yaml_text_is(key, "default");
    if (!field) {
        extra_wrong(e, "an argument has no '%s'; it has name, title, description, required, default",
                    excerpt(key->text, key->len));
        return false;
    }
    if (!is_json_string(value)) {
        extra_wrong(e, "'%s' of '%s' must be a string", key->text, out->name);
        return false;
    }
    if (yaml_text_is(key, "default")) {
        out->value = value->text;
        if (value->len > DEFAULT_MAX || strlen(value->text) != value->len) {
            extra_wrong(e, "'default' of '%s' must be text of at most %d bytes", out->name, DEFAULT_MAX);
            return false;
        }
    }
    return true;
}

static bool take_argument(const struct extra *e, const struct node *map, struct argument *out)
{
    const struct skill *skill = &e->found->skill;
    const struct node *name = yaml_member(map, "name", NULL);

    if (!is_argument_name(name)) {
        extra_wrong(e, "an argument needs a 'name' of a-z, 0-9 and _ that starts with a letter");
        return false;
    }
    *out = (struct argument){.name = name->text};
    for (size_t i = 0; i < skill->arg_count; i++) {
        if (strcmp(skill->args[i].name, out->name) == 0) {
            extra_wrong(e, "argument '%s' given twice; remove one", out->name);
            return false;
        }
    }
    for (size_t i = 0; i + 1 < map->count; i += 2) {
        if (!take_member(e, map->items[i], map->items[i + 1], out)) {
            return false;
        }
    }
    if (out->required && out->value) {
        extra_wrong(e, "argument '%s' is required and has a default; remove one of them", out->name);
        return false;
    }
    return true;
}

/* As the dialect sep2076 lists it: the default is never sent. */
static void render_argument(struct buf *b, const struct node *map, const struct argument *argument)
{
    static const char *const shown[] = {"title", "description"};

    buf_puts(b, b->n ? ",{\"name\":" : "[{\"name\":");
    json_string(b, argument->name, strlen(argument->name));
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        const struct node *value = yaml_member(map, shown[i], NULL);
        if (value) {
            buf_printf(b, ",\"%s\":", shown[i]);
            json_string(b, value->text, value->len);
        }
    }
    buf_puts(b, argument->required ? ",\"required\":true}" : "}");
}

void extra_arguments(const struct extra *e)
{
    struct skill *skill = &e->found->skill;
    const struct node *list = parse_array(e);
    struct buf json = {0};

    if (!list) {
        return;
    }
    skill->args = xmalloc(list->count * sizeof *skill->args);
    for (size_t i = 0; i < list->count; i++) {
        struct argument *argument = &skill->args[skill->arg_count];
        if (!take_argument(e, list->items[i], argument)) {
            return;
        }
        skill->arg_count++;
        render_argument(&json, list->items[i], argument);
    }
    buf_puts(&json, "]");
    skill->extras.arguments = buf_str(&json);
}

/* ---- Icons ---- */

static bool is_string_array(const struct node *value)
{
    bool sound = value->kind == NODE_SEQUENCE;

    for (size_t i = 0; sound && i < value->count; i++) {
        sound = is_json_string(value->items[i]);
    }
    return sound;
}

static bool icon_is_sound(const struct extra *e, const struct node *icon)
{
    const struct node *src = yaml_member(icon, "src", NULL);

    if (!src || !is_json_string(src) || (strncmp(src->text, "data:", 5) != 0 && strncmp(src->text, "https:", 6) != 0)) {
        extra_wrong(e, "an icon needs a 'src' that is a data: or https: URI");
        return false;
    }
    for (size_t i = 0; i + 1 < icon->count; i += 2) {
        const struct node *key = icon->items[i], *value = icon->items[i + 1];
        bool sound = yaml_text_is(key, "src") || (yaml_text_is(key, "mimeType") && is_json_string(value)) ||
                     (yaml_text_is(key, "sizes") && is_string_array(value)) ||
                     (yaml_text_is(key, "theme") && is_json_string(value) &&
                      (yaml_text_is(value, "light") || yaml_text_is(value, "dark")));
        if (!sound) {
            extra_wrong(e, "'%s' of an icon is not in MCP, or has the wrong type", excerpt(key->text, key->len));
            return false;
        }
    }
    return true;
}

void extra_icons(const struct extra *e)
{
    const struct node *list = parse_array(e);
    struct buf json = {0};

    for (size_t i = 0; list && i < list->count; i++) {
        if (!icon_is_sound(e, list->items[i])) {
            return;
        }
    }
    if (list) {
        load_json_compact(&json, list);
        e->found->skill.extras.icons = buf_str(&json);
    }
}
