/* interim.c -- see interim.h. */
#include "interim.h"

#include <string.h>

#include "../bridge/client_requests.h"
#include "../bridge/notification.h"
#include "handler/job_state.h"
#include "json_edit.h"
#include "text/span.h"

/* ---- The params of the call ---- */

bool fleet_interim_wants_plan(const struct skr_call *call)
{
    int plan = skr_json_get(&call->json, call->given[SKR_PARAM_META], "_plan");
    bool value = true;

    return plan >= 0 && (!skr_json_boolean(&call->json, plan, &value) || value);
}

/* Continues the params after name and arguments. */
static struct fleet_json after_arguments(struct fleet_slot *s)
{
    return (struct fleet_json){s->params, s->tool.n + s->params_n, sizeof s->params, false};
}

static bool keep_params(struct fleet_slot *s, const struct fleet_json *t)
{
    s->params_n = t->over ? s->params_n : t->n - s->tool.n;
    return !t->over;
}

/* Elicitation with a form only: with a URL it needs an id in the initialize era, which devices of 2026-07-28 do not give. */
static void put_capabilities(struct fleet_json *t, uint8_t can)
{
    static const struct {
        uint8_t bit;
        const char *json;
    } members[] = {{SKR_CAP_ELICITATION, "\"elicitation\":{\"form\":{}}"},
                   {SKR_CAP_SAMPLING, "\"sampling\":{}"},
                   {SKR_CAP_ROOTS, "\"roots\":{}"}};

    fleet_json_put(t, "{");
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        if ((can >> members[i].bit & 1) != 0) {
            fleet_json_put(t, t->n > 1 ? "," : "");
            fleet_json_put(t, members[i].json);
        }
    }
    fleet_json_put(t, "}");
}

bool fleet_interim_begin(struct skr_call *call, struct fleet_slot *s)
{
    static const char *const members[] = {"inputResponses", "requestState"};
    struct fleet_json capabilities = {s->capabilities, 0, sizeof s->capabilities, false}, t = after_arguments(s);

    if (!call->modern) {
        put_capabilities(&capabilities, s->job->messages.mute ? 0 : call->legacy->capabilities);
        s->capabilities_n = capabilities.n;
        return true;
    }
    if (call->meta[SKR_META_OFFERS] >= 0) {
        fleet_json_span(&capabilities, skr_json_raw(&call->json, call->meta[SKR_META_OFFERS]));
    }
    s->capabilities_n =
        capabilities.over ? 0 : host_json_compact(s->capabilities, (struct skr_span){s->capabilities, capabilities.n});
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        int token = skr_json_get(&call->json, call->params, members[i]);
        if (token >= 0) {
            fleet_json_put(&t, ",\"");
            fleet_json_put(&t, members[i]);
            fleet_json_put(&t, "\":");
            fleet_json_span(&t, skr_json_raw(&call->json, token));
        }
    }
    return keep_params(s, &t);
}

/* ---- Progress ---- */

void fleet_interim_progress(void *target, struct skr_span params)
{
    bridge_notification_progress(((struct fleet_target *)target)->slot->job, params);
}

/* ---- Input ---- */

bool fleet_interim_is_input_required(struct skr_span result)
{
    return skr_scan_is(skr_scan_get(result, "resultType"), "input_required");
}

/* Sends one member of inputRequests to the client. */
static bool send_input_request(struct fleet_slot *s, struct skr_span request, unsigned number)
{
    struct skr_span method = skr_scan_get(request, "method"), params = skr_scan_get(request, "params");

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

/* The slot's text is the result until all responses are there. */
bool fleet_interim_request_input(struct fleet_slot *s, struct skr_span result)
{
    struct skr_span rest = skr_scan_get(result, "inputRequests"), key, request;
    unsigned number = 0;

    if (s->modern || s->job->messages.mute || skri_job_is_stopping(s->job) || result.n > s->text.room) {
        return false;
    }
    bool good = true;
    while (good && skr_scan_pair(&rest, &key, &request)) {
        good = send_input_request(s, request, number++);
    }
    s->params_n = s->arguments_n; /* earlier responses are in the requestState of the device */
    struct fleet_json t = after_arguments(s);
    fleet_json_put(&t, ",\"inputResponses\":{");
    s->awaits_client = good && number > 0 && keep_params(s, &t);
    if (s->awaits_client) {
        memcpy(s->text.p, result.p, result.n);
        s->text.n = result.n;
    } else {
        s->job->requests.count = 0;
    }
    return s->awaits_client;
}

/* The key of a member of inputRequests, with its quotes. */
static struct skr_span key_of(const struct fleet_slot *s, unsigned number)
{
    struct skr_span rest = skr_scan_get((struct skr_span){s->text.p, s->text.n}, "inputRequests"), key, request;

    while (skr_scan_pair(&rest, &key, &request) && number > 0) {
        number--;
    }
    return key;
}

/* All responses are there: requestState goes back to the device with them. */
static bool close_responses(struct fleet_slot *s)
{
    struct skr_span state = skr_scan_get((struct skr_span){s->text.p, s->text.n}, "requestState");
    struct fleet_json t = after_arguments(s);

    fleet_json_put(&t, "}");
    if (state.p != NULL) {
        fleet_json_put(&t, ",\"requestState\":");
        fleet_json_span(&t, state);
    }
    s->text.n = 0;
    s->awaits_client = false;
    return keep_params(s, &t);
}

enum fleet_input_state fleet_interim_take_response(struct skr_call *call, struct fleet_slot *s)
{
    const struct skr_job *job = s->job;
    bool good = true;
    unsigned open = 0;

    for (unsigned i = 0; i < job->requests.count; i++) {
        const struct skr_client_request *q = &job->requests.list[i];
        struct fleet_json t = after_arguments(s);
        open += !q->replied;
        if (q->replied && call->reply >= 0) {
            fleet_json_put(&t, t.p[t.n - 1] == '{' ? "" : ",");
            fleet_json_span(&t, key_of(s, q->key));
            fleet_json_put(&t, ":");
            fleet_json_span(&t, skr_json_raw(&call->json, call->reply));
            good &= keep_params(s, &t);
        } else if (q->replied) {
            good = false;
        }
    }
    if (good && open > 0) {
        return FLEET_INPUT_OPEN;
    }
    good = close_responses(s) && good;
    return good ? FLEET_INPUT_COMPLETE : FLEET_INPUT_FAILED;
}
