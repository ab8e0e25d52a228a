/* rpc.c -- from the text of one message to its handler.
 *
 * The order of the checks is the order of the protocol's own rules (VAL-01 to VAL-09): the first error shows a client
 * which kind of server it has met. A request that names its version in _meta is of the 2026-07-28 era and is served
 * from its own content alone, whatever came before on the connection (ERA-01). */
#include "mcp/rpc.h"

#include "handler/job.h"
#include "mcp/headers.h"
#include "mcp/method.h"
#include "mcp/session.h"
#include "mcp/validator.h"
#include "response/backend.h"
#include "response/level.h"
#include "response/log.h"
#include "response/version.h"
#include "subscription/notify.h"

#define META_VERSION "io.modelcontextprotocol/protocolVersion"
#define META_CAPABILITIES "io.modelcontextprotocol/clientCapabilities"
#define META_LOG_LEVEL "io.modelcontextprotocol/logLevel"

/* The row of the method that the request names. NULL when the response is an error: the method does not exist, or the
 * request's token does not allow it (AUTH-04). Every request of either era passes here before its handler is called. */
static const struct skr_method *find_method(struct skr_call *call)
{
    const struct skr_method *method = call->srv->backend->method(call);
    bool forbidden = SKR_AUTH && method != NULL && skri_is_forbidden(call->conn, method->right);
    struct skr_span name;

    if (method == NULL || forbidden) {
        (void)skr_json_string(&call->json, call->method, &name);
        bool update = SKR_UPDATE && forbidden && method->right == SKR_BY_UPDATER;
        skri_rpc_error(call, update ? SKR_NO_RIGHT_TO_UPDATE : forbidden ? SKR_NO_RIGHT : SKR_NO_METHOD, name);
        return NULL;
    }
    return method;
}

/* ---- The modern era ---- */

static bool unsupported_version(struct skr_call *call, struct skr_span requested)
{
    /* A version that needs the handshake is refused naming modern ones only, so that the client does not try it again
     * in _meta (VAL-23). */
    bool legacy = skri_version_find(requested) != SKR_V_NONE;

    skri_rpc_error(call, legacy ? SKR_VERSION_NEEDS_HANDSHAKE : SKR_VERSION_UNKNOWN, requested);
    return false;
}

/* VAL-01 to VAL-05. */
static bool check_modern(struct skr_call *call)
{
    const struct skr_headers *http = skri_headers_of(call->conn);
    struct skr_span version;

    if (http != NULL && http->protocol.p == NULL) {
        skri_rpc_error(call, SKR_VERSION_HEADER_MISSING, NOTHING);
        return false;
    }
    if (!skr_json_string(&call->json, call->meta[SKR_META_VERSION], &version)) {
        if (http != NULL && !skr_span_eq(http->protocol, SPAN(SKR_MODERN_VERSION))) {
            return unsupported_version(call, http->protocol);
        }
        skri_rpc_error(call, SKR_META_STRING, SPAN(META_VERSION));
        return false;
    }
    if (http != NULL && (!skr_span_eq(http->protocol, version) || http->protocol_twice)) {
        skri_rpc_error(call, SKR_VERSION_HEADER_DIFFERS, http->protocol);
        return false;
    }
    if (!skr_span_eq(version, SPAN(SKR_MODERN_VERSION))) {
        return unsupported_version(call, version);
    }
    if (!skr_json_is_object(&call->json, call->meta[SKR_META_OFFERS])) {
        skri_rpc_error(call, SKR_META_OBJECT, SPAN(META_CAPABILITIES));
        return false;
    }
    return true;
}

/* VAL-08; a server that does not log ignores the level. */
static bool check_log_level(struct skr_call *call)
{
#if SKR_EXTRAS
    struct skr_span level;
    uint8_t rank;

    if (call->meta[SKR_META_LEVEL] < 0) {
        return true;
    }
    if (!skr_json_string(&call->json, call->meta[SKR_META_LEVEL], &level) || !skri_log_level(level, &rank)) {
        skri_rpc_error(call, SKR_BAD_LEVEL, skr_json_inside(&call->json, call->meta[SKR_META_LEVEL]));
        return false;
    }
#endif
    (void)call;
    return true;
}

static void handle_modern(struct skr_call *call)
{
    const struct skr_headers *http = skri_headers_of(call->conn);

    call->response->envelope.modern = true;
    if (!check_modern(call)) {
        return;
    }
    if (http != NULL && (http->method_twice || http->mcp_method.p == NULL ||
                         !skr_json_equals_span(&call->json, call->method, http->mcp_method))) { /* VAL-06 */
        skri_rpc_error(call, SKR_METHOD_HEADER_DIFFERS, NOTHING);
        return;
    }
    const struct skr_method *method = find_method(call); /* VAL-07 */
    if (method == NULL || !check_log_level(call)) {
        return;
    }
    if (SKR_HTTP && http != NULL && method->name_header != SKR_NO_NAME) { /* VAL-09 */
        if (!skri_headers_name_matches(call, call->given[method->name_header])) {
            skri_rpc_error(call, SKR_NAME_HEADER_DIFFERS, skri_params[method->name_header]);
            return;
        }
    }
    call->response->envelope.cached = method->cached;
    method->handle(call);
}

