/* skr_config.h -- every limit and switch of skillrom, in one place.
 *
 * Choose a profile with -DSKR_PROFILE_TINY, -DSKR_PROFILE_SMALL or
 * -DSKR_PROFILE_HOST (the default), then override single knobs in a header of
 * your own: -DSKR_USER_CONFIG='"board_skr.h"'. That header is read first, so
 * what it defines wins. Each limit says what happens to a peer who meets it. */
#ifndef SKR_CONFIG_H
#define SKR_CONFIG_H

#ifdef SKR_USER_CONFIG
#include SKR_USER_CONFIG
#endif

/* What the three profiles are for:
 *   tiny   one UART, 3 KB of RAM: skills, resources and tools over lines
 *   small  a microcontroller with a TCP stack: HTTP, prompts, completion
 *   host   a PC: everything, large buffers */
#if !defined(SKR_PROFILE_TINY) && !defined(SKR_PROFILE_SMALL) && !defined(SKR_PROFILE_HOST)
#define SKR_PROFILE_HOST
#endif

#if defined(SKR_PROFILE_TINY)
#define SKR_BY_PROFILE(tiny, small, host) tiny
#elif defined(SKR_PROFILE_SMALL)
#define SKR_BY_PROFILE(tiny, small, host) small
#else
#define SKR_BY_PROFILE(tiny, small, host) host
#endif

/* ---- Switches: 0 leaves the code out, and the method answers -32601 ---- */

#ifndef SKR_HTTP /* Streamable HTTP beside line framing */
#define SKR_HTTP SKR_BY_PROFILE(0, 1, 1)
#endif
#ifndef SKR_DEFLATE /* compressed files; needs miniz's tinfl and 8.4 KB + window per connection */
#define SKR_DEFLATE SKR_BY_PROFILE(0, 0, 1)
#endif
#ifndef SKR_PROMPTS /* prompts/list, prompts/get */
#define SKR_PROMPTS SKR_BY_PROFILE(0, 1, 1)
#endif
#ifndef SKR_COMPLETION /* completion/complete */
#define SKR_COMPLETION SKR_BY_PROFILE(0, 1, 1)
#endif
#ifndef SKR_LOGGING /* logging/setLevel, for clients of the initialize era */
#define SKR_LOGGING SKR_BY_PROFILE(0, 1, 1)
#endif
#ifndef SKR_SUBSCRIBE /* resources/subscribe, for clients of the initialize era */
#define SKR_SUBSCRIBE SKR_BY_PROFILE(0, 1, 1)
#endif
#ifndef SKR_BATCH /* JSON-RPC batches; 2025-03-26 demands them and is not offered without */
#define SKR_BATCH SKR_BY_PROFILE(0, 1, 1)
#endif
#ifndef SKR_RESULT_INFO /* the device's name in the _meta of every 2026-07-28 result */
#define SKR_RESULT_INFO 1
#endif

#ifndef SKR_WORDWISE /* escape text a machine word at a time: four times as fast, 130 bytes of code */
#define SKR_WORDWISE SKR_BY_PROFILE(0, 1, 1)
#endif

/* ---- Sizes ---- */

/* One request, with its line end or HTTP headers worth keeping. The largest
 * request of the official conformance suite has 750 bytes. Longer: -32600
 * "message too large" on a line, 413 over HTTP; the connection goes on. */
#ifndef SKR_REQUEST_MAX
#define SKR_REQUEST_MAX SKR_BY_PROFILE(1024, 2048, 65536)
#endif

/* JSON tokens of one request (16 bytes each, once per server). A modern request
 * with client info has about 30. More: -32600 naming this limit. */
#ifndef SKR_TOKENS
#define SKR_TOKENS SKR_BY_PROFILE(64, 96, 4096)
#endif

/* Nesting of a request, two bits of stack per level. Deeper: -32600. */
#ifndef SKR_JSON_DEPTH
#define SKR_JSON_DEPTH SKR_BY_PROFILE(16, 32, 64)
#endif

