/* links.c -- resolves the names in skills against what the device has (SK-D-03, SK-S-01, SK-X-18).
 *
 * Tools and prompts are of two kinds: listed, which everyone sees and dependencies name, and scoped, which only the
 * skills that name them show. A script whose tool exists makes that tool scoped implicitly. The kinds never mix, so
 * all scoped ones are marked before any dependency is checked. */
#include "load/links.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "base/uri_path.h"

void links_wrong(const struct linker *l, const struct found_skill *found, const struct wish *wish, const char *rule,
                 const char *format, const char *name)
{
    struct check at = check_at(l->check, found->manifest);

    check_report(&at, LEVEL_E, wish->at, rule, format, excerpt_str(name));
}

void links_add(struct links *links, struct names *seen, const char *name, size_t index)
{
    if (names_find(seen, name, strlen(name))) {
        return;
    }
    names_add(seen, name, strlen(name), links);
    if ((links->count & (links->count - 1)) == 0) { /* full at every power of two */
        links->index = xrealloc(links->index, (links->count ? 2 * links->count : 1) * sizeof *links->index);
    }
    links->index[links->count++] = index;
}

static struct tool *find_tool(const struct linker *l, const char *name)
{
    return names_find(&l->index->tools, name, strlen(name));
}

static struct prompt *find_prompt(const struct linker *l, const char *name)
{
    return names_find(&l->index->prompts, name, strlen(name));
}

static void fill_index(const struct linker *l)
{
    struct device *device = l->device;

    for (size_t i = 0; i < device->tool_count; i++) {
        names_add(&l->index->tools, device->tools[i].name, strlen(device->tools[i].name), &device->tools[i]);
    }
    for (size_t i = 0; i < device->prompt_count; i++) {
        names_add(&l->index->prompts, device->prompts[i].name, strlen(device->prompts[i].name), &device->prompts[i]);
    }
    for (size_t i = 0; i < l->count; i++) {
        const struct skill *skill = &l->skills[i]->skill;
        struct named_skill *named = names_find(&l->index->skill_names, skill->name, strlen(skill->name));
        if (named == NULL) {
            named = xmalloc(sizeof *named);
            *named = (struct named_skill){.count = 0};
            names_add(&l->index->skill_names, skill->name, strlen(skill->name), named);
        }
        named->index = i;
        named->count++;
        l->skills[i]->number = i; /* from here on its place in the image */
        names_add(&l->index->skill_paths, skill->path, strlen(skill->path), l->skills[i]);
    }
}

static void free_index(struct links_index *index)
{
    names_free(&index->tools);
    names_free(&index->prompts);
    names_free(&index->skill_paths);
    names_free(&index->skill_names);
    names_free(&index->served);
    names_free(&index->dependencies);
}

/* ---- Scripts ---- */

static bool name_is_shared(const struct linker *l, const struct found_skill *found)
{
    const struct named_skill *named = names_find(&l->index->skill_names, found->skill.name, strlen(found->skill.name));

    return named->count > 1;
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

/* The scripts of a skill, by their stems and by their tools. */
struct scripts {
    struct names stems, tools;
};

static void check_only(const struct check *at, const struct source *file, const struct source *other)
{
    if (other != file) {
        check_report(at, LEVEL_E, whole_file, "SK-S-01",
                     "'%s' has the same stem or handler as '%s'; rename one of them", excerpt_str(file->path),
                     excerpt_str(other->path));
    }
}

/* Makes the file a script of the skill, run by the tool. */
static void take_script(const struct linker *l, struct found_skill *found, struct scripts *scripts, struct source *file,
                        struct tool *tool)
{
    size_t index = (size_t)(tool - l->device->tools);
    struct check at = check_at(l->check, file->disk_path);
    char *stem = stem_of(file->path);

    if (strspn(stem, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-") != strlen(stem)) {
        check_report(&at, LEVEL_E, whole_file, "SK-S-01",
                     "a script with a handler is named with A-Z a-z 0-9 _ . - only; rename '%s'", excerpt_str(stem));
    }
    const struct source *same_stem = names_add(&scripts->stems, stem, strlen(stem), file);
    const struct source *same_tool = names_add(&scripts->tools, tool->name, strlen(tool->name), file);
    check_only(&at, file, same_stem);
    check_only(&at, file, same_tool != same_stem ? same_tool : file);
    file->is_script = true;
    file->tool = index;
    tool->scoped = true;
    links_add(&found->skill.tools, &found->linked_tools, tool->name, index);
}

static void find_scripts(const struct linker *l, struct found_skill *found)
{
    char *owner = NULL; /* determined when a script needs it: most skills have none */
    struct scripts scripts = {{0}, {0}};

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
            take_script(l, found, &scripts, file, tool);
        } else if (key) {
            links_wrong(l, found, key, "SK-S-01", "no handler: there is no tools/%s.json; add it, or correct the name",
                        name);
        }
    }
    names_free(&scripts.stems);
    names_free(&scripts.tools);
}

