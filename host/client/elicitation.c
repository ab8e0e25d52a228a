/* elicitation.c -- shows elicitations of a device at the terminal. See client.h. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client.h"
#include "console.h"
#include "text/json_scan.h"

static void show_prompt(const char *text)
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
static bool elicit_field(struct skr_span schema, struct skr_span key, struct skr_span field, int signals, char *to,
                         size_t room)
{
    struct skr_span title = skr_scan_get(field, "title"), properties = skr_scan_get(schema, "properties");
    struct skr_span preset = skr_scan_get(field, "default");
    bool required = client_requires(schema, key);
    char kind[256], line[4096];

    client_describe_type(field, kind, sizeof kind);
    for (;;) {
        show_prompt("  ");
        client_print_string(STDERR_FILENO, title.p != NULL ? title : key);
        show_prompt(" (");
        client_print_text(STDERR_FILENO, kind, strlen(kind));
        (void)snprintf(line, sizeof line, "%s%.*s%s): ", preset.p != NULL ? ", default " : "",
                       (int)(preset.n < 64 ? preset.n : 0), preset.p != NULL ? preset.p : "",
                       required && preset.p == NULL ? "" : ", optional");
        client_print_text(STDERR_FILENO, line, strlen(line));
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
        if (value.n > 0 && client_argument(properties, skr_scan_inside(key), value, to, room)) {
            return true;
        }
    }
}

/* True for the form that the core sends before a tool call (core/handler/guard_confirm.c), with one field "confirm". */
static bool is_confirmation(struct skr_span fields)
{
    struct skr_span key, field;
    bool first = skr_scan_pair(&fields, &key, &field) && skr_scan_is(key, "confirm");

    return first && skr_scan_is(skr_scan_get(field, "type"), "boolean") && !skr_scan_pair(&fields, &key, &field);
}

bool client_elicit(const struct client *c, struct skr_span params, char *to, size_t room)
{
    static char content[CLIENT_REPLY / 2];
    struct skr_span schema = skr_scan_get(params, "requestedSchema"), fields = skr_scan_get(schema, "properties");
    struct skr_span url = skr_scan_get(params, "url"), key, field;
    char line[16];

    if (c->confirms && is_confirmation(fields)) {
        if (c->interactive) {
            client_print_string(STDERR_FILENO, skr_scan_get(params, "message"));
            show_prompt(" yes\n");
        }
        (void)snprintf(to, room, "{\"action\":\"accept\",\"content\":{\"confirm\":true}}");
        return true;
    }
    if (!c->interactive) {
        return false;
    }
    if (!isatty(STDIN_FILENO)) {
        host_log("the device requests input, but stdin is not a terminal; the request is cancelled");
        return false;
    }
    client_print_string(STDERR_FILENO, skr_scan_get(params, "message"));
    show_prompt("\n");
    if (url.p != NULL) {
        show_prompt("  open ");
        client_print_string(STDERR_FILENO, url);
        show_prompt(", then type yes: ");
        bool yes = read_line(c->signals, line, sizeof line) && line[0] == 'y';
        (void)snprintf(to, room, "{\"action\":\"%s\"}", yes ? "accept" : "decline");
        return true;
    }
    (void)strcpy(content, "{}");
    while (skr_scan_pair(&fields, &key, &field)) {
        if (!elicit_field(schema, key, field, c->signals, content, sizeof content)) {
            show_prompt("\n");
            return false;
        }
    }
    int n = snprintf(to, room, "{\"action\":\"accept\",\"content\":%s}", content);
    return n > 0 && (size_t)n < room;
}
