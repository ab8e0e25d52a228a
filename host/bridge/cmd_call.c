/* caller_main.c -- the commands `skillrom call` and `skillrom read`. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "text/encode.h"
#include "../../port/posix/endpoint.h"
#include "../../port/posix/schema.h"
#include "bridge.h"
#include "options.h"
#include "mcp_client.h"
#include "nearest.h"
#include "console.h"
#include "json_edit.h"
#include "system.h"
#include "text/span.h"
#include "transports.h"

#define DAY_MS 86400000
#define CALL struct bridge_options

/* clang-format off */
#define SHARED_ROWS \
    HOST_FLAG("--json", CALL, json, "print the result as JSON, as it came"), \
    HOST_FLAG("--quiet", CALL, quiet, "show no progress, and none of the device's logs"), \
    BRIDGE_DEVICE_ROWS, \
    HOST_NUMBER("--wait-ms", "N", CALL, wait_ms, 1, DAY_MS, "how long to wait for a missing device (10000)"), \
    HOST_NUMBER("--answer-ms", "N", CALL, answer_ms, 1, DAY_MS, "how long to wait for an answer (65000)")

static const struct host_option rows[] = {SHARED_ROWS};
/* clang-format on */

const struct host_command bridge_call_command = {
    .name = "call",
    .run = bridge_call_main,
    .summary = "list what a device has, or run one of its tools",
    .usage = "URL|TTY [TOOL [NAME=VALUE ...]] [options]",
    .about =
        "Lists the tools, skills, resources, resource templates and prompts of a device at a URL or a serial port; or runs a tool, with its "
        "arguments checked against its schema, shows its progress, asks the questions it has, and prints its result. A "
        "VALUE is converted as the schema says; one for an array or object is JSON. Exits with 1 if the tool fails, and with "
        "2, before anything is sent to it, if there is no such tool or its arguments are wrong. A signal (Ctrl-C) cancels "
        "the tool; the exit status is then 128 plus the signal's number.",
    HOST_ROWS(rows),
    .operands = "URL|TTY",
    .least = 1,
    .most = HOST_ANY_NUMBER,
};

const struct host_command bridge_read_command = {
    .name = "read",
    .run = bridge_read_main,
    .summary = "print a skill's file or a resource of a device",
    .usage = "URL|TTY URI [options]",
    .about =
        "Prints the content of a resource, such as skill://daily-check/SKILL.md; `skillrom call URL|TTY` lists them.",
    HOST_ROWS(rows),
    .operands = "URL|TTY URI",
    .least = 2,
    .most = 2,
};

static struct bridge_options call;
static struct mcp_client caller;

/* ---- Asking ---- */

static bool ask(const char *method, const char *params, bool repeatable, struct skr_span *result)
{
    return mcp_client_ask(&caller, method, params, repeatable, result);
}

static void print(const char *text)
{
    mcp_client_print(STDOUT_FILENO, text, strlen(text));
}

static void print_json(struct skr_span json)
{
    mcp_client_show_text(STDOUT_FILENO, json.p, json.n);
    print("\n");
}

/* Calls `see` with each item of a list, page by page, until it returns true. False: the list could not be read. */
static bool each(const char *method, const char *member, bool (*see)(struct skr_span item))
{
    char params[BRIDGE_CURSOR + 32] = "{}", sent[sizeof params] = "";
    struct skr_span result, items, item, cursor;
    unsigned pages = 0;
    do {
        if (++pages > BRIDGE_PAGES || strcmp(params, sent) == 0) {
            host_log("%s: the list does not end; it has begun again, or has more than %d pages", method,
                    BRIDGE_PAGES);
            return false;
        }
        memcpy(sent, params, sizeof sent);
        if (!ask(method, params, true, &result)) {
            return false;
        }
        items = skr_scan_get(result, member);
        while (items.p != NULL && skr_scan_item(&items, &item)) {
            if (see(item)) {
                return true;
            }
        }
        cursor = skr_scan_get(result, "nextCursor");
        (void)snprintf(params, sizeof params, "{\"cursor\":%.*s}", (int)cursor.n, cursor.p != NULL ? cursor.p : "");
    } while (cursor.n > 0 && cursor.n <= BRIDGE_CURSOR);
    return true;
}

