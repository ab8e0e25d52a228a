/* answer.h -- an outgoing message as pieces that can be taken in any amounts.
 *
 * A handler does not write its answer; it sets `render` (or `body`), a function
 * that pushes the next few pieces each time it is called. Pieces say where bytes
 * lie and what has to be done to them; they are made into bytes when the wire has
 * room. Nothing a piece points to changes before the answer has left, so the whole
 * answer can be rewound and made again: that is how its length is known before
 * its first byte is sent. */
#ifndef SKR_ANSWER_H
#define SKR_ANSWER_H

#include "answer/fault.h"
#include "skillrom.h"

enum skr_piece_kind {
    SKR_RAW,        /* bytes as they lie, in flash or in the request */
    SKR_ESCAPED,    /* UTF-8 text, as the inside of a JSON string */
    SKR_ANY_TEXT,   /* what firmware wrote, likewise: bad UTF-8 becomes U+FFFD */
    SKR_TOOL_TEXT,  /* the same without control characters but tab and newline (SK-S-09) */
    SKR_BASE64,     /* bytes, as base64 */
    SKR_BASE64_URL, /* the same with the digits that URLs may have, without padding */
    SKR_HEX,        /* bytes, as lower-case hex */
    SKR_NUMBER,     /* n itself, in decimal */
    SKR_FILE_TEXT,  /* content of a->file, as the inside of a JSON string */
    SKR_FILE_BLOB,  /* content of a->file, as base64 */
    SKR_FILE_PART,  /* a stretch of a->file, p being its struct romfs_body_part; as SKR_FILE_TEXT */
    SKR_ARCHIVE,    /* a->archive from its start, n bytes in all, as base64 */
};

/* What a modern result is. */
enum skr_result { SKR_COMPLETE, SKR_INPUT_REQUIRED, SKR_TASK };

/* One message a line; or each an event of a stream (SSE-02). What else HTTP needs is in http_answer.c. */
extern const struct skr_framing skri_framing_line;
extern const struct skr_framing skri_framing_sse;

/* Readies the answer to a request with this id: a result of the given era whose
 * members `body` renders. Fields of the list and of `of` are set by the caller
 * afterwards. */
void skri_answer_result(struct skr_answer *a, bool (*body)(struct skr_answer *a));

/* Makes it an error instead, about `subject`. */
void skri_answer_error(struct skr_answer *a, enum skr_fault fault, struct skr_span subject);

/* Sets the file whose content the answer carries, whole. */
void skri_answer_file(struct skr_answer *a, const struct romfs_node *file);

/* Of that file only n bytes from `from` on. A text is cut between characters, both ends
 * moved forwards, so that ranges that touch still do. Reads up to there. */
void skri_answer_range(struct skr_answer *a, uint32_t from, uint32_t n);

/* Back to the first byte. */
void skri_answer_rewind(struct skr_answer *a);

/* How many bytes the answer has with its framing. Rewinds before and after. */
uint32_t skri_answer_length(struct skr_answer *a);

/* Up to `room` bytes more, made in `scratch`; or, when the next ones lie ready and are
 * many, *direct set to where they lie. Returns how many; 0 at the end, or when `room`
 * is too small for the next character. */
size_t skri_answer_take(struct skr_answer *a, char *scratch, size_t room, const char **direct);

/* True when another image may take this one's place, and clients are told (SK-X-22). */
static inline bool skri_can_change(const struct skr_answer *a)
{
    return SKR_CHANGES && a->changes;
}

/* ---- For rendering functions ---- */

/* How a file's content travels. */
static inline enum skr_piece_kind skri_file_piece(const struct romfs_node *file)
{
    return (file->flags & ROMFS_TEXT) != 0 ? SKR_FILE_TEXT : SKR_FILE_BLOB;
}

/* A span is taken apart before the call, because compilers build one in memory to pass it. */
void skri_push_bytes(struct skr_answer *a, enum skr_piece_kind kind, const char *p, size_t n);
static inline void skri_push(struct skr_answer *a, enum skr_piece_kind kind, struct skr_span bytes)
{
    skri_push_bytes(a, kind, bytes.p, bytes.n);
}
void skri_push_own(struct skr_answer *a, enum skr_piece_kind kind); /* of what the answer knows by itself */
void skri_push_start(struct skr_answer *a);                         /* before and behind each JSON-RPC message: */
void skri_push_end(struct skr_answer *a);                           /* what the framing puts there */
void skri_push_text(struct skr_answer *a, const char *literal);     /* constant JSON text */
void skri_push_rom(struct skr_answer *a, struct romfs_text text);
void skri_push_number(struct skr_answer *a, uint32_t value);

#endif
