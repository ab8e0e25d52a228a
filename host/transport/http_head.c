/* http_head.c -- the header of an HTTP request, which repeats parts of the message (HDR-01 to HDR-14). */
#include <stdio.h>
#include <string.h>

#include "header_lines.h"
#include "http.h"
#include "json_edit.h"

#define META_VERSION "io.modelcontextprotocol/protocolVersion"

/* The parameter that Mcp-Name repeats. */
static struct skr_span name_of(struct skr_span method, struct skr_span params)
{
    static const char *const by_name[] = {"tools/call", "prompts/get", NULL};
    static const char *const by_uri[] = {"resources/read", NULL};
    static const char *const by_task[] = {"tasks/get", "tasks/cancel", "tasks/update", "tasks/result", NULL};
    const char *key = host_json_is_any(method, by_name)   ? "name"
                      : host_json_is_any(method, by_uri)  ? "uri"
                      : host_json_is_any(method, by_task) ? "taskId"
                                                          : "";

    return skr_scan_get(params, key);
}

static void add_modern(struct transport_header_lines *head, struct transport_http *h, struct skr_span message)
{
    struct skr_span method = skr_scan_get(message, "method"), params = skr_scan_get(message, "params");

    transport_header_lines_json(head, "MCP-Protocol-Version",
                                skr_scan_get(skr_scan_get(params, "_meta"), META_VERSION));
    transport_header_lines_json(head, "Mcp-Method", method);
    transport_header_lines_json(head, "Mcp-Name", name_of(method, params));
    if (h->base.headers != NULL) {
        head->n += h->base.headers(h->base.owner, message, head->text + head->n, TRANSPORT_HEAD_LINES - head->n);
    }
}

void transport_exchange_write(struct transport_http *h, struct transport_exchange *p, size_t n)
{
    static struct transport_header_lines head;
    struct skr_span message = {p->out + TRANSPORT_HEAD, n}, id = skr_scan_get(message, "id");
    struct skr_span method = skr_scan_get(message, "method"), params = skr_scan_get(message, "params");

    p->modern = skr_scan_get(skr_scan_get(params, "_meta"), META_VERSION).p != NULL;
    p->first = !p->modern && skr_scan_is(method, "initialize");
    p->listens = skr_scan_is(method, "subscriptions/listen");
    p->in_session = !p->modern && !p->first && h->session[0] != '\0';
    p->id[0] = '\0';
    if (method.p != NULL && id.n > 0 && id.n < sizeof p->id) {
        memcpy(p->id, id.p, id.n);
        p->id[id.n] = '\0';
    }
    head.n = 0;
    transport_header_lines_add(&head, "POST %s HTTP/1.1\r\nHost: %s\r\n", h->target.path, h->target.authority);
    if (h->token != NULL) {
        transport_header_lines_add(&head, "Authorization: Bearer %s\r\n", h->token);
    }
    transport_header_lines_add(&head,
                               "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n");
    transport_header_lines_add(&head, "Content-Length: %zu\r\n", n);
    if (p->modern) {
        add_modern(&head, h, message);
    }
    if (p->in_session) {
        transport_header_lines_add(&head, "Mcp-Session-Id: %s\r\n", h->session);
    }
    if (!p->modern && !p->first && h->version[0] != '\0') {
        transport_header_lines_add(&head, "MCP-Protocol-Version: %s\r\n", h->version);
    }
    transport_header_lines_end(&head);
    p->out_at = TRANSPORT_HEAD - head.n;
    p->out_n = TRANSPORT_HEAD + n;
    memcpy(p->out + p->out_at, head.text, head.n);
}