/* ---- The initialize era ---- */

static void handle_legacy(struct skr_call *call)
{
    if (call->legacy->version == SKR_V_NONE && !skr_json_equals(&call->json, call->method, "initialize") &&
        !skr_json_equals(&call->json, call->method, "ping")) { /* ERA-15 */
        skri_rpc_error(call, SKR_NO_HANDSHAKE, SPAN(META_VERSION));
        return;
    }
    const struct skr_method *method = find_method(call);
    if (method == NULL) {
        return;
    }
    call->response->envelope.version = call->legacy->version;
    method->handle(call);
}

/* ---- The envelope ---- */

/* ERA-03, ERA-08: the version key decides, or in its absence the key that only
 * modern requests have; over HTTP also a header that names no older revision. */
static bool is_modern(const struct skr_call *call)
{
    const struct skr_headers *http = skri_headers_of(call->conn);

    if (call->meta[SKR_META_VERSION] >= 0 || call->meta[SKR_META_OFFERS] >= 0) {
        return true;
    }
    if (http == NULL || http->protocol.p == NULL || skr_json_equals(&call->json, call->method, "initialize")) {
        return false; /* ERA-21: for initialize the body decides */
    }
    uint8_t version = skri_version_find(http->protocol);
    return version == SKR_V_NONE || version == SKR_V_2026_07_28;
}

/* RPC-06: on a line an id names one request until its response. A listen replaces the one with its id (SER-03), and
 * an initialize replaces all: a client on a plain UART may have restarted, and counts from the same number. */
static bool id_in_use(const struct skr_call *call)
{
    struct skr_conn *c = call->conn;
    struct skr_span id = call->response->envelope.id;

    if (c->wire != SKR_LINE) {
        return false;
    }
    bool heard = SKR_CHANGES && skri_listen_find(c, id) != NULL &&
                 !skr_json_equals(&call->json, call->method, "subscriptions/listen");
    return (heard || (SKR_JOBS && skri_job_awaited(c, id))) &&
           !skr_json_equals(&call->json, call->method, "initialize");
}

static enum skr_rpc_outcome handle_request(struct skr_call *call)
{
    call->modern = is_modern(call);
    if (skri_in_batch(call->conn) &&
        (call->modern || skr_json_equals(&call->json, call->method, "initialize"))) { /* VER-09, RPC-21 */
        skri_rpc_error(call, SKR_BATCH_MEMBER, NOTHING);
    } else if (id_in_use(call)) {
        skri_rpc_error(call, SKR_ID_IN_USE, NOTHING);
    } else if (call->modern) {
        handle_modern(call);
    } else if (call->params >= 0 && !skr_json_is_object(&call->json, call->params)) {
        skri_rpc_error(call, SKR_BAD_PARAMS, NOTHING); /* RPC-07 */
    } else if (!SKR_HTTP || skri_session_enter(call)) {
        handle_legacy(call);
    }
    if (SKR_JOBS && !skri_response_is_made(call->response)) {
        return SKR_RPC_LATER;
    }
    if (SKR_DEFLATE) {
        skri_validator(call);
    }
    return SKR_RPC_RESPOND;
}

static void on_cancelled(struct skr_call *call)
{
    int id = skr_json_get(&call->json, call->params, "requestId");

    if (SKR_CHANGES && id >= 0) {
        skri_notify_cancel(call->conn, skr_json_raw(&call->json, id));
    }
    if (SKR_JOBS && id >= 0) {
        skri_job_cancel(call, skr_json_raw(&call->json, id));
    }
}

enum member { MEMBER_JSONRPC, MEMBER_ID, MEMBER_METHOD, MEMBER_PARAMS, MEMBER_RESULT, MEMBER_ERROR, MEMBERS };

static void find_members(struct skr_call *call, int at[MEMBERS])
{
    static const struct skr_span keys[MEMBERS] = {
        [MEMBER_JSONRPC] = {"jsonrpc", 7}, [MEMBER_ID] = {"id", 2},         [MEMBER_METHOD] = {"method", 6},
        [MEMBER_PARAMS] = {"params", 6},   [MEMBER_RESULT] = {"result", 6}, [MEMBER_ERROR] = {"error", 5},
    };
    static const struct skr_span meta_keys[SKR_META_COUNT] = {
        [SKR_META_VERSION] = {META_VERSION, sizeof META_VERSION - 1},
        [SKR_META_OFFERS] = {META_CAPABILITIES, sizeof META_CAPABILITIES - 1},
#if SKR_EXTRAS
        [SKR_META_LEVEL] = {META_LOG_LEVEL, sizeof META_LOG_LEVEL - 1},
#endif
    };

    skr_json_members(&call->json, 0, keys, MEMBERS, at);
    call->id = at[MEMBER_ID];
    call->method = at[MEMBER_METHOD];
    call->params = at[MEMBER_PARAMS];
    skr_json_members(&call->json, call->params, skri_params, SKR_PARAM_COUNT, call->given);
    skr_json_members(&call->json, call->given[SKR_PARAM_META], meta_keys, SKR_META_COUNT, call->meta);
}

