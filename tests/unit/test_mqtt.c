/* MCP over MQTT without a broker: topics, URLs of brokers, the limits of both, and what a publisher makes of a device. */
#include <stdio.h>
#include <string.h>

#include "../../host/mqtt/broker.h"
#include "../../host/mqtt/publisher.h"
#include "../../host/mqtt/topic.h"
#include "text/span.h"
#include "unity.h"

static char topic[MQTT_TOPIC];
static struct mqtt_broker broker;

void setUp(void)
{
    memset(&broker, 0, sizeof broker);
}

void tearDown(void)
{
}

static void is(struct skr_span part, const char *text)
{
    char copy[MQTT_TOPIC];

    memcpy(copy, part.n > 0 ? part.p : "", part.n);
    copy[part.n] = '\0';
    TEST_ASSERT_EQUAL_STRING(text, copy);
}

static void there_and_back(enum mqtt_topic_kind kind, const char *client, const char *server, const char *name,
                           const char *text)
{
    mqtt_topic_write(topic, kind, client, server, name);
    TEST_ASSERT_EQUAL_STRING(text, topic);
    struct mqtt_topic t = mqtt_topic_parse(topic);
    TEST_ASSERT_EQUAL(kind, t.kind);
    is(t.client, client != NULL ? client : "");
    is(t.server, server != NULL ? server : "");
    is(t.name, name != NULL ? name : "");
}

static void every_kind_of_topic_is_written_and_read(void)
{
    there_and_back(MQTT_TOPIC_CONTROL, NULL, "pump-17", "lab/pump", "$mcp-server/pump-17/lab/pump");
    there_and_back(MQTT_TOPIC_SERVER_PRESENCE, NULL, "pump-17", "pump", "$mcp-server/presence/pump-17/pump");
    there_and_back(MQTT_TOPIC_SERVER_CHANGES, NULL, "pump-17", "a/b/c", "$mcp-server/capability/pump-17/a/b/c");
    there_and_back(MQTT_TOPIC_CLIENT_PRESENCE, "c 1", NULL, NULL, "$mcp-client/presence/c 1");
    there_and_back(MQTT_TOPIC_CLIENT_CHANGES, "c\xC3\xA9", NULL, NULL, "$mcp-client/capability/c\xC3\xA9");
    there_and_back(MQTT_TOPIC_RPC, "c", "s", "n/m", "$mcp-rpc/c/s/n/m");
}

static void topics_that_are_none_of_ours_are_nothing(void)
{
    static const char *const wrong[] = {
        "",
        "$mcp-server",
        "$mcp-server/",
        "$mcp-server/x",
        "$mcp-server/x/",
        "$mcp-server//x",
        "$mcp-server/presence",
        "$mcp-server/presence/",
        "$mcp-server/presence/x",
        "$mcp-server/presence/x/",
        "$mcp-server/presence/capability/x",
        "$mcp-server/presence//x",
        "$mcp-server/presence/x//y",
        "$mcp-server/presence/x/y/",
        "$mcp-client/x",
        "$mcp-client/presence/",
        "$mcp-client/presence/a/b",
        "$mcp-rpc/a/b",
        "$mcp-rpc/a/b/",
        "$mcp-rpc//b/c",
        "$mcp-rpc/a//c",
        "$mcp-rpc/+/b/c",
        "$mcp-rpc/a/b/#",
        "$mcp-server/a\tb/c",
        "$mcp-server/a\x7F/c",
        "$mcp-server/a\xC2\x85/c", /* U+0085, a control character */
        "$mcp-server/a\xFF/c",
        "$mcp-server/a\xC3",
        "$mcp-servers/a/b",
        "mcp-server/a/b",
    };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        TEST_ASSERT_EQUAL_MESSAGE(MQTT_TOPIC_NONE, mqtt_topic_parse(wrong[i]).kind, wrong[i]);
    }
}

