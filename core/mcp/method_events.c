/* method_events.c -- events/list and events/poll: alarms as events of SEP-3415, a draft. Experimental: names and
 * members change with it.
 *
 * Nothing is kept for a client: its cursor is the number of the last alarm that it has. Alarms may come while a
 * response is sent, so it is written whole into the buffer for output, with as many alarms as fit there. */
#include "handler/handler.h"
#include "mcp/alarm.h"
#include "mcp/method.h"
#include "text/date.h"
#include "text/number.h"

#if SKR_EVENTS

#define EVENT "alarm"
#define POLL_MS "30000"

/* Bytes of an event besides its texts: names, numbers of ten digits, a date. */
#define EVENT_FRAME 104
#define END_FRAME 76

/* ---- events/list ---- */

static bool events_list_body(struct skr_response *a)
{
    skri_push_text(
        a, "\"events\":[{\"name\":\"" EVENT "\",\"description\":\"An alarm of the device: a code for programs, a "
           "text for people.\",\"delivery\":[\"poll\"],\"inputSchema\":{\"type\":\"object\",\"properties\":{}},"
           "\"payloadSchema\":{\"type\":\"object\",\"properties\":{\"code\":{\"type\":\"string\"},\"text\":"
           "{\"type\":\"string\"}},\"required\":[\"code\",\"text\"]}}]");
    return false;
}

void skri_events_list(struct skr_call *call)
{
    skri_response_result(call->response, events_list_body);
}

/* ---- What is asked for ---- */

/* The number of the last alarm that the client has; *number stays where there is no cursor. False when the response is
 * an error. */
static bool read_event_cursor(struct skr_call *call, uint32_t *number)
{
    int token = skr_json_get(&call->json, call->params, "cursor");
    struct skr_span text;

    if (token < 0 || *skr_json_raw(&call->json, token).p == 'n') { /* null: all that are kept */
        return true;
    }
    if (!skri_rpc_param(call, SKR_PARAM_CURSOR, true, &text)) {
        return false;
    }
    struct skr_span rest = text;
    if (!skr_number_read(&rest, number) || rest.n > 0) {
        skri_rpc_error(call, SKR_BAD_CURSOR, text);
    }
    return !skri_rpc_has_failed(call);
}

/* At most how many events; false when the response is an error. */
static bool read_most(struct skr_call *call, uint32_t *most)
{
    int token = skr_json_get(&call->json, call->params, "maxEvents");
    int32_t value = SKR_ALARMS;

    if (token >= 0 && *skr_json_raw(&call->json, token).p != 'n' &&
        (!skr_json_is_number(&call->json, token) || !skr_number_int(skr_json_raw(&call->json, token), &value) ||
         value < 1)) {
        skri_rpc_error(call, SKR_BAD_COUNT, SPAN("maxEvents"));
    }
    *most = (uint32_t)value;
    return !skri_rpc_has_failed(call);
}

/* ---- events/poll ---- */

static void put_number_member(struct skr_call *call, const char *before, uint32_t value)
{
    skr_put(call, before);
    skr_put(call, value < 10 ? "0" : "");
    skr_put_int(call, value);
}

static void write_event(struct skr_call *call, const struct skr_alarm *alarm)
{
    struct skr_date date = skr_date_of(alarm->at_s);

    skr_put(call, "{\"eventId\":\"");
    skr_put_int(call, alarm->number);
    skr_put(call, "\",\"name\":\"" EVENT "\",");
    if (alarm->at_s > 0) {
        skr_put(call, "\"timestamp\":\"");
        skr_put_int(call, date.year);
        put_number_member(call, "-", date.month);
        put_number_member(call, "-", date.day);
        put_number_member(call, "T", date.hour);
        put_number_member(call, ":", date.minute);
        put_number_member(call, ":", date.second);
        skr_put(call, "Z\",");
    }
    skr_put(call, "\"data\":");
    skr_write_object(call, NULL);
    skr_write_string(call, "code", alarm->code);
    skr_write_string(call, "text", alarm->text);
    skr_write_end(call);
    skr_put(call, "}");
}

/* Writes the events after `number`, until `most` are written or the buffer is full. Returns the number of the last. */
static uint32_t write_events(struct skr_call *call, const struct skr_alarms *alarms, uint32_t number, uint32_t most)
{
    skr_put(call, "\"events\":[");
    for (uint32_t first = number; number != alarms->last && number - first < most; number++) {
        const struct skr_alarm *alarm = &alarms->ring[(number + 1) % SKR_ALARMS];
        if (number != first && call->out.n + EVENT_FRAME + skri_alarm_size(alarm) + END_FRAME > call->out.max) {
            break;
        }
        skr_put(call, number != first ? "," : "");
        write_event(call, alarm);
    }
    skr_put(call, "],");
    return number;
}

static bool events_poll_body(struct skr_response *a)
{
    skri_push(a, SKR_RAW, a->outcome.text);
    return false;
}

void skri_events_poll(struct skr_call *call)
{
    const struct skr_alarms *alarms = call->srv->device->alarms;
    uint32_t gone = alarms->last < SKR_ALARMS ? 0 : alarms->last - SKR_ALARMS; /* number of the last that is not kept */
    uint32_t has = gone, most;
    struct skr_span name;

    if (!skri_rpc_param(call, SKR_PARAM_NAME, true, &name) || !read_event_cursor(call, &has) ||
        !read_most(call, &most)) {
        return;
    }
    if (!skr_span_is(name, EVENT)) {
        skri_rpc_error(call, SKR_NO_EVENT, name);
        return;
    }
    bool lost = has < gone || has > alarms->last; /* the device gives numbers anew after a loss of power */
    uint32_t last = write_events(call, alarms, lost ? gone : has, most);

    skr_put(call, "\"cursor\":\"");
    skr_put_int(call, last);
    skr_put(call, lost ? "\",\"truncated\":true" : "\",\"truncated\":false");
    skr_put(call, last != alarms->last ? ",\"hasMore\":true" : ",\"hasMore\":false");
    skr_put(call, ",\"nextPollMs\":" POLL_MS);
    if (!skri_call_ended(call)) {
        return;
    }
    if (call->response->outcome.failed) {
        skri_rpc_error(call, SKR_READ_FAILED, call->response->outcome.text);
    } else {
        skri_response_result(call->response, events_poll_body);
    }
}

#endif
