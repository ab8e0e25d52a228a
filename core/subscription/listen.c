/* listen.c -- the messages that begin and end a subscriptions/listen. See notify.h. */
#include "response/shape.h"
#include "subscription/notify.h"
#include "text/span.h"

enum listen_step { LISTEN_ACKNOWLEDGE, LISTEN_RESULT, LISTEN_CANCEL, LISTEN_DONE };

/* The part of the filter that is honoured. */
static void push_honoured(struct skr_response *a)
{
    static const char *const names[] = {",\"skillsListChanged\":true", ",\"resourcesListChanged\":true",
                                        ",\"toolsListChanged\":true", ",\"promptsListChanged\":true"};
    unsigned comma = 1; /* skipped before the first member */

    for (unsigned kind = 0; kind < SKR_LIST_KINDS; kind++) {
        if ((SKRI_AS(a, listen)->wants >> kind & 1) != 0) {
            skri_push_text(a, names[kind] + comma);
            comma = 0;
        }
    }
    if (SKRI_AS(a, listen)->uris_n > 0) {
        skri_push_text(a, &",\"resourceSubscriptions\":["[comma]);
        skri_push_bytes(a, SKR_RAW, SKRI_AS(a, listen)->uris, SKRI_AS(a, listen)->uris_n);
        skri_push_text(a, "]");
    }
}

static bool render_listen(struct skr_response *a)
{
    static const char *const messages[] = {
        [LISTEN_ACKNOWLEDGE] =
            ",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"notifications\":{",
        [LISTEN_RESULT] = ",\"result\":{\"resultType\":\"complete\",",
        /* after the result: clients take a cancellation before it for a broken subscription */
        [LISTEN_CANCEL] = ",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":" FIELD_REQUEST_ID ",",
    };
    unsigned step = SKRI_AS(a, listen)->from + a->step++;

    if (step >= SKRI_AS(a, listen)->to) {
        return false;
    }
    skri_push_opening(a, step == LISTEN_RESULT ? a->envelope.id : NOTHING);
    skri_push_shape(a, messages[step], NULL, NULL);
    if (step == LISTEN_ACKNOWLEDGE) {
        if (SKR_CHANGES) {
            push_honoured(a);
        }
        skri_push_text(a, "},");
    }
    skri_push_shape(a, "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":" FIELD_REQUEST_ID "}}}", NULL, NULL);
    skri_push_end(a);
    return true;
}

static void send_steps(struct skr_response *a, enum listen_step from, enum listen_step to)
{
    skri_response_result(a, NULL);
    a->render = render_listen;
    SKRI_MAKE(a, listen)->from = (uint8_t)from;
    SKRI_AS(a, listen)->to = (uint8_t)to;
    a->envelope.stream = true;
}

/* Over HTTP the end of the stream is enough (SUB-10). */
static enum listen_step last_step(const struct skr_response *a)
{
    return a->envelope.on_line ? LISTEN_DONE : LISTEN_CANCEL;
}

void skri_listen_begin(struct skr_response *a)
{
    send_steps(a, LISTEN_ACKNOWLEDGE, a->envelope.open ? LISTEN_RESULT : last_step(a));
}

void skri_listen_end(struct skr_response *a)
{
    send_steps(a, LISTEN_RESULT, last_step(a));
}
