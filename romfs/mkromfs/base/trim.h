/* trim.h -- blank lines around a text (trim.c). */
#ifndef MKROMFS_TRIM_H
#define MKROMFS_TRIM_H

#include <stddef.h>

/* Moves *from and *to so that no blank line is left around the text between them, nor the end of
 * its last line: these are layout of the file. Blanks in a line are the author's; at the start
 * of the first they may make it code. */
void trim_blank_lines(const char *text, size_t *from, size_t *to);

#endif
