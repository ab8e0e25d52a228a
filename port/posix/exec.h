/* exec.h -- run the scripts of skills as they are (--exec-scripts). */
#ifndef SKR_EXEC_H
#define SKR_EXEC_H

#include <stdbool.h>

#include "console.h"
#include "skillrom.h"
#include "system.h"

#if SKR_DIALECTS && !SKR_POLL

/* Prepares to run scripts for this server; each may take `deadline_ms`. False, after a message, when this machine
 * cannot. */
bool posix_exec_start(const struct skr_server *server, uint32_t deadline_ms);

/* Says which scripts of the image clients can run, how, and what the others lack. */
void posix_exec_log(const struct skr_server *server);

/* For struct skr_device: `script` and `ran`. */
const struct skr_tool *posix_exec_script(void *context, const struct romfs *fs, const struct romfs_file *file);
void posix_exec_ran(void *context, const char *tool, const char *how, uint32_t ms);

#else /* without skills/execute nobody could ask for it; and the sandbox is Linux's */

static inline bool posix_exec_start(const struct skr_server *server, uint32_t deadline_ms)
{
    (void)server;
    (void)deadline_ms;
#if SKR_POLL
    host_log("--exec-scripts: scripts run in a sandbox of Linux, which this system does not have");
#else
    host_log("--exec-scripts: this skillromd was built without skills/execute (SKR_DIALECTS)");
#endif
    return false;
}
static inline void posix_exec_log(const struct skr_server *server)
{
    (void)server;
}
#define posix_exec_script NULL
#define posix_exec_ran NULL

#endif

#endif
