/* log.c -- see log.h. */
#include "log.h"

#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "console.h"

#define WHO_SHOWN 128 /* a token's name, or a path of a serial port */

static const char *the_only;
static void (*who_is)(const struct skr_conn *from, char who[POSIX_ADDRESS_WHO]);

static uint32_t clock_ms(void)
{
    return (uint32_t)host_clock_ms();
}

/* How it ended: "200 ok", "404 error -32601", "error result", "cut off". */
static void outcome_of(const struct skr_finished *what, char *text, size_t size)
{
    char status[8] = "";

    if (what->status != 0) {
        (void)snprintf(status, sizeof status, "%u ", (unsigned)what->status);
    }
    if (what->cut_off) {
        (void)snprintf(text, size, "%scut off", status);
    } else if (what->code != 0) {
        (void)snprintf(text, size, "%serror %ld", status, (long)what->code);
    } else {
        (void)snprintf(text, size, "%s%s", status,
                       what->failed          ? "error result"
                       : what->status >= 400 ? "refused"
                                             : "ok");
    }
}

static void on_finished(const struct skr_conn *from, const struct skr_finished *what)
{
    char who[WHO_SHOWN], method[SKR_LOG_TEXT], name[SKR_LOG_TEXT], outcome[48];
    const char *user = skr_conn_who(from);

    if (user == NULL && who_is != NULL) {
        who_is(from, who);
    } else {
        user = user != NULL ? user : the_only;
        (void)host_printable(who, sizeof who, user, strlen(user));
    }
    (void)host_printable(method, sizeof method, what->method, strlen(what->method));
    (void)host_printable(name, sizeof name, what->name, strlen(what->name));
    outcome_of(what, outcome, sizeof outcome);
    host_log("%s %s%s%s %s %lu bytes %lu ms", who, *method != '\0' ? method : "-", *name != '\0' ? " " : "", name,
             outcome, (unsigned long)what->sent, (unsigned long)what->took_ms);
}

void posix_log_start(struct skr_server *server, const struct posix_options *options, const char *alone,
                     void (*who)(const struct skr_conn *from, char who[POSIX_ADDRESS_WHO]))
{
    static const struct skr_request_log log = {on_finished, clock_ms};

    the_only = alone;
    who_is = who;
    if (options->log || options->verbose) {
        skr_server_log_to(server, &log);
    }
}
