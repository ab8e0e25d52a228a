/* method_resources.c -- resources/list, resources/read, and resource templates (resources/templates/list).
 *
 * There are three kinds, listed in this order: the image's skills, one SKILL.md each; their index (SK-W-09); and what
 * the firmware generates at run time. The panel is in no list: hosts find it by the tool show_panel. */
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
        skri_response_result(call->response, resources_list_body);
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
    if (skri_page(call, SKR_LIST_TEMPLATES, 0, 0)) {
        skri_response_result(call->response, templates_body);
    }
}

/* ---- resources/read ---- */

static bool file_body(struct skr_response *a)
{
    return skri_push_contents(a, skr_span_rom(a->fs, a->pieces.file->mime), skri_file_piece(a->pieces.file), SPAN(""));
}

/* Only for a bridge, which decompresses the content (host/bridge/README.md, "Compressed"). */
static bool stored_body(struct skr_response *a)
{
    const struct romfs_node *file = a->pieces.file;
    struct skr_span bytes = {(const char *)a->fs->image + file->data, file->stored};

    skri_push_contents_open(a);
    skri_push_rom(a, file->mime);
    skri_push_text(a, (file->flags & ROMFS_TEXT) != 0 ? "\",\"skillrom/text\":\"" : "\",\"skillrom/blob\":\"");
    skri_push(a, SKR_BASE64, bytes);
    return skri_push_contents_end(a);
}

static bool wants_stored(const struct skr_call *call, const struct romfs_node *file)
{
    return (file->flags & ROMFS_DEFLATE) != 0 &&
           skr_json_get(&call->json, call->given[SKR_PARAM_META], "skillrom/stored") >= 0;
}

static bool made_body(struct skr_response *a)
{
    return skri_push_contents(a, skr_span_of(SKRI_AS(a, contents)->resource->mime),
                              a->outcome.binary ? SKR_BASE64 : SKR_ANY_TEXT, a->outcome.text);
}

static void read_made(struct skr_call *call, struct skr_span uri, const struct skr_found *found)
{
    bool there = skri_resource_read(call, found->resource, found->var);

    if (skri_rpc_has_failed(call)) {
        return;
    }
    if (!there) {
        skri_store_unknown(call, uri);
    } else if (call->response->outcome.failed) {
        skri_rpc_error(call, SKR_READ_FAILED, call->response->outcome.text);
    } else {
        SKRI_AS(call->response, contents)->resource = found->resource;
        call->response->envelope.live = true;
        skri_response_result(call->response, made_body);
    }
}

void skri_resources_read(struct skr_call *call)
{
    struct skr_span uri;
    struct skr_found found;

    if (!skri_rpc_param(call, SKR_PARAM_URI, true, &uri)) {
        return;
    }
    call->response->subject = uri;
    (void)SKRI_MAKE(call->response, contents);
    if (SKR_FAST) {
        call->response->as.contents.plain = !call->json.escapes;
    }
    if (!skri_store_find(call, uri, &found)) {
        skri_store_unknown(call, uri);
    } else if (found.directory) {
        skri_rpc_error(call, call->modern ? SKR_IS_DIRECTORY : SKR_IS_DIRECTORY_LEGACY, uri);
    } else if (found.node != NULL) {
        skri_response_file(call->response, found.node);
        skri_response_result(call->response, SKR_DEFLATE && wants_stored(call, found.node) ? stored_body : file_body);
    } else if (SKR_DIALECTS && found.index) {
        skri_read_index(call);
    } else if (SKR_DIALECTS && found.archive != NULL) {
        skri_read_archive(call, &found);
    } else {
        read_made(call, uri, &found);
    }
}
