/* test_cmdline.c -- a command line is read by its table (host/base/cmdline.h), and what was mistyped finds its neighbour. Messages
 * and help are looked at where people see them: tests/programs/pack/part_commands.sh and tests/programs/port/test_call.py. */
#include <string.h>

#include "cmdline.h"
#include "console.h"
#include "nearest.h"
#include "unity.h"

struct call {
    bool strict;
    const char *base;
    uint32_t slots, wait_ms;
    unsigned hosts;
    const char *window; /* "none": --compress without a value */
    struct inner {
        const char *file;
    } inner;
};

static bool count_host(void *into, const char *name, const char *value)
{
    TEST_ASSERT_EQUAL_STRING("--host", name);
    ((struct call *)into)->hosts++;
    return strcmp(value, "bad") != 0;
}

static bool take_window(void *into, const char *name, const char *value)
{
    TEST_ASSERT_EQUAL_STRING("--compress", name);
    *(const char **)into = value != NULL ? value : "none";
    return true;
}

static bool take_file(void *into, const char *name, const char *value)
{
    (void)name;
    ((struct inner *)into)->file = value;
    return true;
}

static const struct host_option rows[] = {
    HOST_FLAG("-s, --strict", struct call, strict, ""),
    HOST_TEXT("--base", "URI", struct call, base, ""),
    HOST_NUMBER("--slots", "N", struct call, slots, 2, 64, ""),
    HOST_TIME("-w, --wait", struct call, wait_ms, 10, 3600000, ""),
    HOST_TAKE_EACH("--host", "NAME", count_host, ""),
    HOST_TAKE_IN("-o, --output", "FILE", struct call, inner, take_file, ""),
    HOST_TAKE_MAYBE_IN("--compress", "WINDOW", struct call, window, take_window, ""),
};

static const struct host_command command = {HOST_ROWS(rows), .operands = {"DIR", "DIR"}, .least = 1, .most = 2};
static const struct host_command passing = {HOST_ROWS(rows), .operands = {"DIR", "DIR"}, .least = 1, .most = 9,
                                            .passes_on = true};

static struct call call;
static char room[256];
static char *argv[32];

void setUp(void)
{
    memset(&call, 0, sizeof call);
    host_console = (struct host_console){.quiet = false};
}

void tearDown(void)
{
}

