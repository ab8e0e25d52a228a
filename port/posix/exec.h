/* exec.h -- run the scripts of skills as they are (--exec-scripts). */
#ifndef SKR_EXEC_H
#define SKR_EXEC_H

#include <stdbool.h>

#include "say.h"
#include "skillrom.h"

/* It hangs on skills/execute, and on handlers that may take their time. */
#define SKR_POSIX_EXEC (SKR_DIALECT_F && SKR_JOBS > 0)

#if SKR_POSIX_EXEC

/* Readies it; each script may take `deadline_ms`. False when this machine cannot, and the
 * reason has been said. */
bool skr_exec_start(uint32_t deadline_ms);

/* For struct skr_device: `script` and `ran`. */
const struct skr_tool *skr_exec_script(void *context, const struct romfs *fs, const struct romfs_file *file);
void skr_exec_ran(void *context, const char *tool, const char *how, uint32_t ms);

#else

static inline bool skr_exec_start(uint32_t deadline_ms)
{
    (void)deadline_ms;
    skr_say("--exec-scripts: this skillromd was built without it; it needs SKR_DIALECT_F and SKR_JOBS");
    return false;
}
#define skr_exec_script NULL
#define skr_exec_ran NULL

#endif

#endif
