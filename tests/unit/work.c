/* work.c -- see work.h. */
#include "work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "image/image.h"
#include "lint/sandbox.h"
#include "peer.h"
#include "skr_args.h"
#include "stale.h"
#include "unity.h"

#define MANIFEST "---\nname: work\ndescription: Work that takes its time. Use it to test patience.\n---\nWork.\n"

struct skr_server work_server;
struct skr_conn work_conns[2];
static struct buf out[2];
static uint32_t clock_ms;

struct work_seen work_seen;

/* ---- Handlers, and what they get: arguments, output, state, a flag, a context [SK-S-04] ---- */

struct progress {
    int32_t wanted;
    int32_t calls;
    bool started;
};

struct slow_args {
    bool has_n;
    int32_t n;
};

static const int64_t one_to_thousand[2] = {1, 1000};
static const struct skr_arg slow_members[] = {
    {.kind = &skr_arg_int,
     .name = "n",
     .offset = offsetof(struct slow_args, n),
     .flags = SKR_ARG_HAS,
     .has = offsetof(struct slow_args, has_n),
     .size = sizeof(int32_t),
     .range = one_to_thousand},
};
static const struct skr_object slow_shape = {
    .members = slow_members, .count = 1, .size = sizeof(struct slow_args), .closed = true};

/* Ends in the call whose number the argument n says. */
static int run_slow(struct skr_call *call)
{
    struct progress *p = SKR_JOB_STATE_OF(call, struct progress);

    work_seen.calls++;
    work_seen.cancelled = skr_cancelled(call);
    if (!p->started) {
        TEST_ASSERT_EQUAL_INT(0, p->calls);
        p->started = true;
        struct slow_args args;
        if (!skr_args_read(call, &slow_shape, &args)) {
            return 0;
        }
        p->wanted = args.has_n ? args.n : 2;
    }
    skr_put(call, ".");
    return ++p->calls < p->wanted && !work_seen.cancelled ? SKR_PENDING : 0;
}

/* Does not care that nobody waits. */
static int run_stubborn(struct skr_call *call)
{
    work_seen.cancelled = skr_cancelled(call);
    if (!work_seen.let_go) {
        return SKR_PENDING;
    }
    skr_put(call, "late");
    return 0;
}

/* The first call asks for time, the second does what the row's name says. */
static int run_named(struct skr_call *call)
{
    bool *again = SKR_JOB_STATE_OF(call, bool);
    const char *name = strrchr(skr_running_tool(call)->name, '.') + 1;

    if (!*again) {
        *again = true;
        return SKR_PENDING;
    }
    if (strcmp(name, "flood") == 0) {
        for (int i = 0; i <= SKR_JOB_OUTPUT_MAX / 8; i++) {
            skr_put(call, "12345678");
        }
    } else if (strcmp(name, "garble") == 0) {
        skr_put(call, "a\xFF\r\n\x1B[1mb\tc\x7F \xC2\x85 \xC3\xA9 \xE2\x82");
    } else if (strcmp(name, "fail") == 0) {
        return skr_fail(call, "valve is locked");
    } else if (strcmp(name, "stop") == 0) {
        return skr_stop(call, SKR_RPC_ERROR, "the drive is gone");
    } else if (strcmp(name, "need") == 0 && !skr_need(call, SKR_CAP_ROOTS)) {
        return 0;
    }
    return 0;
}

static int run_quick(struct skr_call *call)
{
    struct skr_span json = skr_args_json(call);

    skr_put_span(call, json);
    return 0;
}

static int run_hasty(struct skr_call *call)
{
    (void)call;
    return SKR_PENDING;
}

static bool allow(void *context, const struct skr_conn *from, const char *tool)
{
    TEST_ASSERT_EQUAL_PTR(&work_seen, context);
    TEST_ASSERT_TRUE(from == &work_conns[0] || from == &work_conns[1]);
    return !work_seen.deny || strcmp(tool, "work.slow") != 0;
}

/* [SK-S-13] what a device can log of each run */
static void ran(void *context, const char *tool, const char *how, uint32_t ms)
{
    size_t n = strlen(work_seen.record);

    TEST_ASSERT_EQUAL_PTR(&work_seen, context);
    snprintf(work_seen.record + n, sizeof work_seen.record - n, "%s %s %u;", tool, how, (unsigned)ms);
}

/* clang-format off */
#define TOOL(tool_name, handler, ms) {.name = tool_name, .run = handler, .deadline_ms = ms}

static const struct skr_tool tools[] = {
    TOOL("work.slow", run_slow, 1000),    TOOL("work.stubborn", run_stubborn, 1000),
    TOOL("work.flood", run_named, 1000),  TOOL("work.garble", run_named, 1000),
    TOOL("work.fail", run_named, 1000),   TOOL("work.stop", run_named, 1000),
    TOOL("work.need", run_named, 1000),   TOOL("work.quick", run_quick, 0),
    TOOL("work.hasty", run_hasty, 0),     TOOL("wait", run_slow, 100000),
    {.name = "waits", .run = run_slow, .deadline_ms = 1000, .parallel = true},
    {.name = "wait_brief", .run = run_slow, .deadline_ms = 1000, .output_max = 4},
    {.name = "wait_minutes", .run = run_slow, .deadline_ms = 600000},
    {.name = "wait_hours", .run = run_slow, .deadline_ms = 21600000},
    {.name = "wait_days", .run = run_slow, .deadline_ms = UINT32_MAX},
    {.name = "wait_quick", .run = run_quick, .output_max = 9},
};
/* clang-format on */
static const struct skr_device device = {.tools = tools,
                                         .tool_count = sizeof tools / sizeof tools[0],
                                         .context = &work_seen,
                                         .allow = allow,
                                         .tool_called = ran};

