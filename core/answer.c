/* answer.c -- pieces into bytes. See answer.h for the idea; envelope.c has the
 * rendering of results and errors around their members.
 *
 * Invariants:
 *   (1) taken_pieces <= queued <= SKR_PIECES
 *   (2) `taken` counts bytes of the front piece's source, not of what was sent
 *   (3) a transformed character is made whole or not at all (encode.h), so a take that
 *       finds less room than its longest form stops and comes back */
#include "answer.h"

#include "encode.h"
#include "span.h"

void skr_push(struct skr_answer *a, enum skr_piece_kind kind, struct skr_span bytes)
{
    if (bytes.n == 0 && kind <= SKR_HEX) {
        return;
    }
    struct skr_piece *piece = &a->queue[a->queued++]; /* (1): a step pushes at most SKR_PIECES */
    piece->p = bytes.p;
    piece->n = (uint32_t)bytes.n;
    piece->kind = (uint8_t)kind;
}

void skr_push_text(struct skr_answer *a, const char *literal)
{
    skr_push(a, SKR_RAW, skr_span_of(literal));
}

void skr_push_rom(struct skr_answer *a, struct romfs_text text)
{
    skr_push(a, SKR_RAW, skr_span_rom(a->fs, text));
}

void skr_push_number(struct skr_answer *a, uint32_t value)
{
    struct skr_span s = {NULL, value};
    skr_push(a, SKR_NUMBER, s);
}

void skr_answer_rewind(struct skr_answer *a)
{
    a->step = 0;
    a->body_step = 0;
    a->index = a->first;
    a->queued = 0;
    a->taken_pieces = 0;
    a->taken = 0;
    a->file_made = 0;
    a->carried = 0;
    a->damaged = false;
#if SKR_DEFLATE
    a->run_of = NULL;
#endif
}

void skr_answer_file(struct skr_answer *a, const struct romfs_node *file)
{
    a->file = file;
    a->file_from = 0;
    a->file_end = file->size;
}

/* The front piece, or NULL when the answer is at its end. */
static const struct skr_piece *front(struct skr_answer *a)
{
    while (a->taken_pieces == a->queued) {
        a->taken_pieces = 0;
        a->queued = 0;
        if (a->damaged || !a->render(a)) {
            return NULL;
        }
    }
    return &a->queue[a->taken_pieces];
}

static void drop_front(struct skr_answer *a)
{
    a->taken_pieces++;
    a->taken = 0;
    a->file_made = 0;
}

/* ---- Base64 ---- */

static void put_group(char *out, const uint8_t *in, unsigned n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = (uint32_t)in[0] << 16 | (uint32_t)(n > 1 ? in[1] : 0) << 8 | (uint32_t)(n > 2 ? in[2] : 0);
    out[0] = digits[bits >> 18];
    out[1] = digits[bits >> 12 & 63];
    out[2] = n > 1 ? digits[bits >> 6 & 63] : '=';
    out[3] = n > 2 ? digits[bits & 63] : '=';
}

/* Base64 of from[0..n), going on from the bytes carried. With `last` the final
 * group is padded and made. */
static size_t base64_run(struct skr_answer *a, const char *from, size_t n, bool last, char *out, size_t room,
                         size_t *used)
{
    size_t made = 0, i = 0;
    while (room - made >= 4 && (i < n || (last && a->carried > 0))) { /* (3) */
        uint8_t group[3];
        unsigned have = a->carried;
        memcpy(group, a->carry, have);
        while (have < 3 && i < n) {
            group[have++] = (uint8_t)from[i++];
        }
        a->carried = 0;
        if (have < 3 && !last) {
            memcpy(a->carry, group, have);
            a->carried = (uint8_t)have;
            break;
        }
        put_group(out + made, group, have);
        made += 4;
    }
    *used = i;
    return made;
}

/* ---- Content of a file ---- */

/* Whether instructions are sent without what stands before them in SKILL.md. */
#define PARTS (SKR_DIALECT_D || SKR_DIALECT_E || SKR_DIALECT_F || (SKR_PROMPTS && SKR_SKILL_PROMPTS))

static const struct romfs_body_part *part_of(const struct skr_piece *piece)
{
    return (const void *)piece->p;
}

