/* test_schema.c -- what of a tool's inputSchema can be checked on a device, and what is
 * said about the rest: a place and a remedy. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "sandbox.h"
#include "schema/schema.h"
#include "unity.h"

void setUp(void)
{
    sandbox_open();
    static const char about[] = "{\"name\":\"d\",\"version\":\"1\"}";
    static const char manual[] = "---\nname: m\ndescription: What it is. When to use it.\n---\nx\n";
    sandbox_file("device.json", about, sizeof about - 1);
    sandbox_file("skills/m/SKILL.md", manual, sizeof manual - 1);
}

void tearDown(void)
{
    sandbox_close();
}

/* Loads a tool with this property. It stands in line 2, from column 6 on. */
static struct outcome load(const char *property)
{
    char *text =
        xasprintf("{\"name\":\"t\",\"description\":\"d\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\n"
                  "\"p\": %s\n}}}\n",
                  property);

    sandbox_file("tools/t.json", text, strlen(text));
    return sandbox_load(NULL, &(struct load_options){0});
}

static void expect_wrong(const char *property, unsigned col, const char *words)
{
    struct outcome o = load(property);
    const struct message *message = outcome_find(&o, true, NULL, "tools/t.json", 2, col);

    TEST_ASSERT_FALSE_MESSAGE(o.well, property);
    TEST_ASSERT_NOT_NULL_MESSAGE(message, xasprintf("%s%s", property, outcome_text(&o)));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(message->text, words), message->text);
}

/* The C struct member of a property. */
static const struct shape *expect_well(const char *property)
{
    struct outcome o = load(property);

    TEST_ASSERT_TRUE_MESSAGE(o.well, xasprintf("%s%s", property, outcome_text(&o)));
    return &o.device.tools[0].args->members[0];
}

static void what_cannot_be_checked_is_an_error(void)
{
    static const char *const keywords[] = {
        "{\"type\":\"string\",\"pattern\":\"^a\"}",
        "{\"type\":\"string\",\"minimum\":1}",
        "{\"type\":\"integer\",\"minLength\":1}",
        "{\"type\":\"boolean\",\"enum\":[true]}",
        "{\"type\":\"boolean\",\"const\":true}",
        "{\"type\":\"object\",\"minProperties\":1}",
        "{\"type\":\"object\",\"patternProperties\":{}}",
        "{\"type\":\"object\",\"$schema\":\"x\"}",
        "{\"type\":\"integer\",\"anyOf\":[]}",
        "{\"type\":\"integer\",\"unheardOf\":1}",
        "{\"type\":\"integer\",\"format\":\"int32\"}",
        "{\"type\":\"string\",\"\":1}",
        "{\"type\":\"boolean\",\"\":1}",
        "{\"type\":\"string\",\" \":1}",
        "{\"type\":\"string\",\"minLength maxLength\":1}",
        "{\"type\":\"string\",\"minLength \":1}",
        "{\"type\":\"string\",\"Length\":1}",
        "{\"type\":\"string\",\"minLength\\u0000\":1}",
        "{\"type\":\"string\",\"title\\u0000\":1}",
        "{\"type\":\"string\",\"format\\u0000\":1}",
    };

    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
        const char *second = strchr(strchr(keywords[i], ',') + 1, '"');
        expect_wrong(keywords[i], (unsigned)(second - keywords[i]) + 6, "cannot be checked on the device");
    }
}

static void values_must_say_what_they_are(void)
{
    expect_wrong("{}", 6, "needs one 'type'");
    expect_wrong("true", 6, "must be an object");
    expect_wrong("{\"$ref\":\"#\"}", 6, "needs one 'type'");
    expect_wrong("{\"type\":[\"string\",\"null\"]}", 14, "needs one 'type'");
    expect_wrong("{\"type\":\"null\"}", 14, "the device supports");
    expect_wrong("{\"x-skillrom\":\"cooked\"}", 20, "\"raw\" or \"float\"");
    expect_wrong("{\"type\":\"string\",\"x-skillrom\":\"float\"}", 6, "can be a float");
}