/* ---- The image ---- */

#define SCHEMA_SLOW                                                                                                    \
    "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":1000}},"               \
    "\"additionalProperties\":false}"
static void put_tool(const char *name, const char *schema)
{
    char path[96], text[1024];

    snprintf(path, sizeof path, "tools/%s.json", name);
    int n =
        snprintf(text, sizeof text, "{\"name\":\"%s\",\"description\":\"Works.\",\"inputSchema\":%s}", name, schema);
    sandbox_file(path, text, (size_t)n);
}

static struct buf make_image(void)
{
    static const char *const scripts[] = {"slow", "stubborn", "flood", "garble", "fail", "stop",
                                          "need", "quick",    "hasty", "mute",   "bare"};
    struct buf image = {0};
    struct diag diag = {.out = stderr};

    sandbox_open();
    static const char about[] = "{\"name\": \"worker\", \"version\": \"1\"}";
    sandbox_file("device.json", about, sizeof about - 1);
    sandbox_file("skills/work/SKILL.md", MANIFEST, sizeof MANIFEST - 1);
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        char path[64], name[64];
        snprintf(path, sizeof path, "skills/work/scripts/%s.sh", scripts[i]);
        snprintf(name, sizeof name, "work.%s", scripts[i]);
        sandbox_file(path, "echo\n", 5);
        if (strcmp(scripts[i], "bare") != 0) {
            put_tool(name, strcmp(scripts[i], "slow") == 0 ? SCHEMA_SLOW : "{\"type\":\"object\"}");
        }
    }
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++) {
        if (strncmp(tools[i].name, "wait", 4) == 0) {
            put_tool(tools[i].name, "{\"type\":\"object\"}");
        }
    }
    struct outcome loaded = sandbox_load(NULL, &(struct load_options){0});
    if (!loaded.well || !image_build(&loaded.device, &(struct image_options){0}, &diag, &image)) {
        fprintf(stderr, "%s\n", outcome_text(&loaded));
        abort();
    }
    sandbox_close();
    return image;
}

/* ---- Talking ---- */

static void drain(int which)
{
    const void *bytes;
    size_t n;

    while ((n = skr_conn_tx(&work_conns[which], &bytes)) > 0) {
        buf_add(&out[which], bytes, n);
        skr_conn_tx_done(&work_conns[which], n);
    }
}

/* What has come out on the connection since this was last asked. */
const char *work_heard(int which)
{
    static char text[2 * SKR_JOB_OUTPUT_MAX];

    drain(which);
    snprintf(text, sizeof text, "%s", buf_str(&out[which]));
    out[which].n = 0;
    return text;
}

void work_send(int which, const char *text)
{
    size_t n = strlen(text), at = 0;

    while (at < n) {
        size_t taken = skr_conn_rx(&work_conns[which], text + at, n - at);
        at += taken;
        drain(which);
        TEST_ASSERT_TRUE_MESSAGE(taken > 0 || at == n, "the server takes no more");
    }
}

void work_request(int which, const char *id, const char *method, const char *members)
{
    static char text[4096];

    snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":{%s%s" META "}}\n", id,
             method, members, members[0] != '\0' ? "," : "");
    work_send(which, text);
}

void work_call(int which, const char *id, const char *name, const char *arguments)
{
    char members[1024];

    snprintf(members, sizeof members, "\"name\":\"%s\",\"arguments\":{%s}", name, arguments);
    work_request(which, id, "tools/call", members);
}

void work_execute(int which, const char *id, const char *script, const char *arguments)
{
    char members[1024];

    snprintf(members, sizeof members, "\"name\":\"work\",\"script\":\"%s\",\"arguments\":{%s}", script, arguments);
    work_request(which, id, "skills/execute", members);
}

bool work_tick(uint32_t ms)
{
    clock_ms += ms;
    return skr_server_tick(&work_server, clock_ms);
}

void work_expect(int which, const char *part)
{
    const char *text = work_heard(which);

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, part), text);
    const char *end = strchr(text, '\n');
    TEST_ASSERT_TRUE_MESSAGE(end != NULL && end[1] == '\0', text); /* one message, and all of it */
}

void work_expect_silence(int which)
{
    TEST_ASSERT_EQUAL_STRING("", work_heard(which));
}

void work_expect_reason(int which, const char *script, const char *reason)
{
    char data[256];

    snprintf(data, sizeof data, "\"data\":{\"script\":\"%s\",\"name\":\"work\",\"reason\":\"%s\"}", script, reason);
    const char *text = work_heard(which);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"code\":-32003"), text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, data), text);
}

void work_start(void)
{
    static struct buf image;

    if (image.p == NULL) {
        image = make_image();
    }
    memset(&work_seen, 0, sizeof work_seen);
    clock_ms = UINT32_MAX - 500; /* it wraps around in most tests */
    TEST_ASSERT_EQUAL_INT(0, skr_server_init(&work_server, &device, image.p, image.n));
    struct skr_http_config config = {.path = "/mcp", .loopback = true, .anyone = true};
    skr_server_http(&work_server, &config);
    for (int i = 0; i < 2; i++) {
        make_stale(&work_conns[i], sizeof work_conns[i]);
        skr_conn_open(&work_conns[i], &work_server, SKR_LINE);
        out[i].n = 0;
    }
}
