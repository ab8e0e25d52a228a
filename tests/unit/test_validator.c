/* test_validator.c -- what only a bridge asks of a device on its line: a response's validator instead of it, and files as
 * they are stored (host/bridge/README.md). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"
#include "text/encode.h"
#include "text/siphash.h"
#include "unity.h"

#define KEY "000102030405060708090a0b0c0d0e0f"
#define WITH(member)                                                                                                   \
    "\"_meta\":{" member "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                 \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"
#define READ(uri, member)                                                                                              \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"" uri "\"," WITH(member) "}}\n"
#define VALIDATOR "\"skillrom/mark\":\"" KEY "\","
#define STORED "\"skillrom/stored\":1,"

void setUp(void)
{
    peer_start(SKR_LINE, 512);
}

void tearDown(void)
{
}

static const char *validator_of(const char *response)
{
    static char text[128];
    static const uint8_t key[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    struct skr_sip sip;

    skr_sip_start(&sip, key);
    skr_sip_add(&sip, response, strlen(response));
    snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"skillrom/mark\":\"%016llx\"}}\n",
             (unsigned long long)skr_sip_end(&sip));
    return text;
}

/* A response of many pieces, encoded and in place, and one that is made in one piece. */
static void the_validator_is_of_the_whole_line_that_would_have_been_sent(void)
{
    char *plain = strdup(peer_exchange(READ("skill://alpha/long.txt", "")));

    TEST_ASSERT_EQUAL_STRING(validator_of(plain), peer_exchange(READ("skill://alpha/long.txt", VALIDATOR)));
    free(plain);
    plain = strdup(peer_exchange(READ("skill://alpha/data/bytes.bin", "")));
    TEST_ASSERT_EQUAL_STRING(validator_of(plain), peer_exchange(READ("skill://alpha/data/bytes.bin", VALIDATOR)));
    free(plain);
    plain = strdup(peer_exchange(READ("test://fixed", "")));
    TEST_ASSERT_EQUAL_STRING(validator_of(plain), peer_exchange(READ("test://fixed", VALIDATOR)));
    free(plain);
    peer_start(SKR_LINE, 0); /* and one that is sent as it lies in the image */
    plain = strdup(peer_exchange(READ("skill://alpha/long.txt", "")));
    TEST_ASSERT_EQUAL_STRING(validator_of(plain), peer_exchange(READ("skill://alpha/long.txt", VALIDATOR)));
    free(plain);
}

static void what_is_no_key_or_no_result_gets_the_response(void)
{
    char *plain = strdup(peer_exchange(READ("test://fixed", "")));

    TEST_ASSERT_EQUAL_STRING(plain, peer_exchange(READ("test://fixed", "\"skillrom/mark\":7,")));
    TEST_ASSERT_EQUAL_STRING(plain, peer_exchange(READ("test://fixed", "\"skillrom/mark\":\"00\",")));
    TEST_ASSERT_EQUAL_STRING(
        plain, peer_exchange(READ("test://fixed", "\"skillrom/mark\":\"000102030405060708090a0b0c0d0e0/\",")));
    TEST_ASSERT_EQUAL_STRING(
        plain, peer_exchange(READ("test://fixed", "\"skillrom/mark\":\"000102030405060708090a0b0c0d0e0g\",")));
    free(plain);
    TEST_ASSERT_NOT_NULL(strstr(peer_exchange(READ("test://nothing", VALIDATOR)), "\"error\""));
}

/* A damaged file has no mark: the client sees the broken response. */
static void a_response_that_breaks_off_has_no_validator(void)
{
    char *image = sample_exact_copy(peer.image.p, peer.image.n);
    const struct romfs_node *file = romfs_find(peer.server.fs, "alpha/long.txt", 14);

    TEST_ASSERT_TRUE((file->flags & ROMFS_DEFLATE) != 0);
    memset(image + file->data, 0xFF, file->stored);
    TEST_ASSERT_EQUAL(0, peer_serve(image, peer.image.n));
    peer_open(SKR_LINE);
    char *plain = strdup(peer_exchange(READ("skill://alpha/long.txt", "")));
    TEST_ASSERT_NULL(strstr(plain, "}\n"));
    TEST_ASSERT_EQUAL_STRING(plain, peer_exchange(READ("skill://alpha/long.txt", VALIDATOR)));
    free(plain);
    free(image);
}

/* Over HTTP nobody is a bridge. */
static void only_a_line_gives_validators(void)
{
    peer_open(SKR_HTTP_1);
    const char *text = peer_exchange(peer_post("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: resources/read\r\n"
                                               "Mcp-Name: test://fixed\r\n",
                                               READ("test://fixed", VALIDATOR)));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"contents\":"), text);
}

static void files_that_are_deflated_come_as_they_are_stored(void)
{
    char *text = strdup(peer_exchange(READ("skill://alpha/long.txt", STORED)));
    const char *blob = peer_exchange(READ("skill://alpha/zeros.bin", STORED));

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"mimeType\":\"text/plain\",\"skillrom/text\":\""), text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(blob, "\"mimeType\":\"application/octet-stream\",\"skillrom/blob\":\""), blob);
    TEST_ASSERT_TRUE(strlen(text) < sample_long_text().n && strlen(blob) < 4000);
    free(text);
    char *plain = strdup(peer_exchange(READ("skill://alpha/data/bytes.bin", "")));
    TEST_ASSERT_EQUAL_STRING(plain,
                             peer_exchange(READ("skill://alpha/data/bytes.bin", STORED))); /* it does not deflate */
    free(plain);
}

/* Its bytes in base64 are most of the response. */
static void a_stored_file_is_whole(void)
{
    const struct romfs_node *file = romfs_find(peer.server.fs, "alpha/long.txt", 14);
    const char *text = strstr(peer_exchange(READ("skill://alpha/long.txt", STORED)), "\"skillrom/text\":\"") + 17;

    TEST_ASSERT_EQUAL((file->stored + 2) / 3 * 4, strcspn(text, "\""));
    char bytes[4096];
    size_t n;
    struct skr_span base64 = {text, strcspn(text, "\"")};
    TEST_ASSERT_TRUE(skr_decode_base64(base64, false, bytes, sizeof bytes, &n));
    TEST_ASSERT_EQUAL(file->stored, n);
    TEST_ASSERT_EQUAL_MEMORY(peer.image.p + file->data, bytes, n);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(the_validator_is_of_the_whole_line_that_would_have_been_sent);
    RUN_TEST(what_is_no_key_or_no_result_gets_the_response);
    RUN_TEST(a_response_that_breaks_off_has_no_validator);
    RUN_TEST(only_a_line_gives_validators);
    RUN_TEST(files_that_are_deflated_come_as_they_are_stored);
    RUN_TEST(a_stored_file_is_whole);
    return UNITY_END();
}
