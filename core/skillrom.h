/* skillrom.h -- an MCP server for skills held in a read-only image.
 *
 * The caller owns all memory: one struct skr_server, one struct skr_conn per link. They must not move while in use, and
 * nothing needs freeing. Bytes go in with skr_conn_rx, come out with skr_conn_tx; no call ever blocks. The core calls
 * back only the tools and resources that you list in struct skr_device. A server and its connections belong to one
 * thread.
 *
 * A whole port, around a UART:
 *
 *     static struct skr_server server;
 *     static struct skr_conn conn;
 *
 *     if (skr_server_init(&server, &device, image, sizeof image) != 0) halt();
 *     skr_conn_open(&conn, &server, SKR_LINE);
 *     for (;;) {
 *         skr_conn_rx_done(&conn, uart_get(skr_conn_rx_room(&conn, &room), room));
 *         n = skr_conn_tx(&conn, &bytes);
 *         skr_conn_tx_done(&conn, uart_put(bytes, n));
 *         skr_server_tick(&server, board_ms());
 *     }
 *
 * The last call is for tools that need time. Leave it out if you have none; with SKR_JOBS 0, as in profile tiny, it
 * does not exist. */
#ifndef SKILLROM_H
#define SKILLROM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "skr_config.h"
#include "skr_layout.h"

/* The version of skillrom; it is defined only here. As a number for #if: major * 10000 + minor * 100 + patch. */
#define SKR_VERSION "0.2.0"
#define SKR_VERSION_NUMBER 200

/* The compiler checks the arguments of a call, from number `first` on, against the format string, argument
 * `format_at`. */
#ifdef __GNUC__
#define SKR_LIKE_PRINTF(format_at, first) __attribute__((format(printf, format_at, first)))
#else
#define SKR_LIKE_PRINTF(format_at, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct skr_server;
struct skr_conn;
struct skr_call;
struct skr_rules;
struct skr_alarms;
struct romfs;
struct romfs_file;

/* A reference to bytes in flash, in the image, or in a request. Not NUL-terminated, not owned. */
struct skr_span {
    const char *p;
    size_t n;
};

/* ---- What the firmware provides ---- */

/* The handler of a tool: writes text and returns 0; or returns skr_fail(call, "why"), which the
 * client sees as an isError result. Nothing else is served before it returns.
 *
 * You write it with the tool's arguments, already checked, in a struct: `skillrom pack DIR --header
 * tools.h` generates the struct and the table from tools/<name>.json, so that all you write is
 *
 *     int tool_set_speed(struct skr_call *call, const struct tool_set_speed_args *args)
 *     {
 *         motor_set(args->rpm);
 *         skr_put(call, "done");
 *         return 0;
 *     }
 *
 * A handler that needs time says so in its JSON file ("x-skillrom": {"deadlineMs": 10000}), returns SKR_PENDING and
 * is called again at every skr_server_tick, until it returns something else. Other requests are served meanwhile.
 * `args` is NULL in all calls but the first, because the request is gone; the output of all calls is combined:
 *
 *     int tool_purge(struct skr_call *call, const struct tool_purge_args *args)
 *     {
 *         struct purge *p = SKR_JOB_STATE_OF(call, struct purge);
 *         if (args != NULL) {
 *             p->line = args->line;
 *             return valve_open(p->line) ? SKR_PENDING : skr_fail(call, "the valve is stuck");
 *         }
 *         if (!skr_cancelled(call) && !flow_is_steady(p->line)) return SKR_PENDING;
 *         valve_close(p->line);
 *         skr_put(call, "steady");
 *         return 0;
 *     } */
typedef int (*skr_tool_fn)(struct skr_call *call);

#define SKR_PENDING 1 /* returned by the handler of a tool with a deadlineMs: not done, call again */

/* Whether a call of a tool may become a task, which continues after the response to its request. Needs SKR_TASKS and a
 * deadline_ms; without them it never does. */
enum skr_task_use { SKR_TASK_NEVER, SKR_TASK_OPTIONAL, SKR_TASK_REQUIRED };

/* A handler for a tool that the image describes (tools/<name>.json). A tool is listed when
 * the image describes it and the device has its handler. The table is also generated. */
struct skr_tool {
    const char *name;
    skr_tool_fn run;       /* reads the arguments, then calls the handler */
    uint32_t deadline_ms;  /* a handler that may return SKR_PENDING: how long it may take, usually
                           * SKR_JOB_DEADLINE_MS, at most SKR_JOB_DEADLINE_MAX_MS; after that
                           * the result is a timeout. Further calls meanwhile get the result "busy".
                           * 0: the handler always returns its result immediately */
    uint32_t output_max;   /* bytes of output it may write; 0, or larger than the buffer: the buffer's size */
    bool parallel;         /* several calls of it may be pending simultaneously */
    uint8_t task;          /* enum skr_task_use */
    bool read_only;        /* readOnlyHint; with SKR_READ_ONLY only such tools may be called */
    bool structured;       /* it has an outputSchema: a result must have structured content */
    uint32_t interface_id; /* of the description that the handler was built for: an image that describes the tool
                            * otherwise is refused (SKR_ERR_TOOLS). 0: not compared */
#if SKR_GUARD
    const struct skr_rules *rules; /* checked before the handler is called (skr_guard.h); NULL: none */
#endif
};

