/* entry.c -- prerendered JSON: skill entries, URI templates, tools for skills. See entry.h. */
#include "image/entry.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "base/uri_path.h"

size_t entry_resource(struct buf *b, const char *base, size_t base_len, const char *path, size_t path_len,
                      const uint8_t *digest, size_t size)
{
    char hex[2 * ROMFS_SHA256_SIZE + 1];

    romfs_sha256_hex(digest, ROMFS_SHA256_SIZE, hex);
    buf_puts(b, "{\"uri\":\"");
    buf_add(b, base, base_len);
    size_t path_at = b->n;
    buf_add(b, path, path_len);
    buf_printf(b, "\",\"digest\":\"sha256:%s\",\"size\":%zu}", hex, size);
    return path_at;
}

static void write_resources(struct buf *b, const struct device *device, const struct skill *skill,
                            const struct tree *tree, size_t *path_at)
{
    const char *between = "[";

    for (size_t i = 0; i < skill->file_count; i++) {
        if (skill->files[i].is_dir) {
            continue;
        }
        const struct tree_node *node = tree_node_of(tree, skill, &skill->files[i]);
        buf_puts(b, between);
        path_at[i] = entry_resource(b, device->base, strlen(device->base), node->path, node->path_len, node->digest,
                                    node->file->size);
        between = ",";
    }
    buf_puts(b, "]");
}

/* Writes what the older dialects read, without empty members. Those that a Prompt has, too, come first; returns where
 * they end. */
static size_t write_lean(struct buf *b, const struct skill *skill)
{
    const struct skill_extras *x = &skill->extras;
    const struct {
        const char *key, *json;
    } members[] = {
        {"title", x->title},
        {"description", skill->description_json},
        {"arguments", x->arguments},
        {"icons", x->icons},
        {"version", x->version}, /* the first that a Prompt does not have */
        {"tags", x->tags},
        {"keywords", x->tags},
        {"dependencies", x->dependencies},
        {"annotations", x->annotations},
    };
    enum { PROMPT_MEMBERS = 4 };
    size_t prompt_end = 0;

    buf_printf(b, "\"name\":%s", skill->name_json);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        prompt_end = i == PROMPT_MEMBERS ? b->n : prompt_end;
        if (members[i].json != NULL) {
            buf_printf(b, ",\"%s\":%s", members[i].key, members[i].json);
        }
    }
    return prompt_end;
}

/* What has been written since `from`. */
static struct romfs_text text_since(const struct buf *b, size_t from)
{
    return (struct romfs_text){(uint32_t)from, (uint32_t)(b->n - from)};
}

void entry_write(struct buf *b, const struct device *device, const struct skill *skill, const struct tree *tree,
                 struct entry_parts *parts)
{
    char *path = uri_path_encode(skill->path);

    buf_printf(b, "{\"uri\":\"%s%s/SKILL.md\",\"frontmatter\":", device->base, path);
    free(path);
    size_t from = b->n;
    buf_puts(b, skill->frontmatter);
    parts->frontmatter = text_since(b, from);
    buf_puts(b, ",\"resources\":");
    from = b->n;
    if (skill->dynamic) {
        buf_puts(b, "\"dynamic\"");
    } else {
        write_resources(b, device, skill, tree, parts->path_at);
    }
    parts->resources = text_since(b, from);
    buf_puts(b, ",");
    from = b->n;
    size_t prompt_end = write_lean(b, skill);
    parts->prompt = (struct romfs_text){(uint32_t)from, (uint32_t)(prompt_end - from)};
    parts->lean = text_since(b, from);
    buf_puts(b, "}");
}

static int text_order(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* What precedes the name in a skill's path: "plant/pumps/", or "". */
static char *prefix_of(const struct skill *skill)
{
    const char *slash = strrchr(skill->path, '/');

    return xstrndup(skill->path, slash != NULL ? (size_t)(slash + 1 - skill->path) : 0);
}

static void add_member(struct buf *b, const char *key, const char *value)
{
    buf_puts(b, key);
    json_string(b, value, strlen(value));
}

/* What device.json says about a prefix, given without its last slash; NULL for nothing. */
static char *description_of(const struct device *device, const char *prefix)
{
    for (size_t i = 0; i < device->prefix_count; i++) {
        if (strcmp(device->prefixes[i].path, prefix) == 0) {
            return device->prefixes[i].description;
        }
    }
    return NULL;
}

static char *template_of(const struct device *device, const char *prefix)
{
    return xasprintf("%s%s%s{name}/SKILL.md", device->base, uri_path_encode(prefix), prefix[0] != '\0' ? "/" : "");
}

static void prefix_template(struct buf *b, const struct device *device, char *prefix)
{
    char *place = xstrndup(prefix, strlen(prefix) > 0 ? strlen(prefix) - 1 : 0);
    char *description = description_of(device, place);
    bool bare = place[0] == '\0';

    if (description == NULL) {
        description =
            bare ? "The instructions of one skill" : xasprintf("The instructions of one skill below %s", place);
    }
    add_member(b, ",{\"uriTemplate\":", template_of(device, place));
    add_member(b, ",\"name\":", bare ? "skills" : xasprintf("%s skills", place));
    add_member(b, ",\"description\":", description);
    buf_puts(b, ",\"mimeType\":\"text/markdown\"}");
}

void entry_index_templates(struct buf *b, const struct device *device)
{
    for (size_t i = 0; i < device->prefix_count; i++) {
        buf_puts(b, i > 0 ? "," : "");
        buf_puts(b, "{\"type\":\"mcp-resource-template\"");
        add_member(b, ",\"description\":", device->prefixes[i].description);
        add_member(b, ",\"url\":", template_of(device, device->prefixes[i].path));
        buf_puts(b, "}");
    }
}

void entry_templates(struct buf *b, const struct device *device)
{
    size_t count = 0;
    char **prefixes = xmalloc(device->skill_count * sizeof *prefixes);

    if (device->skill_count == 0) {
        return;
    }
    add_member(b, "{\"uriTemplate\":", xasprintf("%s{+path}", device->base));
    buf_puts(b, ",\"name\":\"skill files\",\"description\":\"Any file of any skill\"}");
    for (size_t i = 0; i < device->skill_count && device->skills[i].listed; i++) {
        prefixes[count++] = prefix_of(&device->skills[i]);
    }
    qsort(prefixes, count, sizeof *prefixes, text_order);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(prefixes[i - 1], prefixes[i]) != 0) {
            prefix_template(b, device, prefixes[i]);
        }
    }
}

#define READ_ONLY "\"annotations\":{\"readOnlyHint\":true,\"idempotentHint\":true}"

const char entry_list_skills[] =
    "{\"name\":\"list_skills\",\"description\":\"Lists the skills of this device: instructions, step by step, for what can "
    "be done with it. Look here first, then call read_skill.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"query\":{\"type\":\"string\",\"description\":\"Only skills with this in their name, description or tags\"}}}," READ_ONLY
    "}";

const char entry_read_skill[] =
    "{\"name\":\"read_skill\",\"description\":\"Reads the instructions of a skill, or another of its files. Do so before "
    "you follow it.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"name\":{\"type\":\"string\",\"description\":\"As list_skills gives it\"},"
    "\"path\":{\"type\":\"string\",\"description\":\"A file of the skill; without, its SKILL.md\"},"
    "\"offset\":{\"type\":\"integer\",\"minimum\":0,\"description\":\"First byte, for a file too long to read at once\"},"
    "\"length\":{\"type\":\"integer\",\"minimum\":0,\"description\":\"How many bytes\"}},"
    "\"required\":[\"name\"]}," READ_ONLY "}";
