/* links.c -- resolves the names in skills against what the device has (SK-D-03, SK-S-01, SK-X-18).
 *
 * Tools and prompts are of two kinds: listed, which everyone sees and dependencies name, and scoped, which only the
 * skills that name them show. A script whose tool exists makes that tool scoped implicitly. The kinds never mix, so
 * all scoped ones are marked before any dependency is checked. */
#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "load/links.h"
#include "base/uri_path.h"

void links_wrong(const struct linker *l, const struct found_skill *found, const struct wish *wish, const char *rule,
                 const char *format, const char *name)
{
    struct check at = check_at(l->check, found->manifest);

    check_report(&at, LEVEL_E, wish->at, rule, format, excerpt_str(name));
}

void links_add(struct links *links, size_t index)
{
    for (size_t i = 0; i < links->count; i++) {
        if (links->index[i] == index) {
            return;
        }
    }
    links->index = xrealloc(links->index, (links->count + 1) * sizeof *links->index);
    links->index[links->count++] = index;
}

static struct tool *find_tool(const struct linker *l, const char *name)
{
    for (size_t i = 0; i < l->device->tool_count; i++) {
        if (strcmp(l->device->tools[i].name, name) == 0) {
            return &l->device->tools[i];
        }
    }
    return NULL;
}

static struct prompt *find_prompt(const struct linker *l, const char *name)
{
    for (size_t i = 0; i < l->device->prompt_count; i++) {
        if (strcmp(l->device->prompts[i].name, name) == 0) {
            return &l->device->prompts[i];
        }
    }
    return NULL;
}

/* ---- Scripts ---- */

static bool name_is_shared(const struct linker *l, const struct found_skill *found)
{
    size_t count = 0;

    for (size_t i = 0; i < l->count; i++) {
        count += strcmp(l->skills[i]->skill.name, found->skill.name) == 0;
    }
    return count > 1;
}

/* The file name without directories and extension. */
static char *stem_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');

    return dot && dot > name ? xstrndup(name, (size_t)(dot - name)) : xstrdup(name);
}

/* A handler key as the name of the tool that is registered under it. */
static char *tool_of_key(const char *key)
{
    char *name = xstrdup(key);

    for (char *p = name; *p != '\0'; p++) {
        *p = *p == '/' ? '.' : *p;
    }
    return name;
}

static const struct wish *own_key(const struct found_skill *found, const struct source *file)
{
    for (size_t i = 0; i < found->handler_count; i++) {
        if (found->handlers[i].file == file) {
            return &found->handlers[i].key;
        }
    }
    return NULL;
}

