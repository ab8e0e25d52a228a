/* console.c -- messages without stdio: its streams allocate their buffers, and a line in one write is not mixed with the output
 * of another process. */
#include "console.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "text/span.h"

#define NAMED 4     /* names that one message spells out */
#define MORE_MAX 24 /* " and 4294967295 more" */

static const char *name = "skillromd";
struct host_console host_console;

void host_log_set_name(const char *program)
{
    name = program;
}

const char *host_log_name(void)
{
    return name;
}

bool host_write_all(int fd, const char *text, size_t n)
{
    while (n > 0) {
        ssize_t k = write(fd, text, n);
        if (k < 0 && errno == EINTR) {
            continue;
        }
        if (k <= 0) {
            return false;
        }
        text += k;
        n -= (size_t)k;
    }
    return true;
}

bool host_write_result(const char *text, size_t n)
{
    if (host_write_all(STDOUT_FILENO, text, n)) {
        return true;
    }
    host_stdout_failed();
    return false;
}

void host_stdout_failed(void)
{
    struct pollfd end = {.fd = STDOUT_FILENO, .events = POLLOUT};
    int error = errno;

    if (error == EPIPE ||
        (error == 0 && poll(&end, 1, 0) == 1 && (end.revents & POLLERR) != 0)) { /* stdio forgets why */
        (void)signal(SIGPIPE, SIG_DFL);
        (void)raise(SIGPIPE);
    }
    host_log("cannot write to stdout%s%s", error != 0 ? ": " : "", error != 0 ? strerror(error) : "");
}

/* A message may contain text of a device or of another machine, which must not overwrite the terminal. */
static void hide_controls(char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        bool second = c == 0xC2 && i + 1 < n && (unsigned char)text[i + 1] >= 0x80 && (unsigned char)text[i + 1] < 0xA0;
        if (c < 0x20 || c == 0x7F) {
            text[i] = '?';
        } else if (second) { /* U+0080 to U+009F */
            text[i] = text[i + 1] = '?';
        }
    }
}

static void log_line(const char *format, va_list arguments)
{
    char line[1024];
    const size_t start = (size_t)snprintf(line, sizeof line, "%.64s: ", name);
    const size_t room = sizeof line - start - 1; /* one byte stays for the newline */
    int length = vsnprintf(line + start, room, format, arguments);

    if (length < 0) {
        return;
    }
    struct skr_span text = {line + start, (size_t)length < room ? (size_t)length : room - 1};
    text = skr_span_clip(text, room - 2); /* the last byte shows whether a character was cut */
    size_t n = start + text.n;
    hide_controls(line + start, text.n);
    line[n++] = '\n';
    (void)host_write_all(STDERR_FILENO, line, n);
}

void host_log(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    log_line(format, arguments);
    va_end(arguments);
}

void host_notice(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    if (!host_console.quiet) {
        log_line(format, arguments);
    }
    va_end(arguments);
}

const char *host_printable(char *clean, size_t size, const char *text, size_t n)
{
    n = n < size - 1 ? n : size - 1;
    for (size_t i = 0; i < n; i++) {
        clean[i] = text[i] < ' ' || text[i] > '~' ? '?' : text[i];
    }
    clean[n] = '\0';
    return clean;
}

void host_name_list_add(struct host_name_list *names, const char *added, size_t n)
{
    char *end = names->text + names->length;

    if (names->named == names->count && names->named < NAMED && n + 2 < sizeof names->text - MORE_MAX - names->length) {
        names->length += (size_t)snprintf(end, sizeof names->text - names->length, "%s%.*s",
                                          names->named > 0 ? ", " : "", (int)n, added);
        names->named++;
        names->count++;
        return;
    }
    names->count++;
    (void)snprintf(end, sizeof names->text - names->length, " and %u more", names->count - names->named);
}
