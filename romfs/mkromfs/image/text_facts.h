/* text_facts.h -- what must be known about a content before it can be sent as JSON: whether it
 * is text at all, and how long it is once escaped. Content comes in pieces of any size, so that
 * a deflated file need not be held whole. */
#ifndef MKROMFS_TEXT_FACTS_H
#define MKROMFS_TEXT_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text_facts {
    uint64_t json_size; /* bytes as the inside of a JSON string */
    bool broken;        /* there was a byte that cannot be UTF-8, or a NUL */
    unsigned missing;   /* continuation bytes the current character still needs */
    uint8_t low, high;  /* range of the next continuation byte */
};

/* Starts as all zeros. */
void text_facts_add(struct text_facts *f, const uint8_t *bytes, size_t n);

/* True when all that was added is whole UTF-8 without NUL. */
bool text_facts_is_text(const struct text_facts *f);

#endif
