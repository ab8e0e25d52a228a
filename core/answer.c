/* answer.c -- pieces into bytes. See answer.h for the idea; envelope.c has the
 * rendering of results and errors around their members.
 *
 * Invariants:
 *   (1) taken_pieces <= queued <= SKR_PIECES
 *   (2) `taken` counts bytes of the front piece's source, not of what was sent
 *   (3) a transformed character is made whole or not at all, so a take that finds
 *       less room than its longest form stops and comes back */
#include "answer.h"

#include "plain.h"
#include "span.h"

#define ESCAPE_MAX 6 /* \u001f */
#define NUMBER_MAX 10

void skr_push(struct skr_answer *a, enum skr_piece_kind kind, struct skr_span bytes)
{
    if (bytes.n == 0 && kind <= SKR_BASE64) {
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
#if SKR_DEFLATE
    a->run_left = 0;
#endif
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
}

/* ---- Making bytes ---- */

static unsigned put_number(char *out, uint32_t value)
{
    char digits[NUMBER_MAX];
    unsigned n = 0, length;
    do {
        digits[n++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    for (length = 0; n > 0; length++) {
        out[length] = digits[--n];
    }
    return length;
}

/* The letter of a two-character escape, 0 when the byte needs none, 'u' for \u00xx. */
static char escape_letter(unsigned char c)
{
    switch (c) {
    case '"': return '"';
    case '\\': return '\\';
    case '\n': return 'n';
    case '\r': return 'r';
    case '\t': return 't';
    case '\b': return 'b';
    case '\f': return 'f';
    default: return c < 0x20 ? 'u' : 0;
    }
}

static unsigned escaped_size(unsigned char c)
{
    char letter = escape_letter(c);
    return letter == 0 ? 1 : letter == 'u' ? ESCAPE_MAX : 2;
}

static unsigned put_escaped(char *out, unsigned char c)
{
    static const char hex[] = "0123456789abcdef";
    char letter = escape_letter(c);
    out[0] = '\\';
    out[1] = letter;
    if (letter != 'u') {
        return 2;
    }
    out[2] = out[3] = '0';
    out[4] = hex[c >> 4];
    out[5] = hex[c & 15];
    return ESCAPE_MAX;
}

/* Escapes from[0..n) into out; *used gets how many source bytes went. */
static size_t escape_run(const char *from, size_t n, char *out, size_t room, size_t *used)
{
    size_t made = 0, i = 0;
    while (i < n && room - made >= ESCAPE_MAX) { /* (3) */
        size_t plain = skr_plain_run(from + i, n - i < room - made ? n - i : room - made, false);
        if (plain > 0) {
            memcpy(out + made, from + i, plain);
            made += plain;
            i += plain;
        } else {
            made += put_escaped(out + made, (unsigned char)from[i++]);
        }
    }
    *used = i;
    return made;
}

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

/* The next bytes of the file's content that lie together, without using them up. */
static size_t file_run(struct skr_answer *a, const char **bytes)
{
    const struct romfs_node *file = a->of.node;
#if SKR_DEFLATE
    if ((file->flags & ROMFS_DEFLATE) != 0) {
        if (a->taken == 0 && a->run_left == 0) {
            romfs_inflate_start(a->inflate, a->fs, file, a->window);
        }
        if (a->run_left == 0) {
            a->run_left = (uint32_t)romfs_inflate_next(a->inflate, &a->run);
        }
        *bytes = (const char *)a->run;
        return a->run_left;
    }
#endif
    *bytes = (const char *)a->fs->image + file->data + a->taken;
    return file->size - a->taken;
}

static void file_used(struct skr_answer *a, size_t n)
{
    a->taken += (uint32_t)n;
#if SKR_DEFLATE
    if ((a->of.node->flags & ROMFS_DEFLATE) != 0) {
        a->run += n;
        a->run_left -= (uint32_t)n;
    }
#endif
}

/* The file is not what its record says. Only the end of the message follows, so that
 * the peer sees a broken one and the next begins where it should. */
static void break_off(struct skr_answer *a)
{
    a->damaged = true;
    a->taken_pieces = 0;
    a->queued = 0;
    a->taken = 0;
    a->carried = 0;
    skr_push(a, SKR_END, SPAN(""));
}

/* Holds the text made of a file against the length that was promised for it; what
 * exceeds it is not sent. */
static bool text_is_as_promised(struct skr_answer *a, size_t *made, bool all)
{
    uint32_t promised = a->of.node->json_size;
    if (*made > promised - a->file_made) {
        *made = promised - a->file_made;
        return false;
    }
    a->file_made += (uint32_t)*made;
    return !all || a->file_made == promised;
}

/* ---- Taking ---- */

/* Makes bytes of the front piece and drops it when it is used up. False when there
 * is too little room for its next character. */
static bool make(struct skr_answer *a, const struct skr_piece *piece, char *out, size_t room, size_t *made)
{
    bool file = piece->kind == SKR_FILE_TEXT || piece->kind == SKR_FILE_BLOB, last = true;
    const char *from = piece->p;
    size_t n = piece->n, used = 0;

    if (file) {
        n = file_run(a, &from);
        last = a->taken + n == a->of.node->size;
        if (n == 0 && !last) {
            *made = 0;
            break_off(a);
            return true;
        }
    } else if (piece->kind >= SKR_START) {
        struct skr_span framing = piece->kind == SKR_START ? a->framing->start : a->framing->end;
        from = framing.p + a->taken;
        n = framing.n - a->taken;
    } else if (piece->kind != SKR_NUMBER) {
        from += a->taken;
        n -= a->taken;
    }
    switch (piece->kind) {
    case SKR_NUMBER:
        *made = room >= NUMBER_MAX ? put_number(out, piece->n) : 0;
        used = *made > 0 ? n : 0;
        break;
    case SKR_ESCAPED:
    case SKR_FILE_TEXT:
        *made = escape_run(from, n, out, room, &used);
        break;
    case SKR_BASE64:
    case SKR_FILE_BLOB:
        *made = base64_run(a, from, n, last, out, room, &used);
        break;
    default:
        *made = used = n < room ? n : room;
        memcpy(out, from, used);
    }
    if (piece->kind == SKR_FILE_TEXT && !text_is_as_promised(a, made, last && used == n)) {
        break_off(a);
        return true;
    }
    if (file) {
        file_used(a, used);
    } else {
        a->taken += (uint32_t)used;
    }
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

static uint32_t base64_size(uint32_t n)
{
    return (n + 2) / 3 * 4;
}

static uint32_t piece_length(const struct skr_answer *a, const struct skr_piece *piece)
{
    char digits[NUMBER_MAX];
    uint32_t length = 0;
    switch (piece->kind) {
    case SKR_NUMBER: return put_number(digits, piece->n);
    case SKR_START: return (uint32_t)a->framing->start.n;
    case SKR_END: return (uint32_t)a->framing->end.n;
    case SKR_BASE64: return base64_size(piece->n);
    case SKR_FILE_BLOB: return base64_size(a->of.node->size);
    case SKR_FILE_TEXT: return a->of.node->json_size; /* the compiler has counted */
    case SKR_ESCAPED:
        for (uint32_t i = 0; i < piece->n; i++) {
            length += escaped_size((unsigned char)piece->p[i]);
        }
        return length;
    default: return piece->n;
    }
}

uint32_t skr_answer_length(struct skr_answer *a)
{
    const struct skr_piece *piece;
    uint32_t length = 0;
    skr_answer_rewind(a);
    while ((piece = front(a)) != NULL) {
        length += piece_length(a, piece);
        drop_front(a);
    }
    skr_answer_rewind(a);
    return length;
}
