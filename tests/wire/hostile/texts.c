/* texts.c -- JSON that chance makes, most of it almost right, as the core and another reader (judge.h) see it: the same
 * verdict for the same reason, the same tokens, and the same values where the text is walked without tokens. Every text lies
 * in a heap block of its own size, so the sanitizer sees a reader that reads past its end.
 *
 * usage: texts ROUNDS [SEED]   so many texts; the same in every run with the same seed */
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "count.h"
#include "sample.h"

#define FAILURES_SHOWN 5

static struct dice dice;
static struct buf text;

/* ---- Texts ---- */

#define PICK(list) buf_puts(&text, list[roll(&dice, sizeof(list) / sizeof((list)[0]))])

static void put_space(void)
{
    static const char *const spaces[] = {"", "", "", "", " ", "\t", "\r\n", "  "};

    PICK(spaces);
}

static void put_string(void)
{
    static const char *const parts[] = {"",
                                        "a",
                                        "id",
                                        "\\n",
                                        "\\\"",
                                        "\\\\",
                                        "\\u00e9",
                                        "\\ud83d\\ude00",
                                        "\\uD800",
                                        "\xC3\xA9",
                                        "\xE2\x82\xAC",
                                        "\xF0\x9F\x98\x80",
                                        "\\/",
                                        "[{,:",
                                        "a longer part of a string",
                                        "\x7F"};
    static const char *const almost[] = {"\xED\xA0\x80", "\xC0\xAF", "\xF4\x90\x80\x80", "\xE2\x82", "\\u12", "\\a"};

    buf_puts(&text, "\"");
    for (unsigned n = roll(&dice, 4); n > 0; n--) {
        PICK(parts);
    }
    if (roll(&dice, 200) == 0) {
        PICK(almost);
    }
    buf_puts(&text, "\"");
}

static void put_scalar(void)
{
    static const char *const words[] = {
        "true", "false", "null", "0", "-0", "7", "-12", "1.5", "0.25e-3", "1E+9", "12345678901234567890"};

    if (roll(&dice, 2) == 0) {
        put_string();
    } else {
        PICK(words);
    }
}

/* Without recursion: a stack of what is open. Mostly shallow, sometimes beyond the limit. */
static void put_json(void)
{
    char open[2 * SKR_JSON_DEPTH];
    unsigned depth = 0, wish = roll(&dice, 60) == 0 ? SKR_JSON_DEPTH - 2 + roll(&dice, 5) : roll(&dice, 6), values = 0;
    bool first = true;

    do {
        put_space();
        if (depth > 0 && !first) {
            if (values > 40 || (depth >= wish && roll(&dice, 3) == 0)) {
                buf_puts(&text, open[--depth] == '{' ? "}" : "]");
                wish = wish > 4 ? roll(&dice, 4) : wish;
                continue;
            }
            buf_puts(&text, ",");
            put_space();
        }
        if (depth > 0 && open[depth - 1] == '{') {
            put_string();
            put_space();
            buf_puts(&text, ":");
            put_space();
        }
        values++;
        first = depth < wish;
        if (!first) {
            put_scalar();
            continue;
        }
        open[depth++] = roll(&dice, 2) == 0 ? '{' : '[';
        buf_puts(&text, open[depth - 1] == '{' ? "{" : "[");
        if (wish < SKR_JSON_DEPTH - 2 && roll(&dice, 5) == 0) {
            put_space();
            buf_puts(&text, open[--depth] == '{' ? "}" : "]");
            wish--;
            first = false;
        }
    } while (depth > 0);
    put_space();
}

/* One small damage: a byte lost, doubled, changed, swapped, or put in; or the rest lost. */
static void damage(void)
{
    static const char bytes[] = "{}[]:,\"\\/ \t\n\0019-+.eEtfnu\x80\xC3\xE2\xED\xF0\xFF\0x";

    if (text.n == 0) {
        return;
    }
    size_t at = roll(&dice, (unsigned)text.n);
    for (bool between = roll(&dice, 2) == 0; between && at + 1 < text.n && strchr("{}[]:,\"", text.p[at]) == NULL;) {
        at++; /* half of it where the grammar is, not inside values */
    }
    uint8_t c = (uint8_t)bytes[roll(&dice, sizeof bytes)];
    switch (roll(&dice, 6)) {
    case 0:
        memmove(text.p + at, text.p + at + 1, text.n - at - 1);
        text.n--;
        break;
    case 1: c = text.p[at]; /* fall through */
    case 2:
        buf_puts(&text, " ");
        memmove(text.p + at + 1, text.p + at, text.n - 1 - at);
        text.p[at] = c;
        break;
    case 3: text.p[at] = c; break;
    case 4: text.n = at; break;
    default:
        c = text.p[at];
        text.p[at] = text.p[text.n - 1 - at];
        text.p[text.n - 1 - at] = c;
        break;
    }
}

static void make_text(void)
{
    text.n = 0;
    put_json();
    for (unsigned n = roll(&dice, 4); n > 0; n--) {
        damage();
    }
}

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1000, seen[AGREED_KINDS] = {0};

    dice.state = argc > 2 ? strtoul(argv[2], NULL, 10) : 20260728;
    for (unsigned i = 0; i < rounds; i++) {
        make_text();
        char *copy = sample_exact_copy(text.p, text.n);
        enum agreed agreed = texts_agree(copy, text.n);
        if (seen[agreed]++ < FAILURES_SHOWN && agreed == AGREED_NOT) {
            count_show("text", text.p, text.n);
        }
        free(copy);
    }
    count(seen[AGREED_NOT] == 0, "%u random texts: the core and another reader agree", rounds);
    unsigned good = seen[AGREED_JSON] + seen[AGREED_CROWDED];
    count(good > rounds / 10 && seen[AGREED_CROWDED] > rounds / 100 && seen[AGREED_BAD] > rounds / 10 &&
              seen[AGREED_DEEP] > rounds / 1000,
          "%u were JSON, %u of them with too many values; %u were none, %u too deep", good, seen[AGREED_CROWDED],
          seen[AGREED_BAD], seen[AGREED_DEEP]);
    return count_end();
}