static void ids_and_names_have_limits(void)
{
    char text[MQTT_NAME + 2];

    memset(text, 'x', sizeof text);
    TEST_ASSERT_TRUE(mqtt_topic_is_id((struct skr_span){text, MQTT_ID}));
    TEST_ASSERT_FALSE(mqtt_topic_is_id((struct skr_span){text, MQTT_ID + 1}));
    TEST_ASSERT_TRUE(mqtt_topic_is_name((struct skr_span){text, MQTT_NAME}));
    TEST_ASSERT_FALSE(mqtt_topic_is_name((struct skr_span){text, MQTT_NAME + 1}));
    TEST_ASSERT_FALSE(mqtt_topic_is_id(SPAN("")));
    TEST_ASSERT_FALSE(mqtt_topic_is_id(SPAN("presence")));
    TEST_ASSERT_FALSE(mqtt_topic_is_id(SPAN("capability")));
    TEST_ASSERT_FALSE(mqtt_topic_is_id(SPAN("a\0b")));
    TEST_ASSERT_FALSE(mqtt_topic_is_name(SPAN("/a")));
    TEST_ASSERT_TRUE(mqtt_topic_is_name(SPAN("presence/a"))); /* only ids are taken for something else */
}

static void the_longest_topic_fits(void)
{
    char id[MQTT_ID + 1], name[MQTT_NAME + 1];

    memset(id, 'i', sizeof id);
    memset(name, 'n', sizeof name);
    id[MQTT_ID] = name[MQTT_NAME] = '\0';
    mqtt_topic_write(topic, MQTT_TOPIC_RPC, id, id, name);
    TEST_ASSERT_EQUAL(MQTT_TOPIC_RPC, mqtt_topic_parse(topic).kind);
    mqtt_topic_write(topic, MQTT_TOPIC_SERVER_CHANGES, NULL, id, name);
    TEST_ASSERT_EQUAL(MQTT_TOPIC_SERVER_CHANGES, mqtt_topic_parse(topic).kind);
}

static void a_topic_cut_anywhere_is_read_within_its_bytes(void)
{
    static const char whole[] = "$mcp-rpc/c\xC3\xA9/server/plant/pump";

    for (size_t n = 0; n < sizeof whole; n++) {
        char cut[sizeof whole];
        memcpy(cut, whole, n);
        cut[n] = '\0';
        struct mqtt_topic t = mqtt_topic_parse(cut);
        TEST_ASSERT_TRUE(t.kind == MQTT_TOPIC_NONE || (t.kind == MQTT_TOPIC_RPC && n > strlen("$mcp-rpc/c../server/")));
    }
}

static void is_broker(const char *url, bool tls, const char *host, unsigned port, const char *user,
                      const char *password)
{
    TEST_ASSERT_NULL_MESSAGE(mqtt_broker_parse(&broker, url), url);
    TEST_ASSERT_EQUAL(tls, broker.tls);
    TEST_ASSERT_EQUAL_STRING(host, broker.host);
    TEST_ASSERT_EQUAL(port, broker.port);
    TEST_ASSERT_EQUAL_STRING(user, broker.user);
    TEST_ASSERT_EQUAL_STRING(password, broker.password);
    TEST_ASSERT_NULL(strstr(broker.shown, "secret"));
}

static void urls_of_brokers_are_read(void)
{
    is_broker("mqtt://broker", false, "broker", 1883, "", "");
    is_broker("mqtts://broker.local/", true, "broker.local", 8883, "", "");
    is_broker("mqtt://127.0.0.1:1", false, "127.0.0.1", 1, "", "");
    is_broker("mqtts://[::1]:65535", true, "::1", 65535, "", "");
    TEST_ASSERT_EQUAL_STRING("mqtts://[::1]:65535", broker.shown);
    is_broker("mqtt://ada@b", false, "b", 1883, "ada", "");
    is_broker("mqtt://ada%40home:se%3Acret%2F@b:7", false, "b", 7, "ada@home", "se:cret/");
    is_broker("mqtt://ada:a@b@c", false, "c", 1883, "ada", "a@b"); /* the last '@' counts */
}

static void urls_that_are_none_are_refused(void)
{
    static const char *const wrong[] = {
        "",          "broker",       "http://b",       "mqtt:/b",      "mqtt://",       "mqtt://:1883",
        "mqtt://b:", "mqtt://b:0",   "mqtt://b:65536", "mqtt://b:-1",  "mqtt://b:18x",  "mqtt://b/topic",
        "mqtt://@b", "mqtt://:pw@b", "mqtt://u%@b",    "mqtt://u%4@b", "mqtt://u%00@b", "mqtt://u%gg@b",
        "mqtt://b?", "mqtt://[::1",  "mqtt://[]:1",    "mqtt://a b",   "mqtt://[::1]x", "mqtt://b#f",
    };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        TEST_ASSERT_NOT_NULL_MESSAGE(mqtt_broker_parse(&broker, wrong[i]), wrong[i]);
    }
}

