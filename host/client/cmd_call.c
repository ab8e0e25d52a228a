/* cmd_call.c -- the commands `skillrom call` and `skillrom read`. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client.h"
#include "client_devices.h"
#include "console.h"
#include "json_edit.h"
#include "nearest.h"
#include "record.h"
#include "system.h"
#include "text/encode.h"

struct call_options {
    struct transport_devices devices;
    bool json;
    bool log;
    bool plan;
    bool yes;
};

/* clang-format off */
static const struct host_option rows[] = {
    HOST_FLAG("--json", struct call_options, json, "print the result as JSON, as it came"),
    TRANSPORT_ROWS(struct call_options, devices),
};
static const struct host_option call_rows[] = {
    HOST_FLAG("--json", struct call_options, json, "print the result as JSON, as it came"),
    HOST_FLAG("--log", struct call_options, log, "print the device's record of tool calls and check its chain; in place of URL, a file that holds a copy of one"),
    HOST_FLAG("--plan", struct call_options, plan, "ask the tool what it would do; nothing moves"),
    HOST_FLAG("--yes", struct call_options, yes, "confirm the tool call without a prompt, if the device asks for it"),
    TRANSPORT_ROWS(struct call_options, devices),
};
/* clang-format on */

static int call_main(int argc, char **argv);
static int read_main(int argc, char **argv);

const struct host_command client_call_command = {
    .name = "call",
    .run = call_main,
    .group = "Device",
    .summary = "list the content of a device, or call one of its tools",
    .usage = "URL|TTY [TOOL [NAME=VALUE ...]] [options]",
    .about =
        "Lists the tools, skills, resources, resource templates and prompts of a device at a URL or a serial port; or calls a tool: "
        "checks the arguments against its schema, shows its progress and its elicitations, and prints its result. A "
        "VALUE is converted as the schema says; one for an array or object is JSON. Exits with 1 if the tool fails, and with "
        "2, before the tool is called, if there is no such tool or its arguments are wrong. A signal (Ctrl-C) cancels "
        "the tool call; the exit status is then 128 plus the signal's number.",
    HOST_ROWS(call_rows),
    .examples = {{"skillrom call http://127.0.0.1:7700/mcp", "list what a device has"},
                 {"skillrom call /dev/ttyACM0 set_lamp level=40", "call a tool over a serial line"}},
    .operands = {"URL|TTY"},
    .least = 1,
    .most = HOST_ANY_NUMBER,
};

const struct host_command client_read_command = {
    .name = "read",
    .run = read_main,
    .group = "Device",
    .summary = "print a skill's file or a resource of a device",
    .usage = "URL|TTY URI [options]",
    .about =
        "Prints the content of a resource, such as skill://daily-check/SKILL.md; `skillrom call URL|TTY` lists them.",
    HOST_ROWS(rows),
    .examples = {{"skillrom read http://127.0.0.1:7700/mcp skill://switch-lamp/SKILL.md", "print a manual"},
                 {"skillrom read /dev/ttyACM0 lamp://state", "print a value over a serial line"}},
    .operands = {"URL|TTY", "URI"},
    .least = 2,
    .most = 2,
};

static struct call_options options;
static struct client client = {.name = "skillrom call", .interactive = true, .signals = -1};

/* ---- Output ---- */

static void output_print(const char *text)
{
    client_print(STDOUT_FILENO, text, strlen(text));
}

static void print_json(struct skr_span json)
{
    client_print_text(STDOUT_FILENO, json.p, json.n);
    output_print("\n");
}

/* ---- Lists ---- */

/* Calls `visit` with each item of a list, page by page, until it returns true. False if the list could not be read. */
static bool list_each(const char *method, const char *member, bool (*visit)(struct skr_span item))
{
    char params[TRANSPORT_CURSOR + 32] = "{}", sent[sizeof params] = "";
    struct skr_span result, items, item, cursor;
    unsigned pages = 0;

    do {
        if (++pages > TRANSPORT_PAGES || strcmp(params, sent) == 0) {
            host_log(
                "%s: the list does not end: a cursor is repeated, or it has more than %d pages; report it to the device's vendor",
                method, TRANSPORT_PAGES);
            return false;
        }
        memcpy(sent, params, sizeof sent);
        if (!client_get(&client, method, params, true, &result)) {
            return false;
        }
        items = skr_scan_get(result, member);
        while (items.p != NULL && skr_scan_item(&items, &item)) {
            if (visit(item)) {
                return true;
            }
        }
        cursor = skr_scan_get(result, "nextCursor");
        (void)snprintf(params, sizeof params, "{\"cursor\":%.*s}", (int)cursor.n, cursor.p != NULL ? cursor.p : "");
    } while (cursor.n > 0 && cursor.n <= TRANSPORT_CURSOR);
    return true;
}