static void limits_must_leave_something(void)
{
    expect_wrong("{\"type\":\"integer\",\"minimum\":2,\"maximum\":1}", 6, "no number");
    expect_wrong("{\"type\":\"integer\",\"minimum\":0.5,\"maximum\":0.9}", 6, "no number");
    expect_wrong("{\"type\":\"integer\",\"exclusiveMinimum\":1,\"exclusiveMaximum\":2}", 6, "no number");
    expect_wrong("{\"type\":\"string\",\"minLength\":2,\"maxLength\":1}", 6, "no length");
    expect_wrong("{\"type\":\"integer\",\"minimum\":\"1\"}", 34, "must be a number");
    expect_wrong("{\"type\":\"number\",\"maximum\":1e30}", 33, "limit is too large");
    expect_wrong("{\"type\":\"number\",\"maximum\":0.0000000001}", 6, "decimals");
    expect_wrong("{\"type\":\"number\",\"multipleOf\":0.5}", 36, "power of ten");
    expect_wrong("{\"type\":\"integer\",\"multipleOf\":5}", 37, "of an integer");
    expect_wrong("{\"type\":\"string\",\"maxLength\":-1}", 35, "whole number from 0");
}

static void arrays_and_objects_are_bounded(void)
{
    expect_wrong("{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}", 6, "needs 'maxItems'");
    expect_wrong("{\"type\":\"array\",\"maxItems\":5000,\"items\":{\"type\":\"integer\"}}", 6, "needs 'maxItems'");
    expect_wrong("{\"type\":\"array\",\"maxItems\":5}", 6, "needs 'items'");
    expect_wrong("{\"type\":\"array\",\"maxItems\":5,\"items\":{\"type\":\"integer\",\"default\":1}}", 71,
                 "has no default");
    expect_wrong("{\"type\":\"object\",\"required\":[\"a\"]}", 35, "'properties' does not have");
    expect_wrong("{\"type\":\"object\",\"additionalProperties\":{}}", 46, "must be true or false");
    expect_wrong("{\"type\":\"object\",\"properties\":{\"a-b\":{\"type\":\"boolean\"},\"a_b\":{\"type\":\"boolean\"}}}",
                 62, "same name in C");
    expect_wrong("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"boolean\"},\"has_a\":{\"type\":\"boolean\"}}}",
                 60, "same name in C");
}

/* The tables of a device count in 16 bits. */
static void structs_are_bounded(void)
{
    expect_wrong(
        "{\"type\":\"array\",\"maxItems\":1024,\"items\":{\"type\":\"array\",\"maxItems\":16,\"items\":{\"type\":\"integer\","
        "\"maximum\":9,\"minimum\":0}}}",
        6, "would have 69636 bytes or more");
    (void)expect_well("{\"type\":\"array\",\"maxItems\":1023,\"items\":{\"type\":\"array\",\"maxItems\":15,\"items\":"
                      "{\"type\":\"integer\",\"maximum\":9,\"minimum\":0}}}");
    expect_wrong(
        "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array\",\"maxItems\":1024,\"items\":{\"type\":\"object\","
        "\"properties\":{\"b\":{\"type\":\"array\",\"maxItems\":1024,\"items\":{\"type\":\"number\"}}}}}}}",
        41, "would have 8393732 bytes or more");
}

static void nesting_ends_where_the_device_ends(void)
{
    struct buf text = {0};

    for (int i = 0; i < SHAPE_DEPTH; i++) {
        buf_puts(&text, "{\"type\":\"array\",\"maxItems\":1,\"items\":");
    }
    buf_puts(&text, "{\"type\":\"boolean\"}");
    for (int i = 0; i < SHAPE_DEPTH; i++) {
        buf_puts(&text, "}");
    }
    struct outcome o = load(buf_str(&text));
    TEST_ASSERT_FALSE(o.well);
    TEST_ASSERT_NOT_NULL(strstr(outcome_text(&o), "may be nested 5 deep"));
}

