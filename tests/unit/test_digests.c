/* test_digests.c -- SHA-256, CRC-32 and SipHash against values that others have published or computed: whatever a device and its
 * compiler share, they must not share a mistake. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "romfs.h"
#include "sample.h"
#include "sha256.h"
#include "text/siphash.h"
#include "unity.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static const char *sha256(const void *bytes, size_t n)
{
    static char text[2 * ROMFS_SHA256_SIZE + 1];
    uint8_t digest[ROMFS_SHA256_SIZE];

    romfs_sha256_of(bytes, n, digest);
    romfs_sha256_hex(digest, sizeof digest, text);
    text[2 * ROMFS_SHA256_SIZE] = '\0';
    return text;
}

/* FIPS 180-4, and the lengths around the end of a block, as sha256sum prints them. */
static void sha256_is_that_of_the_standard(void)
{
    static char a[1000000];

    memset(a, 'a', sizeof a);
    TEST_ASSERT_EQUAL_STRING("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", sha256("", 0));
    TEST_ASSERT_EQUAL_STRING("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", sha256("abc", 3));
    TEST_ASSERT_EQUAL_STRING("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
                             sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56));
    TEST_ASSERT_EQUAL_STRING("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0", sha256(a, sizeof a));
    TEST_ASSERT_EQUAL_STRING("9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318", sha256(a, 55));
    TEST_ASSERT_EQUAL_STRING("b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a", sha256(a, 56));
    TEST_ASSERT_EQUAL_STRING("7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34", sha256(a, 63));
    TEST_ASSERT_EQUAL_STRING("ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb", sha256(a, 64));
    TEST_ASSERT_EQUAL_STRING("635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0", sha256(a, 65));
    TEST_ASSERT_EQUAL_STRING("31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb", sha256(a, 119));
    TEST_ASSERT_EQUAL_STRING("2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c", sha256(a, 120));
    TEST_ASSERT_EQUAL_STRING("6836cf13bac400e9105071cd6af47084dfacad4e5e302c94bfed24e013afb73e", sha256(a, 128));
}

/* In pieces of any size it is the same. */
static void sha256_does_not_depend_on_the_pieces(void)
{
    struct skr_span text = sample_long_text();
    uint8_t whole[ROMFS_SHA256_SIZE], pieces[ROMFS_SHA256_SIZE];

    romfs_sha256_of(text.p, text.n, whole);
    for (size_t size = 1; size < 200; size++) {
        struct romfs_sha256 s;
        romfs_sha256_start(&s);
        for (size_t at = 0; at < text.n; at += size) {
            romfs_sha256_add(&s, text.p + at, text.n - at < size ? text.n - at : size);
        }
        romfs_sha256_finish(&s, pieces);
        TEST_ASSERT_EQUAL(0, memcmp(whole, pieces, sizeof whole));
    }
}

/* The check value of CRC-32 as in zip and Ethernet, and that of every byte there is. */
static void crc32_is_that_of_zip(void)
{
    TEST_ASSERT_EQUAL_HEX32(0, romfs_crc32(0, "", 0));
    TEST_ASSERT_EQUAL_HEX32(0xCBF43926, romfs_crc32(0, "123456789", 9));
    TEST_ASSERT_EQUAL_HEX32(0xCBF43926, romfs_crc32(romfs_crc32(0, "1234", 4), "56789", 5));
    TEST_ASSERT_EQUAL_HEX32(0x29058c73, romfs_crc32(0, sample_bytes().p, sample_bytes().n));
}

/* The first vectors of its authors' reference: key 00..0f, texts 00, 00 01, and so on. */
static void siphash_is_that_of_its_authors(void)
{
    static const uint64_t expected[] = {0x726fdb47dd0e0e31, 0x74f839c593dc67fd, 0x0d6c8009d9a94f5a, 0x85676696d7fb7e2d,
                                        0xcf2794e0277187b7, 0x18765564cd99a68d, 0xcbc9466e58fee3ce, 0xab0200f58b01d137,
                                        0x93f5f5799a932462, 0x9e0082df0ba9e4b0, 0x7a5dbbc594ddb9f3, 0xf4b32f46226bada7};
    uint8_t key[16];

    for (unsigned i = 0; i < sizeof key; i++) {
        key[i] = (uint8_t)i;
    }
    for (size_t n = 0; n < sizeof expected / sizeof expected[0]; n++) {
        struct skr_sip sip;
        skr_sip_start(&sip, key);
        skr_sip_add(&sip, sample_bytes().p, n);
        TEST_ASSERT_EQUAL_HEX64(expected[n], skr_sip_end(&sip));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(sha256_is_that_of_the_standard);
    RUN_TEST(sha256_does_not_depend_on_the_pieces);
    RUN_TEST(crc32_is_that_of_zip);
    RUN_TEST(siphash_is_that_of_its_authors);
    return UNITY_END();
}
