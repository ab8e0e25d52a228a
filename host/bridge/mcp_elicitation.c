/* caller_questions.c -- the questions of a tool, at the terminal. See caller.h. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mcp_client.h"
#include "console.h"
#include "json_edit.h"

static void say(const char *text)
{
    (void)host_write_all(STDERR_FILENO, text, strlen(text));
}

/* A byte from the terminal. False at the end of input, or when a signal has arrived. */
static bool read_byte(int signals, char *to)
{
    struct pollfd ends[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
    while (poll(ends, 2, -1) < 0 && errno == EINTR) {
    }
    return ends[1].revents == 0 && read(STDIN_FILENO, to, 1) == 1;
}

/* A line from the terminal, without its end. False at the end of input, or when a signal has arrived. */
static bool read_line(int signals, char *to, size_t room)
{
    size_t n = 0;
    char c;
    bool got;
    while ((got = read_byte(signals, &c)) && c != '\n') {
        if (n + 1 < room) {
            to[n++] = c;
        }
    }
    to[n] = '\0';
    return got || n > 0;
}

/* One field of a form; an empty line leaves it out. False at the end of input, or when a signal has arrived. */
static bool ask_field(struct skr_span schema, struct skr_span key, struct skr_span field, int signals, char *to,
                      size_t room)
{
    struct skr_span title = skr_scan_get(field, "title"), properties = skr_scan_get(schema, "properties");
    struct skr_span preset = skr_scan_get(field, "default");
    bool required = mcp_client_requires(schema, key);
    char kind[256], line[4096];
    mcp_client_kind(field, kind, sizeof kind);
    for (;;) {
        say("  ");
        mcp_client_show(STDERR_FILENO, title.p != NULL ? title : key);
        say(" (");
        mcp_client_show_text(STDERR_FILENO, kind, strlen(kind));
        (void)snprintf(line, sizeof line, "%s%.*s%s): ", preset.p != NULL ? ", else " : "",
                       (int)(preset.n < 64 ? preset.n : 0), preset.p != NULL ? preset.p : "",
                       required && preset.p == NULL ? "" : ", may be left out");
        mcp_client_show_text(STDERR_FILENO, line, strlen(line));
        if (!read_line(signals, line, sizeof line)) {
            return false;
        }
        struct skr_span value = {line, strlen(line)};
        if (value.n == 0 && preset.p != NULL) {
            struct skr_span inside = skr_scan_inside(preset);
            value = inside.p != NULL ? inside : preset;
        } else if (value.n == 0 && !required) {
            return true;
        }
        if (value.n > 0 && mcp_client_argument(properties, skr_scan_inside(key), value, to, room)) {
            return true;
        }
    }
}

bool mcp_client_question(struct skr_span params, int signals, char *to, size_t room)
{
    static char content[BRIDGE_SMALL / 2];
    struct skr_span schema = skr_scan_get(params, "requestedSchema"), fields = skr_scan_get(schema, "properties");
    struct skr_span url = skr_scan_get(params, "url"), key, field;
    char line[16];
    if (!isatty(STDIN_FILENO)) {
        host_log("the tool asks a question, and nobody is at a terminal to answer it; it is cancelled");
        return false;
    }
    mcp_client_show(STDERR_FILENO, skr_scan_get(params, "message"));
    say("\n");
    if (url.p != NULL) {
        say("  open ");
        mcp_client_show(STDERR_FILENO, url);
        say(", then type yes: ");
        bool yes = read_line(signals, line, sizeof line) && line[0] == 'y';
        (void)snprintf(to, room, "{\"action\":\"%s\"}", yes ? "accept" : "decline");
        return true;
    }
    (void)strcpy(content, "{}");
    while (skr_scan_pair(&fields, &key, &field)) {
        if (!ask_field(schema, key, field, signals, content, sizeof content)) {
            say("\n");
            return false;
        }
    }
    int n = snprintf(to, room, "{\"action\":\"accept\",\"content\":%s}", content);
    return n > 0 && (size_t)n < room;
}
