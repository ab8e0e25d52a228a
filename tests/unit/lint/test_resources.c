/* test_resources.c -- resources/<name>.json: what goes into the rows of the header, and the messages about errors. */
#include <string.h>

#include "base/buf.h"
#include "sandbox.h"
#include "unity.h"

void setUp(void)
{
    sandbox_open();
    sandbox_text("device.json", "{\"name\":\"d\",\"version\":\"1\"}");
    sandbox_text("skills/m/SKILL.md", "---\nname: m\ndescription: What it is. When to use it.\n---\nx\n");
}

void tearDown(void)
{
    sandbox_close();
}

static void a_resource_is_a_row(void)
{
    sandbox_text("resources/level.json",
                 "{ \"uri\": \"tank://level\", \"name\": \"level\", \"mimeType\": \"text/plain\",\n"
                 "  \"title\": \"\\u00e9 \\\"x\\\"\", \"description\": \"d\", \"icons\": [{\"src\": \"data:x\"}],\n"
                 "  \"annotations\": {\"priority\": 0.50}, \"x-skillrom\": {\"subscribe\": true} }");
    struct outcome o = sandbox_load_plain();
    TEST_ASSERT_TRUE_MESSAGE(o.well, outcome_text(&o));
    TEST_ASSERT_EQUAL_UINT(1, o.device.resource_count);
    const struct resource *r = &o.device.resources[0];
    TEST_ASSERT_EQUAL_STRING("resource_level", r->symbol);
    TEST_ASSERT_EQUAL_STRING("tank://level", r->uri);
    TEST_ASSERT_FALSE(r->is_template);
    TEST_ASSERT_EQUAL_STRING("text/plain", r->mime);
    TEST_ASSERT_EQUAL_STRING("{\"uri\":\"tank://level\",\"name\":\"level\",\"mimeType\":\"text/plain\","
                             "\"title\":\"é \\\"x\\\"\",\"description\":\"d\",\"icons\":[{\"src\":\"data:x\"}],"
                             "\"annotations\":{\"priority\":0.50}}",
                             r->json);
    TEST_ASSERT_NULL(r->values);
    TEST_ASSERT_TRUE(r->subscribe);
}

static void templates_stand_after_the_uris_that_they_would_match(void)
{
    sandbox_text("resources/a.json", "{\"uriTemplate\":\"tank://{n}/level\",\"name\":\"a\",\"mimeType\":\"text/plain\","
                                     "\"x-skillrom\":{\"values\":[\"1\",\"zwölf\"]}}");
    sandbox_text("resources/c-d.json",
                 "{\"uri\":\"tank://1/level\",\"name\":\"c-d\",\"mimeType\":\"text/plain; charset=utf-8\"}");
    sandbox_text("resources/b.json", "{\"uri\":\"tank://2/level\",\"name\":\"b\",\"mimeType\":\"text/plain\"}");
    struct outcome o = sandbox_load_plain();
    TEST_ASSERT_TRUE_MESSAGE(o.well, outcome_text(&o));
    TEST_ASSERT_EQUAL_UINT(3, o.device.resource_count);
    TEST_ASSERT_EQUAL_STRING("resource_b", o.device.resources[0].symbol);
    TEST_ASSERT_EQUAL_STRING("resource_c_d", o.device.resources[1].symbol);
    TEST_ASSERT_EQUAL_STRING("resource_a", o.device.resources[2].symbol);
    TEST_ASSERT_TRUE(o.device.resources[2].is_template);
    TEST_ASSERT_EQUAL_STRING("1\nzwölf", o.device.resources[2].values);
}

static void skills_may_depend_on_them(void)
{
    sandbox_text("resources/t.json", "{\"uri\":\"tank://level\",\"name\":\"t\",\"mimeType\":\"text/plain\"}");
    sandbox_text("skills/m/SKILL.md", "---\nname: m\ndescription: What it is. When to use it.\nmetadata:\n"
                                      "  dev.skillrom/resources: tank://level\n---\nx\n");
    struct outcome o = sandbox_load_plain();
    TEST_ASSERT_TRUE_MESSAGE(o.well, outcome_text(&o));
    sandbox_text("resources/t.json", "{\"uri\":\"tank://other\",\"name\":\"t\",\"mimeType\":\"text/plain\"}");
    o = sandbox_load_plain();
    const struct message *message = outcome_find(&o, true, "SK-D-03", "skills/m/SKILL.md", 5, 27);
    TEST_ASSERT_NOT_NULL_MESSAGE(message, outcome_text(&o));
    TEST_ASSERT_NOT_NULL(strstr(message->text, "describe it in resources/"));
}

