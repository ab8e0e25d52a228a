/* call.c -- the command line of `skillrom bridge`. To add an option, add a member to struct bridge_options and a row here
 * (host/base/cmdline.h). */
#include "options.h"

#include <stddef.h>
#include <string.h>

#include "../mqtt/topic.h"
#include "../../port/posix/endpoint.h"
#include "../../port/posix/log.h"
#include "../../port/posix/tokens.h"
#include "../transport/serial_ports.h"
#include "bridge.h"

#include "console.h"

#define OPTIONS struct bridge_options

/* clang-format off */
static const struct host_option rows[] = {
    HOST_FLAG("--list", OPTIONS, list, "list the serial devices on USB, then exit"),
    TRANSPORT_ROWS(OPTIONS, devices),
    HOST_TAKE_EACH_IN("--http", "ADDR:PORT", OPTIONS, net, posix_take_http,
        "serve MCP Streamable HTTP here instead of stdio; port 0 picks a free one"),
    HOST_TAKE_IN("--path", "/mcp", OPTIONS, net, posix_take_path, "where HTTP serves"),
    HOST_TAKE_EACH_IN("--host", "NAME", OPTIONS, net, posix_take_host,
        "a name HTTP clients may call this machine; may be given several times"),
    HOST_TAKE_IN("--mqtt", "URL", OPTIONS, mqtt, mqtt_take_broker,
        "publish the device on this MQTT 5 broker, mqtt://[USER@]HOST[:PORT] or mqtts://..., instead of stdio"),
    HOST_TEXT("--id", "ID", OPTIONS, id, "mqtt: the device's own, as in pump-17; no two devices of a broker may have the same"),
    HOST_TEXT("--mqtt-name", "NAME", OPTIONS, mqtt_name,
        "mqtt: the kind of device, in levels, as in lab/pump (the name that the device has)"),
    MQTT_BROKER_ROWS(OPTIONS, mqtt),
    HOST_FLAG("--allow-anyone", OPTIONS, net.anyone,
        "allow addresses that other machines can reach: all of them may do everything"),
    HOST_FLAG("--no-cache", OPTIONS, no_cache, "keep nothing: everything crosses the line every time"),
    HOST_TEXT("--cache", "DIR", OPTIONS, cache, "where to keep what has crossed it (~/.cache/skillrom)"),
    HOST_NUMBER("--cache-mb", "N", OPTIONS, cache_mb, 1, 1000000, "how much of it (64)"),
    HOST_NUMBER("--poll-ms", "N", OPTIONS, poll_ms, 0, TRANSPORT_DAY_MS,
        "HTTP: if an answer takes longer, end its stream and have the client come back for it, once, if it is of 2025-11-25; "
        "0: keep the stream open (0)"),
    HOST_FLAG("--no-changes", OPTIONS, no_changes,
        "do not promise clients notifications of changed lists, which are sent when the device is reflashed; saves them a "
        "stream that is always open"),
    HOST_FLAG("--log", OPTIONS, net.log, POSIX_LOG_HELP),
    HOST_FLAG("--verbose", OPTIONS, net.verbose, POSIX_VERBOSE_HELP),
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

/* No device was named: takes the only one there is. */
static int take_only_device(struct bridge_options *options)
{
    static struct transport_serial_ports ports;
    transport_serial_ports_find(&ports);
    if (ports.count == 1) {
        host_log("using %s %s", ports.at[0].path, ports.at[0].product);
        return transport_devices_add(&options->devices, ports.at[0].path) ? 0 : 2;
    }
    if (ports.count == 0) {
        host_log("no serial device on USB; plug it in, or name the port: skillrom bridge /dev/ttyS0");
        return 1;
    }
    host_log("there are %u serial devices on USB; name one, or several:", (unsigned)ports.count);
    (void)transport_serial_ports_list();
    return 2;
}

/* The broker, and what the device is called there. */
static bool check_mqtt(const struct bridge_options *options)
{
    if (options->mqtt.url == NULL) {
        if (options->id != NULL || options->mqtt_name != NULL) {
            host_log("--id and --mqtt-name are for --mqtt, which was not given");
        }
        return options->id == NULL && options->mqtt_name == NULL;
    }
    if (options->id == NULL || !mqtt_topic_is_id((struct skr_span){options->id, strlen(options->id)})) {
        host_log("--id %s: --mqtt needs the device's id, 1 to %d bytes without / + # and control characters",
                 options->id != NULL ? options->id : "is missing", MQTT_ID);
        return false;
    }
    if (options->mqtt_name != NULL &&
        !mqtt_topic_is_name((struct skr_span){options->mqtt_name, strlen(options->mqtt_name)})) {
        host_log(
            "--mqtt-name %s: a name has levels as in lab/pump, none of them empty, without + and #, and at most %d bytes",
            options->mqtt_name, MQTT_NAME);
        return false;
    }
    return mqtt_broker_check(&options->mqtt);
}

int bridge_options_read(struct bridge_options *options, int argc, char **argv)
{
    memset(options, 0, sizeof *options);
    transport_devices_init(&options->devices);
    options->cache_mb = BRIDGE_CACHE_MB;
    posix_endpoint_defaults(&options->net);
    int count = host_command_read(&bridge_command, options, argc, argv);
    if (count < 0) {
        return options->devices.bad_file ? 1 : 2;
    }
    for (int at = 1; at <= count; at++) {
        if (argv[at][0] == '\0') { /* a launcher's setting that was left empty names no device */
            continue;
        }
        if (!transport_devices_add(&options->devices, argv[at])) {
            return 2;
        }
    }
    options->net.token_file = options->devices.token_list;
    if (!posix_tokens_suffice(&options->net, true) || !transport_devices_check(&options->devices) ||
        !check_mqtt(options)) {
        return 2;
    }
    if (!mqtt_broker_password(&options->mqtt)) {
        return 1;
    }
    if (!options->list && options->devices.count == 0) {
        return take_only_device(options);
    }
    return 0;
}
