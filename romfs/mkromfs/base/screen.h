/* screen.h -- numbers and foreign text for people's eyes. */
#ifndef MKROMFS_SCREEN_H
#define MKROMFS_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Prints n bytes of an image with control characters as '?', so that a hostile image cannot control the terminal. */
void screen_text(FILE *out, const char *text, size_t n);

/* 1234567 as "1,234,567". The result is valid until the fourth call after it. */
const char *screen_number(uint64_t value);

/* "" or "s", for "1 file" and "2 files". */
const char *screen_plural(uint64_t count);

/* True when colours may be used: it is a terminal, and NO_COLOR is not set. */
bool screen_has_colour(FILE *out);

/* On a terminal, and only there: a line on stderr that counts what has been done, "reading 1,200 files", and is written over.
 * screen_progress_end removes it; call it before printing anything else. */
void screen_progress(const char *doing, const char *things);
void screen_progress_end(void);

/* Prints a message to stderr as a line of its own, "skillrom pack: " before it: the program and its command. */
void screen_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