/* Writes the content of a resource, as a tool writes text. `var` is the part of
 * the URI that stands for {..} in a template, empty otherwise. Returns 0, or
 * SKR_NOT_FOUND when there is nothing at this URI. */
typedef int (*skr_resource_fn)(struct skr_call *call, struct skr_span var);

/* A resource generated by the firmware at run time, besides those of the image. `skillrom pack DIR --header tools.h`
 * makes the row from resources/<name>.json; all you write is
 *
 *     int resource_level(struct skr_call *call, struct skr_span var) */
struct skr_resource {
    const char *uri;  /* "sensor://tank/level", or with one variable "sensor://{id}/level" */
    const char *json; /* the Resource or ResourceTemplate object, as lists send it; clients of an older
                       * version do not get title, icons and _meta */
    const char *mime; /* its media type */
    skr_resource_fn read;
    const char *values;      /* of a template: completion values of its variable, one per line; no
                              * characters that JSON must escape. NULL: nothing is proposed */
    const uint32_t *version; /* your counter of its changes, for clients that subscribe: increment it, then
                              * call skr_server_notify(s, SKR_CHANGES_CONTENT). With one, clients can
                              * subscribe. NULL disables notifications, also of a template. Needs SKR_CHANGES */
};

/* Changes that clients can be notified of: of lists, and of the content of a resource of the firmware. */
enum skr_changes {
    SKR_CHANGES_RESOURCES = 2,
    SKR_CHANGES_TOOLS = 4,
    SKR_CHANGES_PROMPTS = 8,
    SKR_CHANGES_CONTENT = 16,
};

/* Everything about a device that is not in the image. Constant; zero fields mean "none". */
struct skr_device {
    const struct skr_tool *tools;
    size_t tool_count;
    const struct skr_tool *prompts; /* prompts that the firmware writes instead of the image, which still
                                     * describes them: what is put is the message of the user */
    size_t prompt_count;
    const struct skr_resource *resources;
    size_t resource_count;
    /* Seconds since 1970, for the dates of tasks. Without it they begin with 2026 when the
     * server starts. */
    uint32_t (*clock)(void *context);

    unsigned changes; /* enum skr_changes, or-ed: lists whose changes the firmware reports with skr_server_notify;
                       * clients are promised notifications. SKR_CHANGES_CONTENT is implied by a resource with a
                       * version. Needs SKR_CHANGES */
    bool logs;        /* its handlers use skr_log, which is declared to clients of 2026-07-28 */
    void *context;    /* yours; skr_context(call) gives it back */

    /* Returns whether this connection may call this tool now. Called before each tool call that the token allows;
     * skr_conn_who(from) is the token's name. NULL allows every call. */
    bool (*allow)(void *context, const struct skr_conn *from, const char *tool);

    /* A tool call has ended, or was refused: for a log. `how` is "done", "failed" (skr_fail), "cancelled", "asked" (the
     * result is client requests, and a client of 2026-07-28 calls again with the replies), "denied", "busy", "timeout",
     * "output-too-large", "bad-argument" or "fault"; and for a rule "locked", "not-planned", "not-ready", "excluded",
     * "over-limit" or "not-confirmed". Needs SKR_JOBS or SKR_DIALECTS. */
    void (*tool_called)(void *context, const char *tool, const char *how, uint32_t ms);

    /* Returns the handler of a file under scripts/ for which `tools` has none, or NULL. The row must not change during
     * a call. For a PC, which can execute the script itself; needs SKR_DIALECTS and profile host. */
    const struct skr_tool *(*script)(void *context, const struct romfs *fs, const struct romfs_file *file);

#if SKR_EVENTS
    const struct skr_alarms *alarms; /* sent by events/poll (skr_alarm.h); NULL: the device has no events */
#endif
};

/* ---- Ways to fail ----
 *
 *     what is wrong                      the handler says                     the client sees of a tool
 *     --------------------------------   ----------------------------------   -------------------------------------
 *     the device cannot, or must not     return skr_fail(call, why);          a result with isError and the text
 *                                                                             `why`: its model reads it and goes on
 *     an argument is invalid in a way    return skr_refuse(call, argument,    the same, "<argument> <rule>", as
 *     its schema cannot express              rule);                           for a value that breaks its schema
 *     the tool call broke off            return skr_stop(call, reason, why);  the same as of skr_fail; a client of
 *                                                                             skills/execute sees an error with
 *                                                                             the reason
 *     the request itself is wrong;       return skr_error(call, code,         a JSON-RPC error with that code
 *     a model cannot fix it                  message);
 *     the client lacks a capability      if (!skr_need(call, capability))     the error that MCP has for it, or in
 *                                            return 0;                        the initialize era as of skr_fail
 *     a resource: nothing at this URI    return SKR_NOT_FOUND;                (the error that MCP has for it)
 *
 * When in doubt, use skr_fail. What is put after one of the first four is appended to its text: skr_fail(call, ""),
 * then skr_putf. For a resource each of the four gives the error "The device says: <why>" (-32603), for a prompt "The
 * prompt was not written: <why>" (-32602); skr_error keeps its code there. skr_error needs SKR_JOBS. */

