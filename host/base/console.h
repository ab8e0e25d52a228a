/* console.h -- one-line messages for the user who runs the program. */
#ifndef HOST_CONSOLE_H
#define HOST_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>

/* Writes "skillromd: " (or the name that was set), the text and a newline to stderr. A text of more than about 900
 * bytes is cut; characters that would move a terminal's cursor become question marks. */
void host_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The options -q and -v, which every command has. */
extern struct host_console {
    bool quiet;   /* print results and errors only */
    bool verbose; /* print more */
} host_console;

/* host_log for what is neither a result nor an error: nothing with -q. */
void host_notice(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes all n bytes to fd; gives up at the first error and returns false. */
bool host_write_all(int fd, const char *text, size_t n);

/* Likewise for requested output on stdout; an error is reported, with the reason in errno. */
bool host_write_result(const char *text, size_t n);

/* Reports that stdout could not be written, for the reason in errno; 0 if it is not known. Ends the program without a word, as SIGPIPE does, if the
 * reader of stdout has gone. */
void host_stdout_failed(void);

/* Untrusted text for a message: characters that a terminal might interpret are replaced, and the rest beyond `size` is cut. */
const char *host_printable(char *clean, size_t size, const char *text, size_t n);

/* Names for one message, as in "a, b, c, d and 7 more". Starts as all zeros. */
struct host_name_list {
    char text[512];
    size_t length; /* of the names, without how many more there are */
    unsigned count, named;
};
void host_name_list_add(struct host_name_list *names, const char *name, size_t n);

/* Sets the name for messages, if the program is not skillromd. The pointer is kept. */
void host_log_set_name(const char *program);
const char *host_log_name(void);

#endif
