/* load.c -- see load.h. */
#include "load.h"

#include <stdio.h>
#include <stdlib.h>

char *load_file(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");

    if (f == NULL || fseek(f, 0, SEEK_END) != 0) {
        perror(path);
        exit(1);
    }
    *n = (size_t)ftell(f);
    char *bytes = malloc(*n);
    rewind(f);
    if (fread(bytes, 1, *n, f) != *n) {
        perror(path);
        exit(1);
    }
    fclose(f);
    return bytes;
}
