/* trim.h -- blank lines around a text (trim.c). */
#ifndef MKROMFS_TRIM_H
#define MKROMFS_TRIM_H

#include <stdbool.h>
#include <stddef.h>

/* A space, a tab or part of a newline. */
bool trim_is_blank(char c);

/* Moves *from and *to so that the text between them has no blank lines around it and no line end at its end: those
 * are only layout. Blanks within lines stay; at the start of the first line they may mark code. */
void trim_blank_lines(const char *text, size_t *from, size_t *to);

#endif
