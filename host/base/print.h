/* print.h -- requested output on stdout, without stdio, whose streams allocate. */
#ifndef HOST_PRINT_H
#define HOST_PRINT_H

#include <stdbool.h>
#include <stddef.h>

#define HOST_PRINT_COLUMNS 80 /* the usual narrowest terminal */

/* Output that is collected and written in pieces. Starts as all zeros. */
struct host_print {
    char bytes[512];
    size_t length;   /* of the bytes that wait */
    unsigned column; /* where the next character goes, counted in bytes */
    bool errors;     /* set to write to stderr, for output that was not requested */
    bool lost;       /* something could not be written; a message has been printed */
};

void host_print(struct host_print *out, const char *text);
void host_print_bytes(struct host_print *out, const char *text, size_t n);

/* Prints spaces up to a column; on a new line if the column has been passed. */
void host_print_to(struct host_print *out, unsigned column);

/* Words, from here on, broken into lines of HOST_PRINT_COLUMNS that begin at `indent`; two newlines in a row separate paragraphs, and a
 * single one is a space. Ends in a newline. */
void host_print_words(struct host_print *out, const char *text, unsigned indent);

/* Writes the rest. False, after a message, when anything could not be written. */
bool host_print_end(struct host_print *out);

#endif
