/* deflate.c -- miniz's tdefl, kept to a window.
 *
 * tdefl always searches 32 KB back. For a smaller window it is fed a window's worth at a time, each ended with a full
 * flush, which makes it forget what came before. That compresses a little less than a sliding window, but the limit
 * is exact: no distance can exceed the piece it is in. */
#include "image/deflate.h"

#include <stdlib.h>
#include <string.h>

#include "miniz.h"
#include "romfs.h"

/* Lazy parsing with far more probes than the default: packing happens once,
 * reading often. No zlib header is asked for, so the stream is raw. */
#define PROBES 1500

/* An empty block with the bit that says "last". What precedes it ends at a whole byte, so an archive can leave out
 * these two bytes and append more blocks. */
static const uint8_t final_block[] = {0x03, 0x00};

static mz_bool collect_bytes(const void *bytes, int n, void *user)
{
    buf_add(user, bytes, (size_t)n);
    return MZ_TRUE;
}

static bool compress_pieces(tdefl_compressor *z, const uint8_t *bytes, size_t n, size_t window)
{
    while (n > window) {
        if (tdefl_compress_buffer(z, bytes, window, TDEFL_FULL_FLUSH) != TDEFL_STATUS_OKAY) {
            return false;
        }
        bytes += window;
        n -= window;
    }
    return tdefl_compress_buffer(z, bytes, n, TDEFL_SYNC_FLUSH) == TDEFL_STATUS_OKAY;
}

bool deflate_raw(const uint8_t *bytes, size_t n, size_t window, struct buf *out)
{
    size_t before = out->n;
    size_t piece = window < ROMFS_WINDOW_MAX ? window : n; /* the full window is tdefl's own */
    tdefl_compressor *z = xmalloc(sizeof *z);

    bool well = tdefl_init(z, collect_bytes, out, PROBES) == TDEFL_STATUS_OKAY && compress_pieces(z, bytes, n, piece);
    free(z);
    buf_add(out, final_block, sizeof final_block);
    if (!well || !deflate_can_be_spliced(out->p + before, out->n - before) || out->n - before >= n) {
        out->n = before;
        return false;
    }
    return true;
}

bool deflate_can_be_spliced(const uint8_t *stream, size_t n)
{
    static const uint8_t ending[] = {0x00, 0x00, 0xFF, 0xFF, 0x03, 0x00};

    return n >= sizeof ending && memcmp(stream + n - sizeof ending, ending, sizeof ending) == 0;
}

size_t deflate_window(size_t n, size_t window)
{
    size_t needed = ROMFS_WINDOW_MIN;

    while (needed < n && needed < window) {
        needed *= 2;
    }
    return needed;
}
