/* json.h -- reading one JSON text.
 *
 * A peer on a wire gets no forgiveness: exactly RFC 8259 in valid UTF-8 is accepted, within
 * a depth. jsmn forgives much, so it only gets texts that json_scan.c has checked. The text stays
 * where it is; jsmn's tokens say what lies where in it. Strings are decoded in place, on demand,
 * at most once. */
#ifndef SKR_JSON_H
#define SKR_JSON_H

#include "text/json_scan.h"
#include "text/json_string.h"

/* A parsed text. Tokens stand in the order of the text, a key before its value, and are named
 * by their index; 0 is the whole text, -1 "none". */
struct skr_json {
    char *text;
    struct skr_token *tokens;
    int count;
};

/* Checks a text and makes its tokens. On SKR_JSON_TOKENS, and in a text that is cut off, those
 * of its beginning are there. */
int skri_json_parse(struct skr_json *json, char *text, size_t n, struct skr_token *tokens, unsigned max);

/* The values of the members `keys` of an object, -1 for each that is not there. Of equal keys the last
 * counts, as in most parsers, so that two readers of one request agree. One walk over the object. */
void skri_json_members(const struct skr_json *json, int object, const struct skr_span *keys, unsigned n, int *values);

/* The same of one member. */
int skri_json_get_bytes(const struct skr_json *json, int object, const char *key, size_t n);
int skri_json_get(const struct skr_json *json, int object, const char *key);

/* The first element of an array or key of an object, or -1; then the one behind
 * it on the same level. `parent` is the array or object. */
int skri_json_first(const struct skr_json *json, int parent);
int skri_json_after(const struct skr_json *json, int parent, int child);

bool skri_json_is_object(const struct skr_json *json, int token);
bool skri_json_is_array(const struct skr_json *json, int token);
bool skri_json_is_string(const struct skr_json *json, int token);
bool skri_json_is_number(const struct skr_json *json, int token);

/* The token as it stands in the text; a string with its quotes. */
struct skr_span skri_json_raw(const struct skr_json *json, int token);

/* The same without a string's quotes: still escaped, fit to stand in another string. */
struct skr_span skri_json_inside(const struct skr_json *json, int token);

/* The decoded value of a string; false when the token is none. Decodes in place:
 * afterwards skri_json_raw of this token shows the decoded text. */
bool skri_json_string(const struct skr_json *json, int token, struct skr_span *out);

/* True when the token is a string that decodes to `text`. Changes nothing. */
bool skri_json_equals_span(const struct skr_json *json, int token, struct skr_span text);
bool skri_json_equals(const struct skr_json *json, int token, const char *text);

/* True or false; false when it is neither. */
bool skri_json_boolean(const struct skr_json *json, int token, bool *out);

/* True for what may be the id of a request: a string or an integer (RPC-02). */
bool skri_json_is_id(const struct skr_json *json, int token);

/* The id of a request that was cut off: its raw text when a complete top-level
 * "id" stands in the first n bytes, else empty. */
struct skr_span skri_json_id_of_part(char *text, size_t n, struct skr_token *tokens, unsigned max);

#endif
