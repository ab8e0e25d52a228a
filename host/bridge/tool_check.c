/* tool_check.c -- see tool_check.h. */
#include "tool_check.h"

#include <stdio.h>
#include <string.h>

#include "../transport/header_lines.h"
#include "clock.h"
#include "json_edit.h"
#include "mcp/headers.h"
#include "relay_response.h"
#include "requests.h"
#include "response/rights.h"
#include "timer.h"

#if TRANSPORT_SMALL < SKR_HTTP_HEADER_MAX
#error "TRANSPORT_SMALL: too small for the headers of a held request"
#endif
#if SKR_REQUEST_MAX < TRANSPORT_CURSOR + 256
#error "TRANSPORT_CURSOR: a request with a cursor must fit into SKR_REQUEST_MAX"
#endif

#define ANNOTATION "x-mcp-header"
#define METHOD_NOT_FOUND -32601 /* of a device without tools */

/* ---- The list of tools ---- */

#define MODERN_META                                                                                                    \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                           \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"

/* Requests the page at `cursor`, a JSON string; the first page if that is empty. q->client is the client whose session the
 * request needs; -1 for a request of 2026-07-28, which needs none. */
static void list_tools(struct bridge_request *q, struct bridge_relay *r, struct skr_span cursor)
{
    q->modern = q->client < 0;
    int n = snprintf(q->text, sizeof q->text,
                     "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"tools/list\",\"params\":{%s%.*s%s%s}}",
                     cursor.n > 0 ? "\"cursor\":" : "", (int)cursor.n, cursor.p, cursor.n > 0 && q->modern ? "," : "",
                     q->modern ? MODERN_META : "");
    q->text_n = (size_t)n;
    bridge_relay_queue(r, q, host_clock_ms());
    bridge_timer_in(0);
}

/* A client of the initialize era whose tool call waits for the list of tools; -1 if there is none. */
static int waiting_client(const struct bridge_relay *r)
{
    BRIDGE_EACH_REQUEST(q, r)
    {
        if (q->state == BRIDGE_REQUEST_HELD && !q->modern) {
            return q->client;
        }
    }
    return -1;
}

static bool is_listing(const struct bridge_relay *r)
{
    BRIDGE_EACH_REQUEST(q, r)
    {
        if (q->own > 0 && (q->state == BRIDGE_REQUEST_QUEUED || q->state == BRIDGE_REQUEST_SENT)) {
            return true;
        }
    }
    return false;
}

/* True if reading must restart at the first page: earlier pages have been dropped, or the device's list has changed. */
static bool must_restart(const struct bridge_request *q)
{
    struct skr_span params = skr_scan_get((struct skr_span){q->text, q->text_n}, "params");

    return !q->relay->catalogue.listing || (q->failed && skr_scan_get(params, "cursor").p != NULL);
}

static void list_page(struct bridge_request *q, struct bridge_relay *r, struct skr_span cursor)
{
    r->catalogue.listing = true;
    r->catalogue.pages = cursor.n > 0 ? r->catalogue.pages + 1 : 1;
    list_tools(q, r, cursor);
}

void bridge_tool_check_listed(struct bridge_request *q)
{
    struct bridge_relay *r = q->relay;
    struct skr_span cursor = skr_scan_get((struct skr_span){q->value, q->value_n}, "nextCursor");
    char at[TRANSPORT_CURSOR];

    if (q->failed && q->modern && waiting_client(r) >= 0) { /* perhaps the device does not have 2026-07-28 */
        q->client = waiting_client(r);
        bridge_request_release(q);
        list_page(q, r, SPAN(""));
        return;
    }
    bool no_tools = q->failed && q->code == METHOD_NOT_FOUND;
    if (r->catalogue.tools_complete || no_tools || (!must_restart(q) && !q->failed && cursor.p == NULL)) {
        r->catalogue.tools_complete = true;
        q->state = BRIDGE_REQUEST_DONE;
        return;
    }
    if (must_restart(q) && q->own < TRANSPORT_TRIES) {
        cursor.n = 0;
        q->own++;
    } else if (q->failed || must_restart(q)) {
        bridge_relay_fail(q, "Cannot read the device's list of tools, which is needed to check this tool call");
        return;
    } else if (r->catalogue.pages >= TRANSPORT_PAGES) {
        bridge_relay_fail(q, "The device's list of tools does not end");
        return;
    } else if (cursor.n > sizeof at) {
        bridge_relay_fail(q, "The device's list of tools has a cursor that is too long");
        return;
    } else {
        memcpy(at, cursor.p, cursor.n);
    }
    bridge_request_release(q);
    list_page(q, r, (struct skr_span){at, cursor.n});
}

/* ---- Requests ---- */

bool bridge_tool_check_hold(struct bridge_request *q, struct bridge_relay *r, const struct skr_call *call)
{
    const struct skr_headers *http = skri_headers_of(call->conn);
    size_t n = 0;
    bool tool = skr_json_equals(&call->json, call->method, "tools/call");
    bool headers = call->modern && (http != NULL || r->transport->headed); /* Mcp-Param is of 2026-07-28 */

    q->limited = tool && skri_only_reads(call->conn);
    if (!q->limited && (!tool || !headers)) {
        return false;
    }
    q->relay = r;
    q->state = BRIDGE_REQUEST_HELD;
    q->large = -1;
    q->repeatable = true; /* nothing has been sent yet */
    q->from_http = call->modern && http != NULL;
    q->param_count = q->from_http ? http->param_count : 0;
    for (unsigned i = 0; i < q->param_count; i++) {
        struct skr_span name = http->params[i].name, value = http->params[i].value;
        memcpy(q->small + n, name.p, name.n);
        memcpy(q->small + n + name.n, value.p, value.n);
        q->params[i].name = (struct skr_span){q->small + n, name.n};
        q->params[i].value = (struct skr_span){q->small + n + name.n, value.n};
        n += name.n + value.n;
    }
    return true;
}

