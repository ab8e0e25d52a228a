/* text_facts.c -- UTF-8 validity and escaped length in one pass. See text_facts.h. */
#include "image/text_facts.h"

#include "skr_text.h"

/* Control characters without an escape of one letter are \u00xx. */
static unsigned escaped_size(uint8_t c)
{
    if (c >= 0x20) {
        return c == '"' || c == '\\' ? 2 : 1;
    }
    return skr_json_exchange((char)c, skr_json_controls, skr_json_letters) == (char)c ? 6 : 2;
}

/* Table 3-7 of the Unicode standard: the lead byte decides how many follow and
 * narrows the first of them, which keeps out overlong forms and surrogates. */
static void take_lead(struct text_facts *f, uint8_t c)
{
    f->low = 0x80;
    f->high = 0xBF;
    if (c < 0x80) {
        f->broken |= c == '\0';
    } else if (c >= 0xC2 && c <= 0xDF) {
        f->missing = 1;
    } else if (c >= 0xE0 && c <= 0xEF) {
        f->missing = 2;
        f->low = c == 0xE0 ? 0xA0 : 0x80;
        f->high = c == 0xED ? 0x9F : 0xBF;
    } else if (c >= 0xF0 && c <= 0xF4) {
        f->missing = 3;
        f->low = c == 0xF0 ? 0x90 : 0x80;
        f->high = c == 0xF4 ? 0x8F : 0xBF;
    } else {
        f->broken = true;
    }
}

void text_facts_add(struct text_facts *f, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        f->json_size += escaped_size(bytes[i]);
        if (f->missing == 0) {
            take_lead(f, bytes[i]);
        } else {
            f->broken |= bytes[i] < f->low || bytes[i] > f->high;
            f->missing--;
            f->low = 0x80;
            f->high = 0xBF;
        }
    }
}

bool text_facts_is_text(const struct text_facts *f)
{
    return !f->broken && f->missing == 0;
}
