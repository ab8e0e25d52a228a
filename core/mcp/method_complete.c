/* method_complete.c -- completion/complete for the templates of skills (SK-W-11), those of the firmware, and the
 * arguments of prompts.
 *
 * For each value that is sent, the image's sorted tables are searched again: that costs time instead of RAM. */
#include "mcp/method.h"
#include "skills/skill.h"
#include "store/store.h"

#define VALUES_MAX 100 /* CMP-02 */
#define NAME_TEMPLATE_END "{name}/SKILL.md"

static struct skr_span last_segment(struct skr_span path)
{
    size_t at = path.n;

    while (at > 0 && path.p[at - 1] != '/') {
        at--;
    }
    return skr_span_from(path, at);
}

static void push_value(struct skr_response *a, struct skr_span value)
{
    skri_push_text(a, a->body_step++ > 1 ? ",\"" : "\"");
    skri_push(a, SKR_RAW, value);
    skri_push_text(a, "\"");
}

/* ---- {name}: skills directly below a prefix ---- */

/* The text that child number i of the prefix completes to; empty when it is not a listed skill or does not match. */
static struct skr_span name_value(const struct skr_response *a, uint32_t i)
{
    const struct romfs_node *child = &a->fs->nodes[SKRI_AS(a, completion)->directory->data + i];
    struct skr_span name = last_segment(skr_span_rom(a->fs, child->path));
    bool skill = (child->flags & ROMFS_DIR) != 0 && child->skill < a->fs->header->listed;

    return skill && skr_span_starts(name, a->subject) ? name : NOTHING;
}

static bool name_values(struct skr_response *a)
{
    while (a->index < SKRI_AS(a, completion)->directory->stored) {
        struct skr_span value = name_value(a, a->index++);
        if (value.n > 0) {
            push_value(a, value);
            return a->body_step <= VALUES_MAX;
        }
    }
    return false;
}

static uint32_t count_names(const struct skr_response *a)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < SKRI_AS(a, completion)->directory->stored; i++) {
        n += name_value(a, i).n > 0;
    }
    return n;
}

/* ---- {+path}: any file of a listed skill ---- */

static bool belongs_to_listed(const struct romfs *fs, struct skr_span path)
{
    while (path.n > 0) {
        path.n -= last_segment(path).n;
        path.n -= path.n > 0; /* the slash */
        const struct romfs_node *dir = romfs_find(fs, path.p, path.n);
        if (dir != NULL && dir->skill != ROMFS_NONE) {
            return dir->skill < fs->header->listed;
        }
    }
    return false;
}

static bool path_matches(const struct skr_response *a, const struct romfs_node *node)
{
    struct skr_span path = skr_span_rom(a->fs, node->path);

    return (node->flags & ROMFS_DIR) == 0 && skr_span_starts(path, a->subject) && belongs_to_listed(a->fs, path);
}

static bool comes_before(struct skr_span x, struct skr_span y)
{
    size_t n = x.n < y.n ? x.n : y.n;
    int order = n > 0 ? memcmp(x.p, y.p, n) : 0;

    return order != 0 ? order < 0 : x.n < y.n;
}

/* The match that follows node `after` in byte order (0: the first). The node table has another order, so all of it is
 * searched. */
static uint32_t next_path(const struct skr_response *a, uint32_t after)
{
    struct skr_span least = skr_span_rom(a->fs, a->fs->nodes[after].path), best = {NULL, 0};
    uint32_t found = 0;

    for (uint32_t i = 1; i < a->fs->header->nodes.count; i++) {
        struct skr_span path = skr_span_rom(a->fs, a->fs->nodes[i].path);
        if (comes_before(least, path) && (found == 0 || comes_before(path, best)) &&
            path_matches(a, &a->fs->nodes[i])) {
            found = i;
            best = path;
        }
    }
    return found;
}

static bool path_values(struct skr_response *a)
{
    a->index = next_path(a, a->index);
    if (a->index == 0) {
        return false;
    }
    push_value(a, skr_span_rom(a->fs, a->fs->nodes[a->index].path));
    return a->body_step <= VALUES_MAX;
}

