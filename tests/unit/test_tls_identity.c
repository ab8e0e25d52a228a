/* A private key and certificates out of DER: what is read, and that nothing is read that is not there. */
#include <string.h>

#include "../../port/tls/tls.h"
#include "unity.h"

#define SCALAR                                                                                                         \
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, \
        32
#define P256 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07
#define ELLIPTIC 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01
#define SEC1 0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20, SCALAR, 0xA0, 0x0A, P256
#define PKCS8                                                                                                          \
    0x30, 0x41, 0x02, 0x01, 0x00, 0x30, 0x13, ELLIPTIC, P256, 0x04, 0x27, 0x30, 0x25, 0x02, 0x01, 0x01, 0x04, 0x20,    \
        SCALAR
#define CERT 0x30, 0x03, 0x02, 0x01, 0x05

static struct skr_tls_identity identity;

void setUp(void)
{
    memset(&identity, 0, sizeof identity);
}

void tearDown(void)
{
}

static enum skr_tls_wrong read(const uint8_t *bytes, size_t n)
{
    return skr_tls_identity_read(&identity, bytes, n);
}
#define READ(...) read((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static void both_forms_of_a_key_are_read(void)
{
    static const uint8_t sec1[] = {SEC1, CERT}, pkcs8[] = {PKCS8, CERT}, scalar[] = {SCALAR};

    TEST_ASSERT_EQUAL(SKR_TLS_WELL, read(sec1, sizeof sec1));
    TEST_ASSERT_EQUAL(32, identity.key.xlen);
    TEST_ASSERT_EQUAL_MEMORY(scalar, identity.key.x, 32);
    TEST_ASSERT_EQUAL(SKR_TLS_WELL, read(pkcs8, sizeof pkcs8));
    TEST_ASSERT_EQUAL_MEMORY(scalar, identity.key.x, 32);
    TEST_ASSERT_EQUAL(1, identity.chain_count);
    TEST_ASSERT_EQUAL_PTR(pkcs8 + sizeof pkcs8 - 5, identity.chain[0].data);
    TEST_ASSERT_EQUAL(5, identity.chain[0].data_len);
}

static void erased_flash_ends_the_certificates(void)
{
    TEST_ASSERT_EQUAL(SKR_TLS_WELL, READ(SEC1, CERT, CERT, 0xFF, 0xFF));
    TEST_ASSERT_EQUAL(2, identity.chain_count);
    TEST_ASSERT_EQUAL(SKR_TLS_NO_CERT, READ(SEC1, 0xFF));
    TEST_ASSERT_EQUAL(SKR_TLS_NO_KEY, READ(0xFF, 0xFF));
    TEST_ASSERT_EQUAL(SKR_TLS_TOO_MANY_CERTS, READ(SEC1, CERT, CERT, CERT, CERT));
}

static void keys_of_other_kinds_are_told_apart(void)
{
    TEST_ASSERT_EQUAL(SKR_TLS_KEY_RSA, READ(0x30, 0x06, 0x02, 0x01, 0x00, 0x02, 0x01, 0x03));
    TEST_ASSERT_EQUAL(SKR_TLS_KEY_RSA, READ(0x30, 0x10, 0x02, 0x01, 0x00, 0x30, 0x0B, 0x06, 0x09, 0x2A, 0x86, 0x48,
                                            0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01));
    TEST_ASSERT_EQUAL(SKR_TLS_KEY_CURVE, READ(0x30, 0x0A, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70));
    TEST_ASSERT_EQUAL(SKR_TLS_KEY_CURVE, READ(0x30, 0x07, 0x02, 0x01, 0x01, 0x04, 0x02, 0x01, 0x02));
}

/* The bytes end where the memory does, so a sanitizer sees who reads on. */
static void nothing_is_read_after_a_cut(void)
{
    static const uint8_t whole[] = {PKCS8, CERT};

    for (size_t n = 0; n < sizeof whole; n++) {
        uint8_t cut[sizeof whole];
        uint8_t *bytes = cut + sizeof cut - n;
        memcpy(bytes, whole, n);
        TEST_ASSERT_NOT_EQUAL(SKR_TLS_WELL, read(bytes, n));
    }
}

static void lengths_beyond_the_end_are_refused(void)
{
    TEST_ASSERT_EQUAL(SKR_TLS_NO_KEY, READ(0x30, 0x80, 0x02, 0x01, 0x01));
    TEST_ASSERT_EQUAL(SKR_TLS_NO_KEY, READ(0x30, 0x82, 0xFF, 0xFF, 0x02, 0x01, 0x01));
    TEST_ASSERT_EQUAL(SKR_TLS_NO_KEY, READ(0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 0x02));
    TEST_ASSERT_EQUAL(SKR_TLS_NO_CERT, READ(SEC1, 0x30, 0x82, 0x01));
    TEST_ASSERT_EQUAL(SKR_TLS_NO_CERT, READ(SEC1, 0x30, 0x7F, 0x02));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(both_forms_of_a_key_are_read);
    RUN_TEST(erased_flash_ends_the_certificates);
    RUN_TEST(keys_of_other_kinds_are_told_apart);
    RUN_TEST(nothing_is_read_after_a_cut);
    RUN_TEST(lengths_beyond_the_end_are_refused);
    return UNITY_END();
}
