/* test_siphash.c -- SipHash-2-4 against the values that its authors published, and the ids made with it. */
#include <string.h>

#include "text/encode.h"
#include "text/siphash.h"
#include "unity.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* Key 00..0f, messages 00, 00 01, ...: the first and last of the reference vectors, and those around a word's end. */
static void hashes_are_those_of_the_reference(void)
{
    static const struct {
        unsigned n;
        uint64_t hash;
    } cases[] = {
        {0, 0x726fdb47dd0e0e31u}, {1, 0x74f839c593dc67fdu},  {7, 0xab0200f58b01d137u},
        {8, 0x93f5f5799a932462u}, {15, 0xa129ca6149be45e5u}, {63, 0x958a324ceb064572u},
    };
    uint8_t key[16], message[64];
    struct skr_sip sip;

    for (uint8_t i = 0; i < 64; i++) {
        message[i] = i;
        key[i % 16] = i % 16;
    }
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (unsigned cut = 0; cut <= cases[i].n; cut++) { /* in two pieces, wherever they touch */
            skr_sip_start(&sip, key);
            skr_sip_add(&sip, message, cut);
            skr_sip_add(&sip, message + cut, cases[i].n - cut);
            TEST_ASSERT_EQUAL_HEX64(cases[i].hash, skr_sip_end(&sip));
        }
    }
}

static void ids_differ_by_number_and_seed(void)
{
    static const uint8_t seed[16] = "a seed for tests", other[16] = "another for test";
    uint32_t id[4][4];

    skr_seal_id(seed, 0, id[0]);
    skr_seal_id(seed, 1, id[1]);
    skr_seal_id(other, 0, id[2]);
    skr_seal_id(seed, 0x80000000u, id[3]);
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned k = 0; k < i; k++) {
            TEST_ASSERT_TRUE(memcmp(id[i], id[k], sizeof id[i]) != 0);
        }
    }
}

/* ... whichever bit of the number it is in which they differ */
static void every_bit_of_the_number_makes_another_id(void)
{
    static const uint8_t seed[16] = "a seed for tests";
    uint32_t none[4], one[4];

    skr_seal_id(seed, 0, none);
    for (unsigned bit = 0; bit < 32; bit++) {
        skr_seal_id(seed, (uint32_t)1 << bit, one);
        TEST_ASSERT_TRUE(memcmp(none, one, 2 * sizeof one[0]) != 0);
        TEST_ASSERT_TRUE(memcmp(none + 2, one + 2, 2 * sizeof one[0]) != 0);
    }
}

static void an_id_reads_back_from_its_text(void)
{
    const uint32_t id[4] = {0x01234567, 0x89abcdef, 0, 0xffffffff};
    uint32_t back[4];
    char text[33] = {0};

    skr_id_text(id, text);
    TEST_ASSERT_EQUAL_STRING("0123456789abcdef00000000ffffffff", text);
    TEST_ASSERT_TRUE(skr_id_read((struct skr_span){text, 32}, back));
    TEST_ASSERT_EQUAL_MEMORY(id, back, sizeof id);
    TEST_ASSERT_FALSE(skr_id_read((struct skr_span){text, 31}, back));
    text[3] = 'X';
    TEST_ASSERT_FALSE(skr_id_read((struct skr_span){text, 32}, back));
}

/* The state of a handler may be as large as there is room, whatever that leaves when divided by three. */
static void base64_fills_its_room_to_the_last_byte(void)
{
    static const struct {
        const char *text;
        size_t n;
    } cases[] = {{"YQ==", 1}, {"YWI=", 2}, {"YWJj", 3}, {"YWJjZA==", 4}, {"YWJjZGU=", 5}};

    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct skr_span text = {cases[i].text, strlen(cases[i].text)};
        char out[8];
        size_t n;
        memset(out, '#', sizeof out);
        TEST_ASSERT_TRUE(skr_decode_base64(text, false, out, cases[i].n, &n));
        TEST_ASSERT_EQUAL_size_t(cases[i].n, n);
        TEST_ASSERT_EQUAL_MEMORY("abcde", out, n);
        TEST_ASSERT_EQUAL_CHAR('#', out[n]);
        TEST_ASSERT_FALSE(skr_decode_base64(text, false, out, cases[i].n - 1, &n));
    }
}

static bool decodes(const char *text, bool url)
{
    char out[8];
    size_t n;

    return skr_decode_base64((struct skr_span){text, strlen(text)}, url, out, sizeof out, &n);
}

/* [HDR-05] [STATE-04] */
static void base64_has_its_own_digits_and_padding_and_base64url_its_own_and_none(void)
{
    static const char *const both[] = {"", "YWJj"}, *const plain[] = {"+/+/", "YQ==", "YWI="},
                             *const url[] = {"-_-_", "YQ", "YWI"}, *const neither[] = {"A",     "A===", "AA=A", "====",
                                                                                       "YWJjA", "+-+-", "AA A", "=AAA"};

    for (unsigned i = 0; i < 2; i++) {
        TEST_ASSERT_TRUE(decodes(both[i], false) && decodes(both[i], true));
    }
    for (unsigned i = 0; i < 3; i++) {
        TEST_ASSERT_TRUE_MESSAGE(decodes(plain[i], false) && !decodes(plain[i], true), plain[i]);
        TEST_ASSERT_TRUE_MESSAGE(!decodes(url[i], false) && decodes(url[i], true), url[i]);
    }
    for (unsigned i = 0; i < sizeof neither / sizeof neither[0]; i++) {
        TEST_ASSERT_FALSE_MESSAGE(decodes(neither[i], false) || decodes(neither[i], true), neither[i]);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(hashes_are_those_of_the_reference);
    RUN_TEST(ids_differ_by_number_and_seed);
    RUN_TEST(every_bit_of_the_number_makes_another_id);
    RUN_TEST(an_id_reads_back_from_its_text);
    RUN_TEST(base64_fills_its_room_to_the_last_byte);
    RUN_TEST(base64_has_its_own_digits_and_padding_and_base64url_its_own_and_none);
    return UNITY_END();
}
