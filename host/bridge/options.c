/* call.c -- the command line of `skillrom bridge`. To add an option, add a member to struct bridge_options and a row here
 * (host/base/cmdline.h). */
#include "options.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../mqtt/topic.h"
#include "../../port/posix/endpoint.h"
#include "../../port/posix/log.h"
#include "../../port/posix/tokens.h"
#include "bridge.h"
#include "serial_ports.h"
#include "console.h"
#include "token_file.h"

#define DAY_MS 86400000
#define CALL struct bridge_options

/* What is in the file says what it is for. */
bool bridge_take_token_file(void *into, const char *name, const char *value)
{
    static char token[BRIDGE_TOKEN];
    struct bridge_options *call = into;
    (void)name;
    switch (bridge_token_file_read(value, token)) {
    case BRIDGE_TOKEN_FILE_TOKEN: call->token = token; return true;
    case BRIDGE_TOKEN_FILE_OTHER: call->net.token_file = value; return true;
    default: call->bad_file = true; return false;
    }
}

bool bridge_take_pin(void *into, const char *name, const char *value)
{
    (void)name;
    return bridge_trust_pin(into, value);
}

bool bridge_take_authorities(void *into, const char *name, const char *value)
{
    struct bridge_options *call = into;
    (void)name;
    call->bad_file = !bridge_trust_file(&call->trust, value);
    return !call->bad_file;
}

/* clang-format off */
static const struct host_option rows[] = {
    HOST_FLAG("--list", CALL, list, "list the serial devices on USB, then exit"),
    BRIDGE_DEVICE_ROWS,
    HOST_TAKE_EACH_IN("--http", "ADDR:PORT", CALL, net, posix_take_http,
        "serve MCP Streamable HTTP here instead of stdio; port 0 picks a free one"),
    HOST_TAKE_IN("--path", "/mcp", CALL, net, posix_take_path, "where HTTP serves"),
    HOST_TAKE_EACH_IN("--host", "NAME", CALL, net, posix_take_host,
        "a name HTTP clients may call this machine; may be given several times"),
    HOST_TAKE_IN("--mqtt", "URL", CALL, mqtt, mqtt_take_broker,
        "publish the device on this MQTT 5 broker, mqtt://[USER@]HOST[:PORT] or mqtts://..., instead of stdio"),
    HOST_TEXT("--id", "ID", CALL, id, "mqtt: the device's own, as in pump-17; no two devices of a broker may have the same"),
    HOST_TEXT("--mqtt-name", "NAME", CALL, mqtt_name,
        "mqtt: the kind of device, in levels, as in lab/pump (the name that the device has)"),
    MQTT_BROKER_ROWS(CALL, mqtt),
    HOST_FLAG("--allow-anyone", CALL, net.anyone,
        "allow addresses that other machines can reach: all of them may do everything"),
    HOST_FLAG("--no-cache", CALL, no_cache, "keep nothing: everything crosses the line every time"),
    HOST_TEXT("--cache", "DIR", CALL, cache, "where to keep what has crossed it (~/.cache/skillrom)"),
    HOST_NUMBER("--cache-mb", "N", CALL, cache_mb, 1, 1000000, "how much of it (64)"),
    HOST_NUMBER("--wait-ms", "N", CALL, wait_ms, 1, DAY_MS, "how long a request waits for a missing device (10000)"),
    HOST_NUMBER("--answer-ms", "N", CALL, answer_ms, 1, DAY_MS, "how long it waits for an answer (65000)"),
    HOST_NUMBER("--poll-ms", "N", CALL, poll_ms, 0, DAY_MS,
        "HTTP: if an answer takes longer, end its stream and have the client come back for it, once, if it is of 2025-11-25; "
        "0: keep the stream open (0)"),
    HOST_FLAG("--no-changes", CALL, no_changes,
        "do not promise clients notifications of changed lists, which are sent when the device is reflashed; saves them a "
        "stream that is always open"),
    HOST_FLAG("--log", CALL, net.log, POSIX_LOG_HELP),
    HOST_FLAG("--verbose", CALL, net.verbose, POSIX_VERBOSE_HELP),
    HOST_FLAG("--quiet", CALL, quiet, "drop the device's logs"),
};
/* clang-format on */

const struct host_command bridge_command = {
    .name = "bridge",
    .run = bridge_main,
    .summary = "a device on a line or in a network as a server on stdio, HTTP or MQTT",
    .usage = "[[NAME=]TTY[,BAUD] | [NAME=]URL ...] [options]",
    .about =
        "Makes a device on a serial port or in a network an ordinary MCP server, on stdin and stdout, over HTTP or on an MQTT broker. URL is "
        "https://HOST[:PORT][/mcp], http://... without TLS, or tcp://HOST:PORT for lines. Without TTY or URL it takes the only serial device on USB; "
        "with one it may be started before the device is there. It keeps running when the device is reset or unplugged. The "
        "device's log lines go to stderr.",
    HOST_ROWS(rows),
    .closing =
        "Several devices are served as one: names of tools and prompts then begin with NAME_, and URIs have NAME/ after "
        "the scheme. NAME defaults to that of the port or host. A bridge that finds its port in use by another bridge shares the "
        "other's connection.",
    .most = HOST_ANY_NUMBER,
};

/* The device's name: given before the port, or taken from it. Letters, digits and hyphens. */
static bool take_name(struct bridge_options *call, const char *word, size_t n, size_t at)
{
    char *name = call->names[at];
    if (n == 0 || n >= sizeof call->names[0]) {
        host_log("%.*s: a device's name has 1 to %u characters", (int)n, word, (unsigned)sizeof call->names[0] - 1);
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
            host_log("%s: two devices have this name; give each its own, as in pump=/dev/ttyACM0", name);
            return false;
        }
    }
    return true;
}