static void choices_are_of_the_right_kind(void)
{
    expect_wrong("{\"type\":\"string\",\"enum\":[]}", 30, "array of 1 to");
    expect_wrong("{\"type\":\"string\",\"enum\":[\"a\",1]}", 35, "must be a string");
    expect_wrong("{\"type\":\"string\",\"enum\":[\"a b\",\"a-b\"]}", 37, "same name in C");
    expect_wrong("{\"type\":\"string\",\"enum\":[\"a\"],\"maxLength\":1}", 6, "do not go together");
    expect_wrong("{\"type\":\"integer\",\"enum\":[1.5]}", 32, "does not agree with 'type' or 'multipleOf'");
    expect_wrong("{\"type\":\"integer\",\"maximum\":3,\"enum\":[4]}", 44, "outside the limits");
    expect_wrong("{\"type\":\"number\",\"enum\":[1]}", 30, "needs \"type\": \"integer\"");
}

static void defaults_must_fit(void)
{
    expect_wrong("{\"type\":\"integer\",\"maximum\":3,\"default\":4}", 46,
                 "not an allowed value; it must be an integer, maximum 3");
    expect_wrong("{\"type\":\"integer\",\"default\":1.5}", 34, "not an allowed value; it must be an integer");
    expect_wrong("{\"type\":\"number\",\"exclusiveMinimum\":1,\"default\":1}", 54,
                 "not an allowed value; it must be a number, exclusiveMinimum 1");
    expect_wrong("{\"type\":\"string\",\"maxLength\":1,\"default\":\"ab\"}", 47,
                 "not an allowed value; it must be a string, maxLength 1");
    expect_wrong("{\"type\":\"string\",\"enum\":[\"a\"],\"default\":\"b\"}", 46,
                 "not an allowed value; it must be one of a");
    expect_wrong("{\"type\":\"boolean\",\"default\":\"true\"}", 34, "not an allowed value; it must be true or false");
    expect_wrong("{\"type\":\"number\",\"x-skillrom\":\"float\",\"default\":1e60}", 54,
                 "not an allowed value; it must be a number that a float can hold");
    expect_wrong("{\"type\":\"number\",\"x-skillrom\":\"float\",\"default\":-3.5e38}", 54,
                 "not an allowed value; it must be a number that a float can hold");
    (void)expect_well("{\"type\":\"number\",\"x-skillrom\":\"float\",\"default\":-3.4e38}");
    (void)expect_well("{\"type\":\"number\",\"default\":1e60}");
    expect_wrong("{\"type\":\"object\",\"default\":{}}", 33, "only numbers, strings and booleans");
}

/* HDR-11 */
static void headers_are_what_clients_take(void)
{
    expect_wrong("{\"type\":\"number\",\"x-mcp-header\":\"A\"}", 38, "HDR-11");
    expect_wrong("{\"type\":\"string\",\"x-mcp-header\":\"a b\"}", 38, "HDR-11");
    expect_wrong("{\"type\":\"string\",\"x-mcp-header\":\"\"}", 38, "HDR-11");
    expect_wrong("{\"type\":\"array\",\"maxItems\":1,\"items\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}}", 75,
                 "HDR-11");
    expect_wrong("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\"},"
                 "\"b\":{\"type\":\"string\",\"x-mcp-header\":\"a\"}}}",
                 114, "HDR-11");
    (void)expect_well("{\"type\":\"string\",\"x-mcp-header\":\"Region\"}");
}

/* Loads a tool with this many arguments that have a header. */
static struct outcome load_headers(unsigned headers)
{
    struct buf text = {0};

    buf_puts(&text, "{\"type\":\"object\",\"properties\":{");
    for (unsigned i = 0; i < headers; i++) {
        buf_printf(&text, "%s\"p%u\":{\"type\":\"string\",\"x-mcp-header\":\"H%u\"}", i > 0 ? "," : "", i, i);
    }
    buf_puts(&text, "}}");
    struct outcome o = load(buf_str(&text));
    TEST_ASSERT_TRUE_MESSAGE(o.well, outcome_text(&o));
    return o;
}