/* ---- The content of a device ---- */

static bool show_tool(struct skr_span tool)
{
    struct skr_span schema = skr_scan_get(tool, "inputSchema"), fields = skr_scan_get(schema, "properties"), key, field;
    char kind[160];

    output_print("  ");
    client_print_string(STDOUT_FILENO, skr_scan_get(tool, "name"));
    while (skr_scan_pair(&fields, &key, &field)) {
        bool required = client_requires(schema, key);
        client_describe_type(field, kind, sizeof kind);
        output_print(required ? " " : " [");
        client_print_string(STDOUT_FILENO, key);
        output_print("=");
        output_print(strchr(kind, ' ') != NULL ? "'" : "");
        client_print_text(STDOUT_FILENO, kind, strlen(kind));
        output_print(strchr(kind, ' ') != NULL ? "'" : "");
        output_print(required ? "" : "]");
    }
    output_print("\n      ");
    client_print_string(STDOUT_FILENO, skr_scan_get(tool, "description"));
    output_print("\n");
    return false;
}

static bool show_named(struct skr_span item)
{
    struct skr_span uri = skr_scan_get(item, "uri"), about = skr_scan_get(item, "description");

    uri = uri.p != NULL ? uri : skr_scan_get(item, "uriTemplate");
    about = about.p != NULL ? about : skr_scan_get(skr_scan_get(item, "frontmatter"), "description");
    output_print("  ");
    client_print_string(STDOUT_FILENO, uri.p != NULL ? uri : skr_scan_get(item, "name"));
    if (about.p != NULL) {
        output_print("\n      ");
        client_print_string(STDOUT_FILENO, about);
    }
    output_print("\n");
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

    output_print(begun ? "" : "\nResource templates: replace {...}, then skillrom read URL|TTY URI\n");
    begun = true;
    return show_named(item);
}

/* Prints a list if the device has its capability. */
static bool show_list(const char *capability, const char *title, const char *method, const char *member,
                      bool (*visit)(struct skr_span item), struct skr_span capabilities)
{
    if (skr_scan_get(capabilities, capability).p == NULL) {
        return true;
    }
    output_print(title);
    return list_each(method, member, visit);
}

static int show_all(void)
{
    static char kept[8192];
    struct skr_span result;

    if (!client_initialize(&client, &result)) {
        return 1;
    }
    if (options.json) {
        print_json(result);
        return 0;
    }
    struct skr_span info = skr_scan_get(result, "serverInfo"), capabilities = skr_scan_get(result, "capabilities");
    client_print_string(STDOUT_FILENO, skr_scan_get(info, "name"));
    output_print(" ");
    client_print_string(STDOUT_FILENO, skr_scan_get(info, "version"));
    output_print(", MCP ");
    client_print_string(STDOUT_FILENO, skr_scan_get(result, "protocolVersion"));
    output_print("\n");
    if (capabilities.n > sizeof kept) {
        capabilities.n = 0;
    }
    memcpy(kept, capabilities.p != NULL ? capabilities.p : "", capabilities.n);
    capabilities.p = kept;
    bool skills = memmem(kept, capabilities.n, "skills", 6) != NULL;
    bool good = show_list("tools", "\nTools: skillrom call URL|TTY NAME [ARGUMENT=VALUE ...]\n", "tools/list", "tools",
                          show_tool, capabilities);
    if (good && skills) {
        output_print("\nSkills: skillrom read URL|TTY URI\n");
        good = list_each("skills/list", "skills", show_named);
    }
    good = good && show_list("resources", "\nResources: skillrom read URL|TTY URI\n", "resources/list", "resources",
                             skills ? show_resource : show_named, capabilities);
    client.optional = true; /* many servers do not have this list */
    good = good &&
           show_list("resources", "", "resources/templates/list", "resourceTemplates", show_template, capabilities);
    client.optional = false;
    good = good && show_list("prompts", "\nPrompts, for hosts\n", "prompts/list", "prompts", show_named, capabilities);
    return good ? 0 : 1;
}

