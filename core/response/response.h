/* response.h -- an outgoing message as pieces that can be taken in any amounts.
 *
 * A method does not write its response; it sets `render` (or `body`), a function that pushes the next few pieces each
 * time it is called. Pieces say where bytes are and how to encode them; that is done when the wire has room. Nothing a
 * piece points to changes before the response has been sent, so the whole response can be rewound and made again: that
 * is how its length is known before its first byte is sent. */
#ifndef SKR_RESPONSE_H
#define SKR_RESPONSE_H

#include <string.h>

#include "response/error.h"
#include "skillrom.h"
#include "text/assert.h"

enum skr_piece_kind {
    SKR_RAW,        /* bytes sent unchanged, from flash or from the request */
    SKR_ESCAPED,    /* UTF-8 text, escaped for the inside of a JSON string */
    SKR_ANY_TEXT,   /* the same for the output of a handler: invalid UTF-8 becomes U+FFFD */
    SKR_TOOL_TEXT,  /* the same without control characters other than tab and newline (SK-S-09) */
    SKR_BASE64,     /* bytes, as base64 */
    SKR_BASE64_URL, /* the same with URL-safe digits, without padding */
    SKR_HEX,        /* bytes, as lower-case hex */
    SKR_NUMBER,     /* n itself, in decimal */
    SKR_ARCHIVE,    /* a->pieces.archive from its start, n bytes in all, as base64 */
    SKR_FILE_BLOB,  /* content of a->pieces.file, as base64 */
    SKR_FILE_TEXT,  /* content of a->pieces.file, escaped for the inside of a JSON string */
    SKR_FILE_PART,  /* part of a->pieces.file, like SKR_FILE_TEXT; p is its struct romfs_body_part */
};

/* The member of `as` that a response holds: test builds trap the use of another. Without them only tasks need to know
 * it. */
#define SKRI_AS(a, which) (SKR_ASSERT((a)->kind == SKR_AS_##which), &(a)->as.which)
#if SKR_ASSERTS || SKR_TASKS
#define SKRI_MAKE(a, which) ((a)->kind = SKR_AS_##which, &(a)->as.which)
#else
#define SKRI_MAKE(a, which) (&(a)->as.which)
#endif

/* The resultType of a modern result. */
enum skr_result { SKR_COMPLETE, SKR_INPUT_REQUIRED, SKR_TASK };

/* One message per line, or one per event of a stream (SSE-02). The rest of HTTP is in http_response.c. */
extern const struct skr_framing skri_framing_line;
extern const struct skr_framing skri_framing_sse;

/* Makes `a`, whose id and era are set, a result; `body` renders its members, from fields that the caller sets. */
void skri_response_result(struct skr_response *a, bool (*body)(struct skr_response *a));

/* Makes it an error instead, about `subject`. */
void skri_response_error(struct skr_response *a, enum skr_rpc_error error, struct skr_span subject);

/* True once it is a result, an error or another message; false while a job is to give the response later. */
static inline bool skri_response_is_made(const struct skr_response *a)
{
    return a->render != NULL;
}

/* Sets the file whose whole content the response carries. */
void skri_response_file(struct skr_response *a, const struct romfs_node *file);

/* Only n bytes of that file, from `from` on. A text is cut between characters, both ends moved forwards, so that
 * adjacent ranges stay adjacent. Reads the file up to there. */
void skri_response_range(struct skr_response *a, uint32_t from, uint32_t n);

/* Back to the first byte. */
void skri_response_rewind(struct skr_response *a);

/* The length of the response with its framing. Rewinds before and after. */
uint32_t skri_response_length(struct skr_response *a);

/* The next bytes: up to `room` of them, in `scratch`; or, if a long run of them needs no encoding, in place at *direct.
 * Returns how many; 0 at the end, or when `room` is too small for the next character, which SKR_RESPONSE_ROOM never
 * is. */
#define SKR_RESPONSE_ROOM 32
size_t skri_response_take(struct skr_response *a, char *scratch, size_t room, const char **direct);

/* True when the image may be swapped, and clients are notified (SK-X-22). */
static inline bool skri_can_change(const struct skr_response *a)
{
    return SKR_CHANGES && a->envelope.changes;
}

/* ---- For rendering functions ---- */

/* How a file's content is sent. */
static inline enum skr_piece_kind skri_file_piece(const struct romfs_node *file)
{
    return (file->flags & ROMFS_TEXT) != 0 ? SKR_FILE_TEXT : SKR_FILE_BLOB;
}

/* The number of pieces pushed in this step; and back to that number, dropping those pushed since. */
static inline uint8_t skri_pushed(const struct skr_response *a)
{
    return a->pieces.queued;
}
static inline void skri_unpush(struct skr_response *a, uint8_t pushed)
{
    a->pieces.queued = pushed;
}

/* Lengthens the piece that was pushed last by the n bytes that follow it in memory. */
static inline void skri_push_more(struct skr_response *a, size_t n)
{
    a->pieces.queue[a->pieces.queued - 1].n += (uint32_t)n;
}

/* Takes no span, because compilers build one in memory to pass it. */
void skri_push_bytes(struct skr_response *a, enum skr_piece_kind kind, const char *p, size_t n);
static inline void skri_push(struct skr_response *a, enum skr_piece_kind kind, struct skr_span bytes)
{
    skri_push_bytes(a, kind, bytes.p, bytes.n);
}
void skri_push_own(struct skr_response *a, enum skr_piece_kind kind); /* its source is in the response */
void skri_push_start(struct skr_response *a);                         /* the framing before */
void skri_push_end(struct skr_response *a);                           /* and after each JSON-RPC message */
void skri_push_opening(struct skr_response *a,
                       struct skr_span id); /* its first members; without an id if that is empty */
void skri_push_rom(struct skr_response *a, struct romfs_text text);

/* Pushes the device's name and version, and in a response that is `titled` its title. */
void skri_push_server_info(struct skr_response *a);
void skri_push_number(struct skr_response *a, uint32_t value);

/* Constant JSON text. On a PC it is expanded in place, and the compiler counts the bytes; with -Os it is called, which
 * is shorter. */
inline void skri_push_text(struct skr_response *a, const char *literal)
{
    skri_push_bytes(a, SKR_RAW, literal, strlen(literal));
}

#endif
