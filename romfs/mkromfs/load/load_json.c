/* load_json.c -- what the readers of device.json, tools/ and JSON in metadata share. */
#include <string.h>

#include "base/json_out.h"
#include "load/frontmatter.h"
#include "load/load.h"

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

void load_json_compact(struct buf *b, const struct node *node)
{
    if (node->kind == NODE_SCALAR) {
        if (node->plain) {
            buf_add(b, node->text, node->len); /* number, true, false or null */
        } else {
            json_string(b, node->text, node->len);
        }
        return;
    }
    bool mapping = node->kind == NODE_MAPPING;
    buf_puts(b, mapping ? "{" : "[");
    for (size_t i = 0; i < node->count; i++) {
        buf_puts(b, i == 0 ? "" : mapping && i % 2 ? ":" : ",");
        load_json_compact(b, node->items[i]);
    }
    buf_puts(b, mapping ? "}" : "]");
}

char *load_stem(const char *name, const char *ending)
{
    size_t n = strlen(name), k = strlen(ending);

    return n > k && strcmp(name + n - k, ending) == 0 ? xstrndup(name, n - k) : NULL;
}

/* The number of two digits at p. */
static unsigned two_digits(const char *p)
{
    return (unsigned)(p[0] - '0') * 10 + (unsigned)(p[1] - '0');
}

bool load_is_timestamp(const char *text, size_t n)
{
    static const char form[] = "dddd-dd-ddTdd:dd:ddZ";
    static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    if (n != strlen(form)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        bool digit = text[i] >= '0' && text[i] <= '9';
        if (form[i] == 'd' ? !digit : text[i] != form[i]) {
            return false;
        }
    }
    unsigned year = two_digits(text) * 100 + two_digits(text + 2), month = two_digits(text + 5);
    unsigned day = two_digits(text + 8);
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1] + (month == 2 && leap ? 1u : 0u) &&
           two_digits(text + 11) < 24 && two_digits(text + 14) < 60 && two_digits(text + 17) < 60;
}
