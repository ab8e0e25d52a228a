/* test_oauth_scopes.c -- scopes of access tokens, and the rights that they give [AUTH-04]. */
#include <stdio.h>
#include <string.h>

#include "../../port/oauth/oauth.h"
#include "issuer.h"
#include "unity.h"

#define ISSUER "https://login.example"
#define RESOURCE "https://pump.example/mcp"
#define CLAIMS "{\"sub\":\"a\",\"iss\":\"" ISSUER "\",\"aud\":\"" RESOURCE "\",\"exp\":1800000300"

static struct skr_oauth oauth;

static uint32_t clock_now(void *context)
{
    (void)context;
    return 1800000000u;
}

void setUp(void)
{
}

void tearDown(void)
{
}

/* `update` is the scope for updates; NULL if there is none. */
static void open_with(const char *update)
{
    const struct skr_oauth_config config = {
        .issuer = ISSUER, .resource = RESOURCE, .update = update, .clock = clock_now};
    const char *keys = issuer_set(issuer_key(""), "");

    TEST_ASSERT_EQUAL(SKR_OAUTH_OK, skr_oauth_open(&oauth, &config));
    TEST_ASSERT_EQUAL(SKR_OAUTH_OK, skr_oauth_keys(&oauth, keys, strlen(keys)));
}

/* Of a token with these claims after the required ones. */
static unsigned rights_of(const char *rest)
{
    struct skr_bearer bearer;
    char claims[512];

    snprintf(claims, sizeof claims, CLAIMS "%s}", rest);
    char *token = issuer_token("{\"alg\":\"ES256\"}", claims);
    TEST_ASSERT_NULL(skr_oauth_check(&oauth, token, strlen(token), &bearer));
    return bearer.grant.rights;
}

/* Every set of scopes, in any order, with and without a scope for updates. */
static void scopes_give_their_rights_and_no_others(void)
{
    static const char *const words[] = {"read", "operate", "pump:update", "openid"};

    for (unsigned set = 0; set < 16 * 2; set++) {
        const char *update = set >= 16 ? "pump:update" : NULL;
        open_with(update);
        bool reads = (set & 1) != 0, operates = (set & 2) != 0, updates = (set & 4) != 0 && update != NULL;
        for (unsigned turn = 0; turn < 4; turn++) {
            char rest[96] = ",\"scope\":\"";
            for (unsigned i = 0; i < 4; i++) {
                unsigned word = (i + turn) % 4;
                strcat(rest, (set >> word & 1) != 0 ? words[word] : "");
                strcat(rest, " ");
            }
            strcat(rest, "\"");
            TEST_ASSERT_EQUAL_MESSAGE((operates           ? SKR_MAY_OPERATE
                                       : reads || updates ? SKR_MAY_READ
                                                          : 0) +
                                          (updates ? SKR_MAY_UPDATE : 0),
                                      rights_of(rest), rest);
        }
        TEST_ASSERT_EQUAL(update != NULL, strstr(oauth.metadata, ",\"pump:update\"]") != NULL);
    }
}

static void scopes_that_are_not_words_allow_nothing(void)
{
    static const char *const none[] = {"[\"operate\"]",
                                       "{\"operate\":1}",
                                       "7",
                                       "true",
                                       "null",
                                       "\"OPERATE\"",
                                       "\"operate\\tread\"",
                                       "\"read,operate\"",
                                       "\"operate\\u0000\"",
                                       "\"xoperate\"",
                                       "\"operatex\""};
    char rest[100];

    open_with(NULL);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        snprintf(rest, sizeof rest, ",\"scope\":%s", none[i]);
        TEST_ASSERT_EQUAL_MESSAGE(0, rights_of(rest), none[i]);
    }
    TEST_ASSERT_EQUAL(SKR_MAY_OPERATE, rights_of(",\"scope\":\"  read  operate \""));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(scopes_give_their_rights_and_no_others);
    RUN_TEST(scopes_that_are_not_words_allow_nothing);
    return UNITY_END();
}
