/* method_prompts.c -- prompts/list and prompts/get.
 *
 * A prompt's text lies in the image already escaped and cut at its placeholders, so
 * prompts/get sends stretches of it with argument values between. */
#include "cursor.h"

#if SKR_PROMPTS

/* ---- prompts/list ---- */

enum prompts_step { PROMPTS_OPEN, PROMPTS_ITEM };

static bool list_body(struct skr_answer *a)
{
    if (a->body_step == PROMPTS_OPEN) {
        skr_push_text(a, "\"prompts\":[");
        a->body_step = PROMPTS_ITEM;
        return true;
    }
    if (a->index == a->end) {
        skr_push_page_end(a);
        return false;
    }
    if (a->index > a->first) {
        skr_push_text(a, ",");
    }
    skr_push_rom(a, a->fs->prompts[a->index++].json);
    return true;
}

void skr_prompts_list(struct skr_call *call)
{
    if (skr_page(call, SKR_LIST_PROMPTS, 0, call->srv->fs.header->prompts.count)) {
        skr_rpc_result(call, list_body);
    }
}

/* ---- prompts/get ---- */

enum get_step { GET_OPEN, GET_PART };

/* The value of argument number `arg` in the request. Tokens are gone by the time the
 * answer leaves, so the values were put side by side in the connection's output
 * buffer: each as a span of the request (see collect). */
static struct skr_span value_of(const struct skr_answer *a, uint32_t arg)
{
    struct skr_span value;
    memcpy(&value, a->output.p + arg * sizeof value, sizeof value);
    return value;
}

static bool get_body(struct skr_answer *a)
{
    const struct romfs_prompt *prompt = a->of.prompt;
    if (a->body_step == GET_OPEN) {
        if (prompt->description.len > 0) {
            skr_push_text(a, "\"description\":");
            skr_push_rom(a, prompt->description);
            skr_push_text(a, ",");
        }
        skr_push_text(a, "\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"");
        a->body_step = GET_PART;
        return true;
    }
    if (a->index == prompt->part_count) {
        skr_push_text(a, "\"}}]");
        return false;
    }
    const struct romfs_prompt_part *part = &a->fs->prompt_parts[prompt->first_part + a->index++];
    if (part->arg == ROMFS_NONE) {
        skr_push_rom(a, part->text);
    } else {
        skr_push(a, SKR_RAW, value_of(a, part->arg)); /* escaped in the request, escaped here */
    }
    return true;
}

/* Notes where each argument's value lies in the request. False when an error has
 * been answered. */
static bool collect(struct skr_call *call, const struct romfs_prompt *prompt)
{
    const struct romfs *fs = &call->srv->fs;
    int given = skr_json_get(&call->json, call->params, "arguments");
    if (given >= 0 && !skr_json_is_object(&call->json, given)) {
        skr_rpc_error(call, SKR_NOT_OBJECT, SPAN("arguments"));
        return false;
    }
    if (prompt->arg_count > sizeof call->conn->output / sizeof(struct skr_span)) {
        skr_rpc_error(call, SKR_TOO_MANY_ARGUMENTS, SPAN(""));
        return false;
    }
    for (uint32_t i = 0; i < prompt->arg_count; i++) {
        const struct romfs_prompt_arg *arg = &fs->prompt_args[prompt->first_arg + i];
        struct skr_span name = skr_span_rom(fs, arg->name), value = {NULL, 0};
        int token = skr_json_get_span(&call->json, given, name);
        if (token >= 0 && !skr_json_is_string(&call->json, token)) {
            skr_rpc_error(call, SKR_ARGUMENT_NOT_STRING, name);
            return false;
        }
        if (token < 0 && arg->required) {
            skr_rpc_error(call, SKR_ARGUMENT_MISSING, name);
            return false;
        }
        if (token >= 0) {
            value = skr_json_inside(&call->json, token);
        }
        memcpy(call->conn->output + i * sizeof value, &value, sizeof value);
    }
    call->answer->output.p = call->conn->output;
    return true;
}

void skr_prompts_get(struct skr_call *call)
{
    struct skr_span name;
    if (!skr_rpc_string(call, "name", true, &name)) {
        return;
    }
    const struct romfs_prompt *prompt = romfs_find_prompt(&call->srv->fs, name.p, name.n);
    if (prompt == NULL) {
        skr_rpc_error(call, SKR_NO_PROMPT, name);
        return;
    }
    if (collect(call, prompt)) {
        call->answer->of.prompt = prompt;
        skr_rpc_result(call, get_body);
    }
}

#endif