/* The bytes of the file's content from `at` on that lie together, at most up to `end`.
 * A deflated file is read forwards; only what lies before the last place read makes it
 * start again. */
static size_t file_run(struct skr_answer *a, uint32_t at, uint32_t end, const char **bytes)
{
    const struct romfs_node *file = a->file;
    if (at == end) {
        return 0;
    }
#if SKR_DEFLATE
    if ((file->flags & ROMFS_DEFLATE) != 0) {
        if (a->run_of != file || at < a->run_at) {
            romfs_inflate_start(a->inflate, a->fs, file, a->window);
            a->run_of = file;
            a->run_at = a->run_end = 0;
        }
        while (a->run_end <= at) {
            size_t n = romfs_inflate_next(a->inflate, &a->run);
            if (n == 0) {
                return 0; /* it cannot be read to its end */
            }
            a->run_at = a->run_end;
            a->run_end += (uint32_t)n;
        }
        *bytes = (const char *)a->run + (at - a->run_at);
        return (end < a->run_end ? end : a->run_end) - at;
    }
#endif
    *bytes = (const char *)a->fs->image + file->data + at;
    return end - at;
}

static uint32_t character_from(struct skr_answer *a, uint32_t at)
{
    const char *byte;
    while (at < a->file->size && file_run(a, at, at + 1, &byte) > 0 && (*byte & 0xC0) == 0x80) {
        at++;
    }
    return at;
}

void skr_answer_range(struct skr_answer *a, uint32_t from, uint32_t n)
{
    uint32_t size = a->file->size;
    from = from < size ? from : size;
    a->file_from = from;
    a->file_end = n < size - from ? from + n : size;
    if ((a->file->flags & ROMFS_TEXT) != 0) {
        a->file_from = character_from(a, a->file_from);
        a->file_end = character_from(a, a->file_end);
    }
}

#if SKR_ARCHIVES
/* The bytes of the archive behind those taken that lie together. It starts over whenever
 * nothing is taken, so it needs no rewinding. */
static size_t archive_run(struct skr_answer *a, const char **bytes)
{
    if (a->taken == 0) {
        romfs_archive_rewind(&a->archive);
        a->run_end = 0;
    }
    if (a->taken == a->run_end) {
        a->run_at = a->run_end;
        a->run_end += (uint32_t)romfs_archive_next(&a->archive, &a->run);
    }
    *bytes = (const char *)a->run + (a->taken - a->run_at);
    return a->run_end - a->taken;
}
#endif

/* ---- Taking ---- */

/* Where the front piece's next source bytes lie, and how many of them. *last is cleared
 * when more of it lies elsewhere. */
static size_t source(struct skr_answer *a, const struct skr_piece *piece, const char **from, bool *last)
{
    uint32_t at = a->file_from, end = a->file_end;
    struct skr_span framing;
    if (PARTS && piece->kind == SKR_FILE_PART) {
        at = part_of(piece)->off;
        end = at + part_of(piece)->len;
    }
    switch (piece->kind) {
    case SKR_FILE_PART:
    case SKR_FILE_TEXT:
    case SKR_FILE_BLOB: {
        size_t n = file_run(a, at + a->taken, end, from);
        *last = at + a->taken + n == end;
        return n;
    }
#if SKR_ARCHIVES
    case SKR_ARCHIVE: {
        size_t n = archive_run(a, from);
        *last = a->taken + n == piece->n;
        return n;
    }
#endif
    case SKR_START:
    case SKR_END:
        framing = piece->kind == SKR_START ? a->framing->start : a->framing->end;
        *from = framing.p + a->taken;
        return framing.n - a->taken;
    case SKR_NUMBER: return piece->n;
    default: *from = piece->p + a->taken; return piece->n - a->taken;
    }
}

/* The length of a stretch of text that was counted when the image was written; false: of
 * this one it was not. */
static bool text_length(const struct skr_answer *a, const struct skr_piece *piece, uint32_t *length)
{
    if (PARTS && piece->kind == SKR_FILE_PART) {
        *length = part_of(piece)->json_size;
        return true;
    }
    *length = a->file != NULL ? a->file->json_size : 0;
    return piece->kind == SKR_FILE_TEXT && a->file_end - a->file_from == a->file->size;
}

