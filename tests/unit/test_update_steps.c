/* What a device may send to `skillrom update`: each update ends, whatever the device sends (defects 85 and 86). A row is a response
 * that a device of ours does not give; the other responses are right. */
#include <stdlib.h>
#include <string.h>

#include "unity.h"

#include "../../host/client/update_plan.c"
#undef NONE
#include "../../host/client/update_steps.c"

#define SIZE 4096u     /* of the image, which is not one: no skill is read back */
#define REQUESTS 2000u /* more than any of these updates needs */

static const uint8_t zeros[ROMFS_RELEASE_SIZE + SIZE];
static const struct client_release release = {
    "new.rom",
    zeros,
    zeros + ROMFS_RELEASE_SIZE,
    {.number = 5, .size = SIZE, .product = zeros, .interface_id = zeros, .sha256 = zeros, .signature = zeros}};

static struct client_update update;
static unsigned requests;

void setUp(void)
{
    requests = 0;
}

void tearDown(void)
{
}

static const char status[] =
    "{\"number\":1,\"state\":\"idle\",\"room\":8192,\"unit\":256,\"part\":1024,\"keys\":1,\"minKey\":0,"
    "\"product\":\"0000000000000000\"}";

/* What a device of ours sends. */
static const char *right_response(enum client_update_step step)
{
    switch (step) {
    case CLIENT_STEP_STATUS: return status;
    case CLIENT_STEP_BLOCKS: return "{\"size\":0,\"crc\":\"\",\"next\":0}";
    case CLIENT_STEP_COMMIT: return "{\"coming\":5}";
    default: return "{\"offset\":0}";
    }
}

/* Does the update with a device that gives this response to this step, where %u is the number of the request. */
static void update_with(enum client_update_step wrong, const char *response)
{
    struct client_update_request request;
    char text[512];

    client_update_start(&update, &release, (struct client_update_goal){.confirm = true});
    while (client_update_next(&update, &request) && requests < REQUESTS) {
        (void)snprintf(text, sizeof text, update.step == wrong ? response : right_response(update.step), ++requests);
        client_update_result(&update, (struct skr_span){text, strlen(text)});
    }
}

static void blocks_that_never_end_are_given_up(void)
{
    static const char *const responses[] = {
        "{\"crc\":\"\",\"next\":%u}",
        "{\"crc\":\"0123456\",\"next\":%u}",
        "{\"next\":%u}",
        "{\"crc\":7,\"next\":%u}",
    };

    for (size_t i = 0; i < sizeof responses / sizeof *responses; i++) {
        setUp();
        update_with(CLIENT_STEP_BLOCKS, responses[i]);
        TEST_ASSERT_LESS_THAN_MESSAGE(20, requests, responses[i]);
        TEST_ASSERT_EQUAL_MESSAGE(CLIENT_UPDATE_IN_FORCE, update.end, responses[i]);
    }
}

/* The first digits of `null` as a number are 69560, those of a string depend on its quotes. */
static void what_is_not_a_number_is_none(void)
{
    static const char *const values[] = {"null", "true", "\"52\"", "\"\"", "[7]", "{}", "-1", "-0"};

    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char response[64];
        (void)snprintf(response, sizeof response, "{\"offset\":%s}", values[i]);
        setUp();
        update_with(CLIENT_STEP_BEGIN, response);
        TEST_ASSERT_EQUAL_MESSAGE(0, update.resumed, values[i]);
        TEST_ASSERT_EQUAL_MESSAGE(CLIENT_UPDATE_IN_FORCE, update.end, values[i]);
        TEST_ASSERT_EQUAL_MESSAGE(SIZE, update.sent, values[i]);
    }
}

/* Each time the connection breaks after `begin`, which returns these offsets in turn. */
static void connections_that_break_without_a_byte_more_are_given_up(void)
{
    static const unsigned offsets[][2] = {{0, 0}, {256, 256}, {512, 256}, {256, 512}, {0, SIZE}};

    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        struct client_update_request request;
        unsigned begins = 0;
        setUp();
        client_update_start(&update, &release, (struct client_update_goal){.confirm = true});
        while (client_update_next(&update, &request) && requests++ < REQUESTS) {
            char text[512];
            if (update.begun && update.step != CLIENT_STEP_BEGIN && update.step != CLIENT_STEP_STATUS) {
                client_update_lost(&update);
                continue;
            }
            (void)snprintf(text, sizeof text,
                           update.step == CLIENT_STEP_BEGIN ? "{\"offset\":%u}" : right_response(update.step),
                           offsets[i][begins % 2]);
            begins += update.step == CLIENT_STEP_BEGIN;
            client_update_result(&update, (struct skr_span){text, strlen(text)});
        }
        TEST_ASSERT_LESS_THAN(REQUESTS, requests);
        TEST_ASSERT_EQUAL_STRING("the connection broke each time; run this again to go on", update.why);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(blocks_that_never_end_are_given_up);
    RUN_TEST(what_is_not_a_number_is_none);
    RUN_TEST(connections_that_break_without_a_byte_more_are_given_up);
    return UNITY_END();
}