/* ---- For tools and resources: arguments in, text out ---- */

#define SKR_NOT_FOUND (-1) /* a resource handler: nothing at this URI */

/* Client capabilities a tool may need, for skr_need and skr_can. SKR_CAP_URL is elicitation by a URL,
 * SKR_CAP_ELICITATION by a form. */
enum skr_capability { SKR_CAP_SAMPLING, SKR_CAP_ELICITATION, SKR_CAP_ROOTS, SKR_CAP_URL, SKR_CAP_TASKS };

/* The pointer from struct skr_device. */
void *skr_context(const struct skr_call *call);

/* The server of a call. */
struct skr_server *skr_call_server(struct skr_call *call);

/* The row of struct skr_tool that is being called, for a handler that is in several rows; NULL in a resource's. */
const struct skr_tool *skr_running_tool(const struct skr_call *call);

/* As skr_fail, for an argument that the handler itself checks (raw arguments) and finds wrong: "<argument> <rule>",
 * as in "program must be base64". */
int skr_refuse(struct skr_call *call, struct skr_span argument, const char *rule);

/* Append to the text of the result. Output beyond SKR_OUTPUT_MAX (SKR_JOB_OUTPUT_MAX when the tool has a deadline)
 * makes the whole result an error that says so; no check is needed at each call. Invalid UTF-8 is replaced;
 * of a tool's control characters only tabs and newlines are kept. */
void skr_put(struct skr_call *call, const char *text);
void skr_put_span(struct skr_call *call, struct skr_span bytes);
void skr_put_int(struct skr_call *call, int64_t value);

/* The value divided by 10^decimals, as decimal text: skr_put_fixed(c, -305, 2) is "-3.05". */
void skr_put_fixed(struct skr_call *call, int64_t value, unsigned decimals);

/* The same in one call, with the directives of printf that results need:
 *
 *     %s %.*s %c %%           %.*s with SKR_SPAN_ARG(span), up to its first NUL; a text that is NULL is "(null)"
 *     %d %ld %lld             int, long, long long
 *     %u %lu %llu %zu, %x     unsigned; %x in lower-case hex, of all of these sizes
 *
 * gcc and clang check the arguments against the format. Where int32_t is long (newlib) write (int)value. At any other
 * directive, such as a width, it and the rest of the format are put literally. */
void skr_putf(struct skr_call *call, const char *format, ...) SKR_LIKE_PRINTF(2, 3);
#define SKR_SPAN_ARG(span) (int)(span).n, (span).p

/* ---- For tools: results that are more than text ---- */

/* Each begins a block of content; what is put next belongs to it. Text put before the first is a block of its own.
 * The media type must stay valid, as literals do. A client of a protocol version without a kind of block gets a
 * kind it knows. In the handler of a prompt each block is a message of the user, and structured content is a
 * text. A resource has one content: a handler that begins a block there, or puts a file or a link, makes reading it
 * an error that says so. */
void skr_begin_text(struct skr_call *call);
void skr_begin_image(struct skr_call *call, const char *mime);
void skr_begin_audio(struct skr_call *call, const char *mime);
void skr_begin_resource(struct skr_call *call, const char *uri, const char *mime); /* skr_set_binary: a blob */

/* The content of the block just begun: these bytes, in flash or static, are sent in place. They must not change until
 * the response has been sent. */
void skr_put_static(struct skr_call *call, struct skr_span bytes);

/* A whole block: a file of the image, by its URI as in lists, sent in place. False if there is no such file. Begin
 * another block before you put more. */
bool skr_put_file(struct skr_call *call, const char *uri);

/* A whole block: a link to a resource that the client may read. mime may be NULL. Begin
 * another block before you put more. */
void skr_put_link(struct skr_call *call, const char *uri, const char *name, const char *mime);

/* Begins the result's structuredContent, for a tool with an outputSchema: one object, written
 * with the calls below. It is also sent as text, for clients that expect it there. */
void skr_begin_structured(struct skr_call *call);

/* Write JSON, here or in a resource, one value at a time. In an object each has a name, in an array the name is NULL:
 *
 *     skr_write_object(call, NULL);
 *     skr_write_int(call, "line", 2);
 *     skr_write_array(call, "doses_ml");
 *     skr_write_fixed(call, NULL, 1500, 3);
 *     skr_write_end(call);
 *     skr_write_end(call);                      {"line":2,"doses_ml":[1.500]}
 *
 * Brackets that do not match make the result an error that says so. */
