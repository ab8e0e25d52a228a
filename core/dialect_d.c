/* dialect_d.c -- SEP-2076: skills/get by name, instructions with arguments filled in.
 *
 * Its skills/list is the common one, method_skills.c. */
#include "dialects.h"
#include "shape.h"
#include "skill.h"
#include "values.h"

#if SKR_DIALECT_D

enum get_step { GET_OPEN, GET_INSTRUCTIONS, GET_FILES };

static bool get_body(struct skr_answer *a)
{
    const struct romfs_skill *skill = a->of.skill;
    switch (a->body_step) {
    case GET_OPEN:
        skr_push_skill(a, "\"description\":%d,\"instructions\":\"", skill);
        a->body_step = GET_INSTRUCTIONS;
        return true;
    case GET_INSTRUCTIONS:
        if (skr_push_instructions(a)) {
            return true;
        }
        skr_push_text(a, "\"");
        if (skill->dependencies.len > 0) {
            skr_push_text(a, ",\"dependencies\":");
            skr_push_rom(a, skill->dependencies);
        }
        a->body_step = GET_FILES;
        a->index = 0;
        return skill->file_count > 0;
    default:
        if (a->index == skill->file_count) { /* a step of its own: a file may need all of SKR_PIECES */
            skr_push_text(a, "]");
            return false;
        }
        skr_push_text(a, a->index == 0 ? ",\"files\":[" : ",");
        skr_push_file(a, "{\"name\":\"%f\"%?,\"title\":%T,\"uri\":\"%u\"%?,\"description\":%A,\"mimeType\":\"%m\",\"required\":%r}",
                      &a->fs->files[skill->first_file + a->index++]);
        return true;
    }
}

void skr_get_named(struct skr_call *call)
{
    const struct romfs_skill *skill = skr_skill_named(call, SKR_NOT_NAMED);
    if (skill != NULL && skr_values_collect(call, skill->first_arg, skill->arg_count, SKR_VALUE_MAX)) {
        skr_instructions_of(call->answer, skill);
        skr_rpc_result(call, get_body);
    }
}

#endif
