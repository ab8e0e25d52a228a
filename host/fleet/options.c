/* options.c -- see options.h. To add an option, add a member to struct fleet_options and a row here (host/base/cmdline.h). */
#include "options.h"

#include <string.h>

#include "../../port/posix/endpoint.h"
#include "../../port/posix/log.h"
#include "../../port/posix/tokens.h"
#include "console.h"
#include "fleet.h"
#include "fleet_config.h"

#define DAY_MS 86400000
#define OPTIONS struct fleet_options

static bool take_metrics(void *into, const char *name, const char *value)
{
    struct fleet_options *options = into;

    options->has_metrics = posix_address_parse(&options->metrics.address, value);
    if (!options->has_metrics) {
        host_log("%s %s: not an address; give ADDR:PORT, as in 127.0.0.1:9464", name, value);
    }
    return options->has_metrics;
}

/* clang-format off */
static const struct host_option rows[] = {
    HOST_TAKE_EACH_IN("--http", "ADDR:PORT", OPTIONS, net, posix_take_http,
        "serve MCP Streamable HTTP here instead of stdio; port 0 picks a free one"),
    HOST_TAKE_IN("--path", "/mcp", OPTIONS, net, posix_take_path, "path of the HTTP endpoint"),
    HOST_TAKE_EACH_IN("--host", "NAME", OPTIONS, net, posix_take_host,
        "a name of this machine that HTTP clients use; repeatable"),
    HOST_TEXT("--token-file", "FILE", OPTIONS, net.token_file,
        "bearer tokens for HTTP, with their rights and devices: lines that `skillrom token NAME --devices PATTERNS` writes"),
    HOST_FLAG("--allow-anyone", OPTIONS, net.anyone,
        "serve without tokens also where other machines can connect: all of them may do everything"),
    HOST_TEXT("--audit-log", "FILE", OPTIONS, audit_log,
        "append a line of JSON for every tool call: token, device, tool, digest of the arguments, outcome, milliseconds"),
    HOST_TAKE("--metrics", "ADDR:PORT", take_metrics, "serve /metrics for Prometheus and /healthz here, without tokens"),
    HOST_NUMBER("--max-devices", "N", OPTIONS, devices, 1, FLEET_DEVICES_MAX, "maximum number of devices, present or not (16384)"),
    HOST_NUMBER("--max-builds", "N", OPTIONS, builds, 1, FLEET_BUILDS_MAX, "maximum number of distinct builds (64)"),
    HOST_TIME("--response-timeout", OPTIONS, response_ms, 1, DAY_MS, "how long a device may take to respond to a call (65s)"),
    HOST_FLAG("--no-cache", OPTIONS, no_cache, "fetch files from a device every time"),
    HOST_TEXT("--cache", "DIR", OPTIONS, cache, "folder for files of skills (~/.cache/skillrom)"),
    HOST_NUMBER("--cache-mb", "N", OPTIONS, cache_mb, 1, 1000000, "maximum size of that folder (64)"),
    MQTT_BROKER_ROWS(OPTIONS, broker),
    HOST_FLAG("--log", OPTIONS, net.log, POSIX_LOG_HELP),
};
/* clang-format on */

const struct host_command fleet_command = {
    .name = "fleet",
    .run = fleet_main,
    .group = "Device",
    .summary = "serve many devices on an MQTT broker as one server, over stdio or HTTP",
    .usage = "mqtt[s]://[USER@]BROKER[:PORT] [options]",
    .about = "Serves all devices on an MQTT 5 broker as one MCP server with three tools: list_devices, find_tools "
             "and call_tool, which runs a tool on one device or on many. Skills are listed once for each build.",
    HOST_ROWS(rows),
    .closing =
        "`skillrom bridge --mqtt` publishes devices; so does any other server of MCP over MQTT. A device that went away after "
        "a call was sent is not called again: the outcome is reported as unknown.\n\n"
        "`skillrom update mqtt://BROKER` sends a signed release to many devices, in stages.",
    .examples =
        {{"skillrom fleet mqtt://127.0.0.1 --http 127.0.0.1:7800", "serve all devices on a broker"},
         {"skillrom fleet mqtts://fleet@broker --token-file skillrom.tokens --http 0.0.0.0:7800 --audit-log calls.jsonl",
          "serve them on the network, and record every call"}},
    .operands = {"the broker (mqtt://127.0.0.1)"},
    .least = 1,
    .most = 1,
};

int fleet_options_read(struct fleet_options *options, int argc, char **argv)
{
    memset(options, 0, sizeof *options);
    options->devices = FLEET_DEVICES;
    options->builds = FLEET_BUILDS;
    options->response_ms = FLEET_RESPONSE_MS;
    options->cache_mb = FLEET_CACHE_MB;
    posix_endpoint_defaults(&options->net);
    if (host_command_read(&fleet_command, options, argc, argv) < 0) {
        return 2;
    }
    options->net.verbose = host_console.verbose;
    options->net.quiet = host_console.quiet;
    if (options->has_metrics && options->net.listen_count == SKR_SOCKETS_LISTENERS) {
        host_log("--metrics: too many addresses; give --http at most %d times", SKR_SOCKETS_LISTENERS - 1);
        return 2;
    }
    if (!mqtt_take_broker(&options->broker, "broker", argv[1]) || !mqtt_broker_check(&options->broker) ||
        !posix_tokens_suffice(&options->net, true)) {
        return 2;
    }
    return mqtt_broker_password(&options->broker) ? 0 : 1;
}
