/* response.c -- turns pieces into bytes. See response.h for the idea; envelope.c renders the members around those of
 * results and errors.
 *
 * Invariants:
 *   (1) taken_pieces <= queued <= SKR_PIECES
 *   (2) `taken` counts bytes of the front piece's source, not bytes sent
 *   (3) an encoded character is written whole or not at all (encode.h), so skri_response_take stops when there is less
 *       room than its longest form, and goes on in the next call */
#include "response/response.h"

#include "text/assert.h"
#include "text/encode.h"
#include "text/span.h"

/* Whether the instructions of a SKILL.md can be sent without its frontmatter. */
#define PARTS (SKR_DIALECTS || SKR_EXTRAS)

static const struct romfs_body_part *part_of(const struct skr_piece *piece)
{
    return (const void *)piece->p;
}

/* The part of the file that the piece stands for; `length` is how many bytes the file is read as. */
static struct skr_stretch stretch_of(const struct skr_response *a, const struct skr_piece *piece, uint32_t length)
{
    struct skr_stretch s = {0, length};

#if SKR_EXTRAS
    s = a->pieces.range;
#else
    (void)a;
#endif
    if (PARTS && piece->kind == SKR_FILE_PART) {
        s.from = part_of(piece)->off;
        s.end = s.from + part_of(piece)->len;
    }
    return s;
}

/* A text that is stored escaped is sent in place. */
static void use_stored(const struct skr_response *a, struct skr_piece *piece)
{
    struct skr_stretch s = stretch_of(a, piece, a->pieces.file->stored);

    SKR_ASSERT(s.from <= s.end && s.end <= a->pieces.file->stored);
    piece->p = (const char *)a->fs->image + a->pieces.file->data + s.from;
    piece->n = s.end - s.from;
    piece->kind = SKR_RAW;
}

/* ---- Pushing ---- */

void skri_push_bytes(struct skr_response *a, enum skr_piece_kind kind, const char *p, size_t n)
{
    if (n == 0 && kind <= SKR_HEX) {
        return;
    }
    SKR_ASSERT(a->pieces.queued < SKR_PIECES); /* (1): a step pushes at most that many */
    struct skr_piece *piece = &a->pieces.queue[a->pieces.queued++];
    piece->p = p;
    piece->n = (uint32_t)n;
    piece->kind = (uint8_t)kind;
    if (kind >= SKR_FILE_TEXT && (a->pieces.file->flags & ROMFS_ESCAPED) != 0) {
        use_stored(a, piece);
    }
}

void skri_push_own(struct skr_response *a, enum skr_piece_kind kind)
{
    skri_push_bytes(a, kind, (const char *)a->fs->image, 0); /* any pointer: nothing is read there */
}

void skri_push_start(struct skr_response *a)
{
    skri_push(a, SKR_RAW, a->framing->start);
}

void skri_push_end(struct skr_response *a)
{
    skri_push(a, SKR_RAW, a->framing->end);
}

extern inline void skri_push_text(struct skr_response *a, const char *literal);

void skri_push_rom(struct skr_response *a, struct romfs_text text)
{
    skri_push(a, SKR_RAW, skr_span_rom(a->fs, text));
}

void skri_push_number(struct skr_response *a, uint32_t value)
{
    struct skr_span s = {"", value}; /* any pointer: nothing is read there */

    skri_push(a, SKR_NUMBER, s);
}

void skri_response_rewind(struct skr_response *a)
{
    a->step = 0;
    a->body_step = 0;
    a->any_item = false;
    a->index = a->first;
    a->pieces.queued = 0;
    a->pieces.taken_pieces = 0;
    a->pieces.taken = 0;
    a->pieces.file_made = 0;
    a->pieces.carry.n = 0;
    a->damaged = false;
    a->ended = false;
#if SKR_DEFLATE
    a->pieces.run_of = NULL;
#endif
}

