/* dialect_f_execute.c -- skills/execute: a skill's script, run by what the firmware has
 * compiled in for it (SK-F-09, SK-S-01 to SK-S-13). run.c does the running. */
#include "run/run.h"
#include "skills/skill.h"

#if SKR_DIALECTS

/* The script that is called so. Those without a handler come last: to be told that they
 * have none. */
static const struct romfs_file *find_script(const struct skr_call *call, const struct romfs_skill *skill)
{
    const struct romfs_file *file = skri_file_called(call, skill, ROMFS_SCRIPT);
    if (file == NULL) {
        file = skri_file_called(call, skill, ROMFS_ASSET);
    }
    if (file != NULL && !skri_span_starts(skri_span_rom(call->fs, file->path), SPAN("scripts/"))) {
        file = NULL;
    }
    return file;
}

void skri_skills_execute(struct skr_call *call)
{
    struct skr_run *run = &call->conn->run;
    const struct romfs_skill *skill = skri_file_of(call, "script");
    if (skill == NULL || !skri_run_arguments(call)) {
        return;
    }
    const struct romfs_file *file = find_script(call, skill);
    if (file == NULL) {
        skri_run_refuse(call, run, SKR_UNKNOWN_SCRIPT, "the skill has no such script");
        skri_file_candidates(call->answer, skill);
        return;
    }
    run->tool = skri_run_find_script(call->fs, call->srv->device, file);
    if (run->tool == NULL) {
        skri_run_refuse(call, run, SKR_NO_HANDLER, "nothing here runs this script");
        return;
    }
    skri_run(call, run);
}

#endif
