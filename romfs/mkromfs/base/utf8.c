/* utf8.c -- decoding, counting and locating characters. */
#include "base/utf8.h"

#include "skr_text.h"

size_t utf8_decode(const char *text, size_t n, uint32_t *c)
{
    size_t width = n > 0 ? skr_utf8_char(text, n) : 0;

    if (width > 0) {
        *c = (unsigned char)text[0] & (width > 1 ? 0x7Fu >> width : 0x7Fu);
    }
    for (size_t i = 1; i < width; i++) {
        *c = *c << 6 | ((unsigned char)text[i] & 0x3Fu);
    }
    return width;
}

size_t utf8_bad_offset(const char *text, size_t n)
{
    size_t i = 0;

    while (i < n) {
        uint32_t c;
        size_t width = utf8_decode(text + i, n - i, &c);
        if (width == 0) {
            break;
        }
        i += width;
    }
    return i;
}

bool utf8_is_control(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0);
}

size_t utf8_units(const char *text, size_t n)
{
    size_t units = 0;

    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        units += (c & 0xC0) != 0x80; /* a first byte */
        units += c >= 0xF0;          /* beyond the BMP: a surrogate pair */
    }
    return units;
}

size_t utf8_clip(const char *text, size_t n, size_t most)
{
    return skr_span_clip((struct skr_span){text, n}, most).n;
}

struct pos utf8_pos(const char *text, size_t offset)
{
    return utf8_pos_from((struct pos){1, 1}, text, offset);
}

struct pos utf8_pos_from(struct pos at, const char *text, size_t offset)
{
    for (size_t i = 0; i < offset; i++) {
        if (text[i] == '\n') {
            at.line++;
            at.col = 1;
        } else if (((unsigned char)text[i] & 0xC0) != 0x80) {
            at.col++;
        }
    }
    return at;
}
