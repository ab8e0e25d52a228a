/* call.c -- read the command line of `skillrom bridge`. */
#include "call.h"

#include <stddef.h>
#include <string.h>

#include "../posix/say.h"
#include "../posix/tty.h"
#include "bridge.h"
#include "ports.h"

#define SEE "; see skillrom bridge --help"

/* clang-format off */
const char skr_bridge_help[] =
    "[[NAME=]TTY[,BAUD] ...] [options]\n"
    "\n"
    "Makes a device on a serial port an ordinary MCP server, on stdin and stdout or\n"
    "over HTTP. Without TTY it takes the only serial device on USB; with TTY it may\n"
    "be started before the device is plugged in. It keeps running when the device is\n"
    "reset or unplugged. The device's log lines go to stderr.\n"
    "\n"
    "  --list            list the serial devices on USB, then exit\n"
    "  --baud N          speed of the line; by default the usual ones are tried\n"
    "  --http ADDR:PORT  serve MCP Streamable HTTP here instead of stdio; port 0\n"
    "                    picks a free one\n"
    "  --path /mcp       where HTTP serves\n"
    "  --host NAME       a name HTTP clients may call this machine; may be given\n"
    "                    several times\n"
    "  --plain           use plain lines even if the device has the reliable mode\n"
    "  --no-cache        keep nothing: everything crosses the line every time\n"
    "  --cache DIR       where to keep what has crossed it (~/.cache/skillrom)\n"
    "  --cache-mb N      how much of it (64)\n"
    "  --wait-ms N       how long a request waits for a missing device\n"
    "                    (10000)\n"
    "  --answer-ms N     how long it waits for an answer (65000)\n"
    "  --poll-ms N       HTTP: if an answer takes longer, end its stream and have the\n"
    "                    client come back for it, once, if it is of 2025-11-25; 0:\n"
    "                    keep the stream open (0)\n"
    "  --no-changes      do not promise clients notifications of changed lists, which\n"
    "                    are sent when the device is reflashed; saves them a stream\n"
    "                    that is always open\n"
    "  --quiet           drop the device's logs\n"
    "\n"
    "Several devices are served as one: names of tools and prompts then begin with\n"
    "NAME_, and URIs have NAME/ after the scheme. NAME defaults to that of the port.\n"
    "A bridge that finds its port in use by another bridge shares the other's\n"
    "connection. Over HTTP there is no authentication: serve on a loopback address,\n"
    "or in a network you trust.\n";
/* clang-format on */

static bool number(const char *name, const char *value, uint32_t min, uint32_t max, uint32_t *out)
{
    uint64_t n = 0;
    const char *digit = value;
    while (*digit >= '0' && *digit <= '9' && n <= max) {
        n = n * 10 + (uint64_t)(*digit++ - '0');
    }
    if (*value == '\0' || *digit != '\0' || n < min || n > max) {
        skr_say("%s %s: give a number from %u to %u", name, value, (unsigned)min, (unsigned)max);
        return false;
    }
    *out = (uint32_t)n;
    return true;
}

static bool speed(const char *name, const char *value, uint32_t *out)
{
    if (!number(name, value, 1, 4000000, out)) {
        return false;
    }
    if (!skr_tty_knows(*out)) {
        skr_say("%s %s: unsupported baud rate; use 9600, 115200 or 921600", name, value);
        return false;
    }
    return true;
}

static bool take_cache(struct skr_bridge_call *call, const char *name, const char *value)
{
    (void)name;
    call->cache = value;
    return true;
}

static bool take_baud(struct skr_bridge_call *call, const char *name, const char *value)
{
    return speed(name, value, &call->baud);
}

static bool take_http(struct skr_bridge_call *call, const char *name, const char *value)
{
    struct skr_options *net = &call->net;
    if (net->listen_count == SKR_POSIX_LISTENERS) {
        skr_say("%s %s: at most %d addresses can be served; leave one out", name, value, SKR_POSIX_LISTENERS);
        return false;
    }
    if (!skr_address_parse(&net->listen[net->listen_count].address, value)) {
        skr_say("%s %s: not an address; give ADDR:PORT, as in 127.0.0.1:7700 or [::1]:7700", name, value);
        return false;
    }
    net->listen[net->listen_count++].wire = SKR_HTTP_1;
    return true;
}

static bool take_path(struct skr_bridge_call *call, const char *name, const char *value)
{
    if (value[0] != '/' || strpbrk(value, "?# \t") != NULL) {
        skr_say("%s %s: not a path; it starts with a slash, as in /mcp", name, value);
        return false;
    }
    call->net.path = value;
    return true;
}

static bool take_host(struct skr_bridge_call *call, const char *name, const char *value)
{
    struct skr_options *net = &call->net;
    if (net->host_count == SKR_POSIX_HOSTS || *value == '\0' || strpbrk(value, "/ \t") != NULL) {
        skr_say("%s %s: not a host name, or more than %d; give it alone, as in lab.local", name, value,
                SKR_POSIX_HOSTS);
        return false;
    }
    net->hosts[net->host_count++] = value;
    return true;
}

#define DAY_MS 86400000
#define AT(member) offsetof(struct skr_bridge_call, member)

