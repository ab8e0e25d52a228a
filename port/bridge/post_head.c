/* post_head.c -- the header of an HTTP request, which repeats parts of the message (HDR-01 to HDR-14). */
#include <stdio.h>
#include <string.h>

#include "head.h"
#include "post.h"
#include "scan.h"

#define META_VERSION "io.modelcontextprotocol/protocolVersion"

/* The parameter that Mcp-Name repeats. */
static struct skr_span name_of(struct skr_span method, struct skr_span params)
{
    static const char *const by_name[] = {"tools/call", "prompts/get", NULL};
    static const char *const by_uri[] = {"resources/read", NULL};
    static const char *const by_task[] = {"tasks/get", "tasks/cancel", "tasks/update", "tasks/result", NULL};
    const char *key = skr_scan_is_any(method, by_name)   ? "name"
                      : skr_scan_is_any(method, by_uri)  ? "uri"
                      : skr_scan_is_any(method, by_task) ? "taskId"
                                                         : "";
    return skri_scan_get(params, key);
}

static void add_modern(struct skr_head *head, struct skr_posts *h, struct skr_span message)
{
    struct skr_span method = skri_scan_get(message, "method"), params = skri_scan_get(message, "params");
    skr_head_json(head, "MCP-Protocol-Version", skri_scan_get(skri_scan_get(params, "_meta"), META_VERSION));
    skr_head_json(head, "Mcp-Method", method);
    skr_head_json(head, "Mcp-Name", name_of(method, params));
    head->n += h->way.headers(h->way.owner, message, head->text + head->n, SKR_HEAD_LINES - head->n);
}

void skr_post_write(struct skr_posts *h, struct skr_post *p, size_t n)
{
    static struct skr_head head;
    struct skr_span message = {p->out + SKR_BRIDGE_HEAD, n}, id = skri_scan_get(message, "id");
    struct skr_span method = skri_scan_get(message, "method"), params = skri_scan_get(message, "params");

    p->modern = skri_scan_get(skri_scan_get(params, "_meta"), META_VERSION).p != NULL;
    p->first = !p->modern && skri_scan_is(method, "initialize");
    p->listens = skri_scan_is(method, "subscriptions/listen");
    p->in_session = !p->modern && !p->first && h->session[0] != '\0';
    p->id[0] = '\0';
    if (method.p != NULL && id.n > 0 && id.n < sizeof p->id) {
        memcpy(p->id, id.p, id.n);
        p->id[id.n] = '\0';
    }
    head.n = 0;
    skr_head_add(&head, "POST %s HTTP/1.1\r\nHost: %s\r\n", h->target.path, h->target.authority);
    if (h->token != NULL) {
        skr_head_add(&head, "Authorization: Bearer %s\r\n", h->token);
    }
    skr_head_add(&head, "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n");
    skr_head_add(&head, "Content-Length: %zu\r\n", n);
    if (p->modern) {
        add_modern(&head, h, message);
    }
    if (p->in_session) {
        skr_head_add(&head, "Mcp-Session-Id: %s\r\n", h->session);
    }
    if (!p->modern && !p->first && h->version[0] != '\0') {
        skr_head_add(&head, "MCP-Protocol-Version: %s\r\n", h->version);
    }
    skr_head_end(&head);
    p->out_at = SKR_BRIDGE_HEAD - head.n;
    p->out_n = SKR_BRIDGE_HEAD + n;
    memcpy(p->out + p->out_at, head.text, head.n);
}
