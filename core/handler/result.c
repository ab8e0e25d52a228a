/* result.c -- results of tools with blocks: texts, images, audio, resources, structured content.
 *
 * A handler's output is a tape. It begins with text, which is all that most tools put; when a block is begun, a header
 * is appended to what is there, and what is put next belongs to the block. So the number of blocks is limited only by
 * the room for output, and bytes in flash or in the image are not copied: a header points to them.
 *
 * Rendering is reached only through a pointer that is set here; firmware whose tools put only text does not link it. */
#include "handler/handler.h"
#include "response/shape.h"

enum block_kind {
    BLOCK_TEXT,
    BLOCK_IMAGE,
    BLOCK_AUDIO,
    BLOCK_RESOURCE, /* text */
    BLOCK_BLOB,
    BLOCK_FILE, /* of the image, found by its URI when it is sent */
    BLOCK_LINK,
    BLOCK_JSON, /* structured content, and the same as text */
};

/* A block of the result. On the tape, its URI and its text follow it. */
struct block {
    const char *mime;     /* or NULL */
    struct skr_span lent; /* bytes instead of those put */
    uint32_t n;           /* bytes put, with the URI */
    uint32_t uri;         /* of these, bytes of the URI */
    uint8_t kind;         /* enum block_kind */
};

/* A file of the image by its URI as lists have it; NULL: there is none. */
static const struct romfs_node *file_at(const struct romfs *fs, struct skr_span uri)
{
    struct skr_span base = skr_span_rom(fs, fs->header->base);
    const struct romfs_node *node = NULL;

    if (skr_span_starts(uri, base)) {
        node = romfs_find(fs, uri.p + base.n, uri.n - base.n);
    }
    return node == NULL || (node->flags & ROMFS_DIR) != 0 ? NULL : node;
}

/* ---- Sending ---- */

struct parts {
    struct block block;
    struct skr_span uri, bytes;
};

/* Reads the block at `at`, which need not be aligned. Returns where the next is. */
static uint32_t block_at(const struct skr_response *a, uint32_t at, struct parts *out)
{
    const char *p = a->outcome.text.p + at;

    memcpy(&out->block, p, sizeof out->block);
    p += sizeof out->block;
    out->uri = (struct skr_span){p, out->block.uri};
    out->bytes = (struct skr_span){p + out->block.uri, out->block.n - out->block.uri};
    if (out->block.lent.p != NULL) {
        out->bytes = out->block.lent;
    }
    return at + (uint32_t)sizeof out->block + out->block.n;
}

static void push_mime(struct skr_response *a, const struct block *b)
{
    if (b->mime != NULL) {
        skri_push_text(a, ",\"mimeType\":\"");
        skri_push(a, SKR_ESCAPED, skr_span_of(b->mime));
        skri_push_text(a, "\"");
    }
}

static void push_text(struct skr_response *a, struct skr_span text)
{
    skri_push_text(a, "{\"type\":\"text\",\"text\":\"");
    skri_push(a, SKR_TOOL_TEXT, text);
    skri_push_text(a, "\"}");
}

static void push_data(struct skr_response *a, const char *type, const struct parts *p)
{
    skri_push_text(a, type);
    skri_push(a, SKR_BASE64, p->bytes);
    skri_push_text(a, "\"");
    push_mime(a, &p->block);
    skri_push_text(a, "}");
}

static void push_resource_block(struct skr_response *a, const struct parts *p)
{
    bool text = p->block.kind == BLOCK_RESOURCE;

    skri_push_text(a, "{\"type\":\"resource\",\"resource\":{\"uri\":\"");
    skri_push(a, SKR_ESCAPED, p->uri);
    if (p->block.kind == BLOCK_FILE) {
        const struct romfs_node *file = file_at(a->fs, p->uri);
        if (file != NULL) {
            skri_response_file(a, file);
            skri_push_content(a);
        } else { /* the image was swapped since it was put, and the new one does not have it */
            skri_push_text(a, "\",\"text\":\"\"}");
        }
        skri_push_text(a, "}");
        return;
    }
    skri_push_text(a, "\"");
    push_mime(a, &p->block);
    skri_push_text(a, text ? ",\"text\":\"" : ",\"blob\":\"");
    skri_push(a, text ? SKR_TOOL_TEXT : SKR_BASE64, p->bytes);
    skri_push_text(a, "\"}}");
}

static void push_link(struct skr_response *a, const struct parts *p)
{
    skri_push_text(a, "{\"type\":\"resource_link\",\"uri\":\"");
    skri_push(a, SKR_ESCAPED, p->uri);
    skri_push_text(a, "\",\"name\":\"");
    skri_push(a, SKR_TOOL_TEXT, p->bytes);
    skri_push_text(a, "\"");
    push_mime(a, &p->block);
    skri_push_text(a, "}");
}

static void push_block(struct skr_response *a, const struct parts *p)
{
    switch (p->block.kind) {
    case BLOCK_TEXT:
    case BLOCK_JSON: push_text(a, p->bytes); break;
    case BLOCK_IMAGE: push_data(a, "{\"type\":\"image\",\"data\":\"", p); break;
    case BLOCK_AUDIO: push_data(a, "{\"type\":\"audio\",\"data\":\"", p); break;
    case BLOCK_LINK: push_link(a, p); break;
    default: push_resource_block(a, p);
    }
}

