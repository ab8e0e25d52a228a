/* say.h -- one-line messages for the person who runs the server. */
#ifndef SKR_SAY_H
#define SKR_SAY_H

#include <stdbool.h>
#include <stddef.h>

/* Writes "skillromd: " (or the name that was set), the text and a newline to stderr. A text of more than about 900
 * bytes is cut; whatever would move a terminal's cursor becomes a question mark. */
void skr_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes all n bytes to fd; gives up at the first error and returns false. */
bool skr_say_raw(int fd, const char *text, size_t n);

/* The same for requested output, on stdout; an error is reported. */
bool skr_say_result(const char *text, size_t n);

/* Text of a stranger for a message: what a terminal might interpret is replaced, and what does not fit `size` is cut off. */
const char *skr_say_clean(char *clean, size_t size, const char *text, size_t n);

/* Names for one message: how many, and the first of them, as in "a, b, c, d and 7 more". Starts as all zeros. */
struct skr_names {
    char text[512];
    size_t length; /* of the names, without how many more there are */
    unsigned count, named;
};
void skr_names_add(struct skr_names *names, const char *name, size_t n);

/* Sets the name for messages, if the program is not skillromd. The pointer is kept. */
void skr_say_as(const char *program);
const char *skr_say_name(void);

#endif