/* The file is not what its record says. Only the end of the message follows, so that
 * the peer sees a broken one and the next begins where it should. */
static bool break_off(struct skr_answer *a)
{
    a->damaged = true;
    a->taken_pieces = 0;
    a->queued = 0;
    a->taken = 0;
    a->carried = 0;
    skr_push(a, SKR_END, SPAN(""));
    return true;
}

/* Holds the text made of a file against the length that was promised for it; what
 * exceeds it is not sent. */
static bool text_is_as_promised(struct skr_answer *a, const struct skr_piece *piece, size_t *made, bool all)
{
    uint32_t promised;
    if (!text_length(a, piece, &promised)) {
        return true;
    }
    if (*made > promised - a->file_made) {
        *made = promised - a->file_made;
        return false;
    }
    a->file_made += (uint32_t)*made;
    return !all || a->file_made == promised;
}

/* Makes bytes of the front piece and drops it when it is used up. False when there
 * is too little room for its next character. */
static bool make(struct skr_answer *a, const struct skr_piece *piece, char *out, size_t room, size_t *made)
{
    const char *from = NULL;
    bool last = true;
    size_t n = source(a, piece, &from, &last), used = 0;

    *made = 0;
    if (n == 0 && !last) {
        return break_off(a);
    }
    switch (piece->kind) {
    case SKR_NUMBER:
        *made = room >= SKR_NUMBER_MAX ? skr_put_number(out, piece->n) : 0;
        used = *made > 0 ? n : 0;
        break;
    case SKR_ESCAPED:
    case SKR_FILE_TEXT:
    case SKR_FILE_PART:
        *made = skr_escape(from, n, out, room, &used);
        break;
    case SKR_BASE64:
    case SKR_FILE_BLOB:
    case SKR_ARCHIVE:
        *made = base64_run(a, from, n, last, out, room, &used);
        break;
#if SKR_DIALECT_B
    case SKR_HEX:
        used = n < room / 2 ? n : room / 2;
        *made = 2 * used;
        skr_put_hex(out, from, used);
        break;
#endif
    default:
        *made = used = n < room ? n : room;
        memcpy(out, from, used);
    }
    if (!text_is_as_promised(a, piece, made, last && used == n)) {
        return break_off(a);
    }
    a->taken += (uint32_t)used;
    if (used == n && last && a->carried == 0 && (piece->kind != SKR_NUMBER || *made > 0)) {
        drop_front(a);
        return true;
    }
    return used > 0 || *made > 0;
}

size_t skr_answer_take(struct skr_answer *a, char *scratch, size_t room, const char **direct)
{
    const struct skr_piece *piece;
    size_t made = 0, more;
    *direct = NULL;
    while (made < room && (piece = front(a)) != NULL) {
        if (piece->kind == SKR_RAW && piece->n - a->taken >= SKR_TX_DIRECT) {
            if (made == 0) {
                *direct = piece->p + a->taken;
                made = piece->n - a->taken;
                drop_front(a);
            }
            break;
        }
        if (!make(a, piece, scratch + made, room - made, &more)) {
            break;
        }
        made += more;
    }
    return made;
}

/* ---- Length without making ---- */

/* True when the piece's length is known without making it. */
static bool known_length(const struct skr_answer *a, const struct skr_piece *piece, uint32_t *length)
{
    switch (piece->kind) {
    case SKR_RAW: *length = piece->n; return true;
    case SKR_FILE_BLOB: *length = (a->file_end - a->file_from + 2) / 3 * 4; return true;
    case SKR_ARCHIVE: *length = (piece->n + 2) / 3 * 4; return true;
    default: return text_length(a, piece, length);
    }
}

uint32_t skr_answer_length(struct skr_answer *a)
{
    const struct skr_piece *piece;
    char out[32];
    uint32_t length = 0, n;
    size_t made;
    skr_answer_rewind(a);
    while ((piece = front(a)) != NULL) {
        if (known_length(a, piece, &n)) {
            length += n;
            drop_front(a);
        } else {
            (void)make(a, piece, out, sizeof out, &made); /* the room is enough for any character */
            length += (uint32_t)made;
        }
    }
    skr_answer_rewind(a);
    return length;
}