static void push_end(struct skr_response *a)
{
    struct parts p;

#if SKR_EXTRAS
    if (a->outcome.prompt) {
        skri_push_text(a, SKR_MESSAGE_END);
        return;
    }
#endif
    skri_push_text(a, "]");
    for (uint32_t at = a->first; at < a->end;) {
        at = block_at(a, at, &p);
        if (p.block.kind == BLOCK_JSON) {
            skri_push_text(a, ",\"structuredContent\":");
            skri_push(a, SKR_RAW, p.bytes);
            break;
        }
    }
    if (a->outcome.failed) {
        skri_push_text(a, ",\"isError\":true");
    }
}

/* The text before the first block, and before each of the others. */
static void push_between(struct skr_response *a, bool first)
{
#if SKR_EXTRAS
    if (a->outcome.prompt) {
        skri_push_text(a, first ? SKR_MESSAGE : SKR_MESSAGE_NEXT);
        return;
    }
#endif
    skri_push_text(a, first ? "\"content\":[" : ",");
}

/* The members of a CallToolResult or of a GetPromptResult, a block at a time. */
static bool content_body(struct skr_response *a)
{
    struct parts p;

    if (a->body_step == 0) {
        a->body_step = 1;
        push_between(a, true);
        if (a->first > 0) {
            push_text(a, (struct skr_span){a->outcome.text.p, a->first});
            return true;
        }
    } else if (a->index < a->end) {
        push_between(a, false);
    }
    if (a->index == a->end) {
        push_end(a);
        return false;
    }
    a->index = block_at(a, a->index, &p);
    push_block(a, &p);
    return true;
}

/* ---- Putting ---- */

/* Closes the last block. */
static void close_block(struct skr_output *out)
{
    struct block b;

    if (!out->overflow) {
        uint32_t start = out->block + (uint32_t)sizeof b;
        memcpy(&b, out->p + out->block, sizeof b);
        b.n = out->n - start;
        b.kind = b.kind == BLOCK_RESOURCE && out->binary ? BLOCK_BLOB : b.kind;
        memcpy(out->p + out->block, &b, sizeof b);
    }
}

/* The handler has ended: see skri_tool_call_respond. */
static void end_result(struct skr_output *out, struct skr_response *a)
{
    close_block(out);
    a->outcome.content = content_body;
    a->first = a->index = out->head;
    a->end = out->n;
}

static void begin_block(struct skr_call *call, enum block_kind kind, const char *mime, struct skr_span uri)
{
    struct skr_output *out = &call->out;
    struct block b = {mime, {NULL, 0}, 0, (uint32_t)uri.n, (uint8_t)kind};

    if (out->end == NULL) {
        out->end = end_result;
        out->head = out->n;
    } else {
        close_block(out);
    }
    out->block = out->n;
    out->binary = false;
    out->unbalanced |= out->nest > 1;
    out->nest = 1;
    skr_put_span(call, (struct skr_span){(const char *)&b, sizeof b});
    skr_put_span(call, uri);
}

void skr_begin_text(struct skr_call *call)
{
    begin_block(call, BLOCK_TEXT, NULL, SPAN(""));
}

void skr_begin_image(struct skr_call *call, const char *mime)
{
    begin_block(call, BLOCK_IMAGE, mime, SPAN(""));
}

void skr_begin_audio(struct skr_call *call, const char *mime)
{
    bool has_audio = call->out.version >= SKR_V_2025_03_26;

    begin_block(call, has_audio ? BLOCK_AUDIO : BLOCK_BLOB, mime, has_audio ? SPAN("") : SPAN("audio:"));
}

void skr_begin_resource(struct skr_call *call, const char *uri, const char *mime)
{
    begin_block(call, BLOCK_RESOURCE, mime, skr_span_of(uri));
}

void skr_begin_structured(struct skr_call *call)
{
    call->out.structured = true;
    begin_block(call, call->out.version >= SKR_V_2025_06_18 ? BLOCK_JSON : BLOCK_TEXT, NULL, SPAN(""));
}

void skr_put_static(struct skr_call *call, struct skr_span bytes)
{
    struct skr_output *out = &call->out;
    struct block b;

    if (out->end != NULL && !out->overflow) {
        memcpy(&b, out->p + out->block, sizeof b);
        b.lent = bytes;
        memcpy(out->p + out->block, &b, sizeof b);
    }
}

void skr_put_link(struct skr_call *call, const char *uri, const char *name, const char *mime)
{
    bool has_links = call->out.version >= SKR_V_2025_06_18;

    begin_block(call, has_links ? BLOCK_LINK : BLOCK_TEXT, mime, has_links ? skr_span_of(uri) : SPAN(""));
    skr_put(call, name);
    if (!has_links) {
        skr_put(call, ": ");
        skr_put(call, uri);
    }
}

bool skr_put_file(struct skr_call *call, const char *uri)
{
    if (file_at(call->fs, skr_span_of(uri)) == NULL) {
        return false;
    }
    begin_block(call, BLOCK_FILE, NULL, skr_span_of(uri));
    return true;
}
