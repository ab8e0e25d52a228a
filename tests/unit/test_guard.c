/* test_guard.c -- limits hold in every stretch of time, and a record shows every entry that was changed. The rules on
 * the wire are in tests/wire/rules.txt. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "handler/guard.h"
#include "handler/job_state.h"
#include "handler/tool_call.h"
#include "sha256.h"
#include "unity.h"

#define BUDGETS 3
#define PERIOD 100
#define MOST 50

static struct {
    struct skr_kept kept;
    struct skr_budget budgets[BUDGETS];
} memory;
static const struct skr_guard guard = {&memory.kept, memory.budgets, BUDGETS, 7};
static const struct skr_guard guard_of_other_tools = {&memory.kept, memory.budgets, BUDGETS, 8};

struct values {
    int32_t amount;
};
static const struct skr_limit limits[BUDGETS] = {
    {"amount", MOST, PERIOD, offsetof(struct values, amount), sizeof(int32_t), 0, 0},
    {"tool calls", 5, 33, 0, 0, 0, 1},
    {"tool calls", 0, 7, 0, 0, 0, 2},
};
static struct skr_rules rules = {.guard = &guard, .limits = limits, .limit_count = BUDGETS};
static const struct skr_tool tools[] = {{.name = "dose", .rules = &rules}, {.name = "look", .read_only = true}};
static const struct skr_device device = {.tools = tools, .tool_count = 2};
static struct skr_server server;

/* The server starts again; its memory is what the test left there. */
static void reset(void)
{
    memset(&server, 0, sizeof server);
    server.device = &device;
    skri_guard_begin(&server);
}

void setUp(void)
{
    memset(&memory, 0, sizeof memory);
    rules.guard = &guard;
    rules.limits = limits;
    rules.limit_count = BUDGETS;
    reset();
    srand(1);
}

void tearDown(void)
{
}

/* ---- Limits ---- */

static bool allows(int32_t amount, uint32_t *wait_s)
{
    struct values values = {amount};
    uint32_t left, longest = 0;
    bool good = true;

    for (unsigned i = 0; i < rules.limit_count; i++) {
        const struct skr_limit *limit = &rules.limits[i];
        if (!skri_limit_allows(&server, &rules, limit, skri_limit_amount(limit, &values), &left, wait_s)) {
            good = false;
            longest = *wait_s > longest ? *wait_s : longest;
        }
    }
    *wait_s = longest;
    return good;
}

/* Random tool calls at random times: no stretch as long as a period has more than its limit, also across resets. */
static void no_stretch_of_time_exceeds_a_limit(void)
{
    static struct {
        uint32_t at_s;
        int32_t amount;
    } calls[20000];
    uint32_t wait_s, count = 0, now = 0;

    for (unsigned i = 0; i < 20000; i++) {
        int32_t amount = 1 + rand() % 20;
        uint32_t step = (uint32_t)(rand() % 9);
        now += step;
        server.clock.up_s += step;
        if (rand() % 50 == 0) { /* the time until the reset counts, as far as it was kept */
            skri_guard_keep(&server);
            reset();
        }
        TEST_ASSERT_EQUAL(now, skri_guard_now_s(&server));
        if (!allows(amount, &wait_s)) {
            continue;
        }
        skri_limits_charge(&server, &rules, &(struct values){amount});
        calls[count].at_s = now;
        calls[count++].amount = amount;
    }
    TEST_ASSERT_GREATER_THAN(500, count);
    for (uint32_t first = 0; first < count; first++) {
        int32_t sum = 0, number = 0;
        for (uint32_t k = first; k < count && calls[k].at_s - calls[first].at_s < PERIOD; k++) {
            sum += calls[k].amount;
            number += calls[k].at_s - calls[first].at_s < 33;
        }
        TEST_ASSERT_LESS_OR_EQUAL(MOST, sum);
        TEST_ASSERT_LESS_OR_EQUAL(5, number);
        TEST_ASSERT_TRUE(first == 0 || calls[first].at_s - calls[first - 1].at_s > 7);
    }
}

static void a_refusal_says_when_there_is_enough(void)
{
    uint32_t wait_s;

    for (unsigned i = 0; i < 2000; i++) {
        int32_t amount = 1 + rand() % MOST;
        server.clock.up_s += (uint32_t)(rand() % 30);
        if (allows(amount, &wait_s)) {
            skri_limits_charge(&server, &rules, &(struct values){amount});
            continue;
        }
        TEST_ASSERT_GREATER_THAN(0, wait_s);
        server.clock.up_s += wait_s - 1;
        TEST_ASSERT_FALSE(allows(amount, &(uint32_t){0}));
        server.clock.up_s++;
        TEST_ASSERT_TRUE(allows(amount, &(uint32_t){0}));
    }
}

