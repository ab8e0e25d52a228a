/* test_json_random.c -- texts that chance makes, most of them almost JSON, against a second opinion (json_oracle.h): the
 * same verdict with the same reason, the same tokens, and the same values when the text is walked without tokens. Every
 * text lies in a heap block of its own size, so the sanitizer sees a reader that looks behind its end. */
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "json_oracle.h"
#include "sample.h"
#include "unity.h"

#define TEXTS 60000
#define TOKENS 24

static uint32_t chance_state;
static struct oracle oracle;
static struct buf text;
static unsigned verdicts[3], crowded;

void setUp(void)
{
    chance_state = 42;
}

void tearDown(void)
{
}

static uint32_t chance(uint32_t below)
{
    chance_state = chance_state * 1664525u + 1013904223u;
    return (chance_state >> 8) % below;
}

/* ---- Texts ---- */

#define PICK(list) buf_puts(&text, list[chance(sizeof(list) / sizeof((list)[0]))])

static void put_space(void)
{
    static const char *const spaces[] = {"", "", "", "", " ", "\t", "\r\n", "  "};
    PICK(spaces);
}

static void put_string(void)
{
    static const char *const parts[] = {"",        "a",        "id",           "\\n",          "\\\"",         "\\\\",
                                        "\\u00e9", "\\ud83d\\ude00", "\\uD800", "\xC3\xA9",     "\xE2\x82\xAC", "\xF0\x9F\x98\x80",
                                        "\\/",     "[{,:",     "a longer part of a string", "\x7F"};
    buf_puts(&text, "\"");
    for (uint32_t n = chance(4); n > 0; n--) {
        PICK(parts);
    }
    buf_puts(&text, "\"");
}

static void put_scalar(void)
{
    static const char *const words[] = {"true", "false", "null", "0", "-0", "7", "-12", "1.5", "0.25e-3", "1E+9", "12345678901234567890"};
    if (chance(2) == 0) {
        put_string();
    } else {
        PICK(words);
    }
}