static void more_headers_than_a_small_device_keeps_are_worth_a_warning(void)
{
    struct outcome four = load_headers(4), ten = load_headers(10);

    TEST_ASSERT_NULL_MESSAGE(strstr(outcome_text(&four), "with a header"), outcome_text(&four));
    const char *said = strstr(outcome_text(&ten), "more than 4 arguments with a header");
    TEST_ASSERT_NOT_NULL_MESSAGE(said, outcome_text(&ten));
    TEST_ASSERT_NULL_MESSAGE(strstr(said + 1, "more than 4"), said); /* once */
}

/* The device looks for the argument by the name as it stands in the image. */
static void a_property_with_a_header_has_a_name_that_json_does_not_escape(void)
{
    static const char *const names[] = {"re\\\"gion", "a\\\\b", "tab\\t"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *one = xasprintf("{\"type\":\"object\",\"properties\":{\"%s\":"
                                    "{\"type\":\"string\",\"x-mcp-header\":\"A\"}}}",
                                    names[i]);
        expect_wrong(one, (unsigned)(strstr(one, "\"A\"") - one) + 6, "without quotes");
        one = xasprintf("{\"type\":\"object\",\"properties\":{\"%s\":{\"type\":\"object\",\"properties\":{\"in\":"
                        "{\"type\":\"string\",\"x-mcp-header\":\"A\"}}}}}",
                        names[i]);
        expect_wrong(one, (unsigned)(strstr(one, "\"A\"") - one) + 6, "without quotes");
    }
    (void)expect_well("{\"type\":\"object\",\"properties\":{\"a\\\"b\":{\"type\":\"string\"},"
                      "\"r\\u00e9gion\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}}}");
}

static void limits_become_those_of_a_c_type(void)
{
    static const struct {
        const char *property;
        int64_t min, max;
    } rows[] = {
        {"{\"type\":\"integer\",\"minimum\":1,\"maximum\":4}", 1, 4},
        {"{\"type\":\"integer\",\"minimum\":0.5,\"maximum\":4.5e1}", 1, 45},
        {"{\"type\":\"integer\",\"minimum\":-0.5,\"exclusiveMaximum\":0.5}", 0, 0},
        {"{\"type\":\"integer\",\"exclusiveMinimum\":-3,\"exclusiveMaximum\":3}", -2, 2},
        {"{\"type\":\"integer\",\"minimum\":1,\"exclusiveMinimum\":1,\"maximum\":9,\"exclusiveMaximum\":20}", 2, 9},
        {"{\"type\":\"number\",\"multipleOf\":0.01,\"minimum\":0.005,\"maximum\":1}", 1, 100},
        {"{\"type\":\"number\",\"multipleOf\":1e-2,\"exclusiveMinimum\":0,\"exclusiveMaximum\":0.5}", 1, 49},
        {"{\"type\":\"integer\",\"enum\":[7,-3]}", -3, 7},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct shape *shape = expect_well(rows[i].property);
        TEST_ASSERT_EQUAL_INT(SHAPE_INT, shape->kind);
        TEST_ASSERT_EQUAL_INT64_MESSAGE(rows[i].min, shape->min, rows[i].property);
        TEST_ASSERT_EQUAL_INT64_MESSAGE(rows[i].max, shape->max, rows[i].property);
    }
}

static void a_raw_value_may_be_anything(void)
{
    TEST_ASSERT_EQUAL_INT(SHAPE_RAW, expect_well("{\"x-skillrom\":\"raw\",\"oneOf\":[{}],\"pattern\":1}")->kind);
    TEST_ASSERT_NULL(strstr(load("{\"x-skillrom\":\"raw\",\"oneOf\":[{}]}").device.tools[0].json, "x-skillrom"));
}

