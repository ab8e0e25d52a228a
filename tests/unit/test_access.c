/* Session key and tokens out of the settings of a system (port/access): what is loaded, made, stored, and refused. */
#include <string.h>

#include "../../port/access/skr_access.h"
#include "unity.h"

/* A store in memory that can lose, and runs out of random bytes. */
static struct {
    uint8_t key[32], tokens[600];
    size_t key_size, tokens_size;
    int randoms; /* calls that still get bytes */
    bool full;
    unsigned saves;
} kept;

static size_t load(void *context, const char *name, void *to, size_t room)
{
    bool is_key = strcmp(name, "session_key") == 0;
    size_t n = is_key ? kept.key_size : kept.tokens_size;

    TEST_ASSERT_EQUAL_PTR(&kept, context);
    TEST_ASSERT_TRUE(is_key || strcmp(name, "tokens") == 0);
    if (n > room) {
        return 0;
    }
    memcpy(to, is_key ? kept.key : kept.tokens, n);
    return n;
}

static bool save(void *context, const char *name, const void *from, size_t n)
{
    (void)context;
    TEST_ASSERT_EQUAL_STRING("session_key", name);
    if (kept.full) {
        return false;
    }
    memcpy(kept.key, from, n);
    kept.key_size = n;
    kept.saves++;
    return true;
}

static bool random_bytes(void *context, void *to, size_t n)
{
    (void)context;
    if (kept.randoms == 0) {
        return false;
    }
    memset(to, 0x40 + kept.randoms--, n);
    return true;
}

static const struct skr_access_store store = {load, save, random_bytes, &kept};
static struct skr_access access;
static struct skr_http_config http;

void setUp(void)
{
    memset(&kept, 0, sizeof kept);
    memset(&access, 0xEE, sizeof access);
    memset(&http, 0, sizeof http);
    kept.randoms = 2;
}

void tearDown(void)
{
}

static void number(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        to[i] = (uint8_t)(value >> 8 * i);
    }
}

/* A record of `rows` tokens, whose checksum is right. */
static void put_tokens(uint32_t rows)
{
    uint8_t *row = kept.tokens + 12;

    memcpy(kept.tokens, "SKRT", 4);
    number(kept.tokens + 4, rows);
    for (uint32_t i = 0; i < rows; i++, row += 64) {
        memset(row, 0, 64);
        memset(row, (int)i + 1, 32);
        row[32] = i == 0 ? SKR_MAY_OPERATE : SKR_MAY_READ;
        memcpy(row + 33, "alice", 6);
    }
    kept.tokens_size = 12 + 64 * rows;
    number(kept.tokens + 8, romfs_crc32(0, kept.tokens + 12, 64 * rows));
}

static void a_first_start_makes_a_key_and_stores_it(void)
{
    TEST_ASSERT_TRUE(skr_access_open(&access, &store, &http));
    TEST_ASSERT_TRUE(access.kept);
    TEST_ASSERT_EQUAL(1, kept.saves);
    TEST_ASSERT_EQUAL_MEMORY(kept.key, http.session_key, 16);
    TEST_ASSERT_EQUAL(0x42, http.seed[0]);
    TEST_ASSERT_EQUAL(0x41, http.session_key[0]);
}

static void the_next_start_finds_it_and_has_another_seed(void)
{
    kept.key_size = 16;
    memset(kept.key, 7, 16);
    TEST_ASSERT_TRUE(skr_access_open(&access, &store, &http));
    TEST_ASSERT_TRUE(access.kept);
    TEST_ASSERT_EQUAL(0, kept.saves);
    TEST_ASSERT_EQUAL(7, http.session_key[15]);
    TEST_ASSERT_EQUAL(1, kept.randoms);
}

static void a_key_of_another_size_is_replaced(void)
{
    static const size_t sizes[] = {1, 15, 17, 32};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        setUp();
        kept.key_size = sizes[i];
        TEST_ASSERT_TRUE(skr_access_open(&access, &store, &http));
        TEST_ASSERT_EQUAL(16, kept.key_size);
        TEST_ASSERT_EQUAL(1, kept.saves);
    }
}

