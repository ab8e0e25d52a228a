/* method_prompts.c -- prompts/list and prompts/get.
 *
 * A prompt's text is stored in the image escaped and cut at its placeholders, so prompts/get sends stretches of it with
 * argument values between. After the device's own prompts come its skills, because many hosts make a command of each
 * prompt. */
#include "handler/handler.h"
#include "handler/tool_call.h"
#include "mcp/method.h"
#include "response/older.h"
#include "response/shape.h"
#include "skills/skill.h"
#include "skills/values.h"
#include "store/cursor.h"

#if SKR_EXTRAS

/* ---- prompts/list ---- */

/* True when number i is in the list. A skill is not when its name means a prompt or another skill. */
static bool prompt_is_listed(const struct romfs *fs, uint32_t i)
{
    uint32_t own = fs->header->prompts.count;

    if (i < own) {
        return (fs->prompts[i].flags & ROMFS_SCOPED) == 0;
    }
    const struct romfs_skill *skill = &fs->skills[i - own];
    struct skr_span name = {romfs_at(fs, skill->name) + 1, skill->name.len - 2};
    return romfs_find_prompt(fs, name.p, name.n) == NULL && skri_skill_prompt(fs, name) == skill;
}

static bool push_prompt(struct skr_response *a, uint32_t i)
{
    uint32_t own = a->fs->header->prompts.count;

    if (i < own) {
        struct romfs_text json = a->fs->prompts[i].json;
        skri_push_described(a, false, romfs_at(a->fs, json), json.len);
    } else {
        skri_push_skill(a, "{" FIELD_PROMPT_MEMBERS "}", &a->fs->skills[i - own]);
    }
    return prompt_is_listed(a->fs, i);
}

static bool prompts_list_body(struct skr_response *a)
{
    return skri_push_list(a, "\"prompts\":[", push_prompt);
}

void skri_prompts_list(struct skr_call *call)
{
    struct skr_response *a = call->response;
    const struct romfs_header *h = call->fs->header;
    uint32_t shown = 0;

    if (!skri_page(call, SKR_LIST_PROMPTS, 0, h->prompts.count + (skri_has_skill_prompts(call->fs) ? h->listed : 0))) {
        return;
    }
    for (a->end = a->first; a->end < SKRI_AS(a, list)->total; a->end++) { /* as tools/list does */
        if (prompt_is_listed(a->fs, a->end) && shown++ == call->srv->page) {
            break;
        }
    }
    skri_response_result(call->response, prompts_list_body);
}

/* ---- prompts/get ---- */

enum get_step { GET_OPEN, GET_PART };

#define MESSAGE SKR_MESSAGE "{\"type\":\"text\",\"text\":\""
#define MESSAGE_END "\"}" SKR_MESSAGE_END

static bool prompts_get_body(struct skr_response *a)
{
    const struct romfs_prompt *prompt = SKRI_AS(a, prompt)->record;

    if (a->body_step == GET_OPEN) {
        if (prompt->description.len > 0) {
            skri_push_text(a, "\"description\":");
            skri_push_rom(a, prompt->description);
            skri_push_text(a, ",");
        }
        skri_push_text(a, MESSAGE);
        a->body_step = GET_PART;
    }
    if (a->index == prompt->part_count) {
        skri_push_text(a, MESSAGE_END);
        return false;
    }
    const struct romfs_prompt_part *part = &a->fs->prompt_parts[prompt->first_part + a->index++];
    if (part->arg == ROMFS_NONE) {
        skri_push_rom(a, part->text);
    } else {
        skri_push_value(a, prompt->first_arg, part->arg);
    }
    return true;
}

/* A skill as a prompt. */
static const struct skr_view prompt_view = {
    .open = "\"description\":" FIELD_DESCRIPTION "," MESSAGE, .rest = MESSAGE_END, .after = "", .end = ""};

void skri_prompts_get(struct skr_call *call)
{
    struct skr_span name;

    if (!skri_rpc_param(call, SKR_PARAM_NAME, true, &name)) {
        return;
    }
    const struct romfs_prompt *prompt = romfs_find_prompt(call->fs, name.p, name.n);
    const struct romfs_skill *skill = prompt == NULL ? skri_skill_prompt(call->fs, name) : NULL;
    if (prompt == NULL && skill == NULL) {
        skri_rpc_error(call, SKR_NO_PROMPT, name);
        return;
    }
    if (skill != NULL && skri_values_collect(call, skill->first_arg, skill->arg_count, SKR_VALUE_MAX)) {
        skri_view(call, skill, &prompt_view);
    } else if (prompt != NULL && skri_values_collect(call, prompt->first_arg, prompt->arg_count, SIZE_MAX)) {
        const struct skr_device *d = call->srv->device;
        struct skr_tool_call tool_call = {.tool = skri_find_handler(d->prompts, d->prompt_count, name), .prompt = true};
        if (tool_call.tool != NULL) {
            skri_lease_end(call->conn, SKR_ARGUMENT_VALUES); /* they have been checked; the handler reads them itself */
            skri_tool_call_permitted(call, &tool_call);
            return;
        }
        SKRI_MAKE(call->response, prompt)->record = prompt;
        skri_response_result(call->response, prompts_get_body);
    }
}

#endif