void skr_write_object(struct skr_call *call, const char *name);
void skr_write_array(struct skr_call *call, const char *name);
void skr_write_end(struct skr_call *call);
void skr_write_int(struct skr_call *call, const char *name, int64_t value);
void skr_write_fixed(struct skr_call *call, const char *name, int64_t value, unsigned decimals);
void skr_write_bool(struct skr_call *call, const char *name, bool value);
void skr_write_null(struct skr_call *call, const char *name);
void skr_write_string(struct skr_call *call, const char *name, const char *text);
void skr_write_span(struct skr_call *call, const char *name, struct skr_span text);

/* Declares the output bytes instead of text: a resource is then sent as a blob. */
void skr_set_binary(struct skr_call *call);

/* Discards the output, puts `why`, and marks the result as failed. Returns 0,
 * so that a handler can end with `return skr_fail(call, "valve is locked");`. */
int skr_fail(struct skr_call *call, const char *why);

/* False when this client lacks the capability; then the response is already the error that says so, and the handler
 * returns 0. */
bool skr_need(struct skr_call *call, enum skr_capability capability);

/* Why a tool call was not completed. */
enum skr_reason {
    SKR_ENDED,          /* it was */
    SKR_UNKNOWN_SCRIPT, /* skills/execute only, like the next */
    SKR_NO_HANDLER,
    SKR_DENIED,
    SKR_BUSY,
    SKR_TIMEOUT,
    SKR_OUTPUT_TOO_LARGE,
    SKR_RPC_ERROR,
    SKR_BAD_ARGUMENT, /* the handler was not called; nor is it for what follows, which are rules */
#if SKR_GUARD
    SKR_LOCKED,
    SKR_NOT_PLANNED, /* a plan of a tool that has none */
    SKR_NOT_READY,   /* a condition does not hold */
    SKR_EXCLUDED,    /* a tool that excludes this one is at work */
    SKR_OVER_LIMIT,
    SKR_NOT_CONFIRMED, /* nobody could be asked, or the person has not accepted */
#endif
    SKR_REASONS,
};

/* As skr_fail, for a tool call that could not be completed: the response to skills/execute is then an error with this
 * reason, instead of a result. */
int skr_stop(struct skr_call *call, enum skr_reason reason, const char *why);

#if SKR_JOBS
/* SKR_JOB_STATE_OF(call, struct purge) is a struct purge *, for the handler of a tool with a deadlineMs: zero in the
 * first call, then as the previous call left it, in the same place. A type larger than SKR_JOB_STATE does not compile.
 * The pointer is never NULL: without a deadlineMs the tool call ends with an error that says so, and its state is
 * dropped. */
#ifdef __cplusplus
#define SKR_JOB_STATE_OF(call, type) skr_job_state_of<type>(call)
#else
#define SKR_JOB_STATE_OF(call, type)                                                                                   \
    ((type *)skr_job_state(                                                                                            \
        (call),                                                                                                        \
        sizeof(type) + 0 * sizeof(struct {                                                                             \
                           char this_state_is_larger_than_SKR_JOB_STATE[sizeof(type) <= SKR_JOB_STATE ? 1 : -1];       \
                       })))
#endif

/* SKR_JOB_STATE_OF calls this. A size above SKR_JOB_STATE, which the macro prevents, gives NULL, and the result is an
 * error. */
void *skr_job_state(struct skr_call *call, size_t size);

#ifdef __cplusplus
extern "C++" {
template <class type> type *skr_job_state_of(struct skr_call *call)
{
    static_assert(sizeof(type) <= SKR_JOB_STATE, "this state is larger than SKR_JOB_STATE");
    return static_cast<type *>(skr_job_state(call, sizeof(type)));
}
}
#endif

/* Milliseconds since the first tick of this tool call, or since the last reply. */
uint32_t skr_job_ms(const struct skr_call *call);

/* True when nobody waits for the result any more: the client has cancelled, the deadline has passed, or the link is
 * gone. Further output is dropped, and the handler should end soon; its tool is busy until it does. */
bool skr_cancelled(const struct skr_call *call);
#endif

#if SKR_GUARD
/* ---- Rules of tools (skr_guard.h) ----
 *
 * docs/guides/safe-to-hand-to-an-agent.md says what each promises. */

/* True when the client wants to know what the tool would do: the handler writes that, and moves nothing. Only for a
 * tool with "plan": true; any other is not called. */
bool skr_planning(const struct skr_call *call);

/* The tools that may be called. */
enum skr_lock {
    SKR_UNLOCKED,
    SKR_LOCK_TO_READING, /* tools with readOnlyHint, and those with "whileLocked": true */
    SKR_LOCK_ALL,        /* only those with "whileLocked": true */
};

/* Locks the device, or unlocks it: for a key switch or an emergency stop. `reason` is told to clients and must stay in
 * place. At the next tick, tool calls at work that the lock does not allow end with the reason, and their handlers
 * see skr_cancelled. Subscribers are notified if `changes` of struct skr_device has SKR_CHANGES_TOOLS. A reset
 * unlocks: call it again when the firmware starts. Handlers may call it. */