void skri_response_file(struct skr_response *a, const struct romfs_node *file)
{
    a->pieces.file = file;
#if SKR_EXTRAS
    a->pieces.range = (struct skr_stretch){0, romfs_length(file)};
#endif
}

/* The next piece, or NULL at the end of the response. */
static const struct skr_piece *next_piece(struct skr_response *a)
{
    while (a->pieces.taken_pieces == a->pieces.queued) {
        a->pieces.taken_pieces = 0;
        a->pieces.queued = 0;
        if (a->damaged || !a->render(a)) {
            a->ended = true;
            return NULL;
        }
    }
    SKR_ASSERT(a->pieces.taken_pieces < a->pieces.queued && a->pieces.queued <= SKR_PIECES);
    return &a->pieces.queue[a->pieces.taken_pieces];
}

static void drop_piece(struct skr_response *a)
{
    a->pieces.taken_pieces++;
    a->pieces.taken = 0;
    a->pieces.file_made = 0;
}

/* ---- Content of a file ---- */

/* A contiguous run of the file's content that starts at `at` and ends at `end` or before. A deflated file is read
 * forwards; only a position before the last run makes it start again. */
static size_t file_run(struct skr_response *a, uint32_t at, uint32_t end, const char **bytes)
{
    const struct romfs_node *file = a->pieces.file;

    SKR_ASSERT(at <= end && end <= file->size);
    if (at == end) {
        return 0;
    }
#if SKR_DEFLATE
    if ((file->flags & ROMFS_DEFLATE) != 0) {
        if (a->pieces.run_of != file || at < a->pieces.run_at) {
            romfs_inflate_start(a->pieces.inflate, a->fs, file, a->pieces.window);
            a->pieces.run_of = file;
            a->pieces.run_at = a->pieces.run_end = 0;
        }
        while (a->pieces.run_end <= at) {
            size_t n = romfs_inflate_next(a->pieces.inflate, &a->pieces.run);
            if (n == 0) {
                return 0; /* it cannot be read to its end */
            }
            a->pieces.run_at = a->pieces.run_end;
            a->pieces.run_end += (uint32_t)n;
        }
        *bytes = (const char *)a->pieces.run + (at - a->pieces.run_at);
        return (end < a->pieces.run_end ? end : a->pieces.run_end) - at;
    }
#endif
    SKR_ASSERT(file->data <= a->fs->header->size && end <= a->fs->header->size - file->data);
    *bytes = (const char *)a->fs->image + file->data + at;
    return end - at;
}

#if SKR_EXTRAS
/* Where the first character at or after byte `at` of a text's content begins in the bytes that it is read as. */
static uint32_t character_from(struct skr_response *a, uint32_t at)
{
    const char *byte;

    if ((a->pieces.file->flags & ROMFS_ESCAPED) != 0) {
        return romfs_escaped_at(a->fs, a->pieces.file, at);
    }
    while (at < a->pieces.file->size && file_run(a, at, at + 1, &byte) > 0 && (*byte & 0xC0) == 0x80) {
        at++;
    }
    return at;
}

void skri_response_range(struct skr_response *a, uint32_t from, uint32_t n)
{
    uint32_t size = a->pieces.file->size;

    from = from < size ? from : size;
    a->pieces.range.from = from;
    a->pieces.range.end = n < size - from ? from + n : size;
    if ((a->pieces.file->flags & ROMFS_TEXT) != 0) {
        a->pieces.range.from = character_from(a, a->pieces.range.from);
        a->pieces.range.end = character_from(a, a->pieces.range.end);
    }
}
#endif

#if SKR_DIALECTS
/* A contiguous run of the archive, after the bytes taken. It starts over whenever none are taken, so it needs no
 * rewinding. */
