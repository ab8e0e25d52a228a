/* responses.c -- see requests.h: messages from devices. A response ends its request; anything else is counted, because a device
 * that floods would fill the broker's queue for the fleet. */
#include "console.h"
#include "counters.h"
#include "message.h"
#include "request_table.h"
#include "text/json_scan.h"
#include "uplink.h"

/* Counts a message that is not a response to a pending request. False: the device sent too many, and is ignored from now on. */
static bool count_unexpected(uint32_t device, uint64_t now_ms)
{
    const struct fleet_device *d = &fleet_registry.devices[device];
    bool few = fleet_registry_count_unexpected(device, now_ms);

    if (!few && d->presence != FLEET_SILENT) {
        host_log("%s: sends more than %d unexpected messages in a second; ignoring it", d->id, FLEET_UNEXPECTED);
        fleet_requests_silent(device, now_ms);
    }
    return few;
}

void fleet_requests_unexpected(uint32_t device, uint64_t now_ms)
{
    fleet_counters.unexpected++;
    (void)count_unexpected(device, now_ms);
}

/* Progress gives the device more time to respond. */
static void on_progress(uint32_t device, struct skr_span params, uint64_t now_ms)
{
    struct fleet_row *row = fleet_row_find(device, skr_scan_get(params, "progressToken"));

    if (row == NULL || row->request.progress == NULL) {
        fleet_requests_unexpected(device, now_ms);
    } else if (count_unexpected(device, now_ms)) {
        row->due_ms = now_ms + row->request.response_ms;
        row->request.progress(row->request.owner, params);
    }
}

/* A request or notification of the device. */
static void on_method(uint32_t device, struct skr_span method, struct skr_span message, uint64_t now_ms)
{
    struct skr_span id = skr_scan_get(message, "id");

    if (id.p != NULL && id.n < 128) {
        if (count_unexpected(device, now_ms)) {
            (void)fleet_uplink_send(&fleet_registry.devices[device], fleet_message_reply(id, method));
        }
    } else if (skr_scan_is(method, "notifications/progress")) {
        on_progress(device, skr_scan_get(message, "params"), now_ms);
    } else {
        fleet_requests_unexpected(device, now_ms);
    }
}

void fleet_requests_message(uint32_t device, struct skr_span message, uint64_t now_ms)
{
    struct skr_span id = skr_scan_get(message, "id"), method = skr_scan_get(message, "method");
    struct skr_span result = skr_scan_get(message, "result"), error = skr_scan_get(message, "error");
    struct fleet_row *row = result.p != NULL || error.p != NULL ? fleet_row_find(device, id) : NULL;

    if (method.p != NULL) {
        on_method(device, method, message, now_ms);
    } else if (row == NULL) {
        fleet_requests_unexpected(device, now_ms);
        fleet_requests_check_duplicate(device, id, now_ms);
    } else if (row->initialize) {
        fleet_requests_initialized(row, result.p != NULL, now_ms);
    } else {
        fleet_row_end(row, result.p != NULL ? FLEET_OUTCOME_RESULT : FLEET_OUTCOME_ERROR,
                      result.p != NULL ? result : error);
        (void)fleet_requests_send(device, now_ms);
    }
}
