/* json.h -- reading one JSON text.
 *
 * Peers get no leniency: only RFC 8259 in valid UTF-8 is accepted, nested no deeper than SKR_JSON_DEPTH. jsmn is
 * lenient, so it only gets texts that json_scan.c has checked. The text stays where it is; jsmn's tokens point into it.
 * Strings are decoded in place, on demand, at most once. */
#ifndef SKR_JSON_H
#define SKR_JSON_H

#include "text/json_scan.h"
#include "text/json_string.h"

/* A parsed text. Tokens are in text order, a key before its value, and are referred to by index; 0 is the whole text,
 * -1 "none". */
struct skr_json {
    char *text;
    struct skr_token *tokens;
    int count;
    bool escapes; /* else strings are what they are written as */
};

/* Checks a text and makes its tokens; on SKR_JSON_TOKENS, or when it is cut off, only those of its beginning. */
int skr_json_parse(struct skr_json *json, char *text, size_t n, struct skr_token *tokens, unsigned max);

/* The values of the members `keys` of an object, -1 for each that is missing. Of duplicate keys the last counts, as in
 * most parsers, so that two readers of one request agree. One pass over the object. */
void skr_json_members(const struct skr_json *json, int object, const struct skr_span *keys, unsigned n, int *values);

/* Likewise for one member. */
int skr_json_get_bytes(const struct skr_json *json, int object, const char *key, size_t n);
int skr_json_get(const struct skr_json *json, int object, const char *key);

/* The first element of an array or key of an object, `parent`, or -1; then the next one on the same level. */
int skr_json_first(const struct skr_json *json, int parent);
int skr_json_after(const struct skr_json *json, int parent, int child);

bool skr_json_is_object(const struct skr_json *json, int token);
bool skr_json_is_array(const struct skr_json *json, int token);
bool skr_json_is_string(const struct skr_json *json, int token);
bool skr_json_is_number(const struct skr_json *json, int token);

/* The token's text; a string with its quotes. */
struct skr_span skr_json_raw(const struct skr_json *json, int token);

/* Likewise without a string's quotes: still escaped, so that it can be part of another string. */
struct skr_span skr_json_inside(const struct skr_json *json, int token);

/* The decoded value of a string; false when the token is not one. Decodes in place: afterwards skr_json_raw of this
 * token shows the decoded text. */
bool skr_json_string(const struct skr_json *json, int token, struct skr_span *out);

/* True when the token is a string that decodes to `text`. Changes nothing. */
bool skr_json_equals_span(const struct skr_json *json, int token, struct skr_span text);
bool skr_json_equals(const struct skr_json *json, int token, const char *text);

/* Sets *out to true or false; returns false when the token is neither. */
bool skr_json_boolean(const struct skr_json *json, int token, bool *out);

/* True when the token may be the id of a request: a string or an integer (RPC-02). */
bool skr_json_is_id(const struct skr_json *json, int token);

/* The id of a request that was cut off: raw if a complete top-level "id" is in the first n bytes, else empty. */
struct skr_span skr_json_id_of_part(char *text, size_t n, struct skr_token *tokens, unsigned max);

#endif
