/* probe.c -- see probe.h. */
#include "probe.h"

#include <string.h>

#include "text/json.h"
#include "scan.h"
#include "sha256.h"

const char skr_probe[] = "{\"jsonrpc\":\"2.0\",\"id\":" SKR_PROBE_ID ",\"method\":\"server/discover\",\"params\":{"
                         "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                         "\"io.modelcontextprotocol/clientCapabilities\":{}}}}";

bool skr_probe_answered(struct skr_way *w, size_t n)
{
    uint8_t digest[SHA256_SIZE];
    struct skr_span message = {w->in, n};
    if (n == 0 || *w->in != '{' || skri_json_check(w->in, n) != SKR_JSON_OK) {
        return false;
    }
    message.n = skr_scan_compact(w->in, message);
    struct skr_span result = skri_scan_get(message, "result");
    w->has_identity = result.p != NULL;
    if (w->has_identity) {
        sha256_of(result.p, result.n, digest);
        memcpy(w->identity, digest, sizeof w->identity);
    }
    return skri_scan_is(skri_scan_get(message, "jsonrpc"), "2.0") &&
           (result.p != NULL || skri_scan_get(message, "error").p != NULL);
}