/* ---- What there is ---- */

static bool show_tool(struct skr_span tool)
{
    struct skr_span schema = skr_scan_get(tool, "inputSchema"), fields = skr_scan_get(schema, "properties"), key,
                    field;
    char kind[160];
    print("  ");
    mcp_client_show(STDOUT_FILENO, skr_scan_get(tool, "name"));
    while (skr_scan_pair(&fields, &key, &field)) {
        bool required = mcp_client_requires(schema, key);
        mcp_client_kind(field, kind, sizeof kind);
        print(required ? " " : " [");
        mcp_client_show(STDOUT_FILENO, key);
        print("=");
        print(strchr(kind, ' ') != NULL ? "'" : "");
        mcp_client_show_text(STDOUT_FILENO, kind, strlen(kind));
        print(strchr(kind, ' ') != NULL ? "'" : "");
        print(required ? "" : "]");
    }
    print("\n      ");
    mcp_client_show(STDOUT_FILENO, skr_scan_get(tool, "description"));
    print("\n");
    return false;
}

static bool show_named(struct skr_span item)
{
    struct skr_span uri = skr_scan_get(item, "uri"), about = skr_scan_get(item, "description");
    uri = uri.p != NULL ? uri : skr_scan_get(item, "uriTemplate");
    about = about.p != NULL ? about : skr_scan_get(skr_scan_get(item, "frontmatter"), "description");
    print("  ");
    mcp_client_show(STDOUT_FILENO, uri.p != NULL ? uri : skr_scan_get(item, "name"));
    if (about.p != NULL) {
        print("\n      ");
        mcp_client_show(STDOUT_FILENO, about);
    }
    print("\n");
    return false;
}

/* Skills are listed as such. */
static bool show_resource(struct skr_span item)
{
    struct skr_span uri = skr_scan_inside(skr_scan_get(item, "uri"));
    return uri.n > 8 && memcmp(uri.p, "skill://", 8) == 0 ? false : show_named(item);
}

static bool show_template(struct skr_span item)
{
    static bool begun;
    print(begun ? "" : "\nResource templates: replace {...}, then skillrom read URL|TTY URI\n");
    begun = true;
    return show_named(item);
}

/* A list that the device says it has. */
static bool list(const char *capability, const char *title, const char *method, const char *member,
                 bool (*see)(struct skr_span item), struct skr_span capabilities)
{
    if (skr_scan_get(capabilities, capability).p == NULL) {
        return true;
    }
    print(title);
    return each(method, member, see);
}

static int show_all(void)
{
    static char known[8192];
    struct skr_span result;
    if (!ask("initialize", "", true, &result)) {
        return 1;
    }
    if (call.json) {
        print_json(result);
        return 0;
    }
    struct skr_span info = skr_scan_get(result, "serverInfo"), capabilities = skr_scan_get(result, "capabilities");
    mcp_client_show(STDOUT_FILENO, skr_scan_get(info, "name"));
    print(" ");
    mcp_client_show(STDOUT_FILENO, skr_scan_get(info, "version"));
    print(", MCP ");
    mcp_client_show(STDOUT_FILENO, skr_scan_get(result, "protocolVersion"));
    print("\n");
    if (capabilities.n > sizeof known) {
        capabilities.n = 0;
    }
    memcpy(known, capabilities.p != NULL ? capabilities.p : "", capabilities.n);
    capabilities.p = known;
    bool skills = memmem(known, capabilities.n, "skills", 6) != NULL;
    bool good = list("tools", "\nTools: skillrom call URL|TTY NAME [ARGUMENT=VALUE ...]\n", "tools/list", "tools",
                     show_tool, capabilities);
    if (good && skills) {
        print("\nSkills: skillrom read URL|TTY URI\n");
        good = each("skills/list", "skills", show_named);
    }
    good = good && list("resources", "\nResources: skillrom read URL|TTY URI\n", "resources/list", "resources",
                        skills ? show_resource : show_named, capabilities);
    caller.optional = true; /* many servers have no such list */
    good = good && list("resources", "", "resources/templates/list", "resourceTemplates", show_template, capabilities);
    caller.optional = false;
    good = good && list("prompts", "\nPrompts, for hosts\n", "prompts/list", "prompts", show_named, capabilities);
    return good ? 0 : 1;
}

