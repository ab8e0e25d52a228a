/* entry.c -- prerendered JSON: skill entries and URI templates. See entry.h. */
#include "entry.h"

#include <stdlib.h>
#include <string.h>

#include "json_out.h"
#include "uri_path.h"

size_t entry_resource(struct buf *b, const char *base, size_t base_len, const char *path, size_t path_len,
                      const uint8_t *digest, size_t size)
{
    char hex[2 * SHA256_SIZE + 1];

    sha256_hex(digest, SHA256_SIZE, hex);
    buf_puts(b, "{\"uri\":\"");
    buf_add(b, base, base_len);
    size_t path_at = b->n;
    buf_add(b, path, path_len);
    buf_printf(b, "\",\"digest\":\"sha256:%s\",\"size\":%zu}", hex, size);
    return path_at;
}

void entry_write(struct buf *b, const struct device *device, const struct skill *skill,
                 const struct tree *tree, size_t *path_at)
{
    const char *between = "";

    buf_printf(b, "{\"uri\":\"%s%s/SKILL.md\",\"frontmatter\":", device->base, uri_path_encode(skill->path));
    buf_puts(b, skill->frontmatter);
    buf_puts(b, ",\"resources\":[");
    for (size_t i = 0; i < skill->file_count; i++) {
        if (skill->files[i].is_dir) {
            continue;
        }
        char *path = tree_path_of(skill, &skill->files[i]);
        const struct tree_node *node = tree_find(tree, path, strlen(path));
        buf_puts(b, between);
        path_at[i] = entry_resource(b, device->base, strlen(device->base), node->path, node->path_len,
                                    node->digest, node->file->size);
        between = ",";
    }
    buf_puts(b, "]}");
}

static int text_order(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* What lies before the name in a skill's path: "plant/pumps/", or "". */
static char *prefix_of(const struct skill *skill)
{
    const char *slash = strrchr(skill->path, '/');
    return xstrndup(skill->path, slash != NULL ? (size_t)(slash + 1 - skill->path) : 0);
}

static void add_member(struct buf *b, const char *key, char *value)
{
    buf_puts(b, key);
    json_string(b, value, strlen(value));
}

static void prefix_template(struct buf *b, const char *base, char *prefix)
{
    char *place = xstrndup(prefix, strlen(prefix) > 0 ? strlen(prefix) - 1 : 0);

    add_member(b, ",{\"uriTemplate\":", xasprintf("%s%s{name}/SKILL.md", base, uri_path_encode(prefix)));
    if (place[0] != '\0') {
        add_member(b, ",\"name\":", xasprintf("%s skills", place));
        add_member(b, ",\"description\":", xasprintf("The instructions of one skill below %s", place));
    } else {
        buf_puts(b, ",\"name\":\"skills\",\"description\":\"The instructions of one skill\"");
    }
    buf_puts(b, ",\"mimeType\":\"text/markdown\"}");
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
            prefix_template(b, device->base, prefixes[i]);
        }
    }
}
