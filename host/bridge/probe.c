/* probe.c -- see probe.h. */
#include "probe.h"

#include <string.h>

#include "text/json.h"
#include "text/json_string.h"
#include "json_edit.h"
#include "sha256.h"

const char bridge_probe[] = "{\"jsonrpc\":\"2.0\",\"id\":" BRIDGE_PROBE_ID ",\"method\":\"server/discover\",\"params\":{"
                         "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                         "\"io.modelcontextprotocol/clientCapabilities\":{}}}}";

/* Copies the message of an internal error, with which a bridge says that it cannot reach its device. */
static void copy_reason(struct bridge_transport *w, struct skr_span error)
{
    struct skr_span code = skr_scan_get(error, "code"), text = skr_scan_inside(skr_scan_get(error, "message"));
    size_t n = 0, at = 0;
    bool internal = code.n == 6 && memcmp(code.p, "-32603", 6) == 0;
    while (internal && at < text.n && n < sizeof w->reason - 4) {
        unsigned used;
        n += skr_json_decode(text.p + at, text.p + text.n, w->reason + n, &used);
        at += used;
    }
    w->reason[n] = '\0';
}

bool bridge_probe_answered(struct bridge_transport *w, size_t n)
{
    uint8_t digest[ROMFS_SHA256_SIZE];
    struct skr_span message = {w->in, n};
    if (n == 0 || *w->in != '{' || skr_json_check(w->in, n) != SKR_JSON_OK) {
        return false;
    }
    message.n = bridge_json_compact(w->in, message);
    struct skr_span result = skr_scan_get(message, "result"), error = skr_scan_get(message, "error");
    copy_reason(w, error);
    w->has_identity = result.p != NULL;
    if (w->has_identity) {
        sha256_of(result.p, result.n, digest);
        memcpy(w->identity, digest, sizeof w->identity);
    }
    return skr_scan_is(skr_scan_get(message, "jsonrpc"), "2.0") && (result.p != NULL || error.p != NULL);
}
