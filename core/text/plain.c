/* plain.c -- the inner loops of checking and escaping text. See plain.h. */
#include "text/plain.h"

#include <string.h>

#define ASCII_ONLY true

static bool is_special(char c, bool ascii)
{
    unsigned char byte = (unsigned char)c;

    return byte < 0x20 || byte == '"' || byte == '\\' || (ascii && byte > 0x7E);
}

#if SKR_FAST
#define ONES (SIZE_MAX / 0xFF)
#define TOPS (ONES * 0x80)

/* A machine word at a time: a byte minus a bound borrows into its top bit when it was below the bound; a byte above
 * 0x7F has that bit already, and DEL plus one gets it. Exchanging blank and quote, which differ in one bit, puts the
 * quote next to the controls. The lowest bit found is exact, those above it may not be. */
static size_t special_bytes(size_t word, bool ascii)
{
    size_t below = ((word ^ ONES * (' ' ^ '"')) - ONES * 0x21) | ((word ^ ONES * '\\') - ONES);

    return (ascii ? below | word | (word + ONES) : below & ~word) & TOPS;
}

#if SKR_HTTP
static size_t control_bytes(size_t word)
{
    return (word - ONES * 0x20) & ~word & TOPS;
}
#endif

/* How many bytes come before the first of them. Of the ones in ONES, those below it are of these bytes and its own; the
 * multiplication adds them up in the top byte. */
static size_t before_first(size_t specials_found)
{
    size_t lowest = specials_found & (0 - specials_found), ones = (lowest - 1) & ONES;

    return (ones * ONES >> 8 * (sizeof ones - 1)) - 1;
}
#endif

size_t skr_plain_run(const char *text, size_t n)
{
    size_t i = 0;
#if SKR_FAST
    size_t word, found;

    for (; n - i >= sizeof word; i += sizeof word) {
        memcpy(&word, text + i, sizeof word);
        if ((found = special_bytes(word, ASCII_ONLY)) != 0) {
            return i + before_first(found);
        }
    }
    if (i > 0) { /* less than a word is left: the last whole one reaches back into what is known to be plain */
        i = n - sizeof word;
        memcpy(&word, text + i, sizeof word);
        found = special_bytes(word, ASCII_ONLY);
        return found != 0 ? i + before_first(found) : n;
    }
#endif
    while (i < n && !is_special(text[i], ASCII_ONLY)) {
        i++;
    }
    return i;
}

size_t skr_plain_copy(char *out, const char *text, size_t n)
{
    size_t i = 0;
#if SKR_FAST
    size_t word, found;

    for (; n - i >= sizeof word; i += sizeof word) {
        memcpy(&word, text + i, sizeof word);
        memcpy(out + i, &word, sizeof word);
        if ((found = special_bytes(word, !ASCII_ONLY)) != 0) {
            return i + before_first(found);
        }
    }
#endif
    for (; i < n && !is_special(text[i], !ASCII_ONLY); i++) {
        out[i] = text[i];
    }
    return i;
}

#if SKR_HTTP
size_t skr_print_run(const char *text, size_t n)
{
    size_t i = 0;
#if SKR_FAST
    size_t word, found;

    for (; n - i >= sizeof word; i += sizeof word) {
        memcpy(&word, text + i, sizeof word);
        if ((found = control_bytes(word)) != 0) {
            return i + before_first(found);
        }
    }
#endif
    while (i < n && (unsigned char)text[i] >= ' ') {
        i++;
    }
    return i;
}
#endif
