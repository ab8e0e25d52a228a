/* call.c -- see call.h. To add an option, add a member to struct fleet_options and a row here (host/base/cmdline.h). */
#include "options.h"

#include <string.h>

#include "../../port/posix/endpoint.h"
#include "../../port/posix/log.h"
#include "../../port/posix/tokens.h"
#include "fleet.h"
#include "fleet_config.h"
#include "console.h"

#define DAY_MS 86400000
#define CALL struct fleet_options

static bool take_metrics(void *into, const char *name, const char *value)
{
    struct fleet_options *call = into;
    call->has_metrics = posix_address_parse(&call->metrics.address, value);
    if (!call->has_metrics) {
        host_log("%s %s: not an address; give ADDR:PORT, as in 127.0.0.1:9464", name, value);
    }
    return call->has_metrics;
}

/* clang-format off */
static const struct host_option rows[] = {
    HOST_TAKE_EACH_IN("--http", "ADDR:PORT", CALL, net, posix_take_http,
        "serve MCP Streamable HTTP here instead of stdio; port 0 picks a free one"),
    HOST_TAKE_IN("--path", "/mcp", CALL, net, posix_take_path, "where HTTP serves"),
    HOST_TAKE_EACH_IN("--host", "NAME", CALL, net, posix_take_host,
        "a name HTTP clients may call this machine; may be given several times"),
    HOST_TEXT("--token-file", "FILE", CALL, net.token_file,
        "who may use HTTP, what they may do and with which devices: lines that `skillrom token NAME --devices PATTERNS` writes"),
    HOST_FLAG("--allow-anyone", CALL, net.anyone,
        "allow addresses that other machines can reach: all of them may do everything"),
    HOST_TEXT("--record", "FILE", CALL, record,
        "append a line of JSON for every call of a tool: who, device, tool, digest of the arguments, result, milliseconds"),
    HOST_TAKE("--metrics", "ADDR:PORT", take_metrics, "serve /metrics for Prometheus and /healthz here, without tokens"),
    HOST_NUMBER("--devices", "N", CALL, devices, 1, FLEET_DEVICES_MAX, "devices that are known at once (16384)"),
    HOST_NUMBER("--builds", "N", CALL, builds, 1, FLEET_BUILDS_MAX, "different contents of devices that are known at once (64)"),
    HOST_NUMBER("--answer-ms", "N", CALL, answer_ms, 1, DAY_MS, "how long a device may take to answer a call (65000)"),
    HOST_FLAG("--no-cache", CALL, no_cache, "keep no files: they are fetched from a device every time"),
    HOST_TEXT("--cache", "DIR", CALL, cache, "where to keep files of skills (~/.cache/skillrom)"),
    HOST_NUMBER("--cache-mb", "N", CALL, cache_mb, 1, 1000000, "how much of them (64)"),
    MQTT_BROKER_ROWS(CALL, broker),
    HOST_FLAG("--log", CALL, net.log, POSIX_LOG_HELP),
    HOST_FLAG("--verbose", CALL, net.verbose, POSIX_VERBOSE_HELP),
};
/* clang-format on */

const struct host_command fleet_command = {
    .name = "fleet",
    .run = fleet_main,
    .summary = "many devices on an MQTT broker as one server on stdio or HTTP",
    .usage = "mqtt[s]://[USER@]BROKER[:PORT] [options]",
    .about =
        "Makes all devices that are published on an MQTT 5 broker one MCP server, with three tools: list_devices, find_tools "
        "and call_tool, which runs a tool on one device or on many. Skills are listed once for each build.",
    HOST_ROWS(rows),
    .closing =
        "Devices are published by `skillrom bridge --mqtt`, or by whatever speaks MCP over MQTT. A device that went away "
        "after a call was sent is not called again: the caller is told that the outcome is unknown.",
    .operands = "the broker (mqtt://127.0.0.1)",
    .least = 1,
    .most = 1,
};

int fleet_options_read(struct fleet_options *call, int argc, char **argv)
{
    memset(call, 0, sizeof *call);
    call->devices = FLEET_DEVICES;
    call->builds = FLEET_BUILDS;
    call->answer_ms = FLEET_RESPONSE_MS;
    call->cache_mb = FLEET_CACHE_MB;
    posix_endpoint_defaults(&call->net);
    if (host_command_read(&fleet_command, call, argc, argv) < 0) {
        return 2;
    }
    if (!mqtt_take_broker(&call->broker, "broker", argv[1]) || !mqtt_broker_check(&call->broker) ||
        !posix_tokens_suffice(&call->net, true)) {
        return 2;
    }
    return mqtt_broker_password(&call->broker) ? 0 : 1;
}
