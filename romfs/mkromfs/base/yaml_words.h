/* yaml_words.h -- helpful messages about text that libfyaml cannot read, and what marks at the start of a value mean. */
#ifndef MKROMFS_YAML_WORDS_H
#define MKROMFS_YAML_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/utf8.h"

/* Start of line `line` (from 1) of a text, and its length without the newline. */
const char *yaml_line(const char *text, size_t size, unsigned line, size_t *len);

/* The message for frontmatter of which libfyaml says `theirs` at *at (line from 1), or NULL when theirs is as good. Moves
 * *at to what the message is about. */
const char *yaml_words(const char *text, size_t size, const char *theirs, struct pos *at);

/* Likewise for JSON; `rest` is the text after the place. Never NULL. */
const char *yaml_words_json(const char *theirs, const char *rest);

/* True when the &, * or ! at `indicator`, which lies in the text, is meant for YAML: an anchor that an alias repeats, an alias
 * of an anchor, a tag that YAML defines. All others are the first character of an author's text. */
bool yaml_indicator_is_meant(const char *text, size_t size, const char *indicator);

#endif