/* What a tool or firmware resource may write for one answer. More: the client
 * gets an isError result that names this limit. */
#ifndef SKR_OUTPUT_MAX
#define SKR_OUTPUT_MAX SKR_BY_PROFILE(384, 512, 16384)
#endif

/* Where bytes are gathered that do not lie ready: escaped, base64, numbers, and
 * small constant pieces, so that one write carries them. */
#ifndef SKR_TX_SCRATCH
#define SKR_TX_SCRATCH SKR_BY_PROFILE(64, 256, 16384)
#endif

/* Constant bytes of at least this length are sent from where they lie instead
 * of through the scratch buffer. Small values spare RAM traffic, large ones
 * spare system calls. */
#ifndef SKR_TX_DIRECT
#define SKR_TX_DIRECT SKR_BY_PROFILE(16, 64, 1024)
#endif

/* Spans handed to the port at once, for writev and its kin. */
#ifndef SKR_TX_SPANS
#define SKR_TX_SPANS SKR_BY_PROFILE(1 + SKR_HTTP, 4, 8)
#endif

/* Items on one page of a list, unless the port sets another number. An answer
 * is streamed, so a page costs no RAM; this only keeps single answers short. */
#ifndef SKR_PAGE
#define SKR_PAGE SKR_BY_PROFILE(20, 50, 100)
#endif

/* Input quoted in an error message, in bytes (SK-W-14). */
#ifndef SKR_QUOTE_MAX
#define SKR_QUOTE_MAX 256
#endif

/* Freshness promised for lists and files, in ms. The image cannot change while
 * the device runs; an hour keeps clients from asking for nothing, and lets them
 * notice a reflashed device the same day (CACHE-07). */
#ifndef SKR_TTL_MS
#define SKR_TTL_MS 3600000
#endif

/* Largest deflate window an image may ask for; a power of two. An image with a
 * larger one is refused at start. */
#ifndef SKR_WINDOW_MAX
#define SKR_WINDOW_MAX SKR_BY_PROFILE(0, 4096, 32768)
#endif

/* Legacy HTTP sessions remembered at once (24 bytes each). When all are in use,
 * the one idle longest is ended and its client initializes again. */
#ifndef SKR_SESSIONS
#define SKR_SESSIONS SKR_BY_PROFILE(1, 4, 256)
#endif

/* All header lines of one HTTP request. More: 431. */
#ifndef SKR_HTTP_HEADER_MAX
#define SKR_HTTP_HEADER_MAX SKR_BY_PROFILE(1024, 4096, 16384)
#endif

/* ---- Limits that must agree ---- */

#if SKR_REQUEST_MAX < 512
#error "SKR_REQUEST_MAX: a modern request with client info needs 512 bytes"
#endif
#if SKR_REQUEST_MAX > 0x7FFFFFFF
#error "SKR_REQUEST_MAX: jsmn counts in int"
#endif
#if SKR_TOKENS < 32
#error "SKR_TOKENS: a modern request with client info already has about 30"
#endif
#if SKR_JSON_DEPTH < 6 || SKR_JSON_DEPTH > 255
#error "SKR_JSON_DEPTH: client capabilities nest six deep; levels are counted in a byte"
#endif
#if SKR_TX_SCRATCH < 32
#error "SKR_TX_SCRATCH: an escaped character or a number must fit whole"
#endif
#if SKR_HTTP && SKR_TX_SPANS < 2
#error "SKR_TX_SPANS: over HTTP a 100 Continue and the head of an answer may wait together"
#endif
#if SKR_HTTP && SKR_TX_SCRATCH < 256
#error "SKR_TX_SCRATCH: the head of an HTTP answer must fit whole, 256 bytes"
#endif
#if SKR_DEFLATE && (SKR_WINDOW_MAX < 256 || (SKR_WINDOW_MAX & (SKR_WINDOW_MAX - 1)))
#error "SKR_WINDOW_MAX: a power of two from 256 on"
#endif
#if SKR_PAGE < 1
#error "SKR_PAGE: a page holds at least one item"
#endif

#endif
