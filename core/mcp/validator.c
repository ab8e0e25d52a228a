/* validator.c -- tells a bridge that its stored response is still current (host/bridge/README.md, "Validators").
 *
 * The validator is a hash of the whole response under a key from the request. It is sent over a slow line instead of
 * the response. The key is new each time, so that content cannot be chosen to give the same hash. */
#include "mcp/validator.h"

#include "text/siphash.h"

#if SKR_DEFLATE

static bool validator_body(struct skr_response *a)
{
    skri_push_text(a, "\"skillrom/mark\":\"");
    skri_push(a, SKR_RAW, a->outcome.text);
    skri_push_text(a, "\"");
    return false;
}

/* The 16 bytes that 32 hex digits stand for; false when the request has none. */
static bool validator_key(const struct skr_call *call, uint8_t key[16])
{
    struct skr_span text;
    uint32_t id[4];
    int token = skr_json_get(&call->json, call->given[SKR_PARAM_META], "skillrom/mark");

    if (token < 0 || !skr_json_string(&call->json, token, &text) || !skr_id_read(text, id)) {
        return false;
    }
    for (unsigned i = 0; i < 16; i++) {
        key[i] = (uint8_t)(id[i / 4] >> (24 - 8 * (i % 4)));
    }
    return true;
}

void skri_validator(struct skr_call *call)
{
    struct skr_response *a = call->response;
    struct skr_sip sip;
    uint8_t key[16];
    char out[64];
    const char *direct;
    size_t n;

    if (!a->envelope.on_line || a->envelope.error != SKR_NO_ERROR || a->body == NULL || skri_in_batch(call->conn) ||
        !validator_key(call, key)) {
        return;
    }
    skr_sip_start(&sip, key);
    while ((n = skri_response_take(a, out, sizeof out, &direct)) > 0) {
        skr_sip_add(&sip, direct != NULL ? direct : out, n);
    }
    bool damaged = a->damaged;
    skri_response_rewind(a);
    if (!damaged) {
        uint64_t hash = skr_sip_end(&sip);
        skri_lease_clear(call->conn); /* the response is not sent, so its lease has ended */
        char *text = skri_lease(call->conn, SKR_VALIDATOR);
        skr_id_text((const uint32_t[4]){(uint32_t)(hash >> 32), (uint32_t)hash}, text);
        a->outcome.text = (struct skr_span){text, 16};
        a->envelope.modern = a->envelope.cached = false; /* only the validator */
        skri_response_result(call->response, validator_body);
    }
}

#endif