static void a_key_that_cannot_be_stored_works_until_the_reset(void)
{
    kept.full = true;
    TEST_ASSERT_TRUE(skr_access_open(&access, &store, &http));
    TEST_ASSERT_FALSE(access.kept);
    TEST_ASSERT_EQUAL(0x41, http.session_key[0]);
}

static void without_random_bytes_nothing_is_served(void)
{
    kept.randoms = 0;
    TEST_ASSERT_FALSE(skr_access_open(&access, &store, &http));
    kept.randoms = 1;
    TEST_ASSERT_FALSE(skr_access_open(&access, &store, &http));
    TEST_ASSERT_EQUAL(0, kept.saves);
}

static void without_tokens_nobody_is_let_in(void)
{
    TEST_ASSERT_TRUE(skr_access_open(&access, &store, &http));
    TEST_ASSERT_EQUAL(0, access.grant_count);
    TEST_ASSERT_EQUAL(0, http.grant_count);
    TEST_ASSERT_FALSE(http.anyone);
}

static void tokens_become_grants(void)
{
    for (uint32_t rows = 1; rows <= SKR_ACCESS_ROWS; rows++) {
        setUp();
        put_tokens(rows);
        TEST_ASSERT_TRUE(skr_access_open(&access, &store, &http));
        TEST_ASSERT_EQUAL(rows, http.grant_count);
        TEST_ASSERT_EQUAL_STRING("alice", http.grants[rows - 1].name);
        TEST_ASSERT_EQUAL(rows, http.grants[rows - 1].sha256[31]);
        TEST_ASSERT_EQUAL(rows == 1 ? SKR_MAY_OPERATE : SKR_MAY_READ, http.grants[rows - 1].rights);
    }
}

/* No byte of a record can change, and it cannot be shorter. */
static void a_damaged_record_lets_nobody_in(void)
{
    put_tokens(2);
    size_t whole = kept.tokens_size;
    for (size_t n = 0; n < whole; n++) {
        TEST_ASSERT_EQUAL(0, skr_access_record(kept.tokens, n, access.grants));
        kept.tokens[n] ^= 1;
        TEST_ASSERT_EQUAL(0, skr_access_record(kept.tokens, whole, access.grants));
        kept.tokens[n] ^= 1;
    }
    TEST_ASSERT_EQUAL(2, skr_access_record(kept.tokens, whole, access.grants));
}

static void rows_that_are_not_valid_let_nobody_in(void)
{
    static const struct {
        size_t at;
        uint8_t value;
    } wrong[] = {{12 + 32, 0}, {12 + 32, 0xFF}, {12 + 33, '\0'}, {12 + 63, 'x'}};

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        put_tokens(1);
        kept.tokens[wrong[i].at] = wrong[i].value;
        number(kept.tokens + 8, romfs_crc32(0, kept.tokens + 12, 64));
        TEST_ASSERT_EQUAL(0, skr_access_record(kept.tokens, kept.tokens_size, access.grants));
    }
    put_tokens(SKR_ACCESS_ROWS + 1);
    TEST_ASSERT_EQUAL(0, skr_access_record(kept.tokens, kept.tokens_size, access.grants));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_first_start_makes_a_key_and_stores_it);
    RUN_TEST(the_next_start_finds_it_and_has_another_seed);
    RUN_TEST(a_key_of_another_size_is_replaced);
    RUN_TEST(a_key_that_cannot_be_stored_works_until_the_reset);
    RUN_TEST(without_random_bytes_nothing_is_served);
    RUN_TEST(without_tokens_nobody_is_let_in);
    RUN_TEST(tokens_become_grants);
    RUN_TEST(a_damaged_record_lets_nobody_in);
    RUN_TEST(rows_that_are_not_valid_let_nobody_in);
    return UNITY_END();
}
