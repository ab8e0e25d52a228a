/* load_json.c -- what the readers of device.json and tools/ share. */
#include <string.h>

#include "buf.h"
#include "frontmatter.h"
#include "load.h"
#include "yaml.h"

struct node *load_json_object(const struct check *c, struct disk_entry *file)
{
    if (file->kind != DISK_FILE) {
        check_report(c, LEVEL_E, whole_file, NULL, "this is %s; it must be a regular file", file->what);
        return NULL;
    }
    if (!disk_load(c, file) || !frontmatter_check_text(c, (const char *)file->bytes, (size_t)file->size)) {
        return NULL;
    }
    struct node *root = yaml_parse(c, (const char *)file->bytes, (size_t)file->size, 1, YAML_JSON);
    if (root && root->kind != NODE_MAPPING) {
        check_report(c, LEVEL_E, root->at, NULL, "must be a JSON object");
        return NULL;
    }
    return root;
}

char *load_stem(const char *name, const char *ending)
{
    size_t n = strlen(name), k = strlen(ending);

    return n > k && strcmp(name + n - k, ending) == 0 ? xstrndup(name, n - k) : NULL;
}
