/* yaml_node.c -- the tree that yaml.c builds. See yaml.h. */
#include <stdlib.h>
#include <string.h>

#include "base/scalar.h"
#include "base/yaml.h"

#define KEYS_MANY 16 /* in a mapping: from here on a table finds them */

size_t yaml_find_key(const struct node *mapping, const char *key, size_t n)
{
    size_t i = 0;

    if (mapping->keys.root != NULL) {
        size_t number = (size_t)(uintptr_t)names_find(&mapping->keys, key, n);
        return number > 0 ? number - 1 : mapping->count;
    }
    while (i < mapping->count && (mapping->items[i]->len != n || memcmp(mapping->items[i]->text, key, n) != 0)) {
        i += 2;
    }
    return i;
}

void yaml_keep_keys(struct node *mapping)
{
    size_t from = mapping->keys.root != NULL ? mapping->count - 2 : 0;

    for (size_t i = from; i + 1 < mapping->count && mapping->count / 2 > KEYS_MANY; i += 2) {
        const struct node *key = mapping->items[i];
        names_add(&mapping->keys, key->text, key->len, (void *)(uintptr_t)(i + 1));
    }
}

void yaml_free(struct node *node)
{
    for (size_t i = 0; node != NULL && i < node->count; i++) {
        yaml_free(node->items[i]);
    }
    if (node != NULL) {
        names_free(&node->keys);
        free(node->items);
        free(node->text);
        free(node);
    }
}

const struct node *yaml_member(const struct node *mapping, const char *key, const struct node **at_key)
{
    size_t i = yaml_find_key(mapping, key, strlen(key));

    if (i + 1 >= mapping->count) {
        return NULL;
    }
    if (at_key) {
        *at_key = mapping->items[i];
    }
    return mapping->items[i + 1];
}

bool yaml_is_string(const struct node *node)
{
    return node->kind == NODE_SCALAR && (!node->plain || scalar_core_type(node->text) == SCALAR_STRING);
}

bool yaml_text_is(const struct node *node, const char *text)
{
    return node->kind == NODE_SCALAR && node->len == strlen(text) && memcmp(node->text, text, node->len) == 0;
}
