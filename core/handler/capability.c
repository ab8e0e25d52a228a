/* capability.c -- the capabilities that a client declares, and tool calls that need more. See client_request.h. */
#include "handler/client_request.h"

#if SKR_INTERACTIVE

static bool has_object(const struct skr_json *json, int object, const char *member)
{
    return skr_json_is_object(json, skr_json_get(json, object, member));
}

/* CAP-05: without any mode, elicitation is by form; with one, only by what is named. */
uint8_t skri_client_request_capabilities(const struct skr_json *json, int object, uint8_t version)
{
    int elicitation = skr_json_get(json, object, "elicitation");
    bool elicits = skr_json_is_object(json, elicitation) && version >= SKR_V_2025_06_18;
    bool url = has_object(json, elicitation, "url"), form = has_object(json, elicitation, "form") || !url;
    int extensions = skr_json_get(json, object, "extensions");
    unsigned bits =
        (unsigned)has_object(json, object, "sampling") << SKR_CAP_SAMPLING |
        (unsigned)(elicits && form) << SKR_CAP_ELICITATION |
        (unsigned)has_object(json, object, "roots") << SKR_CAP_ROOTS |
        (unsigned)(elicits && url && version >= SKR_V_2025_11_25) << SKR_CAP_URL |
        (unsigned)(version == SKR_V_2026_07_28 && has_object(json, extensions, "io.modelcontextprotocol/tasks"))
            << SKR_CAP_TASKS;

    return (uint8_t)bits;
}

uint8_t skri_client_request_offered(const struct skr_call *call)
{
    if (call->job != NULL) {
        return call->job->requests.capabilities;
    }
    if (!call->modern) {
        return call->legacy->capabilities; /* a later call has a job */
    }
    return skri_client_request_capabilities(&call->json, call->meta[SKR_META_OFFERS], SKR_V_2026_07_28);
}

bool skr_can(const struct skr_call *call, enum skr_capability capability)
{
    return (skri_client_request_offered(call) >> capability & 1) != 0;
}

bool skr_need(struct skr_call *call, enum skr_capability capability)
{
    static const struct skr_lack lacks[] = {
        [SKR_CAP_SAMPLING] = {"sampling", SKR_NEEDS},
        [SKR_CAP_ELICITATION] = {"elicitation", SKR_NEEDS},
        [SKR_CAP_ROOTS] = {"roots", SKR_NEEDS},
        [SKR_CAP_URL] = {"elicitation", SKR_NEEDS_URL},
        [SKR_CAP_TASKS] = {"extensions", SKR_NEEDS_TASKS},
    };
    const struct skr_lack *lack = &lacks[capability];

    if (skr_can(call, capability)) {
        return true;
    }
    if (call->modern && call->response != NULL) {
        skri_rpc_error(call, (enum skr_rpc_error)lack->error, skr_span_of(lack->name));
        return false;
    }
    const struct skr_rpc_error_row *row = skri_error_row((enum skr_rpc_error)lack->error);
    skr_fail(call, row->message); /* the older era has no error for it */
    skr_put(call, lack->name);
    if (call->modern) { /* the request is gone: the tool call ends with this error */
        call->out.lack = lack;
        call->out.code = row->code;
    }
    return false;
}

#else

bool skr_need(struct skr_call *call, enum skr_capability capability)
{
    static const char names[][12] = {"sampling", "elicitation", "roots"};
    const char *name = names[capability];

    if (call->modern && skr_json_is_object(&call->json, skr_json_get(&call->json, call->meta[SKR_META_OFFERS], name))) {
        return true;
    }
    if (call->modern) {
        skri_rpc_error(call, SKR_NEEDS, skr_span_of(name));
    } else { /* the capabilities of initialize are not kept, and the older era has no error for it */
        skr_fail(call, skri_error_row(SKR_NEEDS)->message);
        skr_put(call, name);
    }
    return false;
}

#endif