static uint32_t count_paths(const struct skr_response *a)
{
    uint32_t n = 0;

    for (uint32_t i = 1; i < a->fs->header->nodes.count; i++) {
        n += path_matches(a, &a->fs->nodes[i]);
    }
    return n;
}

/* ---- A list of values, one per line: SKRI_AS(a, completion)->values ---- */

static void complete_offer(struct skr_response *a, struct skr_span list)
{
    SKRI_AS(a, completion)->values = list.p;
    SKRI_AS(a, completion)->values_n = (uint32_t)list.n;
}

/* The next one that matches, from *at on. */
static bool next_value(const struct skr_response *a, uint32_t *at, struct skr_span *value)
{
    while (*at < SKRI_AS(a, completion)->values_n) {
        const char *stop = memchr(SKRI_AS(a, completion)->values + *at, '\n', SKRI_AS(a, completion)->values_n - *at);
        value->p = SKRI_AS(a, completion)->values + *at;
        value->n = stop != NULL ? (size_t)(stop - value->p) : SKRI_AS(a, completion)->values_n - *at;
        *at += (uint32_t)value->n + 1;
        if (skr_span_starts(*value, a->subject)) {
            return true;
        }
    }
    return false;
}

static bool list_values(struct skr_response *a)
{
    struct skr_span value;

    if (!next_value(a, &a->index, &value)) {
        return false;
    }
    push_value(a, value);
    return a->body_step <= VALUES_MAX;
}

static uint32_t count_list(const struct skr_response *a)
{
    struct skr_span value;
    uint32_t n = 0;

    for (uint32_t at = 0; next_value(a, &at, &value);) {
        n++;
    }
    return n;
}

/* ---- The response ---- */

/* body_step: 0 for the opening, then one more than the number of values sent. */
static bool complete_body(struct skr_response *a)
{
    if (a->body_step == 0) {
        skri_push_text(a, "\"completion\":{\"values\":[");
        a->body_step = 1;
        return true;
    }
    if (SKRI_AS(a, completion)->total > 0) {
        bool more = SKRI_AS(a, completion)->directory != NULL ? name_values(a)
                    : SKRI_AS(a, completion)->values != NULL  ? list_values(a)
                                                              : path_values(a);
        if (more) {
            return true;
        }
    }
    skri_push_text(a, "],\"total\":");
    skri_push_number(a, SKRI_AS(a, completion)->total);
    skri_push_text(a, SKRI_AS(a, completion)->total > VALUES_MAX ? ",\"hasMore\":true}" : ",\"hasMore\":false}");
    return false;
}

/* The directory whose skills a template such as skill://plant/{name}/SKILL.md ranges
 * over; NULL when this is not one of the image's templates. */
static const struct romfs_node *prefix_of(struct skr_call *call, struct skr_span template)
{
    struct skr_found found;
    struct skr_span prefix = template, base = skr_span_rom(call->fs, call->fs->header->base);

    prefix.n -= sizeof NAME_TEMPLATE_END - 1;
    if (prefix.n > base.n && prefix.p[--prefix.n] != '/') {
        return NULL; /* {name} must be a segment of its own */
    }
    return skri_store_find(call, prefix, &found) && found.directory ? found.node : NULL;
}

/* The variable of the firmware's template `uri`, whose values are offered; empty when it has no
 * such template. */
static struct skr_span firmware_variable(struct skr_response *a, struct skr_span uri)
{
    const struct skr_device *d = a->device;

    for (size_t i = 0; i < d->resource_count; i++) {
        const char *pattern = d->resources[i].uri;
        if (skri_store_is_template(&d->resources[i]) && skr_span_is(uri, pattern)) {
            const char *open = strchr(pattern, '{') + 1, *close = strchr(open, '}');
            struct skr_span name = {open, close != NULL ? (size_t)(close - open) : 0};
            complete_offer(a, skr_span_of(d->resources[i].values != NULL ? d->resources[i].values : ""));
            SKRI_AS(a, completion)->total = count_list(a);
            return name;
        }
    }
    return NOTHING;
}

