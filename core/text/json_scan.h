/* json_scan.h -- reading JSON as text, without tokens: a batch, a response or a description in the image may have more
 * values than any table of tokens.
 *
 * skr_json_check says whether a text is JSON; the other functions assume it is. In other text they find anything or
 * nothing, but never read outside it. Spans are pieces of the text itself, strings with their quotes; nothing is
 * decoded. */
#ifndef SKR_JSON_SCAN_H
#define SKR_JSON_SCAN_H

#include "skillrom.h"

enum skr_json_error {
    SKR_JSON_OK = 0,
    SKR_JSON_BAD = -1,    /* not JSON, or not UTF-8 */
    SKR_JSON_DEEP = -2,   /* nested deeper than SKR_JSON_DEPTH */
    SKR_JSON_TOKENS = -3, /* more than SKR_TOKENS values and keys; json.h */
};

/* Checks that text[0..n) is exactly one value of RFC 8259 in valid UTF-8. If not, text[0..*good) is the beginning of one. Sets
 * *escapes when a string in it has any. */
int skr_json_check_part(const char *text, size_t n, size_t *good, bool *escapes);

static inline int skr_json_check(const char *text, size_t n)
{
    size_t good;
    bool escapes; /* no matter */

    return skr_json_check_part(text, n, &good, &escapes);
}

/* The next member of an object: *rest is at first the object, or its members without the braces, then what is left of
 * it. False at the end, or when it is not an object. */
bool skr_scan_pair(struct skr_span *rest, struct skr_span *key, struct skr_span *value);

/* The next element of an array, likewise. */
bool skr_scan_item(struct skr_span *rest, struct skr_span *item);

/* The value of a member, the last of that name; p is NULL when there is none. */
struct skr_span skr_scan_get(struct skr_span object, const char *key);

/* True when the value is a string that decodes to `text`. */
bool skr_scan_is(struct skr_span value, const char *text);

/* The inside of a string; p is NULL when the value is not one. */
struct skr_span skr_scan_inside(struct skr_span value);

#endif
