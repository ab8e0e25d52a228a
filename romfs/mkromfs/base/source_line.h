/* source_line.h -- the line that a message is about, with a caret under the place. */
#ifndef MKROMFS_SOURCE_LINE_H
#define MKROMFS_SOURCE_LINE_H

#include <stdbool.h>
#include <stdio.h>

/* Prints two lines: a stretch of line `line` of the file around column `col`, and a caret under that column; both count from 1,
 * columns in characters. Nothing when there is no such place. */
void source_line_print(FILE *out, const char *path, unsigned line, unsigned col, bool colour);

#endif
