/* json_edit.h -- numbers, copies, edits and digests of JSON text, which is known to be valid (core/text/json_scan.h reads it). */
#ifndef HOST_JSON_EDIT_H
#define HOST_JSON_EDIT_H

#include "text/json_scan.h"

/* An integer that fits an int; 0 otherwise. */
int host_json_int(struct skr_span value);

/* True when a JSON string is one of `list`, which ends with NULL. */
bool host_json_is_any(struct skr_span string, const char *const *list);

/* Copies JSON without the whitespace between values and without unnecessary escapes, so that equal texts are spelled
 * alike. `to` has room for json.n bytes and may be the text itself. Returns the new length. */
size_t host_json_compact(char *to, struct skr_span json);

/* Decodes the text between the quotes of a JSON string. Returns its length; `room`, which is at least 4, if it may not fit. */
size_t host_json_text(struct skr_span inside, char *to, size_t room);

/* Replaces `gone` bytes at `at` in in[0..n) with `text`. Returns the new length; does nothing if that would exceed
 * `room`. */
size_t host_json_splice(char *in, size_t n, size_t room, const char *at, size_t gone, const char *text);

/* Adds a first member to the _meta of a request's params, both of which are added if missing. The text is compact.
 * Returns its new length; does nothing if that would exceed `room`. */
size_t host_json_put_meta(char *request, size_t n, size_t room, const char *member);

/* Decodes the text of a base64 string and passes it on in pieces. False if it is invalid; a part may have been passed on. */
bool host_json_base64(struct skr_span base64, void (*take)(void *context, const char *bytes, size_t n), void *context);

/* The content of a file: its only member of the names text and blob. */
struct host_file_content {
    struct skr_span value; /* a JSON string */
    bool base64;           /* it is a blob */
};

/* Reads an item of `contents`. False if it has both members, one of them twice, or none: readers would not agree on its content. */
bool host_json_content(struct skr_span item, struct host_file_content *content);

/* Reads `contents`. False unless it is one file, and the bytes of its content have this digest. */
bool host_json_file(struct skr_span contents, const uint8_t digest[32], struct host_file_content *content);

#endif
