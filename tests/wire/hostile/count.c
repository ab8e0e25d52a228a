/* count.c -- see count.h. */
#include "count.h"

#include <stdarg.h>
#include <stdio.h>

#define SHOWN_MAX 600

static unsigned passed, failed;

void count(bool good, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    printf(good ? "ok     " : "not ok ");
    vprintf(format, args);
    printf("\n");
    va_end(args);
    *(good ? &passed : &failed) += 1;
}

void count_show(const char *title, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;

    printf("       %s, %zu bytes: ", title, n);
    for (size_t i = 0; i < n && i < SHOWN_MAX; i++) {
        if (p[i] == '\\' || p[i] < 0x20 || p[i] > 0x7E) {
            printf("\\x%02x", p[i]);
        } else {
            putchar(p[i]);
        }
    }
    printf("%s\n", n > SHOWN_MAX ? " .." : "");
}

int count_end(void)
{
    printf("%u passed, %u failed\n", passed, failed);
    return failed > 0;
}

/* Multiply and take the high bits: plenty for choosing where to bite. */
unsigned roll(struct dice *d, unsigned below)
{
    d->state = d->state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)((d->state >> 33) % below);
}