static size_t archive_run(struct skr_response *a, const char **bytes)
{
    if (a->pieces.taken == 0) {
        romfs_archive_rewind(&a->pieces.archive);
        a->pieces.run_end = 0;
    }
    if (a->pieces.taken == a->pieces.run_end) {
        a->pieces.run_at = a->pieces.run_end;
        a->pieces.run_end += (uint32_t)romfs_archive_next(&a->pieces.archive, &a->pieces.run);
    }
    SKR_ASSERT(a->pieces.run_at <= a->pieces.taken && a->pieces.taken <= a->pieces.run_end);
    *bytes = (const char *)a->pieces.run + (a->pieces.taken - a->pieces.run_at);
    return a->pieces.run_end - a->pieces.taken;
}
#endif

/* ---- Taking ---- */

/* The front piece's next source bytes that are contiguous. False when more follow them. */
static bool piece_source(struct skr_response *a, const struct skr_piece *piece, struct skr_span *bytes)
{
    switch (piece->kind) {
    case SKR_FILE_PART:
    case SKR_FILE_TEXT:
    case SKR_FILE_BLOB: {
        struct skr_stretch s = stretch_of(a, piece, a->pieces.file->size);
        bytes->n = file_run(a, s.from + a->pieces.taken, s.end, &bytes->p);
        return s.from + a->pieces.taken + bytes->n == s.end;
    }
#if SKR_DIALECTS
    case SKR_ARCHIVE: bytes->n = archive_run(a, &bytes->p); return a->pieces.taken + bytes->n == piece->n;
#endif
    default: break;
    }
    SKR_ASSERT(a->pieces.taken <= piece->n || piece->kind == SKR_NUMBER);
    *bytes = (struct skr_span){piece->p + a->pieces.taken, piece->n - a->pieces.taken};
    return true;
}

/* The encoded length of a text, counted when the image was written; false: not for this piece. */
static bool text_length(const struct skr_response *a, const struct skr_piece *piece, uint32_t *length)
{
    if (PARTS && piece->kind == SKR_FILE_PART) {
        *length = part_of(piece)->json_size;
        return true;
    }
    if (piece->kind != SKR_FILE_TEXT) {
        return false;
    }
    struct skr_stretch s = stretch_of(a, piece, a->pieces.file->size);
    *length = a->pieces.file->json_size;
    return s.end - s.from == a->pieces.file->size;
}

/* The file does not match its record. Only the end of the message follows, so that the peer sees a broken message and
 * the next one begins where it should. */
static bool abort_response(struct skr_response *a)
{
    a->damaged = true;
    a->pieces.taken_pieces = 0;
    a->pieces.queued = 0;
    a->pieces.taken = 0;
    a->pieces.carry.n = 0;
    skri_push_end(a);
    return true;
}

/* Checks the text made from a file against its promised length; excess bytes are not sent. */
static bool text_is_as_promised(struct skr_response *a, const struct skr_piece *piece, size_t *made, bool all)
{
    uint32_t promised;

    if (!text_length(a, piece, &promised)) {
        return true;
    }
    if (*made > promised - a->pieces.file_made) {
        *made = promised - a->pieces.file_made;
        return false;
    }
    a->pieces.file_made += (uint32_t)*made;
    return !all || a->pieces.file_made == promised;
}

static void encode_piece(struct skr_response *a, const struct skr_piece *piece, struct skr_encoding *e, bool last)
{
    switch (piece->kind) {
    case SKR_ESCAPED:
    case SKR_FILE_TEXT:
    case SKR_FILE_PART: skr_encode_text(e); break;
    case SKR_ANY_TEXT:
    case SKR_TOOL_TEXT: skr_encode_any(e, piece->kind == SKR_ANY_TEXT); break;
    case SKR_BASE64:
    case SKR_BASE64_URL:
    case SKR_FILE_BLOB:
    case SKR_ARCHIVE: skr_encode_base64(e, &a->pieces.carry, last); break;
    case SKR_HEX:
        if (SKR_DIALECTS) {
            skr_encode_hex(e);
        }
        break;
    default: /* SKR_NUMBER: used up when it is written */ skr_encode_number(e, piece->n); e->n = e->made == 0;
    }
}

