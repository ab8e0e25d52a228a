/* sound.c -- can lists send the descriptions of the firmware's resources unchanged? */
#include "store/store.h"

/* Lines of text that need no escapes in JSON. */
static bool is_plain_text(const char *text)
{
    size_t n = strlen(text);

    for (size_t i = 0; i < n; i++) {
        if (text[i] != '\n' && ((unsigned char)text[i] < 0x20 || text[i] == '"' || text[i] == '\\')) {
            return false;
        }
    }
    return true;
}

/* One missing quote here would make every list unreadable. A client that checks what it gets discards the whole list
 * for one entry without a name. */
static bool resource_is_sound(struct skr_server *s, const struct skr_resource *r)
{
    struct skr_json json;

    if (r->uri == NULL || r->json == NULL || r->read == NULL || r->mime == NULL || strchr(r->mime, '\n') != NULL ||
        !is_plain_text(r->mime) || (r->values != NULL && !is_plain_text(r->values))) {
        return false;
    }
    int error = skr_json_parse(&json, (char *)r->json, strlen(r->json), s->tokens, SKR_TOKENS);
    const char *key = skri_store_is_template(r) ? "uriTemplate" : "uri";
    if ((error != SKR_JSON_OK && error != SKR_JSON_TOKENS) || !skr_json_is_object(&json, 0)) {
        return false;
    }
    return error == SKR_JSON_TOKENS || (skr_json_equals(&json, skr_json_get(&json, 0, key), r->uri) &&
                                        skr_json_is_string(&json, skr_json_get(&json, 0, "name")));
}

const struct skr_resource *skr_server_bad_resource(struct skr_server *s)
{
    for (size_t i = 0; i < s->device->resource_count; i++) {
        const struct skr_resource *r = &s->device->resources[i];
        if (SKR_SOUND ? !resource_is_sound(s, r)
                      : *r->json != '{' || skr_json_check(r->json, strlen(r->json)) != SKR_JSON_OK) {
            return r;
        }
    }
    return NULL;
}
