/* scan.h -- what the bridge does with JSON beyond looking into it (core/json_scan.h): numbers, copies,
 * changes and digests. The text has been checked. */
#ifndef SKR_SCAN_H
#define SKR_SCAN_H

#include "text/json_scan.h"

/* An integer that fits an int; 0 otherwise. */
int skr_scan_int(struct skr_span value);

/* Copies JSON without the blanks between its values, and characters without escapes they do not need, so that one text
 * has one spelling. `to` has room for n bytes and may be where the text lies; returns how many were written. */
size_t skr_scan_compact(char *to, struct skr_span json);

/* Puts `text` at `at` in in[0..n), in place of `gone` bytes. Returns the new length; nothing
 * happens when it is more than `room`. */
size_t skr_scan_splice(char *in, size_t n, size_t room, const char *at, size_t gone, const char *text);

/* Puts a member in front of those in the _meta of a request's params, which are made if there are none. The text is
 * compact. Returns its new length; nothing happens when it is more than `room`. */
size_t skr_scan_put_meta(char *request, size_t n, size_t room, const char *member);

/* SHA-256 of the bytes that a string stands for: text, or base64 of them. False when it
 * stands for none. */
bool skr_scan_digest(struct skr_span string, bool base64, uint8_t digest[32]);

#endif
