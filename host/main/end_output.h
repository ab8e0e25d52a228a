/* end_output.h -- the last thing that a program does; shared with host/wasm. */
#ifndef SKR_END_OUTPUT_H
#define SKR_END_OUTPUT_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

#include "console.h"

/* The exit code: a full disk must not look like success. */
static inline int end_output(int code)
{
    bool lost = ferror(stdout) != 0; /* and the reason with it */

    errno = 0;
    lost |= fflush(stdout) != 0;
    if (!lost && (fclose(stdout) == 0 || errno == EBADF)) { /* EBADF: stdout was never open */
        return code;
    }
    host_stdout_failed();
    return code == 0 ? 1 : code;
}

#endif