static enum skr_rpc_outcome handle_object(struct skr_call *call)
{
    const struct skr_json *json = &call->json;
    int at[MEMBERS];

    find_members(call, at);
    skri_log_name(call);

    bool has_id = call->id >= 0 && skr_json_is_id(json, call->id);
    struct skr_span id = has_id ? skr_json_raw(json, call->id) : NOTHING;
    if (!skr_json_equals_span(json, at[MEMBER_JSONRPC], SPAN("2.0"))) {
        skri_rpc_refuse(call->conn, id, SKR_BAD_JSONRPC);
        return SKR_RPC_RESPOND;
    }
    if (call->method < 0 && (at[MEMBER_RESULT] >= 0 || at[MEMBER_ERROR] >= 0)) {
        if (SKR_INTERACTIVE && has_id) {
            skri_job_reply(call);
        }
        return SKR_RPC_RESPONSE;
    }
    if (!skr_json_is_string(json, call->method)) {
        skri_rpc_refuse(call->conn, id, SKR_BAD_METHOD);
        return SKR_RPC_RESPOND;
    }
    if (call->id < 0) {
        if ((SKR_CHANGES || SKR_JOBS > 0) && skr_json_equals(json, call->method, "notifications/cancelled")) {
            on_cancelled(call);
        }
        return SKR_RPC_NOTIFICATION;
    }
    if (!has_id) {
        skri_rpc_refuse(call->conn, NOTHING, SKR_BAD_ID);
        return SKR_RPC_RESPOND;
    }
    call->response->envelope.id = id;
    return handle_request(call);
}

/* Why there can be no batch here; SKR_NO_ERROR when the version in force knows batches, and none is being handled. */
static enum skr_rpc_error batch_error(const struct skr_conn *c)
{
    const struct skr_headers *http = skri_headers_of(c);
    uint8_t version = c->legacy.version;

    if (!SKR_EXTRAS || skri_in_batch(c)) {
        return SKR_BATCH_UNKNOWN;
    }
    if (SKR_HTTP && http != NULL && !http->modern) {
        version = skri_session_version(c);
        if (version == SKR_V_NONE) { /* the client is to learn that it must initialize again */
            return skri_session_error(http->session);
        }
    }
    return version == SKR_V_2025_03_26 ? SKR_NO_ERROR : SKR_BATCH_UNKNOWN;
}

enum skr_rpc_outcome skri_rpc_handle(struct skr_conn *conn, char *text, size_t n)
{
    struct skr_server *srv = conn->srv;
    struct skr_call call = {.srv = srv,
                            .fs = srv->fs,
                            .conn = conn,
                            .response = &conn->response,
                            .legacy = &conn->legacy,
                            .arguments = -1,
                            .replies = -1,
                            .reply = -1,
                            .out = {.p = conn->output, .max = sizeof conn->output}};

    skri_log_begin(conn, "");
    skri_lease_clear(conn);
    int error = skr_json_parse(&call.json, text, n, srv->tokens, SKR_TOKENS);
    if (error == SKR_JSON_DEEP || error == SKR_JSON_BAD) {
        skri_rpc_refuse(conn, NOTHING, error == SKR_JSON_DEEP ? SKR_TOO_DEEP : SKR_BAD_JSON);
        return SKR_RPC_RESPOND;
    }
    enum skr_rpc_error refused = skr_json_is_array(&call.json, 0) ? batch_error(conn) : SKR_NOT_AN_OBJECT;
    if (refused == SKR_NO_ERROR) {
        return SKR_RPC_BATCH;
    }
    if (!skr_json_is_object(&call.json, 0)) {
        skri_rpc_refuse(conn, NOTHING, refused);
        return SKR_RPC_RESPOND;
    }
    if (error == SKR_JSON_TOKENS) {
        skri_rpc_refuse(conn, skr_json_id_of_part(text, n, srv->tokens, SKR_TOKENS), SKR_TOO_MANY_VALUES);
        return SKR_RPC_RESPOND;
    }
    skri_rpc_begin(conn);
    enum skr_rpc_outcome outcome = handle_object(&call);
    skri_log_handled(&call, outcome == SKR_RPC_RESPOND || outcome == SKR_RPC_LATER);
    return outcome;
}
