/* elicitor.c -- see elicitor.h. */
#include "elicitor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "image/image.h"
#include "lint/sandbox.h"
#include "stale.h"
#include "unity.h"

#define SCHEMA "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}"

struct skr_server asker_server;
struct skr_conn asker_conns[3];
char asker_session[33];
struct asker_does asker_does;

static struct buf out[3];
static uint32_t clock_ms;

/* ---- Handlers ---- */

static int run_elicit(struct skr_call *call)
{
    bool *asked = SKR_JOB_STATE_OF(call, bool);
    struct skr_reply reply;

    *asked = true;
    if (!skr_elicit_form(call, "name", "Name?", SCHEMA, &reply)) {
        return SKR_PENDING;
    }
    skr_put(call, skr_reply_accepted(&reply) ? "accepted" : "declined");
    return 0;
}

static int run_log(struct skr_call *call)
{
    unsigned *calls = SKR_JOB_STATE_OF(call, unsigned);

    for (unsigned i = 0; i < asker_does.interim; i++) {
        skr_log(call, SKR_LOG_ERROR, "something");
        skr_progress(call, (int32_t)*calls, 0, NULL);
    }
    if (++*calls < 3) {
        return SKR_PENDING;
    }
    skr_put(call, "told");
    return 0;
}

#define CHATTERS 40

const char *asker_chatter(int32_t value)
{
    static char text[2048];

    memset(text, 'a' + value % 26, asker_does.chatter);
    text[asker_does.chatter] = '\0';
    return text;
}

static int run_chat(struct skr_call *call)
{
    int32_t *said = SKR_JOB_STATE_OF(call, int32_t);

    if (++*said > CHATTERS) {
        return 0;
    }
    skr_progress(call, *said, 0, asker_chatter(*said));
    return SKR_PENDING;
}

const char *asker_elicitation(void)
{
    static char text[2048];

    for (size_t n = 0; n < asker_does.chatter; n += 4) {
        snprintf(text + n, 5, "%03u ", (unsigned)(n / 4) % 1000);
    }
    return text;
}

/* Asks for two things simultaneously. When it has both, it takes one more call, and then all the room there is. */
static int run_both(struct skr_call *call)
{
    typedef bool flags[3];
    bool *done = *SKR_JOB_STATE_OF(call, flags);
    struct skr_reply reply;
    if (done[2]) {
        for (unsigned i = 0; i < SKR_JOB_OUTPUT_MAX; i++) {
            skr_put(call, "o");
        }
        return 0;
    }
    done[0] = done[0] || skr_elicit_form(call, "one", "One?", SCHEMA, &reply);
    done[1] = done[1] || skr_elicit_form(call, "two", asker_elicitation(), SCHEMA, &reply);
    done[2] = done[0] && done[1];
    return SKR_PENDING;
}

/* Asks again after each decline, until it is asked to end. */
static int run_nag(struct skr_call *call)
{
    unsigned *asked = SKR_JOB_STATE_OF(call, unsigned);
    struct skr_reply reply;
    char key[8];

    while (!skr_cancelled(call)) {
        snprintf(key, sizeof key, "q%u", *asked);
        if (!skr_elicit_form(call, key, asker_elicitation(), SCHEMA, &reply)) {
            return SKR_PENDING;
        }
        ++*asked;
    }
    return 0;
}

static int run_task(struct skr_call *call)
{
    bool *again = SKR_JOB_STATE_OF(call, bool);

    if (!*again) {
        *again = true;
        return SKR_PENDING;
    }
    skr_put(call, "done");
    return 0;
}

/* Tells something, then closes its stream, then tells something and ends. */
static int run_close(struct skr_call *call)
{
    unsigned *calls = SKR_JOB_STATE_OF(call, unsigned);

    switch ((*calls)++) {
    case 0: skr_log(call, SKR_LOG_ERROR, "soon"); return SKR_PENDING;
    case 1: asker_does.closed = skr_close_stream(call, 20); return SKR_PENDING;
    default:
        skr_log(call, SKR_LOG_ERROR, "at last");
        skr_put(call, "closed");
        return 0;
    }
}

/* Does not take no for an answer. */
static int run_insist(struct skr_call *call)
{
    struct skr_reply reply;

    if (skr_cancelled(call)) {
        return 0;
    }
    if (skr_elicit_form(call, "name", "Name?", SCHEMA, &reply) && !skr_reply_accepted(&reply)) {
        (void)skr_elicit_form(call, "again", "Really not?", SCHEMA, &reply);
    }
    return SKR_PENDING;
}

