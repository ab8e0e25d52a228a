/* request.c -- see request.h. */
#include "response/request.h"

void skri_rpc_begin(struct skr_conn *conn)
{
    struct skr_response *a = &conn->response;
    const struct skr_server *srv = conn->srv;

    memset(a, 0, offsetof(struct skr_response, pieces.queue)); /* what follows needs no clearing */
    a->fs = srv->fs;
    a->device = srv->device;
    a->framing = &skri_framing_line;
    a->envelope.on_line = conn->wire == SKR_LINE;
#if SKR_DEFLATE
    a->pieces.inflate = &conn->inflate;
    a->pieces.window = conn->window;
#endif
#if SKR_CHANGES
    a->envelope.changes = srv->changes.can_swap;
#endif
}

void skri_rpc_error_about(struct skr_call *call, enum skr_rpc_error error, const char *p, size_t n)
{
    skri_response_error(call->response, error, (struct skr_span){p, n});
}

void skri_rpc_refuse(struct skr_conn *conn, struct skr_span id, enum skr_rpc_error error)
{
    skri_rpc_begin(conn);
    conn->response.envelope.id = id;
    skri_response_error(&conn->response, error, NOTHING);
}

const struct skr_span skri_params[SKR_PARAM_COUNT] = {
    [SKR_PARAM_META] = {"_meta", 5},
    [SKR_PARAM_NAME] = {"name", 4},
    [SKR_PARAM_URI] = {"uri", 3},
    [SKR_PARAM_CURSOR] = {"cursor", 6},
    [SKR_PARAM_VERSION] = {"protocolVersion", 15},
#if SKR_EXTRAS
    [SKR_PARAM_LEVEL] = {"level", 5},
#endif
#if SKR_DIALECTS
    [SKR_PARAM_REFERENCE] = {"reference", 9},
    [SKR_PARAM_SCRIPT] = {"script", 6},
#endif
#if SKR_TASKS || SKR_HTTP
    [SKR_PARAM_TASK] = {"taskId", 6},
#endif
};

bool skri_rpc_param(struct skr_call *call, enum skr_param which, bool required, struct skr_span *out)
{
    int token = call->given[which];

    *out = NOTHING;
    if (token < 0 && !required) {
        return true;
    }
    if (!skr_json_string(&call->json, token, out)) {
        skri_rpc_error(call, token < 0 ? SKR_MISSING : SKR_NOT_A_STRING, skri_params[which]);
        return false;
    }
    return true;
}

#if SKR_AUTH
const uint8_t *skri_who_id(const struct skr_conn *c)
{
    static const uint8_t no_token[SKR_WHO];

    return c->http.who != NULL ? c->http.who->sha256 : no_token;
}
#endif