void skr_server_lock(struct skr_server *s, enum skr_lock level, const char *reason);
#endif

#if SKR_INTERACTIVE
/* ---- Client requests: elicitation, sampling and roots ----
 *
 * One handler serves clients of both eras, by one rule: it is a function of its arguments,
 * its state and the replies that are in this call. It may be called any number of times,
 * and its state is its only memory.
 *
 *     int greet(struct skr_call *call)
 *     {
 *         struct greet *s = SKR_JOB_STATE_OF(call, struct greet);
 *         struct skr_reply reply;
 *         if (!s->named) {
 *             if (!skr_elicit_form(call, "user_name", "What is your name?", NAME_SCHEMA, &reply)) {
 *                 return SKR_PENDING;
 *             }
 *             if (!skr_reply_accepted(&reply)) {
 *                 return skr_fail(call, "nobody greeted: the name was not given");
 *             }
 *             s->named = skr_reply_string(&reply, "name", s->name, sizeof s->name);
 *         }
 *         ...
 *
 * An initialize-era client gets each as a request, and the tool call waits. A client of 2026-07-28 gets all open ones
 * as the result (inputRequests), and the state, sealed (requestState). It calls again with the replies, and meanwhile
 * the server keeps nothing. The client can read such a state: put no secrets there. The tool needs a deadline_ms. */

/* The reply to a client request; valid until the handler returns. */
struct skr_reply {
    struct skr_call *call;
    int token;
    uint8_t action; /* enum skr_action */
};

enum skr_action { SKR_ACCEPT, SKR_DECLINE, SKR_CANCEL };

/* True when this client has declared the capability. */
bool skr_can(const struct skr_call *call, enum skr_capability capability);

/* Each is true when the reply to `key` is in this call. Otherwise the request is open: make any others, then return
 * SKR_PENDING. Output put before is dropped. Store the reply in the state, because the next call does not have it. A
 * client without the capability gets an error that says so, whatever the handler returns. Keys are names like
 * "user_name", a different one for each request. */

/* Elicitation with a form: `schema` is JSON text, an object schema with flat properties (ELI-01). */
bool skr_elicit_form(struct skr_call *call, const char *key, const char *message, const char *schema,
                     struct skr_reply *reply);

/* Elicitation with a URL: accepted means that the user went there, not that they are done. */
bool skr_elicit_url(struct skr_call *call, const char *key, const char *message, const char *url,
                    struct skr_reply *reply);

/* Sampling: lets the client's model respond to a prompt. */
bool skr_sample(struct skr_call *call, const char *key, const char *prompt, int32_t max_tokens,
                struct skr_reply *reply);

/* Roots: the folders that the client works in. */
bool skr_list_roots(struct skr_call *call, const char *key, struct skr_reply *reply);

/* A client that responds with an error has declined. */
static inline bool skr_reply_accepted(const struct skr_reply *reply)
{
    return reply->action == SKR_ACCEPT;
}

/* A member of a form's content. False when it is missing or does not fit, and then *out is unchanged; a string is
 * copied and NUL-terminated. */
bool skr_reply_string(const struct skr_reply *reply, const char *name, char *out, size_t size);
bool skr_reply_int(const struct skr_reply *reply, const char *name, int32_t min, int32_t max, int32_t *out);
bool skr_reply_bool(const struct skr_reply *reply, const char *name, bool *out);

/* The whole content of a form, as JSON. Get it before single strings. */
struct skr_span skr_reply_json(const struct skr_reply *reply);

/* The model's text; empty when it gave none. */
struct skr_span skr_reply_text(const struct skr_reply *reply);

/* URI of root number i, and its name, which may be empty; false after the last. */
bool skr_reply_root(const struct skr_reply *reply, unsigned i, struct skr_span *uri, struct skr_span *name);

/* ---- Progress and log messages ----
 *
 * For tools with a deadline_ms. Messages are sent before the response, as soon as the link has room. Those that exceed
 * SKR_JOB_MESSAGES bytes, or that the client does not want, are dropped. Over HTTP the response is then a stream of
 * events. */

/* `value` of `total` is done; 0 if the total is unknown. `message` may be NULL. A value that is not above the previous
 * one is not sent (PRG-02). */
void skr_progress(struct skr_call *call, int32_t value, int32_t total, const char *message);

#if SKR_EXTRAS
enum skr_level {
    SKR_LOG_DEBUG,
    SKR_LOG_INFO,
    SKR_LOG_NOTICE,
    SKR_LOG_WARNING,
    SKR_LOG_ERROR,
    SKR_LOG_CRITICAL,
    SKR_LOG_ALERT,
    SKR_LOG_EMERGENCY,
};

/* A log message, for clients that want this level. No secrets (LOG-04). */
void skr_log(struct skr_call *call, enum skr_level level, const char *text);
#endif
#endif

#if SKR_RESUME
/* Ends the HTTP response for now, so that no connection is held while the handler works; the client comes back for the
 * rest after retry_ms, or sooner. False, and no effect, when the client or the transport does not support that. */