/* Without recursion: a stack of what is open. Mostly shallow, sometimes beyond the limit. */
static void put_json(void)
{
    char open[2 * SKR_JSON_DEPTH];
    unsigned depth = 0, wish = chance(60) == 0 ? SKR_JSON_DEPTH - 2 + chance(5) : chance(6), values = 0;
    bool first = true;
    do {
        put_space();
        if (depth > 0 && !first) {
            if (values > 40 || (depth >= wish && chance(3) == 0)) {
                buf_puts(&text, open[--depth] == '{' ? "}" : "]");
                wish = wish > 4 ? chance(4) : wish;
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
        open[depth++] = chance(2) == 0 ? '{' : '[';
        buf_puts(&text, open[depth - 1] == '{' ? "{" : "[");
        if (wish < SKR_JSON_DEPTH - 2 && chance(5) == 0) {
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
    size_t at = chance((uint32_t)text.n);
    char c = bytes[chance(sizeof bytes)];
    switch (chance(6)) {
    case 0: memmove(text.p + at, text.p + at + 1, text.n - at - 1); text.n--; break;
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

static const char *make_text(void)
{
    text.n = 0;
    put_json();
    for (uint32_t n = chance(4); n > 0; n--) {
        damage();
    }
    return buf_str(&text);
}

/* ---- What must agree ---- */

static bool is_kind(const struct skr_json *json, int t, char kind)
{
    bool is[] = {skr_json_is_object(json, t), skr_json_is_array(json, t), skr_json_is_string(json, t)};
    return is[0] == (kind == '{') && is[1] == (kind == '[') && is[2] == (kind == '"');
}

static void tokens_agree(const struct skr_json *json, const char *shown)
{
    TEST_ASSERT_EQUAL_MESSAGE(oracle.count < TOKENS ? oracle.count : TOKENS, json->count, shown);
    for (int t = 0; t < json->count; t++) {
        const struct oracle_value *v = &oracle.values[t];
        struct skr_span raw = skr_json_raw(json, t);
        TEST_ASSERT_TRUE_MESSAGE(is_kind(json, t, v->kind), shown);
        TEST_ASSERT_EQUAL_MESSAGE(v->start, raw.p - json->text, shown);
        if (oracle.count <= TOKENS) {
            TEST_ASSERT_EQUAL_MESSAGE(v->end, v->start + raw.n, shown);
        }
    }
}

static void span_is_value(int value, const char *base, struct skr_span span, const char *shown)
{
    TEST_ASSERT_TRUE_MESSAGE(value >= 0, shown);
    TEST_ASSERT_EQUAL_MESSAGE(oracle.values[value].start, span.p - base, shown);
    TEST_ASSERT_EQUAL_MESSAGE(oracle.values[value].end, oracle.values[value].start + span.n, shown);
}

/* The next value of the same parent, or none. */
static int sibling(int value, int parent)
{
    do {
        value++;
    } while (value < oracle.count && oracle.values[value].parent != parent);
    return value < oracle.count ? value : -1;
}

static void walks_agree(const char *base, const char *shown)
{
    for (int parent = 0; parent < oracle.count; parent++) {
        const struct oracle_value *v = &oracle.values[parent];
        struct skr_span rest = {base + v->start, v->end - v->start}, key, value;
        int child = sibling(parent, parent);
        while (v->kind == '{' && skr_scan_pair(&rest, &key, &value)) {
            span_is_value(child, base, key, shown);
            child = sibling(child, parent);
            span_is_value(child, base, value, shown);
            child = sibling(child, parent);
        }
        while (v->kind == '[' && skr_scan_item(&rest, &value)) {
            span_is_value(child, base, value, shown);
            child = sibling(child, parent);
        }
        TEST_ASSERT_EQUAL_MESSAGE(-1, child, shown);
        TEST_ASSERT_FALSE(v->kind == '{' ? skr_scan_item(&rest, &value) : skr_scan_pair(&rest, &key, &value));
    }
}

/* Only that it stays inside is looked at, by the sanitizer. */
static void walk_what_may_be_no_json(const char *p, size_t n)
{
    struct skr_span rest = {p, n}, key, value;
    while (skr_scan_pair(&rest, &key, &value)) {
        (void)skr_scan_get(value, "id");
    }
    rest = (struct skr_span){p, n};
    while (skr_scan_item(&rest, &value)) {
        (void)skr_scan_get(value, "id");
    }
}

static void random_texts_are_judged_cut_and_walked_as_a_second_reader_does(void)
{
    static const int expected[] = {SKR_JSON_OK, SKR_JSON_BAD, SKR_JSON_DEEP};
    for (unsigned i = 0; i < TEXTS; i++) {
        const char *shown = make_text();
        char *copy = sample_exact_copy(text.p, text.n);
        struct skr_token tokens[TOKENS];
        struct skr_json json;
        enum oracle_verdict verdict = oracle_judge(&oracle, copy, text.n, SKR_JSON_DEPTH);
        bool too_many = verdict == ORACLE_JSON && oracle.count > TOKENS;
        verdicts[verdict]++;
        crowded += too_many;
        TEST_ASSERT_EQUAL_MESSAGE(expected[verdict], skr_json_check(copy, text.n), shown);
        TEST_ASSERT_EQUAL_MESSAGE(too_many ? SKR_JSON_TOKENS : expected[verdict],
                                  skr_json_parse(&json, copy, text.n, tokens, TOKENS), shown);
        walk_what_may_be_no_json(copy, text.n);
        if (verdict == ORACLE_JSON) {
            tokens_agree(&json, shown);
            walks_agree(copy, shown);
        }
        free(copy);
    }
}

/* Chance must have made enough of every sort, or the comparison says nothing. */
static void every_verdict_was_reached_often(void)
{
    TEST_ASSERT_GREATER_THAN(TEXTS / 10, verdicts[ORACLE_JSON]);
    TEST_ASSERT_GREATER_THAN(TEXTS / 10, verdicts[ORACLE_NOT_JSON]);
    TEST_ASSERT_GREATER_THAN(TEXTS / 1000, verdicts[ORACLE_TOO_DEEP]);
    TEST_ASSERT_GREATER_THAN(TEXTS / 100, crowded);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(random_texts_are_judged_cut_and_walked_as_a_second_reader_does);
    RUN_TEST(every_verdict_was_reached_often);
    return UNITY_END();
}