/* ---- Running a tool ---- */

static struct {
    const char *name;
    struct host_nearest nearest;
    char near[128];
    char schema[BRIDGE_SMALL], output[BRIDGE_SMALL]; /* inputSchema and outputSchema */
    size_t n, output_n;                                      /* 0: there is none */
} wanted;

static bool is_wanted(struct skr_span tool)
{
    struct skr_span name = skr_scan_get(tool, "name"), inside = skr_scan_inside(name);
    struct skr_span schema = skr_scan_get(tool, "inputSchema");
    schema = schema.p != NULL ? schema : SPAN("{}"); /* any arguments do */
    if (skr_scan_is(name, wanted.name) && schema.n < sizeof wanted.schema) {
        memcpy(wanted.schema, schema.p, schema.n);
        wanted.n = schema.n;
        struct skr_span output = skr_scan_get(tool, "outputSchema");
        if (output.p != NULL && output.n < sizeof wanted.output) {
            memcpy(wanted.output, output.p, output.n);
            wanted.output_n = output.n;
        }
        return true;
    }
    const char *before = wanted.nearest.name;
    host_nearest_try(&wanted.nearest, inside.p, inside.n);
    if (wanted.nearest.name != before && inside.n < sizeof wanted.near) { /* the list will not stay */
        memcpy(wanted.near, inside.p, inside.n);
        wanted.near[inside.n] = '\0';
        wanted.nearest.name = wanted.near;
    }
    return false;
}

/* The arguments as JSON. False, after a message. */
static bool read_arguments(char **words, int count, char *to, size_t room)
{
    static char copy[SKR_REQUEST_MAX];
    struct skr_span schema = {wanted.schema, wanted.n}, properties = skr_scan_get(schema, "properties"), about;
    (void)strcpy(to, "{}");
    for (int i = 0; i < count; i++) {
        const char *equals = strchr(words[i], '=');
        if (equals == NULL) {
            host_log("%s: give NAME=VALUE", words[i]);
            return false;
        }
        struct skr_span name = {words[i], (size_t)(equals - words[i])}, value = {equals + 1, strlen(equals + 1)};
        if (!mcp_client_argument(properties, name, value, to, room)) {
            return false;
        }
    }
    (void)snprintf(copy, sizeof copy, "%s", to);
    const char *wrong = posix_schema_mismatch((struct skr_span){copy, strlen(copy)}, schema, &about);
    if (wrong != NULL) {
        char kind[160] = "";
        char key[64];
        (void)snprintf(key, sizeof key, "%.*s", (int)skr_span_clip(about, sizeof key - 1).n, about.p);
        mcp_client_kind(skr_scan_get(properties, key), kind, sizeof kind);
        host_log("%s %s; give %s=%s", key, wrong, key, kind);
    }
    return wrong == NULL;
}

/* From now on a signal that asks the program to end is first passed on: the tool is cancelled. */
static void watch_signals(void)
{
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    caller.signals = host_signals_open(&ends); /* without one the tool is not cancelled, but runs */
}

/* False, after a message, when structured content is not what the outputSchema promises (TOOL-08). */
static bool keeps_promise(const char *tool, struct skr_span structured)
{
    static char copy[BRIDGE_SMALL]; /* names are decoded in place */
    struct skr_span about = {"it", 2};
    if (wanted.output_n == 0 || structured.n > sizeof copy) {
        return true;
    }
    memcpy(copy, structured.p != NULL ? structured.p : "", structured.n);
    const char *wrong = structured.n == 0
                            ? "is missing"
                            : posix_schema_mismatch((struct skr_span){copy, structured.n},
                                                  (struct skr_span){wanted.output, wanted.output_n}, &about);
    if (wrong != NULL) {
        host_log("%s: structured content breaks the tool's outputSchema: %.*s %s; correct its handler or its schema",
                tool, (int)about.n, about.p, wrong);
    }
    return wrong == NULL;
}