/* ---- What is scoped ---- */

static void take_scoped_tools(const struct linker *l, struct found_skill *found)
{
    for (size_t i = 0; i < found->scoped_tools.count; i++) {
        const struct wish *wish = &found->scoped_tools.list[i];
        struct tool *tool = find_tool(l, wish->name);
        if (tool) {
            tool->scoped = true;
            links_add(&found->skill.tools, &found->linked_tools, tool->name, (size_t)(tool - l->device->tools));
        } else {
            links_wrong(l, found, wish, "SK-M-08",
                        "no tool '%s' in this device; correct the name, or add its file to tools/", wish->name);
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
            links_add(&found->skill.prompts, &found->linked_prompts, prompt->name,
                      (size_t)(prompt - l->device->prompts));
        } else {
            links_wrong(l, found, wish, "SK-M-09",
                        "no prompt '%s' in this device; correct the name, or add its file to prompts/", wish->name);
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
            links_wrong(l, found, wish, "SK-D-03",
                        "no tool '%s' in this device; correct the name, or add its file to tools/", wish->name);
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
            links_wrong(l, found, wish, "SK-D-03",
                        "no prompt '%s' in this device; correct the name, or add its file to prompts/", wish->name);
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

static void add_served(const struct linker *l, const char *uri)
{
    names_add(&l->index->served, uri, strlen(uri), l->device);
}

/* The files, archives and templates of a skill. */
static void add_uris(const struct linker *l, const struct skill *skill)
{
    const char *base = l->device->base;
    char *path = uri_path_encode(skill->path), *name = strrchr(path, '/');

    if (!skill->dynamic && !skill->unarchivable) {
        add_served(l, xasprintf("%s%s.zip", base, path));
        add_served(l, xasprintf("%s%s.tar.gz", base, path));
    }
    if (skill->listed) {
        add_served(l, xasprintf("%s%.*s{name}/SKILL.md", base, name ? (int)(name + 1 - path) : 0, path));
    }
    for (size_t k = 0; k < skill->file_count; k++) {
        if (!skill->files[k].is_dir) {
            char *file = uri_path_encode(skill->files[k].path);
            add_served(l, xasprintf("%s%s/%s", base, path, file));
            free(file);
        }
    }
    free(path);
}

static bool is_served(const struct linker *l, const char *uri)
{
    if (l->index->served.root == NULL) {
        add_served(l, "skill://index.json");
        if (l->count > 0) {
            add_served(l, xasprintf("%s{+path}", l->device->base));
        }
        for (size_t i = 0; i < l->device->served_count; i++) {
            add_served(l, l->device->served[i]);
        }
        for (size_t i = 0; i < l->count; i++) {
            add_uris(l, &l->skills[i]->skill);
        }
    }
    return names_find(&l->index->served, uri, strlen(uri)) != NULL;
}

static void depend_on_resources(const struct linker *l, const struct found_skill *found, struct buf *out)
{
    for (size_t i = 0; i < found->resources.count; i++) {
        const struct wish *wish = &found->resources.list[i];
        if (!is_served(l, wish->name)) {
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
    struct links_index index = {0};
    const struct linker l = {c, skills, count, device, &index};

    fill_index(&l);
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
    for (size_t i = 0; i < count; i++) {
        names_free(&skills[i]->linked_tools);
        names_free(&skills[i]->linked_prompts);
        names_free(&skills[i]->linked_skills);
        names_free(&skills[i]->aliases);
    }
    free_index(&index);
}