static void a_host_or_user_too_long_is_refused(void)
{
    char url[2048] = "mqtt://";

    memset(url + 7, 'h', MQTT_HOST - 1);
    TEST_ASSERT_NULL(mqtt_broker_parse(&broker, url));
    url[7 + MQTT_HOST - 1] = 'h';
    TEST_ASSERT_NOT_NULL(mqtt_broker_parse(&broker, url));
    strcpy(url + 7 + MQTT_USER - 1, "@b");
    TEST_ASSERT_NULL(mqtt_broker_parse(&broker, url));
    memset(url + 7, 'u', MQTT_USER);
    strcpy(url + 7 + MQTT_USER, "@b");
    TEST_ASSERT_NOT_NULL(mqtt_broker_parse(&broker, url));
}

/* ---- What a device says of itself ---- */

static unsigned requests;
static char request[1024];

static bool open_place(void *owner, unsigned place)
{
    (void)owner;
    return place == 0;
}

static void close_place(void *owner, unsigned place)
{
    (void)owner;
    (void)place;
}

static bool give(void *owner, unsigned place, const char *text, size_t n)
{
    (void)owner;
    (void)place;
    requests += strstr(text, "\"id\"") != NULL;
    (void)snprintf(request, sizeof request, "%.*s", (int)n, text);
    return true;
}

/* Asks a device that always has the same result. */
static void describe(struct mqtt_publisher *p, const char *result)
{
    static const struct mqtt_publisher_host host = {open_place, close_place, give};
    static struct mqtt_publisher_client clients[2];
    static const struct mqtt_broker nowhere = {.shown = "mqtt://nowhere"};
    char response[2048];

    memset(p, 0, sizeof *p);
    memset(clients, 0, sizeof clients);
    *p = (struct mqtt_publisher){
        .broker = &nowhere, .id = "pump-1", .clients = clients, .client_count = 2, .host = &host, .quiet = true};
    requests = 0;
    TEST_ASSERT_TRUE(mqtt_publisher_open(p));
    mqtt_publisher_device(p, true);
    for (unsigned i = 1; i < 2000 && p->describing != MQTT_DESCRIBE_NOTHING; i++) {
        int n = snprintf(response, sizeof response, "{\"jsonrpc\":\"2.0\",\"id\":\"own-%u\",\"result\":%s}", i, result);
        TEST_ASSERT_TRUE(mqtt_publisher_take(p, 0, response, (size_t)n));
    }
}

static void a_title_is_not_cut_within_a_character(void)
{
    static struct mqtt_publisher p;
    char result[512], title[256] = "";

    for (size_t n = 116; n < 128; n++) { /* two escapes that are one character, at every place of the end */
        memset(title, 'x', n);
        strcpy(title + n, "\\ud83d\\ude00");
        (void)snprintf(result, sizeof result, "{\"serverInfo\":{\"name\":\"pump\",\"title\":\"%s\"}}", title);
        describe(&p, result);
        TEST_ASSERT_TRUE(p.described);
        TEST_ASSERT_EQUAL(n, strlen(p.device.title));
    }
}

static void a_list_that_never_ends_is_not_read_for_ever(void)
{
    static struct mqtt_publisher p;

    describe(&p, "{\"serverInfo\":{\"name\":\"pump\"},\"skills\":[],\"nextCursor\":\"again\"}");
    TEST_ASSERT_TRUE(p.described);
    TEST_ASSERT_EQUAL(1 + 3 * MQTT_PAGES, requests);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(every_kind_of_topic_is_written_and_read);
    RUN_TEST(topics_that_are_none_of_ours_are_nothing);
    RUN_TEST(ids_and_names_have_limits);
    RUN_TEST(the_longest_topic_fits);
    RUN_TEST(a_topic_cut_anywhere_is_read_within_its_bytes);
    RUN_TEST(urls_of_brokers_are_read);
    RUN_TEST(urls_that_are_none_are_refused);
    RUN_TEST(a_host_or_user_too_long_is_refused);
    RUN_TEST(a_title_is_not_cut_within_a_character);
    RUN_TEST(a_list_that_never_ends_is_not_read_for_ever);
    return UNITY_END();
}
