/* cmd_update.c -- the command `skillrom update`: sends a release to a device, over any transport that `skillrom call`
 * has, or to many on a broker, in stages. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../client/client.h"
#include "../client/client_devices.h"
#include "../client/update_steps.h"
#include "../fleet/rollout.h"
#include "cli/commands.h"
#include "clock.h"
#include "console.h"
#include "json_edit.h"
#include "system.h"
#include "text/json_scan.h"

struct update_options {
    struct transport_devices devices;
    struct client_update_goal goal;
    struct fleet_rollout many;
};

/* clang-format off */
static const struct host_option rows[] = {
    HOST_FLAG("--dry-run", struct update_options, goal.dry_run, "report what would be sent, and change nothing"),
    HOST_FLAG("--confirm", struct update_options, goal.confirm,
        "confirm the release after reading a skill back; without it the release is on trial, and a reset of the device ends that"),
    HOST_FLAG("--revert", struct update_options, goal.revert, "end the trial: the device serves the release in force again"),
    HOST_FLAG("--full", struct update_options, goal.full, "send all bytes, even those that the device has"),
    TRANSPORT_ROWS(struct update_options, devices),
    HOST_TEXT("--devices", "PATTERNS", struct update_options, many.patterns,
        "mqtt: the ids of the devices, as in 'pump-*,valve-7'; '*' is all of the release's product"),
    HOST_NUMBER("--share", "PERCENT", struct update_options, many.share, 1, 100,
        "mqtt: stop when this share of the devices has the release (100)"),
    HOST_NUMBER("--stop-after", "N", struct update_options, many.failures, 1, FLEET_DEVICES_MAX,
        "mqtt: begin no further device after N failures (1)"),
    HOST_NUMBER("--parallel", "N", struct update_options, many.parallel, 1, FLEET_ROLLOUT_LANES,
        "mqtt: how many devices are updated at a time (4)"),
    HOST_TEXT("--audit-log", "FILE", struct update_options, many.audit_log,
        "mqtt: append a line of JSON for every device that is updated, as `skillrom fleet` does for calls"),
    MQTT_BROKER_ROWS(struct update_options, many.broker),
};
/* clang-format on */

static int update_main(int argc, char **argv);

const struct host_command cmd_update = {
    .name = "update",
    .run = update_main,
    .group = "Device",
    .summary = "send a signed release to a device, or to many on a broker",
    .usage = "URL|TTY|mqtt[s]://[USER@]BROKER RELEASE.rom [options]",
    .about =
        "Replaces the image of a device by a release that `skillrom sign` has made. What the device has already is not sent. An upload that "
        "was interrupted goes on where it was: run the command again. The device checks the signature before it erases anything, and the "
        "digest before it serves anything; its clients are notified that lists have changed.\n\n"
        "On a broker, --devices selects devices, which are updated in the order of their ids, until --share of them has the release or "
        "--stop-after have failed. Run the command again with a larger share: devices that have the release are left alone.",
    HOST_ROWS(rows),
    .examples = {{"skillrom update /dev/ttyACM0 lamp-2.rom --confirm",
                  "replace the manual of a device over a serial line"},
                 {"skillrom update mqtt://127.0.0.1 lamp-2.rom --devices 'lamp-*' --share 10 --confirm",
                  "update a tenth of the lamps on a broker"}},
    .operands = {"URL|TTY|mqtt://BROKER", "RELEASE.rom"},
    .least = 2,
    .most = 2,
};

static struct update_options options;
static struct client client = {.name = "skillrom update", .signals = -1};
static struct client_update update;

/* ---- One device ---- */

static void show_progress(uint64_t since_ms, bool last)
{
    static uint64_t shown_ms;
    uint64_t now_ms = host_clock_ms();
    uint32_t size = update.release->head.size;
    char line[120];

    if (host_console.quiet || !isatty(STDERR_FILENO) || (!last && now_ms - shown_ms < 200)) {
        return;
    }
    shown_ms = now_ms;
    uint64_t speed = (uint64_t)(update.offset - update.resumed) * 1000 / (now_ms - since_ms + 1);
    uint64_t left = speed > 0 ? (size - update.offset) / speed : 0;
    int n = snprintf(line, sizeof line, "\r\033[K%u of %u bytes, %u%%, %u bytes/s, %u s left%s",
                     (unsigned)update.offset, (unsigned)size, (unsigned)((uint64_t)update.offset * 100 / size),
                     (unsigned)speed, (unsigned)left, last ? "\n" : "");
    (void)host_write_all(STDERR_FILENO, line, (size_t)n);
}

/* The upload has begun, goes on, or has ended. */
static void after_step(enum client_update_step before)
{
    static uint64_t since_ms;

    if (before == CLIENT_STEP_BEGIN && update.step != CLIENT_STEP_BEGIN) {
        since_ms = host_clock_ms();
        if (update.resumed > 0 && !update.device.trial) {
            host_log("going on after %u of %u bytes", (unsigned)update.resumed, (unsigned)update.release->head.size);
        }
    } else if (before == CLIENT_STEP_WRITE) {
        show_progress(since_ms, update.step == CLIENT_STEP_COMMIT);
    }
}