/* Makes the file a script of the skill, run by the tool. */
static void take_script(const struct linker *l, struct found_skill *found, struct source *file, struct tool *tool)
{
    size_t index = (size_t)(tool - l->device->tools);
    struct check at = check_at(l->check, file->disk_path);
    char *stem = stem_of(file->path);

    if (strspn(stem, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-") != strlen(stem)) {
        check_report(&at, LEVEL_E, whole_file, "SK-S-01",
                     "a script with a handler is named with A-Z a-z 0-9 _ . - only; rename '%s'", excerpt_str(stem));
    }
    for (size_t i = 0; i < found->skill.file_count; i++) {
        const struct source *other = &found->skill.files[i];
        if (other->is_script && (other->tool == index || strcmp(stem_of(other->path), stem) == 0)) {
            check_report(&at, LEVEL_E, whole_file, "SK-S-01",
                         "'%s' has the same stem or handler as '%s'; one script, one handler", excerpt_str(file->path),
                         excerpt_str(other->path));
        }
    }
    file->is_script = true;
    file->tool = index;
    tool->scoped = true;
    links_add(&found->skill.tools, index);
}

static void find_scripts(const struct linker *l, struct found_skill *found)
{
    char *owner = NULL; /* determined when a script needs it: most skills have none */

    for (size_t i = 0; i < found->skill.file_count; i++) {
        struct source *file = &found->skill.files[i];
        if (file->is_dir || strncmp(file->path, "scripts/", strlen("scripts/")) != 0) {
            continue;
        }
        if (!owner) {
            owner = name_is_shared(l, found) ? tool_of_key(found->skill.path) : found->skill.name;
        }
        const struct wish *key = own_key(found, file);
        char *name = key ? tool_of_key(key->name) : xasprintf("%s.%s", owner, stem_of(file->path));
        struct tool *tool = find_tool(l, name);
        if (tool) {
            take_script(l, found, file, tool);
        } else if (key) {
            links_wrong(l, found, key, "SK-S-01", "no handler: there is no tools/%s.json", name);
        }
    }
}

/* ---- What is scoped ---- */

static void take_scoped_tools(const struct linker *l, struct found_skill *found)
{
    for (size_t i = 0; i < found->scoped_tools.count; i++) {
        const struct wish *wish = &found->scoped_tools.list[i];
        struct tool *tool = find_tool(l, wish->name);
        if (tool) {
            tool->scoped = true;
            links_add(&found->skill.tools, (size_t)(tool - l->device->tools));
        } else {
            links_wrong(l, found, wish, "SK-M-08", "no tool '%s' in this device", wish->name);
        }
    }
}

static void take_scoped_prompts(const struct linker *l, struct found_skill *found)
{
    for (size_t i = 0; i < found->scoped_prompts.count; i++) {
        const struct wish *wish = &found->scoped_prompts.list[i];
        struct prompt *prompt = find_prompt(l, wish->name);
        if (prompt) {
            prompt->scoped = true;
            links_add(&found->skill.prompts, (size_t)(prompt - l->device->prompts));
        } else {
            links_wrong(l, found, wish, "SK-M-09", "no prompt '%s' in this device", wish->name);
        }
    }
}

/* ---- Dependencies ---- */

static void depend_on_tools(const struct linker *l, const struct found_skill *found, struct buf *out)
{
    for (size_t i = 0; i < found->tools.count; i++) {
        const struct wish *wish = &found->tools.list[i];
        const struct tool *tool = find_tool(l, wish->name);
        if (!tool) {
            links_wrong(l, found, wish, "SK-D-03", "no tool '%s' in this device", wish->name);
        } else if (tool->scoped) {
            links_wrong(l, found, wish, "SK-X-18",
                        "tool '%s' is scoped; name it here and nowhere as scoped tool or script, or the other way "
                        "round",
                        wish->name);
        }
        extras_add_string(out, wish->name, strlen(wish->name));
    }
}

static void depend_on_prompts(const struct linker *l, const struct found_skill *found, struct buf *out)
{
    for (size_t i = 0; i < found->prompts.count; i++) {
        const struct wish *wish = &found->prompts.list[i];
        const struct prompt *prompt = find_prompt(l, wish->name);
        if (!prompt) {
            links_wrong(l, found, wish, "SK-D-03", "no prompt '%s' in this device", wish->name);
        } else if (prompt->scoped) {
            links_wrong(l, found, wish, "SK-X-18",
                        "prompt '%s' is scoped; name it as a dependency or as a scoped prompt, not both", wish->name);
        }
        buf_puts(out, out->n ? "," : "[");
        buf_puts(out, "{\"type\":\"ref/prompt\",\"name\":");
        json_string(out, wish->name, strlen(wish->name));
        buf_puts(out, "}");
    }
}

/* True for a file, archive or template of the skills themselves. */
static bool skills_serve(const struct linker *l, const char *uri)
{
    size_t base = strlen(l->device->base);

    if (strcmp(uri, "skill://index.json") == 0) {
        return true;
    }
    if (strncmp(uri, l->device->base, base) != 0) {
        return false;
    }
    for (size_t i = 0; i < l->count; i++) {
        const struct skill *skill = &l->skills[i]->skill;
        char *path = uri_path_encode(skill->path), *name = strrchr(path, '/');
        char *prefix = xstrndup(path, name ? (size_t)(name + 1 - path) : 0);
        bool is_archive =
            strcmp(uri + base, xasprintf("%s.zip", path)) == 0 || strcmp(uri + base, xasprintf("%s.tar.gz", path)) == 0;
        if ((is_archive && !skill->dynamic && !skill->unarchivable) || strcmp(uri + base, "{+path}") == 0 ||
            (skill->listed && strcmp(uri + base, xasprintf("%s{name}/SKILL.md", prefix)) == 0)) {
            return true;
        }
        for (size_t k = 0; k < skill->file_count; k++) {
            char *file = uri_path_encode(xasprintf("%s/%s", skill->path, skill->files[k].path));
            if (!skill->files[k].is_dir && strcmp(uri + base, file) == 0) {
                return true;
            }
        }
    }
    return false;
}

static bool firmware_serves(const struct linker *l, const char *uri)
{
    for (size_t i = 0; i < l->device->served_count; i++) {
        if (strcmp(l->device->served[i], uri) == 0) {
            return true;
        }
    }
    return false;
}

static void depend_on_resources(const struct linker *l, const struct found_skill *found, struct buf *out)
{
    for (size_t i = 0; i < found->resources.count; i++) {
        const struct wish *wish = &found->resources.list[i];
        if (!skills_serve(l, wish->name) && !firmware_serves(l, wish->name)) {
            links_wrong(l, found, wish, "SK-D-03",
                        "no resource '%s' here; if the firmware serves it, describe it in resources/", wish->name);
        }
        buf_puts(out, out->n ? "," : "[");
        buf_puts(out, "{\"type\":\"ref/resource\",\"uri\":");
        json_string(out, wish->name, strlen(wish->name));
        buf_puts(out, "}");
    }
}

static void take_dependencies(const struct linker *l, struct found_skill *found)
{
    struct buf tools = {0}, prompts = {0}, resources = {0}, json = {0};
    const struct {
        const char *name;
        struct buf *array;
    } members[] = {{"tools", &tools}, {"prompts", &prompts}, {"resources", &resources}};

    depend_on_tools(l, found, &tools);
    depend_on_prompts(l, found, &prompts);
    depend_on_resources(l, found, &resources);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        if (members[i].array->n) {
            buf_printf(&json, "%s\"%s\":%s]", json.n ? "," : "{", members[i].name, buf_str(members[i].array));
        }
    }
    if (json.n) {
        buf_puts(&json, "}");
        found->skill.extras.dependencies = buf_str(&json);
    }
}

/* ---- Annotations (SK-W-15) ---- */

static void take_annotations(const struct linker *l, struct found_skill *found)
{
    const char *date = found->last_modified ? found->last_modified : l->device->last_modified;
    struct buf json = {0};

    if (!found->audience && !found->priority && !date) {
        return;
    }
    buf_printf(&json, "{\"audience\":%s,\"priority\":%s", found->audience ? found->audience : "[\"assistant\"]",
               found->priority ? found->priority : "1.0");
    if (date) {
        buf_printf(&json, ",\"lastModified\":%s", date);
    }
    buf_puts(&json, "}");
    found->skill.extras.annotations = buf_str(&json);
}

/* ---- The whole ---- */

void links_resolve(const struct check *c, struct found_skill **skills, size_t count, struct device *device)
{
    const struct linker l = {c, skills, count, device};

    for (size_t i = 0; i < count; i++) {
        find_scripts(&l, skills[i]);
        take_scoped_tools(&l, skills[i]);
        take_scoped_prompts(&l, skills[i]);
    }
    for (size_t i = 0; i < count; i++) {
        take_dependencies(&l, skills[i]);
        take_annotations(&l, skills[i]);
    }
    links_subskills(&l);
    links_tools(&l);
    links_names(&l);
}