/* Sends a remark when it has its reply, and goes on. */
static int run_remark(struct skr_call *call)
{
    bool *replied = SKR_JOB_STATE_OF(call, bool);
    struct skr_reply reply;

    if (*replied) {
        skr_put(call, "remarked");
        return 0;
    }
    *replied = skr_elicit_form(call, "one", "One?", SCHEMA, &reply);
    if (*replied) {
        skr_log(call, SKR_LOG_ERROR, "thanks");
    }
    return SKR_PENDING;
}

/* Shows what it reads in the reply: n from -5 to 5, yes, a word of up to three letters, and all of it. */
static int run_read(struct skr_call *call)
{
    struct skr_reply reply;
    int32_t n;
    bool yes;
    char word[4];

    if (!skr_elicit_form(call, "values", "Values?", SCHEMA, &reply)) {
        return SKR_PENDING;
    }
    if (skr_reply_int(&reply, "n", -5, 5, &n)) {
        skr_put_int(call, n);
    }
    if (skr_reply_bool(&reply, "yes", &yes)) {
        skr_put(call, yes ? " yes" : " no");
    }
    if (skr_reply_string(&reply, "word", word, sizeof word)) {
        skr_put(call, " ");
        skr_put(call, word);
    }
    skr_put(call, " of ");
    skr_put_span(call, skr_reply_json(&reply));
    return 0;
}

static int run_any(struct skr_call *call)
{
    return asker_does.run(call);
}

static const struct skr_tool tools[] = {
    {.name = "any", .run = run_any, .deadline_ms = 1000, .parallel = true, .task = SKR_TASK_OPTIONAL},
    {.name = "only", .run = run_any, .deadline_ms = 1000, .task = SKR_TASK_OPTIONAL},
    {.name = "little", .run = run_any, .deadline_ms = 1000, .parallel = true, .output_max = 40},
    {.name = "exact",
     .run = run_any,
     .deadline_ms = 1000,
     .parallel = true,
     .structured = true,
     .task = SKR_TASK_OPTIONAL},
    {.name = "large", .run = run_any, .deadline_ms = 1000, .parallel = true, .output_max = SKR_JOB_OUTPUT_MAX},
    {.name = "ask", .run = run_elicit, .deadline_ms = 1000, .parallel = true},
    {.name = "task", .run = run_task, .deadline_ms = 1000, .parallel = true, .task = SKR_TASK_OPTIONAL},
    {.name = "tell", .run = run_log, .deadline_ms = 1000, .parallel = true},
    {.name = "chat", .run = run_chat, .deadline_ms = 1000, .parallel = true},
    {.name = "both", .run = run_both, .deadline_ms = 1000, .parallel = true},
    {.name = "close", .run = run_close, .deadline_ms = 1000, .parallel = true},
    {.name = "insist", .run = run_insist, .deadline_ms = 1000, .parallel = true},
    {.name = "remark", .run = run_remark, .deadline_ms = 1000, .parallel = true},
    {.name = "read", .run = run_read, .deadline_ms = 1000, .parallel = true},
    {.name = "nag", .run = run_nag, .deadline_ms = 1000, .parallel = true},
};
#define TOOLS (sizeof tools / sizeof tools[0])
struct skr_device asker_device = {.tools = tools, .tool_count = TOOLS, .changes = SKR_CHANGES_TOOLS, .logs = true};

/* ---- Talking ---- */

static struct buf make_image(void)
{
    struct buf image = {0};
    struct diag diag = {.out = stderr};
    static const char about[] = "{\"name\": \"asker\", \"version\": \"1\"}";

    sandbox_open();
    sandbox_file("device.json", about, sizeof about - 1);
    for (size_t i = 0; i < TOOLS; i++) {
        char path[64], text[256];
        snprintf(path, sizeof path, "tools/%s.json", tools[i].name);
        int n = snprintf(text, sizeof text,
                         "{\"name\":\"%s\",\"description\":\"Works.\",\"inputSchema\":{\"type\":\"object\"}}",
                         tools[i].name);
        sandbox_file(path, text, (size_t)n);
    }
    struct outcome loaded = sandbox_load(NULL, &(struct load_options){0});
    if (!loaded.well || !image_build(&loaded.device, &(struct image_options){0}, &diag, &image)) {
        abort();
    }
    sandbox_close();
    return image;
}