/* An option is a flag, a number with its limits, or what `take` makes of its value. */
static const struct row {
    const char *name;
    size_t at;
    uint32_t min, max; /* max 0: not a number */
    bool (*take)(struct skr_bridge_call *call, const char *name, const char *value);
} known[] = {
    {"--list", AT(list), 0, 0, NULL},
    {"--plain", AT(plain), 0, 0, NULL},
    {"--quiet", AT(quiet), 0, 0, NULL},
    {"--no-cache", AT(no_cache), 0, 0, NULL},
    {"--no-changes", AT(no_changes), 0, 0, NULL},
    {"--cache-mb", AT(cache_mb), 1, 1000000, NULL},
    {"--wait-ms", AT(wait_ms), 1, DAY_MS, NULL},
    {"--answer-ms", AT(answer_ms), 1, DAY_MS, NULL},
    {"--poll-ms", AT(poll_ms), 0, DAY_MS, NULL},
    {"--cache", 0, 0, 0, take_cache},
    {"--baud", 0, 0, 0, take_baud},
    {"--http", 0, 0, 0, take_http},
    {"--path", 0, 0, 0, take_path},
    {"--host", 0, 0, 0, take_host},
};

static bool take(struct skr_bridge_call *call, const struct row *row, const char *value)
{
    char *member = (char *)call + row->at;
    if (row->take != NULL) {
        return row->take(call, row->name, value);
    }
    return row->max > 0 ? number(row->name, value, row->min, row->max, (uint32_t *)(void *)member)
                        : (*(bool *)member = true);
}

/* Handles the option at argv[*at] and moves *at to the last word it used. */
static bool take_option(struct skr_bridge_call *call, int argc, char **argv, int *at)
{
    const char *word = argv[*at], *equals = strchr(word, '='), *value = equals != NULL ? equals + 1 : NULL;
    size_t n = equals != NULL ? (size_t)(equals - word) : strlen(word);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i].name) != n || memcmp(known[i].name, word, n) != 0) {
            continue;
        }
        bool has_value = known[i].take != NULL || known[i].max > 0;
        if (!has_value && value != NULL) {
            skr_say("%s takes no value" SEE, known[i].name);
            return false;
        }
        if (has_value && value == NULL) {
            if (*at + 1 >= argc) {
                skr_say("%s needs a value" SEE, known[i].name);
                return false;
            }
            value = argv[++*at];
        }
        return take(call, &known[i], value);
    }
    skr_say("unknown option %s" SEE, word);
    return false;
}

/* The device's name: given before the port, or taken from it. Letters, digits and hyphens. */
static bool take_name(struct skr_bridge_call *call, const char *word, size_t n, size_t at)
{
    char *name = call->names[at];
    if (n == 0 || n >= sizeof call->names[0]) {
        skr_say("%.*s: a device's name has 1 to %u characters", (int)n, word, (unsigned)sizeof call->names[0] - 1);
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        char c = word[i];
        bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        name[i] = good ? c : '-';
    }
    name[n] = '\0';
    for (size_t i = 0; i < at; i++) {
        if (strcmp(call->names[i], name) == 0) {
            skr_say("%s: two devices have this name; give each its own, as in pump=/dev/ttyACM0", name);
            return false;
        }
    }
    return true;
}

static bool take_device(struct skr_bridge_call *call, const char *all)
{
    const char *equals = strchr(all, '='), *word = equals != NULL ? equals + 1 : all;
    const char *comma = strrchr(word, ',');
    size_t n = comma != NULL ? (size_t)(comma - word) : strlen(word), at = call->device_count;
    if (at == SKR_BRIDGE_DEVICES) {
        skr_say("%s: at most %d devices can be served as one; leave one out", word, SKR_BRIDGE_DEVICES);
        return false;
    }
    if (n == 0 || n >= sizeof call->paths[0]) {
        skr_say("%s: not a serial port; give TTY or TTY,BAUD, as in /dev/ttyACM0,115200", word);
        return false;
    }
    if (comma != NULL && !speed(word, comma + 1, &call->bauds[at])) {
        return false;
    }
    memcpy(call->paths[at], word, n);
    call->paths[at][n] = '\0';
    const char *slash = strrchr(call->paths[at], '/');
    const char *last = slash != NULL ? slash + 1 : call->paths[at];
    if (equals != NULL ? !take_name(call, all, (size_t)(equals - all), at) : !take_name(call, last, strlen(last), at)) {
        return false;
    }
    call->device_count++;
    return true;
}

/* No device was named: takes the only one there is. */
static int take_only_device(struct skr_bridge_call *call)
{
    static struct skr_ports ports;
    skr_ports_find(&ports);
    if (ports.count == 1) {
        skr_say("using %s %s", ports.at[0].path, ports.at[0].product);
        return take_device(call, ports.at[0].path) ? 0 : 2;
    }
    if (ports.count == 0) {
        skr_say("no serial device on USB; plug it in, or name the port: skillrom bridge /dev/ttyS0");
        return 1;
    }
    skr_say("there are %u serial devices on USB; name one, or several:", (unsigned)ports.count);
    (void)skr_ports_list();
    return 2;
}

int skr_bridge_call(struct skr_bridge_call *call, int argc, char **argv)
{
    memset(call, 0, sizeof *call);
    call->cache_mb = SKR_BRIDGE_CACHE_MB;
    call->wait_ms = SKR_BRIDGE_WAIT_MS;
    call->answer_ms = SKR_BRIDGE_ANSWER_MS;
    call->net = (struct skr_options){
        .path = "/mcp",
        .slots = SKR_POSIX_SLOTS,
        .timeout_ms = SKR_POSIX_TIMEOUT_MS,
        .idle_ms = SKR_POSIX_IDLE_MS,
        .drain_ms = SKR_POSIX_DRAIN_MS,
    };
    for (int at = 1; at < argc; at++) {
        bool option = argv[at][0] == '-' && argv[at][1] != '\0';
        if (option ? !take_option(call, argc, argv, &at) : !take_device(call, argv[at])) {
            return 2;
        }
    }
    if (!call->list && call->device_count == 0) {
        return take_only_device(call);
    }
    return 0;
}