static void more_than_a_limit_never_fits(void)
{
    uint32_t left, wait_s;

    TEST_ASSERT_FALSE(skri_limit_allows(&server, &rules, &limits[0], MOST + 1, &left, &wait_s));
    TEST_ASSERT_EQUAL(MOST, left);
    TEST_ASSERT_EQUAL(0, wait_s);
    TEST_ASSERT_EQUAL(UINT32_MAX, skri_limit_amount(&limits[0], &(struct values){-1}));
}

/* A timer that is set again, or wraps before 2^32 ms, must not look like weeks that have passed. */
#define WRAPPED 294966901u /* from the largest of these times to the one after it, around 2^32 */

static void a_clock_that_goes_back_gives_no_time_away(void)
{
    static const uint32_t times_ms[] = {4000000000u, 4000000500u, 4000000400u, 5, 1005, 4, 3000};
    static const uint32_t passed_ms[] = {0, 500, 500, WRAPPED + 500, WRAPPED + 1500, WRAPPED + 1500, WRAPPED + 4496};

    skri_limits_charge(&server, &rules, &(struct values){MOST});
    for (unsigned i = 0; i < sizeof times_ms / sizeof *times_ms; i++) {
        (void)skr_server_tick(&server, times_ms[i]);
        TEST_ASSERT_EQUAL(passed_ms[i] / 1000, skri_guard_now_s(&server));
        TEST_ASSERT_EQUAL(passed_ms[i], server.clock.now_ms);
    }
}

static void memory_of_other_tools_is_cleared(void)
{
    skri_limits_charge(&server, &rules, &(struct values){MOST});
    reset();
    TEST_ASSERT_FALSE(allows(1, &(uint32_t){0}));
    rules.guard = &guard_of_other_tools;
    reset();
    TEST_ASSERT_TRUE(allows(1, &(uint32_t){0}));
}

/* ---- Tools that exclude each other ---- */

static unsigned runs;

static int count_run(struct skr_call *call)
{
    (void)call;
    runs++;
    return 0;
}

/* A handler that has asked its client something goes on when the state comes back; not while an excluded tool is at work. */
static void a_tool_call_that_comes_back_does_not_join_one_that_it_excludes(void)
{
    static const char *const excluded[] = {"other", NULL};
    static const struct skr_rules both = {.guard = &guard, .excludes = excluded};
    static const struct skr_tool own = {.name = "own", .run = count_run, .rules = &both},
                                 other = {.name = "other", .rules = &both};
    char text[128];

    for (unsigned at_work = 0; at_work < 2; at_work++) {
        struct skr_job *job = &server.jobs[0], *second = &server.jobs[1];
        struct skr_call call = {.srv = &server, .job = job, .out = {.p = text, .max = sizeof text - 1}};
        server.jobs_end = server.jobs + 2;
        job->state = JOB_STARTING;
        job->call = (struct skr_tool_call){.tool = &own, .phase = GUARD_ADMITTED};
        second->state = at_work != 0 ? JOB_WORKING : JOB_FREE;
        second->call = (struct skr_tool_call){.tool = &other, .phase = GUARD_ADMITTED};
        runs = 0;
        TEST_ASSERT_EQUAL(0, skri_guard_run(&call, &job->call));
        text[call.out.n] = '\0';
        TEST_ASSERT_EQUAL(1 - at_work, runs);
        TEST_ASSERT_EQUAL_STRING(at_work != 0 ? "not while this tool is at work: other; nothing was done" : "", text);
        call.params = call.arguments = -1; /* a later call, in the same stretch of work */
        call.out.n = 0;
        TEST_ASSERT_EQUAL(0, skri_guard_run(&call, &job->call));
        TEST_ASSERT_EQUAL(2 - at_work, runs);
    }
}

/* ---- The record ---- */

static void record(unsigned n)
{
    struct skr_tool_call call = {.tool = &tools[n % 2], .arguments = {(uint8_t)n, (uint8_t)(n >> 8)}};

    skri_record_add(&server, &call, n % SKR_REASONS, n);
}

