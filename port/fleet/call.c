/* call.c -- see call.h. To add an option, add a member to struct skr_fleet_call and a row here (host/cmdline.h). */
#include "call.h"

#include <string.h>

#include "../posix/endpoint.h"
#include "../posix/log.h"
#include "../posix/tokens.h"
#include "fleet.h"
#include "fleet_config.h"
#include "say.h"

#define DAY_MS 86400000
#define CALL struct skr_fleet_call

static bool take_metrics(void *into, const char *name, const char *value)
{
    struct skr_fleet_call *call = into;
    call->has_metrics = skr_address_parse(&call->metrics.address, value);
    if (!call->has_metrics) {
        skr_say("%s %s: not an address; give ADDR:PORT, as in 127.0.0.1:9464", name, value);
    }
    return call->has_metrics;
}

/* clang-format off */
static const struct skr_opt rows[] = {
    SKR_TAKE_EACH_IN("--http", "ADDR:PORT", CALL, net, skr_take_http,
        "serve MCP Streamable HTTP here instead of stdio; port 0 picks a free one"),
    SKR_TAKE_IN("--path", "/mcp", CALL, net, skr_take_path, "where HTTP serves"),
    SKR_TAKE_EACH_IN("--host", "NAME", CALL, net, skr_take_host,
        "a name HTTP clients may call this machine; may be given several times"),
    SKR_TEXT("--token-file", "FILE", CALL, net.token_file,
        "who may use HTTP, what they may do and with which devices: lines that `skillrom token NAME --devices PATTERNS` writes"),
    SKR_FLAG("--allow-anyone", CALL, net.anyone,
        "allow addresses that other machines can reach: all of them may do everything"),
    SKR_TEXT("--record", "FILE", CALL, record,
        "append a line of JSON for every call of a tool: who, device, tool, digest of the arguments, result, milliseconds"),
    SKR_TAKE("--metrics", "ADDR:PORT", take_metrics, "serve /metrics for Prometheus and /healthz here, without tokens"),
    SKR_NUMBER("--devices", "N", CALL, devices, 1, SKR_FLEET_DEVICES_MAX, "devices that are known at once (16384)"),
    SKR_NUMBER("--builds", "N", CALL, builds, 1, SKR_FLEET_BUILDS_MAX, "different contents of devices that are known at once (64)"),
    SKR_NUMBER("--answer-ms", "N", CALL, answer_ms, 1, DAY_MS, "how long a device may take to answer a call (65000)"),
    SKR_FLAG("--no-cache", CALL, no_cache, "keep no files: they are fetched from a device every time"),
    SKR_TEXT("--cache", "DIR", CALL, cache, "where to keep files of skills (~/.cache/skillrom)"),
    SKR_NUMBER("--cache-mb", "N", CALL, cache_mb, 1, 1000000, "how much of them (64)"),
    SKR_MQTT_BROKER_ROWS(CALL, broker),
    SKR_FLAG("--log", CALL, net.log, SKR_LOG_HELP),
    SKR_FLAG("--verbose", CALL, net.verbose, SKR_VERBOSE_HELP),
};
/* clang-format on */

const struct skr_command skr_fleet_command = {
    .name = "fleet",
    .run = skr_fleet_main,
    .summary = "many devices on an MQTT broker as one server on stdio or HTTP",
    .usage = "mqtt[s]://[USER@]BROKER[:PORT] [options]",
    .about =
        "Makes all devices that are published on an MQTT 5 broker one MCP server, with three tools: list_devices, find_tools "
        "and call_tool, which runs a tool on one device or on many. Skills are listed once for each build.",
    SKR_ROWS(rows),
    .closing =
        "Devices are published by `skillrom bridge --mqtt`, or by whatever speaks MCP over MQTT. A device that went away "
        "after a call was sent is not called again: the caller is told that the outcome is unknown.",
    .operands = "the broker (mqtt://127.0.0.1)",
    .least = 1,
    .most = 1,
};

int skr_fleet_read_call(struct skr_fleet_call *call, int argc, char **argv)
{
    memset(call, 0, sizeof *call);
    call->devices = SKR_FLEET_DEVICES;
    call->builds = SKR_FLEET_BUILDS;
    call->answer_ms = SKR_FLEET_ANSWER_MS;
    call->cache_mb = SKR_FLEET_CACHE_MB;
    skr_endpoint_defaults(&call->net);
    if (skr_command_read(&skr_fleet_command, call, argc, argv) < 0) {
        return 2;
    }
    if (!skr_mqtt_take_broker(&call->broker, "broker", argv[1]) || !skr_mqtt_broker_check(&call->broker) ||
        !skr_tokens_suffice(&call->net, true)) {
        return 2;
    }
    return skr_mqtt_broker_password(&call->broker) ? 0 : 1;
}
