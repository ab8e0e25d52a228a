/* extras_bare.c -- the keys without a prefix: `version` (SK-M-01), the fallbacks that skills
 * written for other servers use (SK-M-23), and the metadata that skills_page shows (SK-F-05).
 *
 * Fallbacks are never an error: they were not written for us, and one that cannot be understood is ignored. */
#include <string.h>

#include "base/json_out.h"
#include "base/scalar.h"
#include "load/extras.h"

#define PREFIX "dev.skillrom/"

/* A value that can be read as text: not a collection, not null, not empty. */
static bool is_textual(const struct node *value)
{
    return value && value->kind == NODE_SCALAR && value->len > 0 && strlen(value->text) == value->len &&
           !(value->plain && scalar_core_type(value->text) == SCALAR_NULL);
}

static const struct node *metadata_of(const struct found_skill *found)
{
    const struct node *metadata = yaml_member(found->root, "metadata", NULL);

    return metadata && metadata->kind == NODE_MAPPING ? metadata : NULL;
}

/* The bare key, looked for in the metadata, then at the top level. */
static const struct node *bare_member(const struct found_skill *found, const char *key)
{
    const struct node *metadata = metadata_of(found);
    const struct node *value = metadata ? yaml_member(metadata, key, NULL) : NULL;

    return value ? value : yaml_member(found->root, key, NULL);
}

static char *bare_text(const struct found_skill *found, const char *key)
{
    const struct node *value = bare_member(found, key);

    return is_textual(value) ? json_quoted(value->text, value->len) : NULL;
}

/* `a, b c`: with commas between, blanks belong to the words. */
static void split_words(struct buf *array, const char *text, size_t n)
{
    const char *stops = memchr(text, ',', n) ? "," : ", \t\r\n";

    for (const char *p = text; *p != '\0';) {
        p += strspn(p, ", \t\r\n");
        size_t word = strcspn(p, stops), keep = word;
        while (keep > 0 && strchr(" \t\r\n", p[keep - 1])) {
            keep--;
        }
        if (keep > 0) {
            extras_add_string(array, p, keep);
        }
        p += word;
    }
}

/* The list that a text holds as JSON, which is how `lint --fix` writes one below metadata; any other value as it is. */
static const struct node *list_in(const struct node *value)
{
    struct diag silent = {.silent = true};
    const struct check quiet = {.diag = &silent};

    if (!is_textual(value) || value->text[0] != '[') {
        return value;
    }
    const struct node *list = yaml_parse(&quiet, value->text, value->len, 1, YAML_JSON);
    return list && list->kind == NODE_SEQUENCE ? list : value;
}

/* Tags from one bare key: a list, or text with commas or blanks. NULL for none. */
static char *tags_of(const struct node *value)
{
    struct buf tags = {0};

    value = list_in(value);
    if (value && value->kind == NODE_SEQUENCE) {
        for (size_t i = 0; i < value->count; i++) {
            if (is_textual(value->items[i])) {
                extras_add_string(&tags, value->items[i]->text, value->items[i]->len);
            }
        }
    } else if (is_textual(value)) {
        split_words(&tags, value->text, value->len);
    }
    if (tags.n == 0) {
        return NULL;
    }
    buf_puts(&tags, "]");
    return buf_str(&tags);
}

static char *bare_tags(const struct found_skill *found)
{
    static const char *const keys[] = {"tags", "keywords"};
    const struct node *const places[] = {metadata_of(found), found->root};

    for (size_t place = 0; place < 2; place++) {
        for (size_t key = 0; places[place] && key < 2; key++) {
            char *tags = tags_of(yaml_member(places[place], keys[key], NULL));
            if (tags) {
                return tags;
            }
        }
    }
    return NULL;
}

void extras_fallbacks(const struct check *c, struct found_skill *found)
{
    struct skill_extras *extras = &found->skill.extras;
    const struct node *metadata = metadata_of(found);
    const struct node *version = metadata ? yaml_member(metadata, "version", NULL) : NULL;

    if (version && !is_textual(version)) {
        check_report(c, LEVEL_E, version->at, "SK-M-01", "version must be non-empty text");
    }
    extras->version = bare_text(found, "version");
    if (!extras->title) {
        extras->title = bare_text(found, "title");
    }
    if (!extras->tags) {
        extras->tags = bare_tags(found);
    }
}

/* ---- Metadata for the dialect skills_page ---- */

static void add_member(struct buf *b, const char *key, const struct node *value)
{
    buf_puts(b, b->n ? "," : "{");
    json_string(b, key, strlen(key));
    buf_puts(b, ":");
    json_string(b, value->text, value->len);
}

void extras_metadata(struct found_skill *found)
{
    static const char *const joined[] = {"version", "license", "compatibility"};
    const struct node *metadata = metadata_of(found);
    struct buf b = {0};

    for (size_t i = 0; metadata && i + 1 < metadata->count; i += 2) {
        const char *key = metadata->items[i]->text;
        if (strncmp(key, PREFIX, strlen(PREFIX)) != 0 && is_textual(metadata->items[i + 1])) {
            add_member(&b, key, metadata->items[i + 1]);
        }
    }
    for (size_t i = 0; i < sizeof joined / sizeof joined[0]; i++) {
        bool shadowed = metadata && yaml_member(metadata, joined[i], NULL);
        const struct node *value = shadowed ? NULL : yaml_member(found->root, joined[i], NULL);
        if (is_textual(value)) {
            add_member(&b, joined[i], value);
        }
    }
    if (b.n) {
        buf_puts(&b, "}");
        found->skill.extras.metadata = buf_str(&b);
    }
}
