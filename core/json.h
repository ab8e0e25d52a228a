/* json.h -- reading one JSON text.
 *
 * A peer on a wire gets no forgiveness: exactly RFC 8259 in valid UTF-8 is accepted, within
 * a depth. The text stays where it is; tokens say what lies where in it. Strings are decoded
 * in place, on demand, at most once. */
#ifndef SKR_JSON_H
#define SKR_JSON_H

#include "skillrom.h"

enum skr_json_error {
    SKR_JSON_OK = 0,
    SKR_JSON_BAD = -1,    /* not JSON, or not UTF-8 */
    SKR_JSON_DEEP = -2,   /* nested deeper than SKR_JSON_DEPTH */
    SKR_JSON_TOKENS = -3, /* more than SKR_TOKENS values and keys */
};

enum skr_json_type {
    SKR_JSON_WORD, /* a number, true, false or null */
    SKR_JSON_STRING,
    SKR_JSON_DECODED, /* a string that has been decoded in place */
    SKR_JSON_ARRAY,
    SKR_JSON_OBJECT,
};

/* A parsed text. Tokens stand in the order of the text, a key before its value, and are named
 * by their index; 0 is the whole text, -1 "none". */
struct skr_json {
    char *text;
    struct skr_token *tokens;
    int count;
};

/* Checks a text and makes its tokens. On SKR_JSON_TOKENS, and in a text that is cut off, those
 * of its beginning are there. */
int skr_json_parse(struct skr_json *json, char *text, size_t n, struct skr_token *tokens, unsigned max);

/* Only checks it, and changes nothing. */
static inline int skr_json_check(const char *text, size_t n)
{
    struct skr_json json;
    int error = skr_json_parse(&json, (char *)text, n, NULL, 0);
    return error == SKR_JSON_TOKENS ? SKR_JSON_OK : error;
}

/* The value of member `key` of an object, or -1. Of equal keys the last counts,
 * as in most parsers, so that two readers of one request agree. */
int skr_json_get(const struct skr_json *json, int object, const char *key);
int skr_json_get_bytes(const struct skr_json *json, int object, const char *key, size_t n);

/* The first element of an array or key of an object, or -1; then the one behind
 * it on the same level. `parent` is the array or object. */
int skr_json_first(const struct skr_json *json, int parent);
int skr_json_after(const struct skr_json *json, int parent, int child);

bool skr_json_is_object(const struct skr_json *json, int token);
bool skr_json_is_array(const struct skr_json *json, int token);
bool skr_json_is_string(const struct skr_json *json, int token);

/* The token as it stands in the text; a string with its quotes. */
struct skr_span skr_json_raw(const struct skr_json *json, int token);

/* The same without a string's quotes: still escaped, fit to stand in another string. */
struct skr_span skr_json_inside(const struct skr_json *json, int token);

/* The decoded value of a string; false when the token is none. Decodes in place:
 * afterwards skr_json_raw of this token shows the decoded text. */
bool skr_json_string(const struct skr_json *json, int token, struct skr_span *out);

/* True when the token is a string that decodes to `text`. Changes nothing. */
bool skr_json_equals(const struct skr_json *json, int token, const char *text);
bool skr_json_equals_span(const struct skr_json *json, int token, struct skr_span text);

/* True or false; false when it is neither. */
bool skr_json_boolean(const struct skr_json *json, int token, bool *out);

/* True when the token is a number. */
static inline bool skr_json_is_number(const struct skr_json *json, int token)
{
    return token >= 0 && json->tokens[token].type == SKR_JSON_WORD && json->text[json->tokens[token].start] <= '9';
}

/* True for what may be the id of a request: a string or an integer (RPC-02). */
bool skr_json_is_id(const struct skr_json *json, int token);

/* True when two ids, as they stand in their texts, are one (RPC-03). Neither can be decoded in
 * place: answers repeat both as they came. */
bool skr_json_same_id(struct skr_span one, struct skr_span other);

/* The id of a request that was cut off: its raw text when a complete top-level
 * "id" stands in the first n bytes, else empty. */
struct skr_span skr_json_id_of_part(char *text, size_t n, struct skr_token *tokens, unsigned max);

/* ---- Characters ---- */

/* The control characters that have an escape of one letter, and the letters. */
#define SKR_JSON_ESCAPES 5
extern const char skr_json_letters[], skr_json_controls[];

/* From one of them to the other; any other character stays what it is. */
char skr_json_exchange(char c, const char *from, const char *to);

/* 0 to 15; -1: it is none. */
int skr_hex_digit(char c);

/* The length of the UTF-8 character that text[0..n) begins with, 0 when it is none. */
size_t skr_utf8_char(const char *text, size_t n);

#endif