/* ---- Running a tool ---- */

static struct {
    const char *name;
    struct host_nearest nearest;
    char near[128];
    char schema[CLIENT_REPLY], output[CLIENT_REPLY]; /* inputSchema and outputSchema */
    size_t n, output_n;                              /* 0 without one */
    bool plans;                                      /* the device says that it can plan it */
} wanted;

static bool is_wanted(struct skr_span tool)
{
    struct skr_span name = skr_scan_get(tool, "name"), inside = skr_scan_inside(name);
    struct skr_span schema = skr_scan_get(tool, "inputSchema");

    schema = schema.p != NULL ? schema : SPAN("{}"); /* any arguments do */
    if (skr_scan_is(name, wanted.name) && schema.n < sizeof wanted.schema) {
        memcpy(wanted.schema, schema.p, schema.n);
        wanted.n = schema.n;
        struct skr_span plans = skr_scan_get(skr_scan_get(tool, "_meta"), "dev.skillrom/plan");
        wanted.plans = plans.p != NULL && *plans.p == 't';
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
    struct skr_span schema = {wanted.schema, wanted.n}, properties = skr_scan_get(schema, "properties");

    (void)strcpy(to, "{}");
    for (int i = 0; i < count; i++) {
        const char *equals = strchr(words[i], '=');
        if (equals == NULL) {
            host_log("%s: give NAME=VALUE", words[i]);
            return false;
        }
        struct skr_span name = {words[i], (size_t)(equals - words[i])}, value = {equals + 1, strlen(equals + 1)};
        if (!client_argument(properties, name, value, to, room)) {
            return false;
        }
    }
    char type[160] = "", member[CLIENT_MEMBER];
    const char *wrong = client_schema_mismatch(skr_span_of(to), schema, member);
    if (wrong != NULL) {
        client_describe_type(skr_scan_get(properties, member), type, sizeof type);
        host_log("%s %s; give %s=%s", member, wrong, member, type);
    }
    return wrong == NULL;
}

/* From now on a signal that asks the program to end cancels the tool call first. */
static void catch_signals(void)
{
    sigset_t ends;

    host_signals_to_end(&ends);
    client.signals = host_signals_open(&ends); /* without a descriptor the tool call runs on */
}

/* False, after a message, when structured content does not fit the outputSchema (TOOL-08). */
static bool fits_output_schema(const char *tool, struct skr_span structured)
{
    char member[CLIENT_MEMBER] = "it";
    struct skr_span schema = {wanted.output, wanted.output_n};
    const char *wrong = wanted.output_n == 0   ? NULL
                        : structured.p == NULL ? "is missing"
                                               : client_schema_mismatch(structured, schema, member);

    if (wrong != NULL) {
        host_log(
            "%s: structured content does not fit the tool's outputSchema: %s %s; correct its handler or its schema",
            tool, member, wrong);
    }
    return wrong == NULL;
}

static int run_tool(char **words, int count)
{
    static char arguments[SKR_REQUEST_MAX / 2], params[SKR_REQUEST_MAX];
    struct skr_span result;

    wanted.name = words[0];
    wanted.nearest = (struct host_nearest){.typed = words[0], .n = strlen(words[0])};
    if (!list_each("tools/list", "tools", is_wanted)) {
        return 1;
    }
    if (wanted.n == 0) {
        bool near = wanted.nearest.name != NULL;
        host_log("%s: the device has no such tool; %s%s%s", words[0], near ? "did you mean " : "",
                 near ? wanted.near : "leave it out for a list of its tools", near ? "?" : "");
        return 2;
    }
    if (options.plan && !wanted.plans) { /* a device that does not know plans would run it */
        host_log(
            "%s: cannot be planned: the device does not list it with \"dev.skillrom/plan\"; nothing was done; write "
            "\"plan\": true in the tool's JSON, for firmware with SKR_GUARD",
            words[0]);
        return 1;
    }
    if (!read_arguments(words + 1, count - 1, arguments, sizeof arguments)) {
        return 2;
    }
    (void)snprintf(params, sizeof params, "{\"name\":\"%s\",\"arguments\":%s,\"_meta\":{\"progressToken\":1%s}}",
                   words[0], arguments, options.plan ? ",\"_plan\":true" : "");
    catch_signals();
    if (!client_get(&client, "tools/call", params, false, &result)) {
        return client.stopped != 0 ? 128 + client.stopped : 1;
    }
    struct skr_span content = skr_scan_get(result, "content"), failed = skr_scan_get(result, "isError"), item,
                    rest = content;
    struct skr_span structured = skr_scan_get(result, "structuredContent");
    if (options.json || content.p == NULL || (!skr_scan_item(&rest, &item) && structured.p != NULL)) {
        print_json(options.json || structured.p == NULL ? result : structured);
    } else {
        client_print_content(content);
    }
    bool fails = failed.p != NULL && *failed.p == 't';
    return fails || !fits_output_schema(words[0], structured) ? 1 : 0;
}

/* ---- Commands ---- */

/* Selects the device of a command line with so many operands. Returns the exit code, or -1 to go on. */
static int client_start(char **argv, int count)
{
    if (count < 0 || !transport_devices_add(&options.devices, argv[1]) || !transport_devices_check(&options.devices)) {
        return options.devices.bad_file ? 1 : 2;
    }
    if (!transport_devices_check_ports(&options.devices)) {
        return 1;
    }
    client_use(&client, &options.devices);
    return -1;
}

/* A file that can be read: a copy of a record. A serial port is not one. */
static bool is_file(const char *path)
{
    struct stat is;

    return stat(path, &is) == 0 && S_ISREG(is.st_mode);
}

static int call_main(int argc, char **argv)
{
    transport_devices_init(&options.devices);
    int count = host_command_read(&client_call_command, &options, argc, argv);

    if (count > 1 && options.log) {
        return host_usage_error("--log prints all tool calls; leave out %s", argv[2]);
    }
    if (count == 1 && (options.plan || options.yes)) {
        return host_usage_error("%s is for a tool call; name the tool", options.plan ? "--plan" : "--yes");
    }
    if (options.log && count == 1 && is_file(argv[1])) {
        return client_record_check(argv[1]);
    }
    int code = client_start(argv, count);
    if (code < 0) {
        client.confirms = options.yes;
        code = options.log ? client_record_show(&client) : count == 1 ? show_all() : run_tool(argv + 2, count - 1);
        client_close(&client);
    }
    return code == 0 && !client_printed() ? 1 : code;
}

/* Prints the files of a result. False, after a message, if it has none or an invalid one. */
static bool print_contents(struct skr_span contents)
{
    struct skr_span item;
    unsigned count = 0;

    for (; contents.p != NULL && skr_scan_item(&contents, &item); count++) {
        struct host_file_content content;
        if (!host_json_content(item, &content)) {
            host_log("the device has sent a file without exactly one of text and blob; --json shows it");
            return false;
        }
        if (!content.base64) {
            client_print_string(STDOUT_FILENO, content.value);
        } else if (!client_print_base64(content.value)) {
            return false;
        }
    }
    if (count == 0) {
        host_log("the device has sent no content");
    }
    return count > 0;
}

static int read_main(int argc, char **argv)
{
    static char params[TRANSPORT_HEAD], quoted[TRANSPORT_HEAD / 2];
    struct skr_span result;

    transport_devices_init(&options.devices);
    int code = client_start(argv, host_command_read(&client_read_command, &options, argc, argv));

    if (code >= 0) {
        return code;
    }
    struct skr_encoding e = {.from = argv[2], .n = strlen(argv[2]), .out = quoted, .room = sizeof quoted - 1};
    skr_encode_any(&e, true);
    (void)snprintf(params, sizeof params, "{\"uri\":\"%.*s\"}", (int)e.made, quoted);
    bool well = client_get(&client, "resources/read", params, true, &result);
    if (well && options.json) {
        print_json(result);
    } else if (well) {
        well = print_contents(skr_scan_get(result, "contents"));
    }
    client_close(&client);
    return well && client_printed() ? 0 : 1;
}
