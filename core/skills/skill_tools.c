/* skill_tools.c -- list_skills and read_skill.
 *
 * Not every host knows skills or reads resources by itself, but all let the model call tools. So two tools that no
 * firmware has to write give it the skills. Their output is streamed from the image like everything else, whatever its
 * size. Their descriptions are also in the image. */
#include "skills/skill_tools.h"

#include "handler/handler.h"
#include "response/feature.h"
#include "response/shape.h"
#include "skills/skill.h"
#include "text/number.h"

#if SKR_EXTRAS

/* ---- list_skills ---- */

/* True when the text contains the query; ASCII letters match in either case. */
static bool text_contains_query(const struct skr_response *a, const struct romfs_text *text)
{
    const char *p = romfs_at(a->fs, *text);

    for (size_t left = text->len; left >= a->subject.n; left--, p++) {
        size_t i = 0;
        while (i < a->subject.n && skr_lower(p[i]) == skr_lower(a->subject.p[i])) {
            i++;
        }
        if (i == a->subject.n) {
            return true;
        }
    }
    return false;
}

/* A line for each skill that matches. Paths, because each names only one skill; read_skill takes them as names. */
static bool skill_lines_body(struct skr_response *a)
{
    if (a->index == 0) {
        skri_push_text(a, "\"content\":[{\"type\":\"text\",\"text\":\"");
    }
    while (a->index < a->fs->header->listed) {
        const struct romfs_skill *skill = &a->fs->skills[a->index++];
        if (text_contains_query(a, &skill->name) || text_contains_query(a, &skill->description) ||
            text_contains_query(a, &skill->tags)) {
            skri_push_skill(a, FIELD_PATH ": " FIELD_DESCRIPTION_TEXT "\\n", skill);
            return true;
        }
    }
    skri_push_text(a, "\"}]");
    return false;
}

/* ---- read_skill ---- */

/* Arguments, if they are there and have the right type; otherwise the variable is unchanged. */
static void text_argument(struct skr_call *call, const char *name, struct skr_span *text)
{
    (void)skr_json_string(&call->json, skr_json_get(&call->json, call->arguments, name), text);
}

static void number_argument(struct skr_call *call, const char *name, uint32_t *number)
{
    int token = skr_json_get(&call->json, call->arguments, name);

    if (token >= 0) {
        struct skr_span digits = skr_json_raw(&call->json, token);
        (void)skr_number_read(&digits, number); /* unchanged unless it begins with digits */
    }
}

/* Chooses what to send; false when there is no such skill or file. */
static bool find_file(struct skr_call *call)
{
    const struct romfs *fs = call->fs;
    struct skr_span name = {NULL, 0}, path = {NULL, 0};
    uint32_t from = 0, length = UINT32_MAX;
    bool shared;

    text_argument(call, "name", &name);
    text_argument(call, "path", &path);
    number_argument(call, "offset", &from);
    number_argument(call, "length", &length);
    const struct romfs_skill *skill = skri_skill_find(fs, name, &shared);
    if (skill == NULL) {
        return false;
    }
    const struct romfs_node *node = &fs->nodes[skill->node];
    if (path.n > 0 && !skri_inside_equals(skr_span_rom(fs, node->name), path)) {
        const struct romfs_file *file = skri_skill_file(fs, skill, path);
        if (file == NULL) {
            return false;
        }
        node = &fs->nodes[file->node];
    }
    skri_response_file(call->response, node);
    skri_response_range(call->response, from, length);
    return true;
}

/* ---- Among the tools ---- */

bool skri_skill_tool_call(struct skr_call *call, struct skr_span name)
{
    struct skr_response *a = call->response;
    bool list = skr_span_is(name, "list_skills");

    if (!skri_has_skill_tools(call->fs) || (!list && !skr_span_is(name, "read_skill"))) {
        return false;
    }
    call->arguments = skr_json_get(&call->json, call->params, "arguments");
    if (list) {
        text_argument(call, "query", &a->subject);
    } else if (!find_file(call)) {
        a->outcome.text = SPAN("no such skill or file; see list_skills");
        a->outcome.failed = true;
    }
    skri_response_result(call->response, list ? skill_lines_body : skri_tool_body);
    return true;
}

#endif
