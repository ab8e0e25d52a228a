/* utf8.c -- decoding, counting and locating characters. The decoder accepts exactly what RFC 3629 calls well-formed,
 * because the image promises that everything sent as text is well-formed. */
#include "base/utf8.h"

#include "text/span.h"

size_t utf8_decode(const char *text, size_t n, uint32_t *c)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};

    if (n == 0) {
        return 0;
    }
    unsigned char first = (unsigned char)text[0];
    size_t width = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    if (width == 0 || width > n) {
        return 0;
    }
    if (width == 1) {
        *c = first;
        return 1;
    }
    uint32_t value = first & (0x7Fu >> width);
    for (size_t i = 1; i < width; i++) {
        unsigned char next = (unsigned char)text[i];
        if ((next & 0xC0) != 0x80) {
            return 0;
        }
        value = (value << 6) | (next & 0x3Fu);
    }
    if (value < smallest[width] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
        return 0;
    }
    *c = value;
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