#define GOOD "{\"uri\":\"x://y\",\"name\":\"t\",\"mimeType\":\"text/plain\",\n"
#define PATTERN "{\"uriTemplate\":\"x://{y}\",\"name\":\"t\",\"mimeType\":\"text/plain\",\n"

static void resources_that_are_wrong_are_refused_with_line(void)
{
    static const struct {
        const char *json;
        unsigned line, col;
        const char *words;
    } wrong[] = {
        {"{\"uri\":\"x://y\",\"mimeType\":\"text/plain\"}", 1, 1, "'name' missing; add it"},
        {"{\"uri\":\"x://y\",\"name\":\"t\"}", 1, 1, "'mimeType' missing; add it"},
        {"{\"name\":\"t\",\"mimeType\":\"text/plain\"}", 1, 1, "this one has neither"},
        {GOOD "\"uriTemplate\":\"x://{y}\"}", 1, 1, "this one has both"},
        {"{\"name\":\"t\",\"mimeType\":\"text/plain\",\n\"uri\":1}", 2, 7, "'uri' must be a URI"},
        {"{\"name\":\"t\",\"mimeType\":\"text/plain\",\n\"uri\":\"y\"}", 2, 7, "'uri' must be a URI"},
        {"{\"name\":\"t\",\"mimeType\":\"text/plain\",\n\"uri\":\"1x://y\"}", 2, 7, "'uri' must be a URI"},
        {"{\"name\":\"t\",\"mimeType\":\"text/plain\",\n\"uri\":\"x://a b\"}", 2, 7, "'uri' must be a URI"},
        {"{\"name\":\"t\",\"mimeType\":\"text/plain\",\n\"uri\":\"x://{y}\"}", 2, 7, "'uri' must be a URI"},
        {"{\"name\":\"t\",\"mimeType\":\"text/plain\",\n\"uri\":\"x://\\u00e9\"}", 2, 7, "'uri' must be a URI"},
        {"{\"name\":\"t\",\"mimeType\":\"text/plain\",\n\"uri\":\"x://a\\u0000b\"}", 2, 7, "'uri' must be a URI"},
        {"{\"name\":\"t\",\"mimeType\":\"text/plain\",\n\"uriTemplate\":\"x://y\"}", 2, 15, "with one variable"},
        {"{\"name\":\"t\",\"mimeType\":\"text/plain\",\n\"uriTemplate\":\"x://{}\"}", 2, 15, "with one variable"},
        {"{\"name\":\"t\",\"mimeType\":\"text/plain\",\n\"uriTemplate\":\"x://{a}/{b}\"}", 2, 15, "with one variable"},
        {"{\"name\":\"t\",\"mimeType\":\"text/plain\",\n\"uriTemplate\":\"x://{+a}\"}", 2, 15, "with one variable"},
        {"{\"name\":\"t\",\"mimeType\":\"text/plain\",\n\"uriTemplate\":\"{a}://b\"}", 2, 15, "with one variable"},
        {"{\"uri\":\"x://y\",\"name\":\"t\",\n\"mimeType\":\"text\"}", 2, 12, "'mimeType' must be a media type"},
        {"{\"uri\":\"x://y\",\"name\":\"t\",\n\"mimeType\":\"a/\\\"b\"}", 2, 12, "'mimeType' must be a media type"},
        {"{\"uri\":\"x://y\",\"mimeType\":\"text/plain\",\n\"name\":\"u\"}", 2, 8, "name 'u' in the file of 't'"},
        {GOOD "\"title\":\"\"}", 2, 9, "'title' must be a non-empty string"},
        {GOOD "\"icons\":[1]}", 2, 10, "an icon must be an object"},
        {GOOD "\"annotations\":1}", 2, 15, "'annotations' must be an object"},
        {GOOD "\"text\":\"hello\"}", 2, 1, "a resource has no member 'text'; the members are name, title,"},
        {GOOD "\"descripton\":\"hello\"}", 2, 1, "a resource has no member 'descripton'; did you mean 'description'?"},
        {GOOD "\"mimetype\":\"a/b\"}", 2, 1, "a resource has no member 'mimetype'; did you mean 'mimeType'?"},
        {GOOD "\"x-skillrom\":1}", 2, 14, "'x-skillrom' of a resource must be an object"},
        {GOOD "\"x-skillrom\":{\"deadlineMs\":1}}", 2, 15,
         "'x-skillrom' has no member 'deadlineMs'; the members are subscribe"},
        {GOOD "\"x-skillrom\":{\"subscribe\":1}}", 2, 27, "'subscribe' must be true or false"},
        {GOOD "\"x-skillrom\":{\"values\":[\"1\"]}}", 2, 15, "'values' is for resources with a 'uriTemplate'"},
        {PATTERN "\"x-skillrom\":{\"subscribe\":true}}", 2, 15, "'subscribe' is for resources with a 'uri'"},
        {PATTERN "\"x-skillrom\":{\"values\":[]}}", 2, 24, "'values' must be a list"},
        {PATTERN "\"x-skillrom\":{\"values\":[\"a\\\"b\"]}}", 2, 25, "a value must be text without quotes"},
    };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        sandbox_text("resources/t.json", wrong[i].json);
        struct outcome o = sandbox_load_plain();
        const struct message *message = outcome_find(&o, true, NULL, "resources/t.json", wrong[i].line, wrong[i].col);
        TEST_ASSERT_FALSE_MESSAGE(o.well, wrong[i].json);
        TEST_ASSERT_NOT_NULL_MESSAGE(message, xasprintf("%s%s", wrong[i].json, outcome_text(&o)));
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(message->text, wrong[i].words), message->text);
    }
}

