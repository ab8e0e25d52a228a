/* rules_text.h -- what each rule means: the texts of `skillrom explain`. */
#ifndef MKROMFS_RULES_TEXT_H
#define MKROMFS_RULES_TEXT_H

#include <stddef.h>

struct rule_text {
    const char *id;
    const char *title;
    const char *why;    /* what goes wrong otherwise */
    const char *remedy; /* what to do */
};

/* In the order of their ids. Every id that a message of lint, pack or test can end with is here. */
extern const struct rule_text rule_texts[];
extern const size_t rule_text_count;

#endif