static int run_tool(char **words, int count)
{
    static char arguments[SKR_REQUEST_MAX / 2], params[SKR_REQUEST_MAX];
    struct skr_span result;
    wanted.name = words[0];
    wanted.nearest = (struct host_nearest){.typed = words[0], .n = strlen(words[0])};
    if (!each("tools/list", "tools", is_wanted)) {
        return 1;
    }
    if (wanted.n == 0) {
        host_log("%s: the device has no such tool%s%s%s", words[0], wanted.nearest.name != NULL ? "; did you mean " : "",
                wanted.nearest.name != NULL ? wanted.near : "", wanted.nearest.name != NULL ? "?" : "");
        return 2;
    }
    if (!read_arguments(words + 1, count - 1, arguments, sizeof arguments)) {
        return 2;
    }
    (void)snprintf(params, sizeof params, "{\"name\":\"%s\",\"arguments\":%s,\"_meta\":{\"progressToken\":1}}",
                   words[0], arguments);
    watch_signals();
    if (!ask("tools/call", params, false, &result)) {
        return caller.stopped != 0 ? 128 + caller.stopped : 1;
    }
    struct skr_span content = skr_scan_get(result, "content"), failed = skr_scan_get(result, "isError"), item,
                    rest = content;
    struct skr_span structured = skr_scan_get(result, "structuredContent");
    if (call.json || content.p == NULL || (!skr_scan_item(&rest, &item) && structured.p != NULL)) {
        print_json(call.json || structured.p == NULL ? result : structured);
    } else {
        mcp_client_show_content(content);
    }
    bool fails = failed.p != NULL && *failed.p == 't';
    return fails || !keeps_promise(words[0], structured) ? 1 : 0;
}

/* ---- Commands ---- */

/* The exit code, or -1 to go on. */
static int start(const struct host_command *command, int argc, char **argv, int *count)
{
    bridge_defaults(&call);
    *count = host_command_read(command, &call, argc, argv);
    if (*count < 0 || !bridge_take_device(&call, argv[1]) || !bridge_check_devices(&call)) {
        return call.bad_file ? 1 : 2;
    }
    if (!bridge_transports_check(&call)) {
        return 1;
    }
    call.alone = true;
    caller.way = bridge_transports_open(&call, 0);
    caller.way->quiet = true;
    caller.signals = -1;
    caller.wait_ms = call.wait_ms;
    caller.answer_ms = call.answer_ms;
    caller.quiet = call.quiet;
    return -1;
}

int bridge_call_main(int argc, char **argv)
{
    int count, code = start(&bridge_call_command, argc, argv, &count);
    if (code < 0) {
        code = count == 1 ? show_all() : run_tool(argv + 2, count - 1);
        bridge_transport_end(caller.way);
    }
    return code == 0 && !mcp_client_printed() ? 1 : code;
}

/* The files of a result. False: there is none, or one cannot be read. */
static bool show_contents(struct skr_span contents)
{
    struct skr_span item;
    unsigned count = 0;
    for (; contents.p != NULL && skr_scan_item(&contents, &item); count++) {
        struct bridge_file_content content;
        if (!bridge_json_content(item, &content)) {
            host_log("the device has sent a file that does not have exactly one of text and blob; see it with --json");
            return false;
        }
        if (!content.base64) {
            mcp_client_show(STDOUT_FILENO, content.value);
        } else if (!mcp_client_show_bytes(content.value)) {
            return false;
        }
    }
    if (count == 0) {
        host_log("the device has sent no content");
    }
    return count > 0;
}

int bridge_read_main(int argc, char **argv)
{
    static char params[BRIDGE_HEAD], quoted[BRIDGE_HEAD / 2];
    struct skr_span result;
    int count, code = start(&bridge_read_command, argc, argv, &count);
    if (code >= 0) {
        return code;
    }
    struct skr_encoding e = {.from = argv[2], .n = strlen(argv[2]), .out = quoted, .room = sizeof quoted - 1};
    skr_encode_any(&e, true);
    (void)snprintf(params, sizeof params, "{\"uri\":\"%.*s\"}", (int)e.made, quoted);
    bool well = ask("resources/read", params, true, &result);
    if (well && call.json) {
        print_json(result);
    } else if (well) {
        well = show_contents(skr_scan_get(result, "contents"));
    }
    bridge_transport_end(caller.way);
    return well && mcp_client_printed() ? 0 : 1;
}
