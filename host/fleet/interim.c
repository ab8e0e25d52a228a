/* dialogue.c -- see dialogue.h. */
#include "interim.h"

#include <string.h>

#include "../bridge/notification.h"
#include "../bridge/client_requests.h"
#include "../bridge/json_edit.h"
#include "handler/job_state.h"
#include "text/span.h"

/* ---- The request ---- */

/* What follows name and arguments in the request. */
static struct fleet_json behind_arguments(struct fleet_slot *s)
{
    return (struct fleet_json){s->params, s->tool.n + s->params_n, sizeof s->params, false};
}

static bool keep(struct fleet_slot *s, const struct fleet_json *t)
{
    s->params_n = t->over ? s->params_n : t->n - s->tool.n;
    return !t->over;
}

/* By form only: a URL needs an id in the initialize era, which devices of the other do not give. */
static void put_offers(struct fleet_json *t, uint8_t can)
{
    static const struct {
        uint8_t bit;
        const char *json;
    } known[] = {{SKR_CAP_ELICITATION, "\"elicitation\":{\"form\":{}}"},
                 {SKR_CAP_SAMPLING, "\"sampling\":{}"},
                 {SKR_CAP_ROOTS, "\"roots\":{}"}};
    fleet_json_put(t, "{");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if ((can >> known[i].bit & 1) != 0) {
            fleet_json_put(t, t->n > 1 ? "," : "");
            fleet_json_put(t, known[i].json);
        }
    }
    fleet_json_put(t, "}");
}

bool fleet_interim_begin(struct skr_call *call, struct fleet_slot *s)
{
    static const char *const brought[] = {"inputResponses", "requestState"};
    struct fleet_json offers = {s->offers, 0, sizeof s->offers, false}, t = behind_arguments(s);
    if (!call->modern) {
        put_offers(&offers, s->job->messages.mute ? 0 : call->legacy->capabilities);
        s->offers_n = offers.n;
        return true;
    }
    if (call->meta[SKR_META_OFFERS] >= 0) {
        fleet_json_span(&offers, skr_json_raw(&call->json, call->meta[SKR_META_OFFERS]));
    }
    s->offers_n = offers.over ? 0 : bridge_json_compact(s->offers, (struct skr_span){s->offers, offers.n});
    for (size_t i = 0; i < sizeof brought / sizeof brought[0]; i++) {
        int token = skr_json_get(&call->json, call->params, brought[i]);
        if (token >= 0) {
            fleet_json_put(&t, ",\"");
            fleet_json_put(&t, brought[i]);
            fleet_json_put(&t, "\":");
            fleet_json_span(&t, skr_json_raw(&call->json, token));
        }
    }
    return keep(s, &t);
}

/* ---- Progress ---- */

void fleet_interim_progress(uint32_t owner, uint32_t item, struct skr_span params)
{
    (void)item;
    bridge_notification_progress(fleet_slots_of_jobs[owner].job, params);
}

/* ---- Questions ---- */

bool fleet_interim_is_question(struct skr_span result)
{
    return skr_scan_is(skr_scan_get(result, "resultType"), "input_required");
}

/* The questions of a result: members of inputRequests, with the key as the device has it. */
static bool ask_one(struct fleet_slot *s, struct skr_span question, unsigned number)
{
    struct skr_span method = skr_scan_get(question, "method"), params = skr_scan_get(question, "params");
    params = params.p != NULL ? params : SPAN("{}");
    if (method.p == NULL || s->job->requests.count == SKR_CLIENT_REQUESTS) {
        return false;
    }
    int n = bridge_client_requests_write(bridge_client_requests_room(s->srv, s->job), method, params);
    if (n >= 0) {
        bridge_client_requests_add(s->srv, s->job, (uint32_t)n, number);
    }
    return n >= 0;
}

/* The slot's text is the result until all replies are there. */
bool fleet_interim_ask(struct fleet_slot *s, struct skr_span result)
{
    struct skr_span rest = skr_scan_get(result, "inputRequests"), key, question;
    unsigned number = 0;
    if (s->modern || s->job->messages.mute || skri_job_is_stopping(s->job) || result.n > s->text.room) {
        return false;
    }
    bool good = true;
    while (good && skr_scan_pair(&rest, &key, &question)) {
        good = ask_one(s, question, number++);
    }
    s->params_n = s->arguments_n; /* replies to earlier questions are in the state that the device gives */
    struct fleet_json t = behind_arguments(s);
    fleet_json_put(&t, ",\"inputResponses\":{");
    s->asks = good && number > 0 && keep(s, &t);
    if (s->asks) {
        memcpy(s->text.p, result.p, result.n);
        s->text.n = result.n;
    } else {
        s->job->requests.count = 0;
    }
    return s->asks;
}

/* The key of a question, with its quotes. */
static struct skr_span key_of(const struct fleet_slot *s, unsigned number)
{
    struct skr_span rest = skr_scan_get((struct skr_span){s->text.p, s->text.n}, "inputRequests"), key, question;
    while (skr_scan_pair(&rest, &key, &question) && number > 0) {
        number--;
    }
    return key;
}

/* All replies are there: what the device has given the agent to keep goes back with them. */
static bool close_replies(struct fleet_slot *s)
{
    struct skr_span state = skr_scan_get((struct skr_span){s->text.p, s->text.n}, "requestState");
    struct fleet_json t = behind_arguments(s);
    fleet_json_put(&t, "}");
    if (state.p != NULL) {
        fleet_json_put(&t, ",\"requestState\":");
        fleet_json_span(&t, state);
    }
    s->text.n = 0;
    s->asks = false;
    return keep(s, &t);
}

enum fleet_interim_state fleet_interim_reply(struct skr_call *call, struct fleet_slot *s)
{
    const struct skr_job *job = s->job;
    bool good = true;
    unsigned open = 0;
    for (unsigned i = 0; i < job->requests.count; i++) {
        const struct skr_client_request *q = &job->requests.list[i];
        struct fleet_json t = behind_arguments(s);
        open += !q->replied;
        if (q->replied && call->reply >= 0) {
            fleet_json_put(&t, t.p[t.n - 1] == '{' ? "" : ",");
            fleet_json_span(&t, key_of(s, q->key));
            fleet_json_put(&t, ":");
            fleet_json_span(&t, skr_json_raw(&call->json, call->reply));
            good &= keep(s, &t);
        } else if (q->replied) {
            good = false;
        }
    }
    if (good && open > 0) {
        return FLEET_DIALOGUE_OPEN;
    }
    good = close_replies(s) && good;
    return good ? FLEET_DIALOGUE_REPLIED : FLEET_DIALOGUE_FAILED;
}