/* The lines from `from` on. */
static const char *lines(unsigned from, char *to, size_t room)
{
    char number[12];
    struct skr_call call = {.srv = &server, .out = {.p = to, .max = (uint32_t)room - 1}};

    (void)snprintf(number, sizeof number, "%u", from);
    TEST_ASSERT_EQUAL(0, skr_read_record(&call, (struct skr_span){number, strlen(number)}));
    TEST_ASSERT_FALSE(call.out.overflow);
    to[call.out.n] = '\0';
    return to;
}

/* As a client checks them, from nothing but the text: {"after":..}, entries, {"count":..,"chain":..}. */
static bool chain_holds(const char *text)
{
    char chain[17], hashed[512], hex[17], head[64];
    uint8_t digest[ROMFS_SHA256_SIZE];
    unsigned number = 0, count;
    bool first = true;

    if (sscanf(text, "{\"after\":\"%16[0-9a-f]\"}\n", chain) != 1) {
        return false;
    }
    (void)snprintf(head, sizeof head, "{\"after\":\"%s\"}\n", chain);
    if (strncmp(text, head, strlen(head)) != 0) {
        return false;
    }
    for (text = strchr(text, '\n') + 1; strncmp(text, "{\"number\":", 10) == 0; text = strchr(text, '\n') + 1) {
        const char *end = strstr(text, ",\"chain\":\""), *line_end = strchr(text, '\n');
        if (end == NULL || line_end == NULL || line_end != end + 28 || memcmp(end + 26, "\"}", 2) != 0) {
            return false;
        }
        (void)snprintf(hashed, sizeof hashed, "%s%.*s", chain, (int)(end - text), text);
        romfs_sha256_of(hashed, strlen(hashed), digest);
        romfs_sha256_hex(digest, 8, hex);
        unsigned here = (unsigned)strtoul(text + 10, NULL, 10);
        if (memcmp(end + 10, hex, 16) != 0 || (!first && here != number + 1)) {
            return false;
        }
        first = false;
        number = here;
        memcpy(chain, hex, sizeof chain);
    }
    if (sscanf(text, "{\"count\":%u,\"chain\":\"%16[0-9a-f]\"}\n", &count, hex) != 2) {
        return false;
    }
    (void)snprintf(head, sizeof head, "{\"count\":%u,\"chain\":\"%s\"}\n", count, hex);
    return strcmp(text, head) == 0 && strcmp(chain, hex) == 0 && (first || count == number + 1);
}

/* Where line `n` begins; the end of the text after the last. */
static char *line_at(char *text, unsigned n)
{
    while (n-- > 0) {
        text = strchr(text, '\n') + 1;
    }
    return text;
}

#define ENTRIES 12

static void every_deletion_change_and_swap_shows(void)
{
    static char whole[8192], other[8192];

    for (unsigned i = 0; i < ENTRIES; i++) {
        record(i);
    }
    (void)lines(0, whole, sizeof whole);
    TEST_ASSERT_TRUE(chain_holds(whole));
    size_t n = strlen(whole);
    for (unsigned a = 0; a < ENTRIES + 2; a++) { /* with the first and the last line, which are no entries */
        char *line = line_at(whole, a), *next = line_at(whole, a + 1);
        (void)snprintf(other, sizeof other, "%.*s%s", (int)(line - whole), whole, next);
        TEST_ASSERT_FALSE(chain_holds(other));
        for (unsigned b = a + 1; b < ENTRIES + 2; b++) {
            char *second = line_at(whole, b), *end = line_at(whole, b + 1);
            (void)snprintf(other, sizeof other, "%.*s%.*s%.*s%.*s%s", (int)(line - whole), whole, (int)(end - second),
                           second, (int)(second - next), next, (int)(next - line), line, end);
            TEST_ASSERT_EQUAL(n, strlen(other));
            TEST_ASSERT_FALSE(chain_holds(other));
        }
    }
    for (size_t i = 0; i < n; i++) {
        (void)strcpy(other, whole);
        other[i] = (char)(other[i] == '1' ? '2' : '1');
        TEST_ASSERT_FALSE(chain_holds(other));
    }
}