bool bridge_take_device(struct bridge_options *call, const char *all)
{
    const char *equals = strchr(all, '='), *scheme = strstr(all, "://");
    equals = scheme == NULL || equals < scheme ? equals : NULL; /* a URL may have its own */
    const char *word = equals != NULL ? equals + 1 : all;
    const char *comma = scheme == NULL ? strrchr(word, ',') : NULL;
    size_t n = comma != NULL ? (size_t)(comma - word) : strlen(word), at = call->device_count;
    if (at == BRIDGE_DEVICES) {
        host_log("%s: at most %d devices can be served as one; leave one out", word, BRIDGE_DEVICES);
        return false;
    }
    if (n == 0 || n >= sizeof call->paths[0]) {
        host_log("%s: not a serial port; give TTY or TTY,BAUD, as in /dev/ttyACM0,115200", word);
        return false;
    }
    if (comma != NULL && !posix_take_baud(&call->bauds[at], word, comma + 1)) {
        return false;
    }
    memcpy(call->paths[at], word, n);
    call->paths[at][n] = '\0';
    const char *slash = strrchr(call->paths[at], '/');
    const char *last = slash != NULL ? slash + 1 : call->paths[at];
    if (scheme != NULL) {
        const char *wrong = bridge_target_parse(&call->targets[at], word);
        if (wrong != NULL) {
            host_log("%s: %s", word, wrong);
            return false;
        }
        last = call->targets[at].host;
    }
    if (equals != NULL ? !take_name(call, all, (size_t)(equals - all), at) : !take_name(call, last, strlen(last), at)) {
        return false;
    }
    call->device_count++;
    return true;
}

/* No device was named: takes the only one there is. */
static int take_only_device(struct bridge_options *call)
{
    static struct bridge_serial_ports ports;
    bridge_serial_ports_find(&ports);
    if (ports.count == 1) {
        host_log("using %s %s", ports.at[0].path, ports.at[0].product);
        return bridge_take_device(call, ports.at[0].path) ? 0 : 2;
    }
    if (ports.count == 0) {
        host_log("no serial device on USB; plug it in, or name the port: skillrom bridge /dev/ttyS0");
        return 1;
    }
    host_log("there are %u serial devices on USB; name one, or several:", (unsigned)ports.count);
    (void)bridge_serial_ports_list();
    return 2;
}

/* The token for a device, which whoever it is shown to could use; and its pin. */
bool bridge_check_devices(struct bridge_options *call)
{
    unsigned count = 0, secure = 0;
    const char *variable = getenv("SKILLROM_TOKEN");
    if (call->token == NULL && variable != NULL && *variable != '\0') {
        if (!bridge_token_file_is_token(variable)) {
            host_log("SKILLROM_TOKEN: not a token; it has letters, digits and -._~+/=");
            return false;
        }
        call->token = variable;
    }
    for (size_t i = 0; i < call->device_count; i++) {
        count += call->targets[i].scheme >= BRIDGE_SCHEME_HTTP;
        secure += call->targets[i].scheme == BRIDGE_SCHEME_HTTPS;
    }
    if (call->token != NULL && count > 1) {
        host_log("one token would be shown to %u devices; run a bridge for each", count);
        return false;
    }
    if (call->trust.pin != NULL && secure != 1) {
        host_log("--pin is for one device at https://, and there are %u", secure);
        return false;
    }
    return true;
}

void bridge_defaults(struct bridge_options *call)
{
    memset(call, 0, sizeof *call);
    call->cache_mb = BRIDGE_CACHE_MB;
    call->wait_ms = BRIDGE_WAIT_MS;
    call->answer_ms = BRIDGE_RESPONSE_MS;
    posix_endpoint_defaults(&call->net);
}

/* The broker, and what the device is called there. */
static bool check_mqtt(const struct bridge_options *call)
{
    if (call->mqtt.url == NULL) {
        if (call->id != NULL || call->mqtt_name != NULL) {
            host_log("--id and --mqtt-name are for --mqtt, which was not given");
        }
        return call->id == NULL && call->mqtt_name == NULL;
    }
    if (call->id == NULL || !mqtt_topic_is_id((struct skr_span){call->id, strlen(call->id)})) {
        host_log("--id %s: --mqtt needs the device's id, 1 to %d bytes without / + # and control characters",
                call->id != NULL ? call->id : "is missing", MQTT_ID);
        return false;
    }
    if (call->mqtt_name != NULL && !mqtt_topic_is_name((struct skr_span){call->mqtt_name, strlen(call->mqtt_name)})) {
        host_log(
            "--mqtt-name %s: a name has levels as in lab/pump, none of them empty, without + and #, and at most %d bytes",
            call->mqtt_name, MQTT_NAME);
        return false;
    }
    return mqtt_broker_check(&call->mqtt);
}

int bridge_options_read(struct bridge_options *call, int argc, char **argv)
{
    bridge_defaults(call);
    int count = host_command_read(&bridge_command, call, argc, argv);
    if (count < 0) {
        return call->bad_file ? 1 : 2;
    }
    for (int at = 1; at <= count; at++) {
        if (argv[at][0] == '\0') { /* a launcher's setting that was left empty names no device */
            continue;
        }
        if (!bridge_take_device(call, argv[at])) {
            return 2;
        }
    }
    if (!posix_tokens_suffice(&call->net, true) || !bridge_check_devices(call) || !check_mqtt(call)) {
        return 2;
    }
    if (!mqtt_broker_password(&call->mqtt)) {
        return 1;
    }
    if (!call->list && call->device_count == 0) {
        return take_only_device(call);
    }
    return 0;
}
