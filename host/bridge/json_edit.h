/* scan.h -- what the bridge does with JSON beyond reading it (core/text/json_scan.h): numbers, copies, edits and
 * digests. The text is known to be valid. */
#ifndef SKR_SCAN_H
#define SKR_SCAN_H

#include "text/json_scan.h"

/* An integer that fits an int; 0 otherwise. */
int bridge_json_int(struct skr_span value);

/* True when a JSON string is one of `list`, which ends with NULL. */
bool bridge_json_is_any(struct skr_span string, const char *const *list);

/* Copies JSON without the whitespace between values and without unnecessary escapes, so that equal texts are spelled
 * alike. `to` has room for json.n bytes and may be the text itself. Returns the new length. */
size_t bridge_json_compact(char *to, struct skr_span json);

/* Replaces `gone` bytes at `at` in in[0..n) by `text`. Returns the new length; does nothing if that would exceed
 * `room`. */
size_t bridge_json_splice(char *in, size_t n, size_t room, const char *at, size_t gone, const char *text);

/* Adds a first member to the _meta of a request's params, both of which are added if missing. The text is compact.
 * Returns its new length; does nothing if that would exceed `room`. */
size_t bridge_json_put_meta(char *request, size_t n, size_t room, const char *member);

/* SHA-256 of the bytes that a JSON string stands for, as text or as base64. False if it is not valid base64, or not a
 * string. */
bool bridge_json_digest(struct skr_span string, bool base64, uint8_t digest[32]);

/* The content of a file: its only member of the names text and blob. */
struct bridge_file_content {
    struct skr_span value; /* a JSON string */
    bool base64;           /* it is a blob */
};

/* Reads an item of `contents`. False if it has both members, one of them twice, or none: readers would not agree on its content. */
bool bridge_json_content(struct skr_span item, struct bridge_file_content *content);

/* Reads `contents`. False unless it is one file, and the bytes of its content have this digest. */
bool bridge_json_file(struct skr_span contents, const uint8_t digest[32], struct bridge_file_content *content);

#endif
