/* method_resources.c -- resources/list, resources/templates/list, resources/read.
 *
 * There are three kinds, listed in this order: the image's skills, one SKILL.md each; their index (SK-W-09); and what
 * the firmware generates at run time. */
#include "handler/handler.h"
#include "mcp/method.h"
#include "response/older.h"
#include "response/shape.h"
#include "skills/dialects.h"
#include "skills/skill.h"
#include "store/cursor.h"
#include "store/store.h"

/* The n-th resource of the device that is, or is not, a template; NULL when there
 * are fewer. */
static const struct skr_resource *nth_resource(const struct skr_device *d, bool template, uint32_t n)
{
    for (size_t i = 0; i < d->resource_count; i++) {
        if (skri_store_is_template(&d->resources[i]) == template && n-- == 0) {
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

static bool push_resource(struct skr_response *a, uint32_t i)
{
    uint32_t listed = a->fs->header->listed, own = listed + skri_has_index(a->fs);
    if (i < listed) {
        skri_push_skill(a, SKR_SKILL_RESOURCE, &a->fs->skills[i]);
    } else if (SKR_DIALECTS && i < own) {
        skri_push_index_resource(a);
    } else {
        const char *json = nth_resource(a->device, false, i - own)->json;
        skri_push_described(a, false, json, strlen(json));
    }
    return true;
}

static bool resources_list_body(struct skr_response *a)
{
    return skri_push_list(a, "\"resources\":[", push_resource);
}

void skri_resources_list(struct skr_call *call)
{
    uint32_t own = call->fs->header->listed + skri_has_index(call->fs);
    uint32_t total = own + count_resources(call->srv->device, false);
    if (SKR_DIALECTS && skri_scoped_list(call)) {
        return;
    }
    if (skri_page(call, SKR_LIST_RESOURCES, 0, total)) {
        skri_response_result(call->answer, resources_list_body);
    }
}

/* ---- resources/templates/list ---- */

enum templates_step { TEMPLATES_OF_IMAGE, TEMPLATES_OF_DEVICE };

static bool templates_body(struct skr_response *a)
{
    if (a->body_step == TEMPLATES_OF_IMAGE) {
        skri_push_text(a, "\"resourceTemplates\":[");
        skri_push_rom(a, a->fs->header->templates);
        a->body_step = TEMPLATES_OF_DEVICE;
        return true;
    }
    const struct skr_resource *r = nth_resource(a->device, true, a->index);
    if (r == NULL) {
        skri_push_text(a, "]");
        return false;
    }
    if (a->index > 0 || a->fs->header->templates.len > 0) {
        skri_push_text(a, ",");
    }
    skri_push_described(a, false, r->json, strlen(r->json));
    a->index++;
    return true;
}

void skri_templates_list(struct skr_call *call)
{
    if (skri_single_page(call)) {
        skri_response_result(call->answer, templates_body);
    }
}

/* ---- resources/read ---- */

static void push_uri(struct skr_response *a)
{
    skri_push_text(a, "\"contents\":[{\"uri\":\"");
    skri_push(a, SKR_FAST && a->plain ? SKR_RAW : SKR_ESCAPED, a->subject);
    skri_push_text(a, "\",\"mimeType\":\"");
}

/* One piece of content, of a kind that says whether it is text. */
static bool push_contents(struct skr_response *a, struct skr_span mime, enum skr_piece_kind kind, struct skr_span bytes)
{
    bool text = kind == SKR_FILE_TEXT || kind == SKR_ANY_TEXT;
    push_uri(a);
    skri_push(a, SKR_RAW, mime);
    skri_push_text(a, text ? "\",\"text\":\"" : "\",\"blob\":\"");
    skri_push(a, kind, bytes);
    skri_push_text(a, "\"}]");
    return false;
}

static bool file_body(struct skr_response *a)
{
    return push_contents(a, skr_span_rom(a->fs, a->file->mime), skri_file_piece(a->file), SPAN(""));
}

/* Between a device and its bridge, which turns it into a plain answer: host/bridge/README.md, "Compressed". */
static bool stored_body(struct skr_response *a)
{
    const struct romfs_node *file = a->file;
    struct skr_span bytes = {(const char *)a->fs->image + file->data, file->stored};
    push_uri(a);
    skri_push_rom(a, file->mime);
    skri_push_text(a, (file->flags & ROMFS_TEXT) != 0 ? "\",\"skillrom/text\":\"" : "\",\"skillrom/blob\":\"");
    skri_push(a, SKR_BASE64, bytes);
    skri_push_text(a, "\"}]");
    return false;
}

static bool wants_stored(const struct skr_call *call, const struct romfs_node *file)
{
    return (file->flags & ROMFS_DEFLATE) != 0 &&
           skr_json_get(&call->json, call->given[SKR_PARAM_META], "skillrom/stored") >= 0;
}

#if SKR_DIALECTS
static bool archive_body(struct skr_response *a)
{
    struct skr_span all = {NULL, a->as.archive.size};
    struct skr_span mime = skr_span_of(a->archive.kind == ROMFS_ZIP ? "application/zip" : "application/gzip");
    return push_contents(a, mime, SKR_ARCHIVE, all);
}

static void read_archive(struct skr_call *call, const struct skr_found *found)
{
    const struct romfs *fs = call->fs;
    uint32_t skill = fs->nodes[found->archive->node].skill;
    enum romfs_archive_kind kind = found->tar ? ROMFS_TAR_GZ : ROMFS_ZIP;
    romfs_archive_start(&call->answer->archive, fs, skill, kind);
    call->answer->as.archive.size = romfs_archive_size(fs, skill, kind);
    if (call->answer->as.archive.size == 0) { /* not an image from our compiler */
        skri_store_unknown(call, call->answer->subject);
        return;
    }
    skri_response_result(call->answer, archive_body);
}
#endif

static bool made_body(struct skr_response *a)
{
    return push_contents(a, skr_span_of(a->of.resource->mime), a->binary ? SKR_BASE64 : SKR_ANY_TEXT, a->output);
}

static void read_made(struct skr_call *call, struct skr_span uri, const struct skr_found *found)
{
    int returned = found->resource->read(call, found->var);
    bool nothing_there = returned == SKR_NOT_FOUND;
#if SKR_JOBS
    call->needs_job |= returned == SKR_PENDING;
#endif
    if (!skri_call_ended(call)) {
        return;
    }
    if (nothing_there) {
        skri_store_unknown(call, uri);
    } else if (call->answer->failed) {
        skri_rpc_error(call, SKR_READ_FAILED, call->answer->output);
    } else {
        call->answer->of.resource = found->resource;
        call->answer->live = true;
        skri_response_result(call->answer, made_body);
    }
}

void skri_resources_read(struct skr_call *call)
{
    struct skr_span uri;
    struct skr_found found;
    if (!skri_rpc_param(call, SKR_PARAM_URI, true, &uri)) {
        return;
    }
    call->answer->subject = uri;
    if (SKR_FAST) {
        call->answer->plain = !call->json.escapes;
    }
    if (!skri_store_find(call, uri, &found)) {
        skri_store_unknown(call, uri);
    } else if (found.directory) {
        skri_rpc_error(call, call->modern ? SKR_IS_DIRECTORY : SKR_IS_DIRECTORY_LEGACY, uri);
    } else if (found.node != NULL) {
        skri_response_file(call->answer, found.node);
        skri_response_result(call->answer, SKR_DEFLATE && wants_stored(call, found.node) ? stored_body : file_body);
    } else if (SKR_DIALECTS && found.index) {
        skri_read_index(call);
#if SKR_DIALECTS
    } else if (found.archive != NULL) {
        read_archive(call, &found);
#endif
    } else {
        read_made(call, uri, &found);
    }
}