bool skr_close_stream(struct skr_call *call, uint32_t retry_ms);
#endif

#if SKR_JOBS
/* As skr_fail, but the response is a JSON-RPC error with this code: for a mistake in the request, not in the device. */
int skr_error(struct skr_call *call, int32_t code, const char *message);
#endif

/* ---- For a port: bytes in, bytes out ---- */

/* The framing of messages on a link. */
enum skr_wire {
    SKR_LINE,     /* one JSON-RPC message per line: stdio, UART. A line that is not JSON gets an error, no more */
    SKR_HTTP_1,   /* MCP Streamable HTTP over HTTP/1.1; needs SKR_HTTP */
    SKR_LINE_TCP, /* lines on a TCP port, which any web page can make a browser send to: a line that does not begin like
                   * a JSON object or array gets an error and ends the connection, before anything after it is read */
};

/* The activity of a connection, for the port's timeouts. */
enum skr_activity {
    SKR_IDLE,       /* between requests, holding nothing */
    SKR_RECEIVING,  /* part of a request has arrived */
    SKR_RESPONDING, /* bytes are waiting to be sent */
    SKR_WAITING,    /* a stream is open and has nothing to send yet: read only to notice a hang-up */
    SKR_WORKING,    /* a handler needs time: go on reading and ticking */
};

/* Results of skr_server_init besides enum romfs_error. */
#define SKR_ERR_RESOURCE (-32) /* a resource of the device is not valid */
#define SKR_ERR_TOOLS (-33)    /* the image describes a tool differently from the program */

/* Checks the image and the device's tools and resources, and initialises s. Returns 0, SKR_ERR_RESOURCE, SKR_ERR_TOOLS,
 * or a negative enum romfs_error; if it is not 0, s is not usable, and skr_server_reason() returns the text. The image
 * and the device must outlive s. The image starts at a multiple of four. A program compiled with different settings
 * from the core does not link (skr_layout.h). */
#define skr_server_init SKR_CONFIGURED(skr_server_init)
int skr_server_init(struct skr_server *s, const struct skr_device *device, const void *image, size_t n);

/* A description of the error. The texts take flash: a small device may prefer to print the number. */
const char *skr_server_reason(int error);

/* The first resource that skr_server_init refuses, NULL for none. Its `json` must be an object with a string "name"
 * and with its own `uri` as "uri", or "uriTemplate" if it is a template; `mime`, and `values` if there are any, must
 * be text that needs no escapes in JSON. Profile tiny only checks that `json` is an object. */
const struct skr_resource *skr_server_bad_resource(struct skr_server *s);

/* For messages, directly after skr_server_init or skr_server_swap has returned SKR_ERR_TOOLS, while the refused image
 * is still in place: the first tool after `after` that the image describes differently from the program. `after` NULL
 * starts with the first tool; the result is NULL after the last. */
const struct skr_tool *skr_server_misfit(const struct skr_server *s, const struct skr_tool *after);

/* Items per page of a list, at least one; without this call SKR_PAGE. */
void skr_server_set_page(struct skr_server *s, uint32_t items);

#if SKR_REQUEST_LOG
/* A request that is over. The texts are the client's, cut, and may hold any byte but NUL. */
struct skr_finished {
    const char *method; /* or GET, POST and the like, where the request had none; may be empty */
    const char *name;   /* of the tool, resource or prompt; may be empty */
    uint16_t status;    /* of HTTP; 0 on a line, or without a response */
    int32_t code;       /* of the JSON-RPC error; 0 if it is none */
    bool failed;        /* a tool's result with isError */
    bool cut_off;       /* its response was not sent completely */
    uint32_t sent;      /* bytes of the response */
    uint32_t took_ms;   /* from its arrival until then */
};

struct skr_request_log {
    /* Called when the response has been sent, or never will be; must not call the core, except skr_conn_who(from).
     * Notifications on a line have no response and are not reported. */
    void (*finished)(const struct skr_conn *from, const struct skr_finished *what);
    uint32_t (*clock_ms)(void); /* may wrap around */
};

/* Reports requests from now on. `log` must outlive the server; NULL disables logging. */
void skr_server_log_to(struct skr_server *s, const struct skr_request_log *log);
#endif

#if SKR_SEAL
/* 16 random bytes from the port's entropy source, once after skr_server_init: they protect ids and states that clients
 * must not guess or forge. skr_server_http does this with the seed in its config. Without a seed, handlers that keep a
 * state cannot send requests to clients of 2026-07-28, and there are no tasks. */
void skr_server_seed(struct skr_server *s, const uint8_t seed[16]);
#endif

/* Initialises c for a new link. Call it again to use c for the next one: nothing of the last peer remains. */
#define skr_conn_open SKR_CONFIGURED(skr_conn_open)
void skr_conn_open(struct skr_conn *c, struct skr_server *s, enum skr_wire wire);

/* The link is gone, or has been closed because skr_conn_finished said so. */
void skr_conn_close(struct skr_conn *c);

