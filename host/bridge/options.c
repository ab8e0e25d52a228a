/* options.c -- the command line of `skillrom bridge`. To add an option, add a member to struct bridge_options and a row here
 * (host/base/cmdline.h). */
#include "options.h"

#include <stddef.h>
#include <string.h>

#include "../../port/posix/endpoint.h"
#include "../../port/posix/log.h"
#include "../../port/posix/tokens.h"
#include "../mqtt/topic.h"
#include "../transport/serial_ports.h"
#include "bridge.h"
#include "console.h"

#define OPTIONS struct bridge_options

/* clang-format off */
static const struct host_option rows[] = {
    TRANSPORT_ROWS(OPTIONS, devices),
    HOST_TAKE_EACH_IN("--http", "ADDR:PORT", OPTIONS, net, posix_take_http,
        "serve MCP Streamable HTTP here instead of stdio; port 0 picks a free one"),
    HOST_TAKE_IN("--path", "/mcp", OPTIONS, net, posix_take_path, "where HTTP serves"),
    HOST_TAKE_EACH_IN("--host", "NAME", OPTIONS, net, posix_take_host,
        "a host name of this machine that HTTP clients use; may be repeated"),
    HOST_TAKE_IN("--mqtt", "URL", OPTIONS, mqtt, mqtt_take_broker,
        "publish the device on this MQTT 5 broker, mqtt://[USER@]HOST[:PORT] or mqtts://..., instead of stdio"),
    HOST_TEXT("--id", "ID", OPTIONS, id, "mqtt: the id of the device, as in pump-17; unique among the devices of a broker"),
    HOST_TEXT("--mqtt-name", "NAME", OPTIONS, mqtt_name,
        "mqtt: the kind of device, in levels, as in lab/pump (default: the name in the device)"),
    MQTT_BROKER_ROWS(OPTIONS, mqtt),
    HOST_TEXT("--token-file", "FILE", OPTIONS, net.token_file,
        "serve only HTTP clients that send a token of this file, made by `skillrom token`"),
    HOST_FLAG("--allow-anyone", OPTIONS, net.anyone,
        "allow addresses that other machines can reach, and grant all of them full access"),
    HOST_FLAG("--no-cache", OPTIONS, no_cache, "do not store responses; each one crosses the line again"),
    HOST_TEXT("--cache", "DIR", OPTIONS, cache, "the folder for stored responses (~/.cache/skillrom)"),
    HOST_NUMBER("--cache-mb", "N", OPTIONS, cache_mb, 1, 1000000, "the maximum size of that folder (64)"),
    HOST_TIME("--poll", OPTIONS, poll_ms, 0, TRANSPORT_DAY_MS,
        "HTTP: if a response takes longer, close its stream once; a client of 2025-11-25 then comes back for the response. "
        "0 keeps the stream open (0)"),
    HOST_FLAG("--no-changes", OPTIONS, no_changes,
        "do not promise clients notifications of changed lists, which are sent when the device is reflashed; clients then need no "
        "permanent stream"),
    HOST_FLAG("--channel", OPTIONS, channel,
        "stdio: pass alarms of the device, its resource `alarms`, to Claude Code as channel messages"),
    HOST_FLAG("--log", OPTIONS, net.log, POSIX_LOG_HELP),
};
/* clang-format on */

const struct host_command bridge_command = {
    .name = "bridge",
    .run = bridge_main,
    .group = "Device",
    .summary = "serve a device on a line or the network over stdio, HTTP or MQTT",
    .usage = "[[NAME=]TTY[,BAUD] | [NAME=]URL ...] [options]",
    .about =
        "Makes a device on a serial port or the network an ordinary MCP server, on stdin and stdout, over HTTP or on an MQTT broker. URL is "
        "https://HOST[:PORT][/mcp], http://... without TLS, or tcp://HOST:PORT for lines. Without TTY or URL it uses the only serial device on USB; "
        "with one it can be started before the device is connected. It keeps running when the device is reset or unplugged. The "
        "device's log lines go to stderr.",
    HOST_ROWS(rows),
    .closing =
        "Several devices are served as one: names of tools and prompts then begin with NAME_, and URIs have NAME/ after "
        "the scheme. NAME defaults to that of the port or host. If another bridge uses the port, this one shares "
        "its connection.",
    .examples = {{"skillrom bridge /dev/ttyACM0",
                  "serve a device on a serial line over stdio, for an agent on this machine"},
                 {"skillrom bridge /dev/ttyACM0 --http 127.0.0.1:7701", "serve it over HTTP, for several agents"}},
    .most = HOST_ANY_NUMBER,
};

/* Without a device on the command line, takes the only one on USB. */
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

/* Checks the options about the broker. */
static bool check_mqtt(const struct bridge_options *options)
{
    if (options->mqtt.url == NULL) {
        if (options->id != NULL || options->mqtt_name != NULL) {
            host_log("--id and --mqtt-name need --mqtt");
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
            "--mqtt-name %s: not a name; give levels as in lab/pump, none of them empty, without + and #, at most %d bytes",
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
        if (argv[at][0] == '\0') { /* an empty setting of a launcher is not a device */
            continue;
        }
        if (!transport_devices_add(&options->devices, argv[at])) {
            return 2;
        }
    }
    options->net.verbose = host_console.verbose;
    options->net.quiet = host_console.quiet;
    if (!posix_tokens_suffice(&options->net, true) || !transport_devices_check(&options->devices) ||
        !check_mqtt(options)) {
        return 2;
    }
    if (options->channel &&
        (options->net.listen_count > 0 || options->mqtt.url != NULL || options->devices.count > 1)) {
        host_log("--channel is for one device and a client on stdio; leave out --http, --mqtt and other devices");
        return 2;
    }
    if (!mqtt_broker_password(&options->mqtt)) {
        return 1;
    }
    if (options->devices.count == 0) {
        return take_only_device(options);
    }
    return 0;
}
