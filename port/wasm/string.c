/* string.c -- the functions of include/string.h, where there is no C library. */
#include <string.h>

/* The compiler makes an instruction of each (-mbulk-memory), not a call. */
/* clang-format off */
void *memmove(void *to, const void *from, size_t n)                     { return __builtin_memmove(to, from, n); }
void *memcpy(void *restrict to, const void *restrict from, size_t n)    { return __builtin_memcpy(to, from, n); }
void *memset(void *to, int c, size_t n)                                 { return __builtin_memset(to, c, n); }
/* clang-format on */

int memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *x = a, *y = b;

    for (; n > 0 && *x == *y; n--, x++, y++) {
    }
    return n > 0 ? *x - *y : 0;
}

void *memchr(const void *a, int c, size_t n)
{
    for (const unsigned char *x = a; n > 0; n--, x++) {
        if (*x == (unsigned char)c) {
            return (void *)(size_t)x; /* C's own signature drops the const */
        }
    }
    return NULL;
}

size_t strlen(const char *s)
{
    const char *end = s;

    for (; *end != '\0'; end++) {
    }
    return (size_t)(end - s);
}

char *strchr(const char *s, int c)
{
    while (*s != (char)c && *s != '\0') {
        s++;
    }
    return *s == (char)c ? (char *)(size_t)s : NULL;
}
