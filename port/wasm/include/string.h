/* string.h -- as much of it as core, reader and miniz's inflater call: a module has no C library. See string.c. */
#ifndef WASM_STRING_H
#define WASM_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int c, size_t n);
int memcmp(const void *a, const void *b, size_t n);
void *memchr(const void *a, int c, size_t n);
size_t strlen(const char *s);
char *strchr(const char *s, int c);

#endif