static void what_no_string_of_c_holds_is_refused(void)
{
    struct buf text = {0};

    buf_puts(&text, GOOD "\"description\":\"");
    while (text.n < 4095) {
        buf_puts(&text, "x");
    }
    buf_puts(&text, "\"}");
    sandbox_text("resources/t.json", buf_str(&text));
    struct outcome o = sandbox_load_plain();
    const struct message *message = outcome_find(&o, true, NULL, "resources/t.json", 1, 1);
    TEST_ASSERT_NOT_NULL_MESSAGE(message, outcome_text(&o));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(message->text, "too long"), message->text);
}

static void two_resources_share_neither_uri_nor_name_in_c(void)
{
    sandbox_text("resources/a-b.json", "{\"uri\":\"x://1\",\"name\":\"a-b\",\"mimeType\":\"text/plain\"}");
    sandbox_text("resources/a_b.json", "{\"uri\":\"x://1\",\"name\":\"a_b\",\"mimeType\":\"text/plain\"}");
    struct outcome o = sandbox_load_plain();
    TEST_ASSERT_FALSE(o.well);
    TEST_ASSERT_EQUAL_UINT(2, o.count);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(outcome_text(&o), "'x://1' is already served by"), outcome_text(&o));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(outcome_text(&o), "its handler 'resource_a_b'"), outcome_text(&o));
    sandbox_text("resources/a-b.json", "{\"uri\":\"x://1\",\"name\":\"a-b\",\"mimeType\":\"text/plain\","
                                       "\"x-skillrom\":{\"subscribe\":true}}");
    sandbox_text("resources/a_b.json", "{}");
    sandbox_text("resources/a.b.version.json",
                 "{\"uri\":\"x://3\",\"name\":\"a.b.version\",\"mimeType\":\"text/plain\"}");
    o = sandbox_load_plain();
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(outcome_text(&o), "resource_a_b_version"), outcome_text(&o));
}

static void other_files_are_left_out_aloud(void)
{
    sandbox_text("resources/notes.txt", "x");
    struct outcome o = sandbox_load_plain();
    TEST_ASSERT_TRUE(o.well);
    const struct message *message = outcome_find(&o, false, NULL, "resources/notes.txt", 1, 1);
    TEST_ASSERT_NOT_NULL_MESSAGE(message, outcome_text(&o));
    TEST_ASSERT_EQUAL_STRING("left out: resources/ is for .json files", message->text);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_resource_is_a_row);
    RUN_TEST(templates_stand_after_the_uris_that_they_would_match);
    RUN_TEST(skills_may_depend_on_them);
    RUN_TEST(resources_that_are_wrong_are_refused_with_line);
    RUN_TEST(what_no_string_of_c_holds_is_refused);
    RUN_TEST(two_resources_share_neither_uri_nor_name_in_c);
    RUN_TEST(other_files_are_left_out_aloud);
    return UNITY_END();
}