static void names_become_identifiers(void)
{
    TEST_ASSERT_EQUAL_STRING("new_tube", schema_identifier("new-tube"));
    TEST_ASSERT_EQUAL_STRING("_2x", schema_identifier("2x"));
    TEST_ASSERT_EQUAL_STRING("int_", schema_identifier("int"));
    TEST_ASSERT_EQUAL_STRING("__", schema_identifier("\xC3\xA9"));
    TEST_ASSERT_EQUAL_STRING("_", schema_identifier(""));

    static const char *const taken[] = {
        "asm",       "typeof",     "unix",          "linux",        "NULL",          "alignas",  "alignof",
        "constexpr", "nullptr",    "static_assert", "thread_local", "typeof_unqual", "bool",     "true",
        "false",     "errno",      "_Bool",         "_Generic",     "__LINE__",      "SKR_JOBS", "ROMFS_NONE",
        "INT8_MAX",  "UINT64_MAX", "INT_FAST8_MIN", "UINTPTR_MAX",  "SIZE_MAX"};
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        TEST_ASSERT_EQUAL_STRING(xasprintf("%s_", taken[i]), schema_identifier(taken[i]));
    }
    static const char *const free_ones[] = {"INTERVAL", "UINTERVAL", "_bool", "Int", "SKR", "U", "null", "int8_t"};
    for (size_t i = 0; i < sizeof free_ones / sizeof free_ones[0]; i++) {
        TEST_ASSERT_EQUAL_STRING(free_ones[i], schema_identifier(free_ones[i]));
    }
}

/* Loads these tools, the property of each in line 2. */
static struct outcome load_tools(const char *const *names, const char *const *properties, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *text =
            xasprintf("{\"name\":\"%s\",\"description\":\"d\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\n"
                      "%s\n}}}\n",
                      names[i], properties[i]);
        sandbox_file(xasprintf("tools/%s.json", names[i]), text, strlen(text));
    }
    return sandbox_load(NULL, &(struct load_options){0});
}

static void two_tools_cannot_share_a_handler(void)
{
    struct outcome o = load_tools((const char *const[]){"a-b", "a_b"}, (const char *const[]){"", ""}, 2);

    TEST_ASSERT_FALSE(o.well);
    TEST_ASSERT_EQUAL_UINT(1, o.count);
    TEST_ASSERT_NOT_NULL(strstr(outcome_text(&o), "its handler 'tool_a_b'"));
    TEST_ASSERT_NOT_NULL(strstr(outcome_text(&o), "tools/a-b.json:1:47;"));
}

/* What is named twice in C is refused where it is met the second time. */
static void names_in_c_are_given_once(void)
{
    static const struct {
        const char *properties, *words;
        unsigned col;
    } rows[] = {
        {"\"mode\":{\"type\":\"string\",\"enum\":[\"fast_on\",\"a\"]},\"mode_fast\":{\"type\":\"string\",\"enum\":[\"on\",\"b\"]}",
         "constant 'TOOL_T_MODE_FAST_ON'", 86},
        {"\"mode\":{\"type\":\"string\",\"enum\":[\"a\"]},\"Mode\":{\"type\":\"string\",\"enum\":[\"b\",\"a\"]}",
         "constant 'TOOL_T_MODE_A'", 75},
        {"\"a\":{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"object\",\"properties\":{\"c\":{\"type\":\"integer\"}}},"
         "\"b_c\":{\"type\":\"integer\"}}}",
         "table 'tool_t_a_b_c'", 96},
        {"\"a\":{\"type\":\"object\"},\"args\":{\"type\":\"object\"}", "type 'tool_t_args'", 30},
        {"\"a_b\":{\"type\":\"object\"},\"a\":{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"object\"}}}",
         "type 'tool_t_a_b'", 64},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct outcome o = load_tools((const char *const[]){"t"}, &rows[i].properties, 1);
        const struct message *message = outcome_find(&o, true, NULL, "tools/t.json", 2, rows[i].col);
        TEST_ASSERT_NOT_NULL_MESSAGE(message, xasprintf("%s%s", rows[i].properties, outcome_text(&o)));
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(message->text, rows[i].words), message->text);
    }
}