/* Reads words that blanks separate. */
static int read_by(const struct host_command *by, const char *words)
{
    int argc = 1;

    TEST_ASSERT_LESS_THAN(sizeof room, strlen(words));
    strcpy(room, words);
    argv[0] = "program";
    for (char *word = strtok(room, " "); word != NULL; word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    argv[argc] = NULL;
    return host_command_read(by, &call, argc, argv);
}

static void every_kind_of_option_is_read_in_any_order(void)
{
    TEST_ASSERT_EQUAL_INT(2, read_by(&command, "--base a://b/ here --strict --slots=64 -o f there --compress"));
    TEST_ASSERT_TRUE(call.strict);
    TEST_ASSERT_EQUAL_STRING("a://b/", call.base);
    TEST_ASSERT_EQUAL_UINT32(64, call.slots);
    TEST_ASSERT_EQUAL_STRING("f", call.inner.file);
    TEST_ASSERT_EQUAL_STRING("none", call.window);
    TEST_ASSERT_EQUAL_STRING("here", argv[1]);
    TEST_ASSERT_EQUAL_STRING("there", argv[2]);
}

static void an_option_has_all_of_its_names(void)
{
    TEST_ASSERT_EQUAL_INT(1, read_by(&command, "x -s --output=y"));
    TEST_ASSERT_TRUE(call.strict);
    TEST_ASSERT_EQUAL_STRING("y", call.inner.file);
    TEST_ASSERT_EQUAL_INT(-1, read_by(&command, "x -s,"));
    TEST_ASSERT_EQUAL_INT(-1, read_by(&command, "x --stric"));
    TEST_ASSERT_EQUAL_INT(-1, read_by(&command, "x --stricter"));
}

static void the_last_of_a_repeated_option_counts_or_each(void)
{
    TEST_ASSERT_EQUAL_INT(1,
                          read_by(&command, "x --base a --base b --slots 2 --slots 3 --host p --host q --strict -s"));
    TEST_ASSERT_EQUAL_STRING("b", call.base);
    TEST_ASSERT_EQUAL_UINT32(3, call.slots);
    TEST_ASSERT_EQUAL_UINT(2, call.hosts);
}

static void an_empty_value_is_a_value(void)
{
    TEST_ASSERT_EQUAL_INT(1, read_by(&command, "x --base= --compress="));
    TEST_ASSERT_EQUAL_STRING("", call.base);
    TEST_ASSERT_EQUAL_STRING("", call.window);
}

static void a_value_may_look_like_an_option_and_have_an_equals_sign(void)
{
    TEST_ASSERT_EQUAL_INT(1, read_by(&command, "x --base --strict --output=a=b"));
    TEST_ASSERT_EQUAL_STRING("--strict", call.base);
    TEST_ASSERT_EQUAL_STRING("a=b", call.inner.file);
    TEST_ASSERT_FALSE(call.strict);
}

static void numbers_outside_of_their_range_are_refused(void)
{
    static const char *const wrong[] = {
        "x --slots 1",  "x --slots 65", "x --slots=",           "x --slots 3x",
        "x --slots -3", "x --slots +3", "x --slots 4294967298", "x --slots 18446744073709551618"};

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(-1, read_by(&command, wrong[i]), wrong[i]);
    }
    TEST_ASSERT_EQUAL_UINT32(0, call.slots);
    TEST_ASSERT_EQUAL_INT(1, read_by(&command, "x --slots 0002"));
    TEST_ASSERT_EQUAL_UINT32(2, call.slots);
}

static void times_have_a_unit(void)
{
    static const struct {
        const char *words;
        uint32_t ms;
    } good[] = {{"x --wait 500ms", 500}, {"x --wait=10s", 10000}, {"x -w2m", 120000}, {"x -w 1h", 3600000}};
    static const char *const wrong[] = {"x --wait 10",   "x --wait 9ms",          "x --wait 2h",  "x --wait s",
                                        "x --wait 1.5s", "x --wait 4294967296ms", "x --wait -1s", "x --wait 10sec"};

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(1, read_by(&command, good[i].words), good[i].words);
        TEST_ASSERT_EQUAL_UINT32(good[i].ms, call.wait_ms);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(-1, read_by(&command, wrong[i]), wrong[i]);
    }
}

static void short_options_are_as_in_getopt(void)
{
    TEST_ASSERT_EQUAL_INT(1, read_by(&command, "x -of"));
    TEST_ASSERT_EQUAL_STRING("f", call.inner.file);
    TEST_ASSERT_EQUAL_INT(1, read_by(&command, "-sqof=g x"));
    TEST_ASSERT_TRUE(call.strict);
    TEST_ASSERT_TRUE(host_console.quiet);
    TEST_ASSERT_FALSE(host_console.verbose);
    TEST_ASSERT_EQUAL_STRING("f=g", call.inner.file);
    TEST_ASSERT_EQUAL_INT(-1, read_by(&command, "x -o=f"));
    TEST_ASSERT_EQUAL_INT(-1, read_by(&command, "x -s=f"));
    TEST_ASSERT_EQUAL_INT(-1, read_by(&command, "x -so"));
    TEST_ASSERT_EQUAL_INT(-1, read_by(&command, "x -sz"));
}

static void every_command_is_quiet_or_verbose(void)
{
    TEST_ASSERT_EQUAL_INT(1, read_by(&command, "x --verbose --quiet"));
    TEST_ASSERT_TRUE(host_console.quiet && host_console.verbose);
    TEST_ASSERT_EQUAL_INT(1, read_by(&passing, "x -v"));
    TEST_ASSERT_TRUE(host_console.verbose);
}

