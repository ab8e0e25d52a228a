/* layout_tools.c -- tables whose records are complete in the model: tools, prompts, and the
 * arguments that prompts and skills have. See layout.h. */
#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "image/layout.h"

struct romfs_text layout_text(struct layout *l, const char *text)
{
    return texts_add(&l->texts, text, text != NULL ? strlen(text) : 0);
}

struct romfs_text layout_inside(struct layout *l, const char *text)
{
    char *quoted = json_quoted(text, strlen(text));
    struct romfs_text inside = texts_add(&l->texts, quoted + 1, strlen(quoted) - 2);

    free(quoted);
    return inside;
}

struct romfs_text layout_quoted(struct layout *l, const char *text)
{
    char *quoted = text != NULL ? json_quoted(text, strlen(text)) : NULL;
    struct romfs_text whole = layout_text(l, quoted);

    free(quoted);
    return whole;
}

struct romfs_text layout_within(struct layout *l, struct romfs_text outer, const char *text)
{
    return texts_add_within(&l->texts, outer, text, text != NULL ? strlen(text) : 0);
}

uint32_t layout_args(struct layout *l, const struct argument *args, size_t count, struct romfs_text outer)
{
    uint32_t first = l->args_used;

    for (size_t i = 0; i < count; i++) {
        struct romfs_arg *out = &l->args[l->args_used++];
        out->name = layout_within(l, outer, args[i].name);
        out->required = args[i].required;
        if (args[i].value != NULL) {
            out->value = layout_inside(l, args[i].value);
        }
        out->values = layout_text(l, args[i].values);
    }
    return first;
}

void layout_tools(struct layout *l)
{
    for (size_t i = 0; i < l->device->tool_count; i++) {
        const struct tool *tool = &l->device->tools[i];
        l->tools[i].json = layout_text(l, tool->json);
        l->tools[i].name = layout_within(l, l->tools[i].json, tool->name);
        l->tools[i].flags = tool->scoped ? ROMFS_SCOPED : 0;
        l->tools[i].interface_id = tool->interface_id;
    }
}

static void fill_prompt(struct layout *l, const struct prompt *prompt, struct romfs_prompt *out)
{
    out->json = layout_text(l, prompt->json);
    out->name = layout_within(l, out->json, prompt->name);
    out->description = layout_within(l, out->json, prompt->description_json);
    out->flags = prompt->scoped ? ROMFS_SCOPED : 0;
    out->first_arg = layout_args(l, prompt->args, prompt->arg_count, out->json);
    out->arg_count = (uint32_t)prompt->arg_count;
    out->part_count = (uint32_t)prompt->part_count;
    for (size_t i = 0; i < prompt->part_count; i++) {
        const struct prompt_part *part = &prompt->parts[i];
        struct romfs_prompt_part *record = &l->parts[out->first_part + i];
        record->text = part->arg < 0 ? layout_inside(l, part->text) : (struct romfs_text){0, 0};
        record->arg = part->arg < 0 ? ROMFS_NONE : (uint32_t)part->arg;
    }
}

void layout_prompts(struct layout *l)
{
    uint32_t parts = 0;

    for (size_t i = 0; i < l->device->prompt_count; i++) {
        l->prompts[i].first_part = parts;
        fill_prompt(l, &l->device->prompts[i], &l->prompts[i]);
        parts += l->prompts[i].part_count;
    }
}