static void complete_resource(struct skr_call *call, struct skr_span uri, int argument)
{
    struct skr_response *a = call->response;
    struct skr_span base = skr_span_rom(a->fs, a->fs->header->base);
    struct skr_span variable = firmware_variable(a, uri);

    SKRI_AS(a, completion)->directory = NULL;
    if (skr_span_starts(uri, base) && skr_span_eq(skr_span_from(uri, base.n), SPAN("{+path}"))) {
        variable = SPAN("path");
        SKRI_AS(a, completion)->total = count_paths(a);
    } else if (skr_span_starts(uri, base) && skr_span_ends(uri, SPAN(NAME_TEMPLATE_END)) &&
               (SKRI_AS(a, completion)->directory = prefix_of(call, uri)) != NULL) {
        struct skr_span value = a->subject;
        a->subject = SPAN("");
        if (count_names(a) > 0) { /* else a directory, but no listed skill in it: no such template */
            variable = SPAN("name");
        }
        a->subject = value;
        SKRI_AS(a, completion)->total = count_names(a);
    }
    if (variable.n == 0) {
        skri_rpc_error(call, SKR_NO_TEMPLATE, uri);
    } else if (!skr_json_equals_span(&call->json, argument, variable)) {
        skri_rpc_error(call, SKR_OTHER_VARIABLE, variable);
    } else {
        skri_response_result(call->response, complete_body);
    }
}

/* Prompt and argument must exist; what is proposed is what its file lists. */
static void complete_prompt(struct skr_call *call, struct skr_span name, int argument)
{
    const struct romfs *fs = call->fs;
    const struct romfs_prompt *prompt = romfs_find_prompt(fs, name.p, name.n);
    const struct romfs_skill *skill = prompt == NULL ? skri_skill_prompt(fs, name) : NULL;

    if (prompt == NULL && skill == NULL) {
        skri_rpc_error(call, SKR_NO_PROMPT, name);
        return;
    }
    uint32_t first = skill != NULL ? skill->first_arg : prompt->first_arg;
    uint32_t count = skill != NULL ? skill->arg_count : prompt->arg_count;
    for (uint32_t i = 0; i < count; i++) {
        struct skr_span listed = skr_span_rom(fs, fs->args[first + i].name);
        if (skr_json_equals_span(&call->json, argument, listed)) {
            complete_offer(call->response, skr_span_rom(fs, fs->args[first + i].values));
            SKRI_AS(call->response, completion)->total = count_list(call->response);
            skri_response_result(call->response, complete_body);
            return;
        }
    }
    skri_rpc_error(call, SKR_NO_PROMPT_ARGUMENT, skr_json_inside(&call->json, argument));
}

void skri_complete(struct skr_call *call)
{
    const struct skr_json *json = &call->json;

    (void)SKRI_MAKE(call->response, completion);
    int ref = skr_json_get(json, call->params, "ref"), argument = skr_json_get(json, call->params, "argument");
    int name = skr_json_get(json, argument, "name"), type = skr_json_get(json, ref, "type");
    struct skr_span target;
    if (!skr_json_is_string(json, name) ||
        !skr_json_string(json, skr_json_get(json, argument, "value"), &call->response->subject)) {
        skri_rpc_error(call, SKR_BAD_ARGUMENT_OBJECT, SPAN("argument"));
    } else if (skr_json_equals(json, type, "ref/resource") &&
               skr_json_string(json, skr_json_get(json, ref, "uri"), &target)) {
        complete_resource(call, target, name);
    } else if (skr_json_equals(json, type, "ref/prompt") &&
               skr_json_string(json, skr_json_get(json, ref, "name"), &target)) {
        complete_prompt(call, target, name);
    } else {
        skri_rpc_error(call, SKR_BAD_REFERENCE, SPAN("ref"));
    }
}