/* Where the next received bytes may be put, and in *room how many. *room is 0 when the buffer is full and a response
 * has to be sent first: to apply back-pressure, do not read. */
void *skr_conn_rx_room(struct skr_conn *c, size_t *room);

/* Reports that n bytes were put there, n at most *room. Complete requests are handled before this returns, until one
 * has a response to send. */
void skr_conn_rx_done(struct skr_conn *c, size_t n);

/* The same with a copy, for ports that get bytes pushed: takes up to n bytes,
 * split anywhere. Returns how many it took; offer the rest again later. */
size_t skr_conn_rx(struct skr_conn *c, const void *bytes, size_t n);

/* The next bytes to send, in place: in ROM or in c. skr_conn_txv gives up to max spans at a time and returns how many;
 * skr_conn_tx gives one and returns its length. 0 when there are none. The same bytes are given again until
 * skr_conn_tx_done(c, k) reports that k of them were sent. */
size_t skr_conn_txv(struct skr_conn *c, struct skr_span *spans, size_t max);
size_t skr_conn_tx(struct skr_conn *c, const void **bytes);
void skr_conn_tx_done(struct skr_conn *c, size_t k);

/* True when nothing more will come out and the link should be closed. */
bool skr_conn_finished(const struct skr_conn *c);

enum skr_activity skr_conn_activity(const struct skr_conn *c);

/* The name of the token that came with the current request, for `allow` of struct skr_device; NULL if none was
 * needed. */
const char *skr_conn_who(const struct skr_conn *c);

/* The port's clock says the request has taken too long to arrive. HTTP responds with 408 and finishes; on a line
 * the partial request is dropped. */
void skr_conn_timed_out(struct skr_conn *c);

#if SKR_JOBS
/* Calls each handler that needs more time (SKR_PENDING) once. now_ms is from any clock that counts milliseconds; it
 * may wrap around. True while one is not done, or its response has not begun to be sent: then look for bytes to send on
 * connections that were SKR_WORKING, and call again within a few milliseconds. A loop that never sleeps calls it in
 * every turn. */
bool skr_server_tick(struct skr_server *s, uint32_t now_ms);
#endif

#if SKR_INTERACTIVE
/* The peer of a line will send nothing more, but may still read: open client requests count as declined. */
void skr_conn_rx_end(struct skr_conn *c);
#endif

#if SKR_CHANGES
/* ---- For a port that replaces the image while it runs ---- */

/* Allows skr_server_swap, or not, after skr_server_init and before the first connection; if so, clients are promised
 * notifications of changes. Not allowed without this call. */
void skr_server_can_swap(struct skr_server *s, bool can);

/* HTTP streams that may be open simultaneously, each of which holds a connection; without this call SKR_STREAMS. */
void skr_server_set_streams(struct skr_server *s, uint16_t max);

/* Serves another image from now on. Responses that have begun keep their image, so the older image must
 * stay in place until skr_conn_uses_old_image is false for every connection (port/lwip and port/sockets have a
 * function for theirs); only then may it be swapped again.
 * Returns 0, or SKR_ERR_TOOLS or a negative enum romfs_error: then nothing has changed. */
int skr_server_swap(struct skr_server *s, const void *image, size_t n);

/* Notifies subscribers that these have changed: enum skr_changes, or-ed, and only those in `changes` of struct
 * skr_device. Handlers may call it. */
void skr_server_notify(struct skr_server *s, unsigned lists);

/* True while a response on c still uses the previous image. */
bool skr_conn_uses_old_image(const struct skr_conn *c);

/* Changes when a connection may have an unsolicited message: then call skr_conn_tx for each. */
uint32_t skr_server_notification_count(const struct skr_server *s);

/* The port's clock says that c has been SKR_WAITING for a while (15 s): a comment is sent on an HTTP stream, so that
 * neither side takes the link for dead. */
void skr_conn_keep_alive(struct skr_conn *c);

/* The server is about to shut down: ends the subscriptions of c with their final responses (SUB-09). Close c when
 * those have been sent. */
void skr_conn_end(struct skr_conn *c);
#else
static inline uint32_t skr_server_notification_count(const struct skr_server *s)
{
    (void)s;
    return 0;
}
#endif

/* The rights of a token's bearer. */
enum skr_rights {
    SKR_MAY_READ = 1,    /* skills, resources, prompts, completion, tools with readOnlyHint */
    SKR_MAY_OPERATE = 2, /* everything but updates */
    SKR_MAY_UPDATE = 4,  /* or-ed with one of them: replacing the image by a signed one (SKR_UPDATE) */
};

#if SKR_UPDATE
/* ---- For a port that receives another image over the wire: port/update ---- */

enum skr_update_step {
    SKR_STEP_STATUS,
    SKR_STEP_BEGIN,  /* bytes: the release */
    SKR_STEP_BLOCKS, /* CRC-32 of blocks of `size` bytes of the image in force, from `offset` on */
    SKR_STEP_WRITE,  /* of release `number`: bytes at `offset`; without bytes, `size` bytes of the image in force, from
                      * `from` on */
    SKR_STEP_COMMIT,
    SKR_STEP_CONFIRM, /* release `number` */
    SKR_STEP_REVERT,
};

