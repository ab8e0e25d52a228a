/* http_size.h -- where an HTTP message ends: the least that a server or client can do
 * before it may answer. Both programs of the comparison use it, so neither gains by it. */
#ifndef BENCH_HTTP_SIZE_H
#define BENCH_HTTP_SIZE_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The size of the message that starts at p, of which n bytes have come: its headers and as
 * many bytes as its Content-Length says. 0 when the headers are not complete. */
static inline size_t http_size(const char *p, size_t n)
{
    static const char name[] = "\nContent-Length:";
    const char *end = memmem(p, n, "\r\n\r\n", 4);

    if (end == NULL) {
        return 0;
    }
    size_t size = (size_t)(end - p) + 4;
    for (const char *line = p; (line = memchr(line, '\n', (size_t)(end - line))) != NULL; line++) {
        if ((size_t)(end - line) >= sizeof name && strncasecmp(line, name, sizeof name - 1) == 0) {
            return size + strtoul(line + sizeof name - 1, NULL, 10);
        }
    }
    return size;
}

#endif
