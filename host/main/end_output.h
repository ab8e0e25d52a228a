/* end_output.h -- the last thing that a program does; shared with host/wasm. */
#ifndef SKR_END_OUTPUT_H
#define SKR_END_OUTPUT_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The exit code: a full disk or a closed pipe must not look like success. */
static inline int end_output(int code)
{
    bool lost = ferror(stdout) != 0; /* and the reason with it */

    errno = 0;
    lost |= fflush(stdout) != 0;
    if (!lost && (fclose(stdout) == 0 || errno == EBADF)) { /* EBADF: stdout was never open */
        return code;
    }
    fprintf(stderr, "skillrom: cannot write to stdout%s%s\n", errno != 0 ? ": " : "",
            errno != 0 ? strerror(errno) : "");
    return code == 0 ? 1 : code;
}

#endif