static void tools_share_the_names_of_a_header(void)
{
    static const char *const names[] = {"a", "a_b"};
    struct outcome o = load_tools(names, (const char *const[]){"\"b_args\":{\"type\":\"object\"}", ""}, 2);

    TEST_ASSERT_NOT_NULL_MESSAGE(outcome_find(&o, true, NULL, "tools/a_b.json", 1, 47), outcome_text(&o));
    TEST_ASSERT_NOT_NULL(strstr(outcome_text(&o), "tools/a.json:2:10; rename one"));
    TEST_ASSERT_FALSE(o.well);
    o = load_tools(names, (const char *const[]){"\"b\":{\"type\":\"integer\"}", "\"b\":{\"type\":\"integer\"}"}, 2);
    TEST_ASSERT_TRUE_MESSAGE(o.well, outcome_text(&o));

    const char *raw =
        "{\"name\":\"a_b\",\"description\":\"d\",\"inputSchema\":{\"type\":\"object\",\"x-skillrom\":\"raw\"}}";
    o = load_tools(names, (const char *const[]){"\"b_args\":{\"type\":\"object\"}"}, 1);
    sandbox_file("tools/a_b.json", raw, strlen(raw));
    TEST_ASSERT_FALSE(sandbox_load(NULL, &(struct load_options){0}).well);
}

static void what_is_said_to_the_handler_is_checked(void)
{
    static const char *const wrong[] = {"1",
                                        "{\"deadlineMs\":0}",
                                        "{\"deadlineMs\":2000000001}",
                                        "{\"deadlineMs\":99999999999999999999}",
                                        "{\"deadlineMs\":\"1\"}",
                                        "{\"outputMax\":-1}",
                                        "{\"other\":1}",
                                        "{\"deadlineMs\":1,\"parallel\":1}",
                                        "{\"deadlineMs\":1,\"task\":true}",
                                        "{\"deadlineMs\":1,\"task\":\"always\"}",
                                        "{\"parallel\":true}",
                                        "{\"task\":\"optional\"}"};

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char *text = xasprintf(
            "{\"name\":\"t\",\"description\":\"d\",\"inputSchema\":{\"type\":\"object\"},\"x-skillrom\":%s}", wrong[i]);
        sandbox_file("tools/t.json", text, strlen(text));
        TEST_ASSERT_FALSE_MESSAGE(sandbox_load(NULL, &(struct load_options){0}).well, wrong[i]);
    }
}

/* Defect 75: what takes ten minutes, or a day, is normal for a device. */
static void a_deadline_may_be_minutes_hours_and_days(void)
{
    static const unsigned deadlines[] = {1, 10000, 60000, 60001, 600000, 36000000, 86400000, 2000000000};

    for (size_t i = 0; i < sizeof deadlines / sizeof deadlines[0]; i++) {
        char *text = xasprintf("{\"name\":\"t\",\"description\":\"d\",\"inputSchema\":{\"type\":\"object\"},"
                               "\"x-skillrom\":{\"deadlineMs\":%u}}",
                               deadlines[i]);
        sandbox_file("tools/t.json", text, strlen(text));
        struct outcome loaded = sandbox_load(NULL, &(struct load_options){0});
        TEST_ASSERT_TRUE_MESSAGE(loaded.well, text);
        TEST_ASSERT_EQUAL_UINT32(deadlines[i], loaded.device.tools[0].deadline_ms);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(what_cannot_be_checked_is_an_error);
    RUN_TEST(values_must_say_what_they_are);
    RUN_TEST(limits_must_leave_something);
    RUN_TEST(arrays_and_objects_are_bounded);
    RUN_TEST(structs_are_bounded);
    RUN_TEST(nesting_ends_where_the_device_ends);
    RUN_TEST(choices_are_of_the_right_kind);
    RUN_TEST(defaults_must_fit);
    RUN_TEST(headers_are_what_clients_take);
    RUN_TEST(more_headers_than_a_small_device_keeps_are_worth_a_warning);
    RUN_TEST(a_property_with_a_header_has_a_name_that_json_does_not_escape);
    RUN_TEST(limits_become_those_of_a_c_type);
    RUN_TEST(a_raw_value_may_be_anything);
    RUN_TEST(names_become_identifiers);
    RUN_TEST(two_tools_cannot_share_a_handler);
    RUN_TEST(names_in_c_are_given_once);
    RUN_TEST(tools_share_the_names_of_a_header);
    RUN_TEST(what_is_said_to_the_handler_is_checked);
    RUN_TEST(a_deadline_may_be_minutes_hours_and_days);
    return UNITY_END();
}
