/* method_prompts.c -- prompts/list and prompts/get.
 *
 * A prompt's text lies in the image already escaped and cut at its placeholders, so
 * prompts/get sends stretches of it with argument values between. Behind the device's
 * own prompts come its skills, because many hosts make a command of each prompt. */
#include "call.h"
#include "cursor.h"
#include "job.h"
#include "run.h"
#include "shape.h"
#include "skill.h"
#include "values.h"

#if SKR_PROMPTS

/* ---- prompts/list ---- */

enum prompts_step { PROMPTS_OPEN, PROMPTS_FIRST, PROMPTS_MORE };

/* Number i of the list. A skill whose name means another prompt or skill is not in it. */
static bool is_listed(const struct romfs *fs, uint32_t i)
{
    uint32_t own = fs->header->prompts.count;
    if (i < own) {
        return (fs->prompts[i].flags & ROMFS_SCOPED) == 0;
    }
    const struct romfs_skill *skill = &fs->skills[i - own];
    struct skr_span name = {romfs_at(fs, skill->name) + 1, skill->name.len - 2};
    return romfs_find_prompt(fs, name.p, name.n) == NULL && skr_skill_prompt(fs, name) == skill;
}

static void push_prompt(struct skr_answer *a, uint32_t i)
{
    uint32_t own = a->fs->header->prompts.count;
    if (i < own) {
        skr_push_rom(a, a->fs->prompts[i].json);
    } else {
        skr_push_skill(a, "{%P}", &a->fs->skills[i - own]);
    }
}

static bool list_body(struct skr_answer *a)
{
    if (a->body_step == PROMPTS_OPEN) {
        skr_push_text(a, "\"prompts\":[");
        a->body_step = PROMPTS_FIRST;
    }
    while (a->index < a->end && !is_listed(a->fs, a->index)) {
        a->index++;
    }
    if (a->index == a->end) {
        skr_push_page_end(a);
        return false;
    }
    if (a->body_step == PROMPTS_MORE) {
        skr_push_text(a, ",");
    }
    a->body_step = PROMPTS_MORE;
    push_prompt(a, a->index++);
    return true;
}

void skr_prompts_list(struct skr_call *call)
{
    struct skr_answer *a = call->answer;
    const struct romfs_header *h = call->fs->header;
    uint32_t shown = 0;
    if (!skr_page(call, SKR_LIST_PROMPTS, 0,
                  h->prompts.count + (skr_has_skill_prompts(call->fs) ? h->listed : 0))) {
        return;
    }
    for (a->end = a->first; a->end < a->total; a->end++) { /* as tools/list does */
        if (is_listed(a->fs, a->end) && shown++ == call->srv->page) {
            break;
        }
    }
    skr_rpc_result(call, list_body);
}

/* ---- prompts/get ---- */

enum get_step { GET_OPEN, GET_PART };

static void push_opening(struct skr_answer *a, struct romfs_text description)
{
    if (description.len > 0) {
        skr_push_text(a, "\"description\":");
        skr_push_rom(a, description);
        skr_push_text(a, ",");
    }
    skr_push_text(a, "\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"");
    a->body_step = GET_PART;
}

static bool push_part(struct skr_answer *a)
{
    const struct romfs_prompt *prompt = a->of.prompt;
    if (a->index == prompt->part_count) {
        return false;
    }
    const struct romfs_prompt_part *part = &a->fs->prompt_parts[prompt->first_part + a->index++];
    if (part->arg == ROMFS_NONE) {
        skr_push_rom(a, part->text);
    } else {
        skr_push_value(a, prompt->first_arg, part->arg);
    }
    return true;
}

static bool get_body(struct skr_answer *a)
{
    bool of_skill = a->file != NULL;
    if (a->body_step == GET_OPEN) {
        push_opening(a, of_skill ? a->of.skill->description : a->of.prompt->description);
        return true;
    }
    if (of_skill ? skr_push_instructions(a) : push_part(a)) {
        return true;
    }
    skr_push_text(a, "\"}}]");
    return false;
}

bool skr_prompt_body(struct skr_answer *a)
{
    skr_push_text(a, "\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"");
    skr_push(a, SKR_TOOL_TEXT, a->output);
    skr_push_text(a, "\"}}]");
    return false;
}

/* The firmware's handler for a prompt, or NULL. */
static const struct skr_tool *handler_of(const struct skr_device *d, struct skr_span name)
{
    for (size_t i = 0; i < d->prompt_count; i++) {
        if (skr_span_eq(name, skr_span_of(d->prompts[i].name))) {
            return &d->prompts[i];
        }
    }
    return NULL;
}

/* Lets a handler write the prompt. Its arguments have been checked. */
static void write_prompt(struct skr_call *call, const struct skr_tool *handler)
{
    struct skr_run run = {.tool = handler, .prompt = true};
    call->tool = handler;
    if (!skr_run_arguments(call)) {
        return;
    }
#if SKR_JOBS
    if (handler->deadline_ms > 0) {
        skr_job_start(call, &run);
        return;
    }
#endif
    if (handler->run(call) == SKR_PENDING) {
        skr_stop(call, SKR_FAULT, "its handler asks for time without a deadline_ms");
    }
    if (!call->refused) {
        skr_run_answer(call->answer, &run, &call->out);
    }
}

void skr_prompts_get(struct skr_call *call)
{
    struct skr_span name;
    if (!skr_rpc_string(call, "name", true, &name)) {
        return;
    }
    const struct romfs_prompt *prompt = romfs_find_prompt(call->fs, name.p, name.n);
    const struct romfs_skill *skill = prompt == NULL ? skr_skill_prompt(call->fs, name) : NULL;
    if (prompt == NULL && skill == NULL) {
        skr_rpc_error(call, SKR_NO_PROMPT, name);
        return;
    }
    if (skill != NULL && skr_values_collect(call, skill->first_arg, skill->arg_count, SKR_VALUE_MAX)) {
        skr_instructions_of(call->answer, skill);
        skr_rpc_result(call, get_body);
    } else if (prompt != NULL && skr_values_collect(call, prompt->first_arg, prompt->arg_count, SIZE_MAX)) {
        const struct skr_tool *handler = handler_of(call->srv->device, name);
        if (handler != NULL) {
            write_prompt(call, handler);
            return;
        }
        call->answer->of.prompt = prompt;
        skr_rpc_result(call, get_body);
    }
}

#endif
