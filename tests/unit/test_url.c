/* test_url.c -- the parts of a URL, and decimal numbers (host/base/url.h, host/base/decimal.h). */
#include <string.h>

#include "decimal.h"
#include "unity.h"
#include "url.h"

static struct host_url url;

void setUp(void)
{
}

void tearDown(void)
{
}

static const char *parse(const char *text)
{
    return host_url_parse(&url, text, 7);
}

static void has_every_part(void)
{
    TEST_ASSERT_NULL(parse("http://me:secret@pump.local:8080/a/b?c=@d#e"));
    TEST_ASSERT_EQUAL_STRING_LEN("me:secret", url.user, url.user_n);
    TEST_ASSERT_EQUAL_STRING("pump.local", url.host);
    TEST_ASSERT_EQUAL(8080, url.port);
    TEST_ASSERT_EQUAL(9, url.path_n);
    TEST_ASSERT_EQUAL_STRING_LEN("/a/b?c=@d", url.path, 9);
}

static void has_a_host_alone(void)
{
    TEST_ASSERT_NULL(parse("http://x?q"));
    TEST_ASSERT_NULL(url.user);
    TEST_ASSERT_EQUAL_STRING("x", url.host);
    TEST_ASSERT_EQUAL(0, url.port);
    TEST_ASSERT_EQUAL_STRING_LEN("?q", url.path, url.path_n);
}

static void has_an_ipv6_address_with_a_zone(void)
{
    char authority[64];

    TEST_ASSERT_NULL(parse("http://[fe80::1%25eth0]:99"));
    TEST_ASSERT_TRUE(url.ipv6);
    TEST_ASSERT_EQUAL_STRING("fe80::1%eth0", url.host);
    host_url_authority(&url, 99, authority, sizeof authority);
    TEST_ASSERT_EQUAL_STRING("[fe80::1]:99", authority);
}

static void is_refused(void)
{
    static const char *const bad[] = {"http://",     "http://:80", "http://x:",      "http://x:0", "http://x:65536",
                                      "http://x:8o", "http://a b", "http://[::1",    "http://[]",  "http://x\x7f",
                                      "http://a:b:", "http://@",   "http://[::1]80", "http://é"};
    char longest[300] = "http://";

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        TEST_ASSERT_NOT_NULL_MESSAGE(parse(bad[i]), bad[i]);
    }
    memset(longest + 7, 'a', 255);
    TEST_ASSERT_NULL(parse(longest));
    longest[262] = 'a';
    TEST_ASSERT_NOT_NULL(parse(longest));
}

static void a_decimal_is_digits_up_to_a_maximum(void)
{
    uint64_t value = 7;

    TEST_ASSERT_TRUE(host_decimal("0065535", 7, 65535, &value));
    TEST_ASSERT_EQUAL_UINT64(65535, value);
    TEST_ASSERT_TRUE(host_decimal("18446744073709551615", 20, UINT64_MAX, &value));
    TEST_ASSERT_EQUAL_UINT64(UINT64_MAX, value);
    value = 7;
    TEST_ASSERT_FALSE(host_decimal("18446744073709551616", 20, UINT64_MAX, &value));
    TEST_ASSERT_FALSE(host_decimal("65536", 5, 65535, &value));
    TEST_ASSERT_FALSE(host_decimal("6", 1, 5, &value));
    TEST_ASSERT_FALSE(host_decimal("", 0, 5, &value));
    TEST_ASSERT_FALSE(host_decimal("1 ", 2, 50, &value));
    TEST_ASSERT_FALSE(host_decimal("-1", 2, 50, &value));
    TEST_ASSERT_EQUAL_UINT64(7, value);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(has_every_part);
    RUN_TEST(has_a_host_alone);
    RUN_TEST(has_an_ipv6_address_with_a_zone);
    RUN_TEST(is_refused);
    RUN_TEST(a_decimal_is_digits_up_to_a_maximum);
    return UNITY_END();
}
