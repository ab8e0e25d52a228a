/* Text that is cut is cut between characters: the helper, messages on stderr, and quotes of the compiler. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "console.h"
#include "text/json_string.h"
#include "text/span.h"
#include "unity.h"

/* Characters of one byte to four. */
static const char *const characters[] = {"x", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};

void setUp(void)
{
}

void tearDown(void)
{
}

/* `before` letters, then `count` times the character. */
static struct skr_span fill(char *to, size_t before, const char *character, size_t count)
{
    size_t n = before, width = strlen(character);

    memset(to, 'a', before);
    for (size_t i = 0; i < count; i++, n += width) {
        memcpy(to + n, character, width);
    }
    to[n] = '\0';
    return (struct skr_span){to, n};
}

static void is_whole(struct skr_span text, const char *message)
{
    for (size_t at = 0, k; at < text.n; at += k) {
        k = skr_utf8_char(text.p + at, text.n - at);
        TEST_ASSERT_NOT_EQUAL_MESSAGE(0, k, message);
    }
}

static void what_is_clipped_is_the_longest_beginning_of_whole_characters(void)
{
    char text[64];

    for (size_t width = 1; width <= 4; width++) {
        for (size_t before = 0; before < 4; before++) {
            struct skr_span all = fill(text, before, characters[width - 1], 8);
            for (size_t most = 0; most <= all.n + 2; most++) {
                size_t whole = most <= before ? most : before + (most - before) / width * width;
                whole = whole < all.n ? whole : all.n;
                TEST_ASSERT_EQUAL(whole, skr_span_clip(all, most).n);
                TEST_ASSERT_EQUAL(whole, utf8_clip(all.p, all.n, most));
                TEST_ASSERT_EQUAL_PTR(all.p, skr_span_clip(all, most).p);
            }
        }
    }
}

/* Bytes that are not text also end somewhere. */
static void continuation_bytes_alone_are_clipped_to_nothing(void)
{
    TEST_ASSERT_EQUAL(0, skr_span_clip(SPAN("\x80\x80\x80\x80"), 2).n);
    TEST_ASSERT_EQUAL(4, skr_span_clip(SPAN("\x80\x80\x80\x80"), 4).n);
}

/* What host_log writes. */
static struct skr_span said(char *to, size_t room, const char *text)
{
    int ends[2], before = dup(STDERR_FILENO);

    TEST_ASSERT_EQUAL(0, pipe(ends));
    dup2(ends[1], STDERR_FILENO);
    host_log("%s", text);
    dup2(before, STDERR_FILENO);
    ssize_t n = read(ends[0], to, room);
    close(ends[0]), close(ends[1]), close(before);
    TEST_ASSERT_GREATER_THAN(0, n);
    return (struct skr_span){to, (size_t)n};
}

static void a_long_message_is_cut_between_characters_and_ends_with_a_newline(void)
{
    char text[8192], line[8192];

    for (size_t width = 1; width <= 4; width++) {
        for (size_t before = 0; before < 8; before++) {
            fill(text, before, characters[width - 1], 1200);
            struct skr_span out = said(line, sizeof line, text);
            TEST_ASSERT_TRUE(skr_span_ends(out, SPAN("\n")));
            TEST_ASSERT_TRUE(out.n > 1000 && out.n <= 1024);
            is_whole(out, "a character is cut in a message");
        }
    }
    struct skr_span out = said(line, sizeof line, "d\xC3\xA9j\xC3\xA0");
    TEST_ASSERT_TRUE(skr_span_ends(out, SPAN("d\xC3\xA9j\xC3\xA0\n")));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(what_is_clipped_is_the_longest_beginning_of_whole_characters);
    RUN_TEST(continuation_bytes_alone_are_clipped_to_nothing);
    RUN_TEST(a_long_message_is_cut_between_characters_and_ends_with_a_newline);
    return UNITY_END();
}