static bool report_end(const char *device)
{
    const struct client_release *release = update.release;
    unsigned number = (unsigned)release->head.number;

    switch (update.end) {
    case CLIENT_UPDATE_HAS: host_log("%s: release %u is in force already", device, number); return true;
    case CLIENT_UPDATE_PLANNED:
        host_log("%s: release %u of %u bytes for %s, which has release %u; %u bytes are to be sent", release->path,
                 number, (unsigned)release->head.size, device, (unsigned)update.number,
                 (unsigned)client_update_planned(&update));
        return true;
    case CLIENT_UPDATE_ON_TRIAL:
        host_log("%s: release %u is on trial until --confirm, --revert or a reset", device, number);
        return true;
    case CLIENT_UPDATE_IN_FORCE: host_log("%s: release %u is in force", device, number); return true;
    case CLIENT_UPDATE_REVERTED: host_log("%s: release %u is in force", device, (unsigned)update.number); return true;
    default: host_log("%s: %s", device, update.why); return false;
    }
}

/* A signal ends the update between two requests, with a message that says what the device has. */
static void watch_signals(void)
{
    sigset_t ends;

    host_signals_to_end(&ends);
    client.signals = host_signals_open(&ends); /* without a descriptor a signal ends the program */
}

static bool report_lost(const char *device)
{
    if (client.stopped != 0) {
        host_log("%s: stopped after %u of %u bytes; run this again to go on", device, (unsigned)update.offset,
                 (unsigned)update.release->head.size);
    }
    return false;
}

/* Sends the requests of the update, one after the other. */
static bool update_device(const struct client_release *release, const char *device)
{
    struct client_update_request request;

    client_update_start(&update, release, options.goal);
    while (client_update_next(&update, &request)) {
        enum client_update_step step = update.step;
        if (!client_request(&client, request.method, request.params, true)) {
            return report_lost(device);
        }
        struct skr_span error = skr_scan_get(client.response, "error");
        if (error.p == NULL) {
            client_update_result(&update, skr_scan_get(client.response, "result"));
            after_step(step);
        } else {
            client_update_error(&update, host_json_int(skr_scan_get(error, "code")), skr_scan_get(error, "message"));
        }
    }
    return report_end(device);
}

/* ---- The command ---- */

static bool is_broker(const char *target)
{
    return strncmp(target, "mqtt://", 7) == 0 || strncmp(target, "mqtts://", 8) == 0;
}

/* False, after a message, for options that belong to the other kind of target or contradict each other. */
static bool check_options(bool many)
{
    const struct fleet_rollout *m = &options.many;
    const struct transport_devices *one = &options.devices;
    const struct client_update_goal *goal = &options.goal;

    if (goal->revert && (goal->confirm || goal->dry_run || goal->full)) {
        return host_usage_error("--revert goes without --confirm, --dry-run and --full: it ends a trial") == 0;
    }
    if (many && goal->revert) {
        return host_usage_error("--revert is for one device: over a broker a reset of the device ends the trial") == 0;
    }
    if (many && m->patterns == NULL) {
        return host_usage_error("give --devices, as in --devices 'pump-*'; '*' is every device of the product") == 0;
    }
    if (many &&
        (one->trust.pin != NULL || one->trust.anchors != NULL || one->token != NULL || one->baud != 0 || one->plain)) {
        return host_usage_error("--pin, --ca-file, --device-token, --baud and --plain are for one device at a URL or "
                                "a serial port") == 0;
    }
    if (!many && (m->patterns != NULL || m->audit_log != NULL || m->share != FLEET_ROLLOUT_SHARE ||
                  m->failures != FLEET_ROLLOUT_FAILURES || m->parallel != FLEET_ROLLOUT_PARALLEL)) {
        return host_usage_error("--devices, --share, --stop-after, --parallel and --audit-log are for devices on a "
                                "broker, mqtt://") == 0;
    }
    return true;
}

static int update_main(int argc, char **argv)
{
    struct client_release release;

    transport_devices_init(&options.devices);
    fleet_rollout_init(&options.many);
    if (host_command_read(&cmd_update, &options, argc, argv) < 0) {
        return options.devices.bad_file ? 1 : 2;
    }
    bool many = is_broker(argv[1]);
    if (!check_options(many)) {
        return 2;
    }
    if (many) {
        options.many.wait_ms = options.devices.wait_ms;
        options.many.response_ms = options.devices.response_ms;
        options.many.goal = options.goal;
        if (!mqtt_take_broker(&options.many.broker, "broker", argv[1]) || !mqtt_broker_check(&options.many.broker)) {
            return 2;
        }
        return client_release_open(&release, argv[2]) && fleet_rollout_run(&options.many, &release) ? 0 : 1;
    }
    if (!transport_devices_add(&options.devices, argv[1]) || !transport_devices_check(&options.devices)) {
        return options.devices.bad_file ? 1 : 2;
    }
    if (!transport_devices_check_ports(&options.devices) || !client_release_open(&release, argv[2])) {
        return 1;
    }
    watch_signals();
    client_use(&client, &options.devices);
    bool done = update_device(&release, options.devices.paths[0]);
    client_close(&client);
    return done ? 0 : client.stopped != 0 ? 128 + client.stopped : 1;
}