/* One step of an update, as a client asks for it. Numbers that it has not given are 0. */
struct skr_update_request {
    enum skr_update_step step;
    struct skr_span bytes; /* decoded; p is NULL when there are none */
    uint32_t offset, from, size, number;
};

/* Carries out updates, which clients with the right SKR_MAY_UPDATE request. */
struct skr_updater {
    /* Takes a step, and puts the members of its result as JSON (skr_put). Returns NULL, or why it was refused: constant
     * text, which the client gets. */
    const char *(*step)(void *context, struct skr_call *call, const struct skr_update_request *request);
    void *context;
};

/* Offers the methods skillrom/update/... from now on. The updater must outlive s; NULL withdraws them. */
void skr_server_set_updater(struct skr_server *s, const struct skr_updater *updater);
#endif

#if SKR_HTTP
#if SKR_AUTH
/* A token that opens the HTTP endpoint ("Authorization: Bearer TOKEN"). The token itself is not kept, only its hash:
 * `skillrom token NAME --emit-c FILE` makes both. Use a different token for each device: one that leaks must not open
 * another. */
struct skr_grant {
    const char *name;   /* who has it, for skr_conn_who */
    uint8_t sha256[32]; /* of the token's bytes */
    uint8_t rights;     /* enum skr_rights */
};

/* Replaces the grants of skr_http_config while they are in use. Then call skr_conn_keep_grant for every open
 * connection; after that the previous rows are no longer needed. It returns false for a connection that handles a
 * request whose token is gone: close it. */
void skr_server_set_grants(struct skr_server *s, const struct skr_grant *grants, size_t count);
bool skr_conn_keep_grant(struct skr_conn *c);

#if SKR_OAUTH
/* A row that is made for one request: sha256 differs for each user or program, and stays when their token is renewed,
 * because sessions and tasks are bound to it. rights 0: known, but not allowed anything. */
struct skr_bearer {
    struct skr_grant grant; /* its name is `name`: the core sees to it */
    char name[SKR_BEARER_NAME];
};

/* An authorization server whose tokens also open the HTTP endpoint, and how they are checked: port/oauth. */
struct skr_authority {
    /* Finds the bearer of a token that no row of `grants` has; it may overwrite the token. Fills *bearer and returns
     * NULL; or returns why the token is refused, as constant text without quotes, which the client receives. */
    const char *(*check)(void *context, char *token, size_t n, struct skr_bearer *bearer);
    void *context;
    /* Where clients without a token learn which server gives them one (RFC 9728): the JSON that anyone can GET there;
     * its paths; and its URL, of at most 200 bytes. */
    struct skr_span metadata;
    const char *paths[2];
    const char *url;
    const char *read, *operate; /* what the server calls these rights, of at most 32 bytes each */
    const char *update;         /* likewise; NULL: no token of the server allows updates */
};
#endif
#endif

/* How the HTTP endpoint is addressed, and who may use it. */
struct skr_http_config {
    const char *path;         /* NULL: "/mcp" */
    const char *const *hosts; /* host names or addresses that clients may use, without port, and that web pages may come
                               * from. A numeric address is always accepted as Host: an attacker can make a name resolve
                               * to this device (DNS rebinding), but not an address */
    size_t host_count;
    bool loopback;    /* also allows localhost, 127.0.0.1 and [::1], with any port */
    bool sessionless; /* issue no Mcp-Session-Id, and forget what initialize agreed on. Such a client cannot receive
                       * client requests, subscribe, have tasks, or set a lasting log level */
    uint8_t seed[16]; /* random, from the port's entropy source, and different after each reset */
    /* 16 secret bytes that are the same after a reset, so that earlier sessions are recognised. They must stay where
     * they are. With NULL sessions end with a reset. */
    const uint8_t *session_key;
#if SKR_AUTH
    const struct skr_grant *grants; /* every request needs the token of one of them */
    size_t grant_count;
#endif
#if SKR_OAUTH
    const struct skr_authority *authority; /* or a token that it accepts; may be NULL */
#endif
    bool anyone; /* without both: every client that reaches the port may do everything. Set it on loopback, or in a
                  * network you trust; without grants, authority and this, every request is refused. Implied
                  * without SKR_AUTH */
    /* For a log: a request was refused for its "Host", "Origin" or "Authorization". The value is the bytes that
     * the peer sent; instead of a token it is the authority's reason, or empty. NULL disables this log. */
    void (*refused)(const struct skr_conn *from, const char *header, struct skr_span value);
};

/* Must be called before the first SKR_HTTP_1 connection is opened; a server without it lets nobody use HTTP. The config is
 * copied; what it points to must outlive s. */
void skr_server_http(struct skr_server *s, const struct skr_http_config *config);
#endif

#ifdef __cplusplus
}
#endif

#include "skr_args.h"
#include "skr_guard.h"
#include "skr_types.h"

#endif
