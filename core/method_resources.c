/* method_resources.c -- resources/list, resources/templates/list, resources/read.
 *
 * Two kinds stand side by side: the image's skills, one SKILL.md each (SK-W-09),
 * and behind them what the firmware makes at run time. */
#include "call.h"
#include "cursor.h"
#include "store.h"

/* The n-th resource of the device that is, or is not, a template; NULL when there
 * are fewer. */
static const struct skr_resource *nth_resource(const struct skr_device *d, bool template, uint32_t n)
{
    for (size_t i = 0; i < d->resource_count; i++) {
        if (skr_store_is_template(&d->resources[i]) == template && n-- == 0) {
            return &d->resources[i];
        }
    }
    return NULL;
}

static uint32_t count_resources(const struct skr_device *d, bool template)
{
    uint32_t n = 0;
    while (nth_resource(d, template, n) != NULL) {
        n++;
    }
    return n;
}

/* ---- resources/list ---- */

enum list_step { LIST_OPEN, LIST_ITEM };

static void push_skill_resource(struct skr_answer *a, const struct romfs_skill *skill)
{
    const struct romfs_node *file = &a->fs->nodes[skill->node];
    skr_push_text(a, "{\"uri\":\"");
    skr_push_rom(a, a->fs->header->base);
    skr_push_rom(a, file->path);
    skr_push_text(a, "\",\"name\":");
    skr_push_rom(a, skill->name);
    skr_push_text(a, ",\"description\":");
    skr_push_rom(a, skill->description);
    skr_push_text(a, ",\"mimeType\":\"");
    skr_push_rom(a, file->mime);
    skr_push_text(a, "\",\"size\":");
    skr_push_number(a, file->size);
    skr_push_rom(a, skill->extra);
    skr_push_text(a, "}");
}

static bool list_body(struct skr_answer *a)
{
    uint32_t listed = a->fs->header->listed;
    if (a->body_step == LIST_OPEN) {
        skr_push_text(a, "\"resources\":[");
        a->body_step = LIST_ITEM;
        return true;
    }
    if (a->index == a->end) {
        skr_push_page_end(a);
        return false;
    }
    if (a->index > a->first) {
        skr_push_text(a, ",");
    }
    if (a->index < listed) {
        push_skill_resource(a, &a->fs->skills[a->index]);
    } else {
        skr_push_text(a, nth_resource(a->device, false, a->index - listed)->json);
    }
    a->index++;
    return true;
}

void skr_resources_list(struct skr_call *call)
{
    uint32_t total = call->srv->fs.header->listed + count_resources(call->srv->device, false);
    if (skr_page(call, SKR_LIST_RESOURCES, 0, total)) {
        skr_rpc_result(call, list_body);
    }
}

/* ---- resources/templates/list ---- */

static bool templates_body(struct skr_answer *a)
{
    if (a->body_step == LIST_OPEN) {
        skr_push_text(a, "\"resourceTemplates\":[");
        skr_push_rom(a, a->fs->header->templates);
        a->body_step = LIST_ITEM;
        return true;
    }
    const struct skr_resource *r = nth_resource(a->device, true, a->index);
    if (r == NULL) {
        skr_push_text(a, "]");
        return false;
    }
    if (a->index > 0 || a->fs->header->templates.len > 0) {
        skr_push_text(a, ",");
    }
    skr_push_text(a, r->json);
    a->index++;
    return true;
}

void skr_templates_list(struct skr_call *call)
{
    if (skr_single_page(call)) {
        skr_rpc_result(call, templates_body);
    }
}

/* ---- resources/read ---- */

static void push_contents_opening(struct skr_answer *a)
{
    skr_push_text(a, "\"contents\":[{\"uri\":\"");
    skr_push(a, SKR_ESCAPED, a->subject);
    skr_push_text(a, "\",\"mimeType\":\"");
}

static bool file_body(struct skr_answer *a)
{
    const struct romfs_node *file = a->of.node;
    bool text = (file->flags & ROMFS_TEXT) != 0;
    push_contents_opening(a);
    skr_push_rom(a, file->mime);
    skr_push_text(a, text ? "\",\"text\":\"" : "\",\"blob\":\"");
    skr_push(a, text ? SKR_FILE_TEXT : SKR_FILE_BLOB, SPAN(""));
    skr_push_text(a, "\"}]");
    return false;
}

static bool made_body(struct skr_answer *a)
{
    push_contents_opening(a);
    skr_push_text(a, a->of.resource->mime);
    skr_push_text(a, a->binary ? "\",\"blob\":\"" : "\",\"text\":\"");
    skr_push(a, a->binary ? SKR_BASE64 : SKR_ESCAPED, a->output);
    skr_push_text(a, "\"}]");
    return false;
}

static void read_made(struct skr_call *call, struct skr_span uri, const struct skr_found *found)
{
    bool nothing_there = found->resource->read(call, found->var) == SKR_NOT_FOUND;
    if (!skr_call_ended(call)) {
        return;
    }
    if (nothing_there) {
        skr_store_unknown(call, uri);
    } else if (call->answer->failed) {
        skr_rpc_error(call, SKR_READ_FAILED, call->answer->output);
    } else {
        call->answer->of.resource = found->resource;
        call->answer->live = true;
        skr_rpc_result(call, made_body);
    }
}

void skr_resources_read(struct skr_call *call)
{
    struct skr_span uri;
    struct skr_found found;
    if (!skr_rpc_string(call, "uri", true, &uri)) {
        return;
    }
    call->answer->subject = uri;
    if (!skr_store_find(call, uri, &found)) {
        skr_store_unknown(call, uri);
    } else if (found.directory) {
        skr_rpc_error(call, call->modern ? SKR_IS_DIRECTORY : SKR_IS_DIRECTORY_LEGACY, uri);
    } else if (found.node != NULL) {
        call->answer->of.node = found.node;
        skr_rpc_result(call, file_body);
    } else {
        read_made(call, uri, &found);
    }
}