const char *asker_heard(int which)
{
    static char text[200000];
    const void *bytes;
    size_t n;

    while ((n = skr_conn_tx(&asker_conns[which], &bytes)) > 0) {
        buf_add(&out[which], bytes, n);
        skr_conn_tx_done(&asker_conns[which], n);
    }
    snprintf(text, sizeof text, "%s", buf_str(&out[which]));
    out[which].n = 0;
    return text;
}

/* A slow reader: takes one byte. False when there is none. */
bool asker_hear_a_byte(int which)
{
    const void *bytes;

    if (skr_conn_tx(&asker_conns[which], &bytes) == 0) {
        return false;
    }
    buf_add(&out[which], bytes, 1);
    skr_conn_tx_done(&asker_conns[which], 1);
    return true;
}

void asker_send(int which, const char *text)
{
    size_t n = strlen(text);
    TEST_ASSERT_EQUAL_size_t(n, skr_conn_rx(&asker_conns[which], text, n));
}

void asker_expect(int which, const char *part)
{
    const char *text = asker_heard(which);

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, part), text);
}

bool asker_tick(uint32_t ms)
{
    return skr_server_tick(&asker_server, clock_ms += ms);
}

void asker_call_modern(const char *name, const char *members)
{
    char text[2048];

    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\"%s," ASKER_META "}}\n",
             name, members);
    asker_send(0, text);
}

void asker_shake_hands_as(int which, const char *version)
{
    char text[512];

    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"%s\","
             "\"capabilities\":" ASKER_CAN ",\"clientInfo\":{\"name\":\"a\",\"version\":\"1\"}}}\n",
             version);
    asker_send(which, text);
    asker_expect(which, "\"result\"");
}

void asker_shake_hands(void)
{
    asker_shake_hands_as(0, "2025-11-25");
}

void asker_call_legacy(const char *name)
{
    char text[512];

    snprintf(
        text, sizeof text,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"_meta\":{\"progressToken\":1}}}\n",
        name);
    asker_send(0, text);
}

/* ---- HTTP ---- */

void asker_post(int which, const char *body)
{
    char text[2048];

    snprintf(text, sizeof text,
             "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
             "Accept: application/json, text/event-stream\r\n%s%s%sContent-Length: %zu\r\n\r\n%s",
             asker_session[0] != '\0' ? "Mcp-Session-Id: " : "", asker_session, asker_session[0] != '\0' ? "\r\n" : "",
             strlen(body), body);
    asker_send(which, text);
}

void asker_resume(int which, const char *event)
{
    char text[512];

    asker_open_http(which);
    snprintf(
        text, sizeof text,
        "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMcp-Session-Id: %s\r\nLast-Event-ID: %s\r\n\r\n",
        asker_session, event);
    asker_send(which, text);
}

void asker_open_http(int which)
{
    skr_conn_open(&asker_conns[which], &asker_server, SKR_HTTP_1);
}

void asker_shake_hands_over_http(void)
{
    asker_begin_session("2025-11-25");
}

void asker_begin_session(const char *version)
{
    char body[512];

    asker_open_http(0);
    asker_session[0] = '\0';
    snprintf(body, sizeof body,
             "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"%s\","
             "\"capabilities\":" ASKER_CAN ",\"clientInfo\":{\"name\":\"a\",\"version\":\"1\"}}}",
             version);
    asker_post(0, body);
    const char *at = strstr(asker_heard(0), "Mcp-Session-Id: ");
    TEST_ASSERT_NOT_NULL(at);
    snprintf(asker_session, sizeof asker_session, "%.32s", at + 16);
}

void asker_start(void)
{
    static struct buf image;
    static const uint8_t seed[16] = "a seed for tests";

    if (image.p == NULL) {
        image = make_image();
    }
    clock_ms = UINT32_MAX - 500; /* it wraps around in most tests */
    asker_does = (struct asker_does){.interim = 1, .chatter = 40};
    asker_session[0] = '\0';
    TEST_ASSERT_EQUAL_INT(0, skr_server_init(&asker_server, &asker_device, image.p, image.n));
    struct skr_http_config config = {.path = "/mcp", .loopback = true, .anyone = true};
    memcpy(config.seed, seed, sizeof seed);
    skr_server_http(&asker_server, &config);
    for (int i = 0; i < 3; i++) {
        make_stale(&asker_conns[i], sizeof asker_conns[i]);
        skr_conn_open(&asker_conns[i], &asker_server, SKR_LINE);
        out[i].n = 0;
    }
    asker_tick(0);
}
