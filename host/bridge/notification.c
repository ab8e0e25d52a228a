/* notification.c -- see notification.h. */
#include "notification.h"

#include <string.h>

#include "bridge_config.h"
#include "handler/progress.h"
#include "text/json_scan.h"
#include "text/span.h"

/* In the format of core/handler/progress.c: length and event number, then the text. */
void bridge_notification_add(struct skr_job *job, struct skr_span method, struct skr_span params)
{
    const struct skr_span parts[] = {SPAN("\"method\":"), method, SPAN(",\"params\":"), params};
    size_t n = parts[0].n + parts[1].n + parts[2].n + parts[3].n;

    while (job->messages.used + SKR_MESSAGE_HEAD + n > sizeof job->messages.text) {
        if (!skri_progress_forget(job)) {
            return; /* the client is too slow: it misses one */
        }
    }
    char *to = job->messages.text + job->messages.used;
    const uint8_t head[SKR_MESSAGE_HEAD] = {(uint8_t)n, (uint8_t)(n >> 8), 0xFF, 0xFF};
    memcpy(to, head, sizeof head);
    to += sizeof head;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        memcpy(to, parts[i].p, parts[i].n);
        to += parts[i].n;
    }
    job->messages.used = (uint16_t)(job->messages.used + SKR_MESSAGE_HEAD + n);
}

void bridge_notification_progress(struct skr_job *job, struct skr_span params)
{
    struct skr_span token = skr_scan_get(params, "progressToken");
    char text[BRIDGE_NOTIFICATION];

    if (job == NULL || job->messages.token.n == 0 || params.n + job->messages.token.n > sizeof text) {
        return;
    }
    size_t head = (size_t)(token.p - params.p), tail = params.n - head - token.n;
    memcpy(text, params.p, head);
    memcpy(text + head, job->messages.token.p, job->messages.token.n);
    memcpy(text + head + job->messages.token.n, token.p + token.n, tail);
    bridge_notification_add(job, SPAN("\"notifications/progress\""),
                            (struct skr_span){text, head + job->messages.token.n + tail});
}
