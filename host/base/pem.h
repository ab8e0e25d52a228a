/* pem.h -- PEM files with either kind of newline. */
#ifndef HOST_PEM_H
#define HOST_PEM_H

#include <stddef.h>

/* Leaves out carriage returns, which BearSSL takes for a part of an object's name. Returns how many bytes remain. */
static inline size_t host_pem_unify(void *text, size_t n)
{
    unsigned char *bytes = text;
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        if (bytes[i] != '\r') {
            bytes[kept++] = bytes[i];
        }
    }
    return kept;
}

#endif
