/* line.c -- see line.h. */
#include "line.h"

#include <stdlib.h>
#include <unistd.h>

#define QUIET 1000 /* reads without a response after the end: firmware may send in small pieces */

static unsigned quiet;

int line_get(void)
{
    unsigned char byte;

    if (read(0, &byte, 1) == 1) {
        quiet = 0;
        return byte;
    }
    if (++quiet > QUIET) {
        exit(0);
    }
    return -1;
}

void line_put(unsigned char byte)
{
    quiet = 0;
    if (write(1, &byte, 1) != 1) {
        exit(1);
    }
}