/* Copies as much of the front piece, which needs no encoding, as there is room for. By memmove: gcc for x86 turns a
 * memcpy whose bound it knows into "rep movs", which takes longer to start than most pieces take to copy. */
static size_t copy_piece(struct skr_response *a, const struct skr_piece *piece, char *out, size_t room)
{
    const char *from = piece->p + a->pieces.taken;
    size_t n = piece->n - a->pieces.taken;

    if (n <= room) {
        drop_piece(a);
    } else {
        n = room;
        a->pieces.taken += (uint32_t)n;
    }
    memmove(out, from, n);
    return n;
}

/* Encodes bytes of the front piece and drops it when it is used up. False when there is too little room for its next
 * character. */
static bool make_piece(struct skr_response *a, const struct skr_piece *piece, char *out, size_t room, size_t *made)
{
    struct skr_span bytes = {NULL, 0};
    bool last = piece_source(a, piece, &bytes);

    *made = 0;
    if (bytes.n == 0 && !last) {
        return abort_response(a);
    }
    struct skr_encoding e = {.from = bytes.p, .n = bytes.n, .out = out, .room = room};
#if SKR_INTERACTIVE
    e.url = piece->kind == SKR_BASE64_URL;
#endif
    encode_piece(a, piece, &e, last);
    SKR_ASSERT(e.made <= room && e.used <= e.n);
    *made = e.made;
    bool all = last && e.used == e.n;
    if (!text_is_as_promised(a, piece, made, all)) {
        return abort_response(a);
    }
    a->pieces.taken += (uint32_t)e.used;
    if (all && a->pieces.carry.n == 0) {
        drop_piece(a);
        return true;
    }
    return e.used > 0 || e.made > 0;
}

/* The source may be reused before its bytes have been sent, so they are copied, never sent in place. */
static bool is_passing(const struct skr_response *a)
{
    return SKR_TASKS && a->kind == SKR_AS_job && a->as.job.is_current != NULL;
}

size_t skri_response_take(struct skr_response *a, char *scratch, size_t room, const char **direct)
{
    const struct skr_piece *piece;
    size_t made = 0, more;

    *direct = NULL;
    if (is_passing(a) && !a->damaged && !a->as.job.is_current(a)) {
        (void)abort_response(a);
    }
    while (made < room && (piece = next_piece(a)) != NULL) {
        if (piece->kind == SKR_RAW) {
            size_t left = piece->n - a->pieces.taken;
            if (left < SKR_TX_DIRECT || is_passing(a)) {
                made += copy_piece(a, piece, scratch + made, room - made);
                continue;
            }
            if (made == 0) {
                *direct = piece->p + a->pieces.taken;
                made = left;
                drop_piece(a);
            }
            break;
        }
        if (!make_piece(a, piece, scratch + made, room - made, &more)) {
            break;
        }
        made += more;
    }
    return made;
}

/* ---- Length without encoding ---- */

/* True when the piece's length is known without encoding it. */
static bool fixed_length(const struct skr_response *a, const struct skr_piece *piece, uint32_t *length)
{
    switch (piece->kind) {
    case SKR_RAW: *length = piece->n; return true;
    case SKR_FILE_BLOB: {
        struct skr_stretch s = stretch_of(a, piece, a->pieces.file->size);
        *length = (s.end - s.from + 2) / 3 * 4;
        return true;
    }
    case SKR_ARCHIVE: *length = (piece->n + 2) / 3 * 4; return true;
    default: return text_length(a, piece, length);
    }
}

uint32_t skri_response_length(struct skr_response *a)
{
    const struct skr_piece *piece;
    char out[SKR_RESPONSE_ROOM];
    uint32_t length = 0, n;
    size_t made;

    skri_response_rewind(a);
    while ((piece = next_piece(a)) != NULL) {
        if (fixed_length(a, piece, &n)) {
            length += n;
            drop_piece(a);
        } else {
            (void)make_piece(a, piece, out, sizeof out, &made);
            length += (uint32_t)made;
        }
    }
    skri_response_rewind(a);
    return length;
}
