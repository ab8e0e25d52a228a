/* unescape.c -- see unescape.h. */
#include "unescape.h"

#include <string.h>

#define SHORT_ESCAPE 2u /* \n */
#define LONG_ESCAPE 6u  /* \u001f */

static bool is_plain(uint8_t c)
{
    return c >= 0x20 && c != '"' && c != '\\';
}

/* The control character whose two digits stand here; 0: they are none. */
static uint8_t control_byte(const uint8_t *digits)
{
    unsigned high = digits[0] - (unsigned)'0', low = digits[1] - (unsigned)(digits[1] < 'a' ? '0' : 'a' - 10);
    bool sound = high < 2 && low < (digits[1] < 'a' ? 10u : 16u);

    return sound ? (uint8_t)(high << 4 | low) : 0;
}

/* How many bytes the escape at the front has, and what it stands for; 0: it is damaged. */
static size_t read_escape(const uint8_t *in, size_t n, uint8_t *made)
{
    static const char letters[] = "nrtbf\"\\", meant[] = "\n\r\t\b\f\"\\";

    if (n < SHORT_ESCAPE || in[0] != '\\') {
        return 0;
    }
    const char *letter = memchr(letters, in[1], sizeof letters - 1);
    if (letter != NULL) {
        *made = (uint8_t)meant[letter - letters];
        return SHORT_ESCAPE;
    }
    if (n < LONG_ESCAPE || memcmp(in + 1, "u00", 3) != 0 || (*made = control_byte(in + 4)) == 0) {
        return 0;
    }
    return LONG_ESCAPE;
}

void romfs_unescape_start(struct romfs_unescape *u, const uint8_t *bytes, size_t n)
{
    u->in = bytes;
    u->end = bytes + n;
}

size_t romfs_unescape_next(struct romfs_unescape *u, size_t max, const uint8_t **bytes)
{
    size_t n = 0, left = (size_t)(u->end - u->in), most = left < max ? left : max;

    *bytes = u->in;
    while (n < most && is_plain(u->in[n])) {
        n++;
    }
    u->in += n;
    if (n == 0 && most > 0) {
        size_t used = read_escape(u->in, left, &u->made);
        *bytes = &u->made;
        u->in += used;
        n = used > 0;
    }
    return n;
}

uint32_t romfs_escaped_at(const struct romfs *fs, const struct romfs_node *file, uint32_t at)
{
    const uint8_t *text = fs->image + file->data;
    uint32_t stored = file->stored, i = 0;

    for (; i < stored && (at > 0 || (text[i] & 0xC0) == 0x80); i++, at -= at > 0) {
        if (text[i] == '\\' && ++i < stored && text[i] == 'u') {
            i += LONG_ESCAPE - SHORT_ESCAPE;
        }
    }
    return i < stored ? i : stored;
}

static bool text_is_sound(const struct romfs *fs, const struct romfs_node *file)
{
    struct romfs_unescape u;
    const uint8_t *bytes;
    size_t n, left = file->size;

    romfs_unescape_start(&u, fs->image + file->data, file->stored);
    while ((n = romfs_unescape_next(&u, left, &bytes)) > 0) {
        left -= n;
    }
    return left == 0 && romfs_unescape_whole(&u);
}

static bool node_is_sound(const struct romfs *fs, const struct romfs_node *node)
{
    return (node->flags & (ROMFS_ESCAPED | ROMFS_DIR)) != ROMFS_ESCAPED || text_is_sound(fs, node);
}

bool romfs_texts_are_sound(const struct romfs *fs)
{
    const struct romfs_panel *panel = romfs_find_panel(fs);

    for (uint32_t i = 0; i < fs->header->nodes.count; i++) {
        if (!node_is_sound(fs, &fs->nodes[i])) {
            return false;
        }
    }
    return panel == NULL || node_is_sound(fs, &panel->file);
}