static void a_full_ring_keeps_its_chain(void)
{
    static char text[65536];
    unsigned last = 3 * SKR_RECORD / 2, from = 0, shown = 0;

    for (unsigned i = 0; i < last; i++) {
        record(i);
    }
    for (const char *line; from < last; from = (unsigned)strtoul(line + 10, NULL, 10) + 1) {
        /* a part of it has no end that fits its last entry, so the end is made */
        (void)lines(from, text, sizeof text);
        char *end = strstr(text, "{\"count\":");
        line = end;
        while (*--line != '\n' || line == end - 1) {
        }
        line++;
        unsigned number = (unsigned)strtoul(line + 10, NULL, 10);
        const char *chain = strstr(line, ",\"chain\":\"") + 10;
        char made[64];
        (void)snprintf(made, sizeof made, "{\"count\":%u,\"chain\":\"%.16s\"}\n", number + 1, chain);
        (void)strcpy(end, made);
        TEST_ASSERT_TRUE(chain_holds(text));
        unsigned begin = (unsigned)strtoul(strchr(text, '\n') + 11, NULL, 10);
        TEST_ASSERT_EQUAL(from == 0 ? last - SKR_RECORD : from, begin);
        shown += number - begin + 1;
        line = line_at(text, number - begin + 1);
    }
    TEST_ASSERT_EQUAL(SKR_RECORD, shown);
}

#define NAME16 "a-tool-of-16-let"

/* With the longest name and the largest numbers, in the smallest output that a profile has: otherwise it could never be read. */
static void the_longest_entry_fits_a_response(void)
{
    static const struct skr_tool longest[] = {
        {.name = NAME16 NAME16 NAME16 NAME16 NAME16 NAME16 NAME16 NAME16, .rules = &rules}};
    static const struct skr_device of_longest = {.tools = longest, .tool_count = 1};
    static const struct skr_tool_call call = {.tool = longest};
    char text[384 + 1];

    server.device = &of_longest;
    server.clock.up_s = UINT32_MAX;
    memory.kept.count = UINT32_MAX - 1;
    skri_record_add(&server, &call, SKR_OUTPUT_TOO_LARGE, UINT32_MAX);
    TEST_ASSERT_TRUE(chain_holds(lines(UINT32_MAX - 1, text, sizeof text)));
    TEST_ASSERT_NOT_NULL(strstr(text, "\"number\":4294967294,\"time\":4294967295,"));
    TEST_ASSERT_NOT_NULL(strstr(text, "\"how\":\"output-too-large\",\"ms\":4294967295,"));
}

static void a_reset_keeps_the_record_and_damage_clears_it(void)
{
    static unsigned char before[sizeof memory];
    static const unsigned char bits[] = {1, 0x80};

    for (unsigned i = 0; i < 5; i++) {
        record(i);
    }
    skri_limits_charge(&server, &rules, &(struct values){9});
    memcpy(before, &memory, sizeof memory);
    reset();
    TEST_ASSERT_EQUAL(5, memory.kept.count);
    size_t used = offsetof(struct skr_kept, entries) + 5 * sizeof(struct skr_record_entry);
    for (size_t i = 0; i < used; i++) {
        bool padding = i >= offsetof(struct skr_kept, entries) &&
                       (i - offsetof(struct skr_kept, entries)) % sizeof(struct skr_record_entry) >
                           offsetof(struct skr_record_entry, how);
        for (unsigned b = 0; b < sizeof bits && !padding; b++) {
            memcpy(&memory, before, sizeof memory);
            ((unsigned char *)&memory)[i] ^= bits[b];
            reset();
            TEST_ASSERT_EQUAL(0, memory.kept.count);
        }
    }
    for (size_t i = 0; i < sizeof memory.budgets; i++) {
        memcpy(&memory, before, sizeof memory);
        ((unsigned char *)memory.budgets)[i] ^= 1;
        reset();
        TEST_ASSERT_EQUAL(0, memory.kept.count);
    }
}

static void other_names_have_no_record(void)
{
    static const char *const bad[] = {"", "x", "-1", "1x", "01", "99999999999"};
    char text[64];

    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct skr_call call = {.srv = &server, .out = {.p = text, .max = sizeof text}};
        TEST_ASSERT_EQUAL(SKR_NOT_FOUND, skr_read_record(&call, (struct skr_span){bad[i], strlen(bad[i])}));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(no_stretch_of_time_exceeds_a_limit);
    RUN_TEST(a_refusal_says_when_there_is_enough);
    RUN_TEST(more_than_a_limit_never_fits);
    RUN_TEST(a_clock_that_goes_back_gives_no_time_away);
    RUN_TEST(memory_of_other_tools_is_cleared);
    RUN_TEST(a_tool_call_that_comes_back_does_not_join_one_that_it_excludes);
    RUN_TEST(every_deletion_change_and_swap_shows);
    RUN_TEST(a_full_ring_keeps_its_chain);
    RUN_TEST(the_longest_entry_fits_a_response);
    RUN_TEST(a_reset_keeps_the_record_and_damage_clears_it);
    RUN_TEST(other_names_have_no_record);
    return UNITY_END();
}