/* The core compares, on a call as it would be without a bridge. */
static bool headers_match(const struct bridge_request *q, struct skr_span tool)
{
    static struct skr_conn conn;
    static struct skr_token tokens[SKR_TOKENS];
    static char text[SKR_REQUEST_MAX];
    struct skr_call call = {.conn = &conn};

    memcpy(text, q->text, q->text_n);
    if (skr_json_parse(&call.json, text, q->text_n, tokens, SKR_TOKENS) != SKR_JSON_OK) {
        return false; /* cannot happen: the core has parsed it already */
    }
    call.arguments = skr_json_get(&call.json, skr_json_get(&call.json, 0, "params"), "arguments");
    conn.wire = SKR_HTTP_1;
    conn.http.headers.param_count = (uint8_t)q->param_count;
    memcpy(conn.http.headers.params, q->params, sizeof q->params);
    return skri_headers_params_match(&call, tool);
}

/* The name of the tool that the request calls, a JSON string. */
static struct skr_span tool_name(const struct bridge_request *q)
{
    return skr_scan_get(skr_scan_get((struct skr_span){q->text, q->text_n}, "params"), "name");
}

bool bridge_tool_check_allow(const struct bridge_request *q)
{
    return !q->limited || bridge_catalogue_is_read_only(&q->relay->catalogue, tool_name(q));
}

/* Requests the list of tools, unless that is pending. A device that responds to server/discover has 2026-07-28; so may one on
 * a plain line, which was not sent it. */
static void learn_tools(struct bridge_request *q)
{
    struct bridge_relay *r = q->relay;
    struct bridge_request *own = is_listing(r) ? NULL : bridge_requests_spare();

    if (own != NULL) {
        bool modern = q->modern || r->transport->has_identity || r->transport->state == TRANSPORT_PLAIN;
        own->own = 1;
        own->client = modern ? -1 : q->client;
        list_page(own, r, SPAN(""));
    } else if (!is_listing(r)) {
        bridge_relay_fail(q, BRIDGE_TOO_MANY);
    }
}

void bridge_tool_check_go_on(struct bridge_request *q)
{
    struct bridge_relay *r = q->relay;
    struct skr_span name = tool_name(q);

    if (!r->catalogue.tools_complete) {
        learn_tools(q);
        return;
    }
    struct skr_span tool = bridge_catalogue_headed(&r->catalogue, name);
    if (!bridge_tool_check_allow(q)) { /* AUTH-04 */
        q->forbidden = true;
        bridge_request_refuse(q, -32600, "This token may not run ", skr_scan_inside(name));
        return;
    }
    if (tool.n > 0 && q->from_http && !headers_match(q, tool)) {
        bridge_request_refuse(q, -32020, "Mcp-Param headers do not match the arguments of ", skr_scan_inside(name));
        return;
    }
    bridge_relay_submit(r, q, host_clock_ms());
    bridge_timer_in(0);
}

/* ---- For a device on HTTP ---- */

#define LEVELS 6 /* of properties inside properties, as in core/mcp/headers.c */

size_t bridge_tool_check_write(void *owner, struct skr_span message, char *to, size_t room)
{
    static struct transport_header_lines head;
    const struct bridge_relay *r = owner;
    struct skr_span params = skr_scan_get(message, "params"), name, schema;
    struct skr_span tool = skr_scan_is(skr_scan_get(message, "method"), "tools/call")
                               ? bridge_catalogue_headed(&r->catalogue, skr_scan_get(params, "name"))
                               : (struct skr_span){"", 0};
    struct {
        struct skr_span rest, object;
    } at[LEVELS] = {{skr_scan_get(skr_scan_get(tool, "inputSchema"), "properties"), skr_scan_get(params, "arguments")}};
    unsigned depth = tool.n > 0 ? 1 : 0;

    head.n = 0;
    while (depth > 0) {
        char key[128], line[160];
        if (!skr_scan_pair(&at[depth - 1].rest, &name, &schema)) {
            depth--;
            continue;
        }
        struct skr_span inside = skr_scan_inside(name), header = skr_scan_inside(skr_scan_get(schema, ANNOTATION));
        (void)snprintf(key, sizeof key, "%.*s", (int)inside.n, inside.p);
        struct skr_span value = skr_scan_get(at[depth - 1].object, key), inner = skr_scan_get(schema, "properties");
        if (header.p != NULL) {
            (void)snprintf(line, sizeof line, "Mcp-Param-%.*s", (int)header.n, header.p);
            transport_header_lines_json(&head, line, value);
        }
        if (inner.p != NULL && value.p != NULL && depth < LEVELS) {
            at[depth].rest = inner;
            at[depth++].object = value;
        }
    }
    head.n = head.n < room ? head.n : 0;
    memcpy(to, head.text, head.n);
    return head.n;
}
