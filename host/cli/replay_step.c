/* replay_step.c -- see replay_step.h. */
#include "replay_step.h"

#include <string.h>

#include "base/json_out.h"
#include "load/load.h"

/* ---- Responses ---- */

/* At least one line. A newline at the end begins none. */
static struct step_lines lines_split(const char *text)
{
    struct step_lines out = {NULL, 0, false};

    for (const char *p = text;; p++) {
        size_t n = strcspn(p, "\n");
        out.line = xrealloc(out.line, (out.count + 1) * sizeof *out.line);
        out.line[out.count++] = xstrndup(p, n);
        p += n;
        if (*p == '\0' || p[1] == '\0') {
            return out;
        }
    }
}

static const char *text_of(const struct node *map, const char *key)
{
    const struct node *value = map != NULL && map->kind == NODE_MAPPING ? yaml_member(map, key, NULL) : NULL;

    return value != NULL && value->kind == NODE_SCALAR ? value->text : NULL;
}

/* Blocks of a result, or contents of a resource: texts as they are, others by their media type. */
static void add_blocks(struct buf *b, const struct node *blocks)
{
    for (size_t i = 0; blocks != NULL && blocks->kind == NODE_SEQUENCE && i < blocks->count; i++) {
        const char *text = text_of(blocks->items[i], "text"), *mime = text_of(blocks->items[i], "mimeType");
        buf_puts(b, b->n > 0 ? "\n" : "");
        if (text != NULL) {
            buf_puts(b, text);
        } else {
            buf_printf(b, "[%s]", mime != NULL ? mime : "?");
        }
    }
}

struct step_lines step_lines_of(const struct node *message)
{
    const struct node *result = yaml_member(message, "result", NULL);
    struct buf b = {0};

    if (result == NULL) {
        const char *why = text_of(yaml_member(message, "error", NULL), "message");
        struct step_lines lines = lines_split(why != NULL ? why : "an error without a message");
        lines.error = true;
        return lines;
    }
    const struct node *structured = yaml_member(result, "structuredContent", NULL);
    add_blocks(&b, yaml_member(result, "content", NULL));
    add_blocks(&b, yaml_member(result, "contents", NULL));
    if (b.n == 0 && structured != NULL) {
        load_json_compact(&b, structured);
    }
    const char *failed = text_of(result, "isError");
    struct step_lines lines = lines_split(buf_str(&b));
    lines.error = failed != NULL && strcmp(failed, "true") == 0;
    return lines;
}

/* ---- Requests ---- */

const struct node *step_request(const struct check *c, struct client *client, const struct device *device,
                                const struct step *step, bool plan)
{
    struct diag silent = {.silent = true};
    const struct check quiet = {.diag = &silent};
    bool reads = transcript_reads(step);
    struct buf params = {0};

    buf_puts(&params, reads ? "{\"uri\":" : "{\"name\":");
    json_string(&params, step->name, strlen(step->name));
    if (!reads) {
        const char *arguments = transcript_arguments(c, step, transcript_tool(device, step->name));
        buf_printf(&params, ",\"arguments\":%s", arguments != NULL ? arguments : "{}");
    }
    buf_puts(&params, plan ? ",\"_meta\":{\"_plan\":true}}" : "}");
    if (!client_request(client, reads ? "resources/read" : "tools/call", buf_str(&params), reads)) {
        return NULL;
    }
    return yaml_parse(&quiet, client->response.p, client->response.n, 1, YAML_JSON);
}
