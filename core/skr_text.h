/* skr_text.h -- text and JSON, for programs outside the core: ports, tools, the bridge.
 *
 * No function allocates, and none reads outside the span that it is given. A result is a span of the argument itself:
 * it is valid as long as that is, and not NUL-terminated. A span whose p is NULL means "missing".
 *
 *     skr_span_...     compare and cut spans (text/span.h)
 *     skr_json_check   is this text JSON? Check before any skr_scan_..., which assume that it is
 *     skr_scan_...     members of an object and elements of an array, without tokens (text/json_scan.h)
 *     skr_json_...     the same with a table of tokens, for texts of which many members are read (text/json.h);
 *                      characters and escapes of strings (text/json_string.h)
 *     skr_number_...   JSON numbers as integers, without floating point (text/number.h)
 *     skr_encode_...   JSON escapes, base64, hex (text/encode.h)
 *     skr_hex_...      bytes from hex digits (text/hex.h)
 *     skr_hash_...     FNV-1a (text/hash.h)
 *     skr_sip_...      SipHash-2-4, with SKR_SEAL (text/siphash.h)
 *
 * Numbers and lengths come out checked: a function that cannot return a correct value returns false, or an error of
 * enum skr_json_error. The headers in text/ have the contract of each function. Programs include only this header. */
#ifndef SKR_TEXT_H
#define SKR_TEXT_H

#include "text/encode.h"
#include "text/hash.h"
#include "text/hex.h"
#include "text/json.h"
#include "text/json_scan.h"
#include "text/json_string.h"
#include "text/number.h"
#include "text/siphash.h"
#include "text/span.h"

#endif
