/* main.c -- the smallest useful firmware: one UART, one server, one tool with an argument. `make size`
 * links it for Cortex-M and counts what it pulls in, `make stack` walks its calls and
 * `make configs` links it once per setting. It is never run. */
#include "skillrom.h"

/* A UART as most microcontrollers have it; the addresses mean nothing. */
struct uart {
    volatile uint32_t data;
    volatile uint32_t status;
};
#define UART ((struct uart *)0x40001000u)
#define RX_READY 1u
#define TX_ROOM 2u

/* Stands for the image; where a product has it, its size does not count here. */
static const uint32_t skills_image[1];

static struct skr_server server;
static struct skr_conn conn;

static size_t uart_get(char *to, size_t room)
{
    size_t n = 0;

    while (n < room && (UART->status & RX_READY)) {
        to[n++] = (char)UART->data;
    }
    return n;
}

static size_t uart_put(const char *bytes, size_t n)
{
    size_t i = 0;

    while (i < n && (UART->status & TX_ROOM)) {
        UART->data = (unsigned char)bytes[i++];
    }
    return i;
}

/* What `skillrom pack --header` writes for {"rpm": {"type": "integer", "minimum": 0, "maximum": 3000}}.
 * MEASURE_KIND adds an argument of another kind, to see what that costs. */
struct tool_speed_args {
    int32_t rpm;
#ifdef MEASURE_KIND
    uint64_t other[2];
#endif
};

static const int64_t rpm_range[2] = {0, 3000};
static const struct skr_arg members[] = {
    {.kind = &skr_arg_int,
     .name = "rpm",
     .offset = offsetof(struct tool_speed_args, rpm),
     .flags = SKR_ARG_REQUIRED,
     .range = rpm_range},
#ifdef MEASURE_KIND
    {.kind = &MEASURE_KIND, .name = "other", .offset = offsetof(struct tool_speed_args, other)},
#endif
};
static const struct skr_object shape = {
    .members = members, .count = sizeof members / sizeof members[0], .size = sizeof(struct tool_speed_args)};

#if SKR_GUARD
static bool lid_is_closed(void *context)
{
    return context == NULL;
}

static struct {
    struct skr_kept kept;
    struct skr_budget budgets[2];
} kept_memory;
static const struct skr_guard guard = {&kept_memory.kept, kept_memory.budgets, 2, 1};
static const struct skr_condition conditions[] = {{lid_is_closed, "the lid is open"}};
static const struct skr_limit limits[] = {
    {"rpm", 50000, 3600, offsetof(struct tool_speed_args, rpm), sizeof(int32_t), 0, 0},
    {"tool calls", 0, 10, 0, 0, 0, 1},
};
static const char *const excludes[] = {"flush", NULL};
static const struct skr_rules rules = {&guard, &shape, "Turn at {rpm} rpm?", conditions, limits, excludes,
                                       1,      2,      SKR_RULE_PLAN};
static const struct skr_resource resources[] = {{.uri = "record://{from}",
                                                 .json = "{\"uriTemplate\":\"record://{from}\",\"name\":\"record\"}",
                                                 .mime = "application/x-ndjson",
                                                 .read = skr_read_record}};
#endif

static int tool_speed_run(struct skr_call *call)
{
    struct tool_speed_args args;

#ifdef MEASURE_CLIENT_REQUESTS
    struct skr_reply reply;
    if (!skr_elicit_form(call, "sure", "Sure?", "{\"type\":\"object\",\"properties\":{}}", &reply)) {
        return SKR_PENDING;
    }
#endif
#if SKR_GUARD
    if (skr_planning(call)) {
        return 0;
    }
#endif

    if (skr_args_read(call, &shape, &args)) {
        skr_put(call, "speed is ");
        skr_put_int(call, args.rpm);
    }
    return 0;
}

static const struct skr_tool tools[] = {{
    .name = "speed",
    .run = tool_speed_run,
#ifdef MEASURE_CLIENT_REQUESTS
    .deadline_ms = 1000,
#endif
#if SKR_GUARD
    .rules = &rules,
#endif
}};
static const struct skr_device device = {
    .tools = tools,
    .tool_count = 1,
#if SKR_GUARD
    .resources = resources,
    .resource_count = 1,
#endif
};

#if SKR_HTTP
/* The board's interrupt handlers would do this; here it only keeps HTTP linked. */
static void open_http(void)
{
    static const struct skr_http_config http = {.path = "/mcp", .loopback = true, .anyone = true};

    skr_server_http(&server, &http);
    skr_conn_open(&conn, &server, SKR_HTTP_1);
}
#endif

/* Ports that get bytes pushed, or can send several spans at a time, use these instead. */
static void copy_through(char *bytes, size_t n)
{
    struct skr_span spans[SKR_TX_SPANS];

    skr_conn_rx(&conn, bytes, n);
    n = skr_conn_txv(&conn, spans, SKR_TX_SPANS);
    for (size_t i = 0; i < n; i++) {
        skr_conn_tx_done(&conn, uart_put(spans[i].p, spans[i].n));
    }
}

int main(void)
{
    if (skr_server_init(&server, &device, skills_image, sizeof skills_image) != 0) {
        return 1;
    }
    skr_conn_open(&conn, &server, SKR_LINE);
#if SKR_HTTP
    open_http();
#endif
#ifdef MEASURE_CLIENT_REQUESTS
    static const uint8_t seed[16];
    skr_server_seed(&server, seed);
#endif
    while (!skr_conn_finished(&conn)) {
#ifdef MEASURE_CLIENT_REQUESTS
        (void)skr_server_tick(&server, UART->status);
#endif
#if SKR_GUARD
        skr_server_lock(&server, SKR_UNLOCKED, "");
#endif
        size_t room, n;
        const void *bytes;
        char *to = skr_conn_rx_room(&conn, &room);
        skr_conn_rx_done(&conn, uart_get(to, room));
        n = skr_conn_tx(&conn, &bytes);
        skr_conn_tx_done(&conn, uart_put(bytes, n));
        copy_through(to, 1);
    }
    return 0;
}
