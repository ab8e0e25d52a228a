/* probe.c -- see probe.h. */
#include "probe.h"

#include <stdio.h>
#include <string.h>

#include "json_edit.h"
#include "sha256.h"
#include "text/json.h"

const char transport_probe[] =
    "{\"jsonrpc\":\"2.0\",\"id\":" TRANSPORT_PROBE_ID ",\"method\":\"server/discover\",\"params\":{"
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
    "\"io.modelcontextprotocol/clientCapabilities\":{}}}}";

/* Copies the message of an internal error, with which a bridge reports that it cannot reach its device. */
static void copy_reason(struct transport *t, struct skr_span error)
{
    struct skr_span text = skr_scan_inside(skr_scan_get(error, "message"));
    bool internal = host_json_int(skr_scan_get(error, "code")) == -32603;
    size_t n = internal && text.p != NULL ? host_json_text(text, t->reason, sizeof t->reason) : 0;

    if (n == sizeof t->reason) {
        n = (size_t)snprintf(t->reason, sizeof t->reason, "it reports an internal error with a long message");
    }
    t->reason[n] = '\0';
}

bool transport_probe_responded(struct transport *t, size_t n)
{
    uint8_t digest[ROMFS_SHA256_SIZE];
    struct skr_span message = {t->in, n};

    if (n == 0 || *t->in != '{' || skr_json_check(t->in, n) != SKR_JSON_OK) {
        return false;
    }
    message.n = host_json_compact(t->in, message);
    struct skr_span result = skr_scan_get(message, "result"), error = skr_scan_get(message, "error");
    copy_reason(t, error);
    t->has_identity = result.p != NULL;
    if (t->has_identity) {
        romfs_sha256_of(result.p, result.n, digest);
        memcpy(t->identity, digest, sizeof t->identity);
    }
    return skr_scan_is(skr_scan_get(message, "jsonrpc"), "2.0") && (result.p != NULL || error.p != NULL);
}
