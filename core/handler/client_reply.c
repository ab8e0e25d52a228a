/* client_reply.c -- the reply to elicitation, sampling or roots, as the handler reads it. See client_request.h. */
#include <string.h>

#include "handler/client_request.h"
#include "text/number.h"

#if SKR_INTERACTIVE

bool skri_client_request_read_reply(struct skr_call *call, enum skr_capability kind, int token, struct skr_reply *reply)
{
    static const char *const actions[] = {[SKR_ACCEPT] = "accept", [SKR_DECLINE] = "decline", [SKR_CANCEL] = "cancel"};
    const struct skr_json *json = &call->json;

    reply->call = call;
    reply->token = token;
    reply->action = SKR_ACCEPT;
    if (kind == SKR_CAP_SAMPLING) {
        int content = skr_json_get(json, token, "content");
        return skr_json_is_object(json, content) || skr_json_is_array(json, content);
    }
    if (kind == SKR_CAP_ROOTS) {
        return skr_json_is_array(json, skr_json_get(json, token, "roots"));
    }
    int action = skr_json_get(json, token, "action"), content = skr_json_get(json, token, "content");
    for (uint8_t i = 0; i < 3; i++) {
        if (skr_json_equals(json, action, actions[i])) {
            reply->action = i;
            return i != SKR_ACCEPT || kind == SKR_CAP_URL || skr_json_is_object(json, content);
        }
    }
    return false;
}

static int content_member(const struct skr_reply *reply, const char *name)
{
    const struct skr_json *json = &reply->call->json;

    return skr_json_get(json, skr_json_get(json, reply->token, "content"), name);
}

bool skr_reply_string(const struct skr_reply *reply, const char *name, char *out, size_t size)
{
    struct skr_span text;

    if (!skr_json_string(&reply->call->json, content_member(reply, name), &text) || text.n >= size) {
        return false;
    }
    memcpy(out, text.p, text.n);
    out[text.n] = '\0';
    return true;
}

bool skr_reply_int(const struct skr_reply *reply, const char *name, int32_t min, int32_t max, int32_t *out)
{
    int token = content_member(reply, name);
    bool fraction = false;

    if (!skr_json_is_number(&reply->call->json, token)) {
        return false;
    }
    int64_t value = skr_number_scaled(skr_json_raw(&reply->call->json, token), 0, &fraction);
    if (fraction || value < min || value > max) {
        return false;
    }
    *out = (int32_t)value;
    return true;
}

bool skr_reply_bool(const struct skr_reply *reply, const char *name, bool *out)
{
    bool value;

    if (!skr_json_boolean(&reply->call->json, content_member(reply, name), &value)) {
        return false;
    }
    *out = value;
    return true;
}

struct skr_span skr_reply_json(const struct skr_reply *reply)
{
    const struct skr_json *json = &reply->call->json;
    int content = skr_json_get(json, reply->token, "content");

    return content >= 0 ? skr_json_raw(json, content) : SPAN("{}");
}

/* SMP-01: one block, or an array of them of which the first text counts. */
struct skr_span skr_reply_text(const struct skr_reply *reply)
{
    const struct skr_json *json = &reply->call->json;
    struct skr_span text = {"", 0};
    int content = skr_json_get(json, reply->token, "content");
    int block = content;

    if (skr_json_is_array(json, content)) {
        block = skr_json_first(json, content);
        while (block >= 0 && !skr_json_is_string(json, skr_json_get(json, block, "text"))) {
            block = skr_json_after(json, content, block);
        }
    }
    (void)skr_json_string(json, skr_json_get(json, block, "text"), &text);
    return text;
}

bool skr_reply_root(const struct skr_reply *reply, unsigned i, struct skr_span *uri, struct skr_span *name)
{
    const struct skr_json *json = &reply->call->json;
    int roots = skr_json_get(json, reply->token, "roots"), root = skr_json_first(json, roots);

    while (root >= 0 && i-- > 0) {
        root = skr_json_after(json, roots, root);
    }
    name->p = "";
    name->n = 0;
    (void)skr_json_string(json, skr_json_get(json, root, "name"), name);
    return skr_json_string(json, skr_json_get(json, root, "uri"), uri);
}

#endif