static void wrong_calls_are_refused(void)
{
    static const char *const wrong[] = {"",         "x y z",        "x --base", "x --strict=yes",
                                        "x --frob", "x --host bad", "-x",       "x --=y"};

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(-1, read_by(&command, wrong[i]), wrong[i]);
    }
}

static void a_dash_is_an_operand_and_two_end_the_options(void)
{
    TEST_ASSERT_EQUAL_INT(2, read_by(&command, "- -- --strict"));
    TEST_ASSERT_FALSE(call.strict);
    TEST_ASSERT_EQUAL_STRING("-", argv[1]);
    TEST_ASSERT_EQUAL_STRING("--strict", argv[2]);
}

static void what_is_for_another_program_is_passed_on_after_the_first_operand(void)
{
    TEST_ASSERT_EQUAL_INT(5, read_by(&passing, "x --http 1 --strict -- --strict --"));
    TEST_ASSERT_TRUE(call.strict);
    TEST_ASSERT_EQUAL_STRING("--http", argv[2]);
    TEST_ASSERT_EQUAL_STRING("1", argv[3]);
    TEST_ASSERT_EQUAL_STRING("--strict", argv[4]);
    TEST_ASSERT_EQUAL_STRING("--", argv[5]);
    TEST_ASSERT_EQUAL_INT(-1, read_by(&passing, "--http x"));
}

static const char *nearest_to(const char *typed)
{
    static const char *const words[] = {"pack", "lint", "info", "--timeout", "--idle", "--http", "--https", "ls"};
    struct host_nearest nearest = {.typed = typed, .n = strlen(typed)};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        host_nearest_try(&nearest, words[i], strlen(words[i]));
    }
    return nearest.name;
}

static void what_was_mistyped_finds_its_neighbour(void)
{
    TEST_ASSERT_EQUAL_STRING("pack", nearest_to("pakc"));
    TEST_ASSERT_EQUAL_STRING("pack", nearest_to("pck"));
    TEST_ASSERT_EQUAL_STRING("lint", nearest_to("lintt"));
    TEST_ASSERT_EQUAL_STRING("lint", nearest_to("list"));
    TEST_ASSERT_EQUAL_STRING("--timeout", nearest_to("--timeou"));
    TEST_ASSERT_EQUAL_STRING("--timeout", nearest_to("--time-out"));
    TEST_ASSERT_EQUAL_STRING("--http", nearest_to("--htpt"));
    TEST_ASSERT_EQUAL_STRING("--https", nearest_to("--htps"));
}

static void what_is_far_from_everything_finds_nothing(void)
{
    TEST_ASSERT_NULL(nearest_to("frobnicate"));
    TEST_ASSERT_NULL(nearest_to(""));
    TEST_ASSERT_NULL(nearest_to("x"));
    TEST_ASSERT_NULL(nearest_to("--"));
    TEST_ASSERT_NULL(nearest_to("a-name-that-is-longer-than-any-that-could-be-compared-with-it"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(every_kind_of_option_is_read_in_any_order);
    RUN_TEST(an_option_has_all_of_its_names);
    RUN_TEST(the_last_of_a_repeated_option_counts_or_each);
    RUN_TEST(an_empty_value_is_a_value);
    RUN_TEST(a_value_may_look_like_an_option_and_have_an_equals_sign);
    RUN_TEST(numbers_outside_of_their_range_are_refused);
    RUN_TEST(times_have_a_unit);
    RUN_TEST(short_options_are_as_in_getopt);
    RUN_TEST(every_command_is_quiet_or_verbose);
    RUN_TEST(wrong_calls_are_refused);
    RUN_TEST(a_dash_is_an_operand_and_two_end_the_options);
    RUN_TEST(what_is_for_another_program_is_passed_on_after_the_first_operand);
    RUN_TEST(what_was_mistyped_finds_its_neighbour);
    RUN_TEST(what_is_far_from_everything_finds_nothing);
    return UNITY_END();
}
