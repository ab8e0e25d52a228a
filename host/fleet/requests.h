/* requests.h -- requests to devices, from the order until the answer or whatever else becomes of them.
 *
 * A device is greeted (initialize) before its first request; requests wait for that, for their turn, and, if the order
 * says so, for a device that is away. Nothing is sent twice: when the broker or the device is lost after a request was
 * sent, its fate is unknown, and that is what its owner is told. */
#ifndef SKR_FLEET_REQUESTS_H
#define SKR_FLEET_REQUESTS_H

#include "registry.h"

/* What became of a request. In all but the first two there is no answer. metrics.c has their names. */
enum fleet_fate {
    FLEET_FATE_RESULT,
    FLEET_FATE_ERROR,   /* the value is a JSON-RPC error object */
    FLEET_FATE_AWAY,    /* the device was not there: not sent */
    FLEET_FATE_SILENT,  /* it did not answer the greeting: not sent */
    FLEET_FATE_REFUSED, /* two devices have its id: not sent */
    FLEET_FATE_OFFLINE, /* the broker is not there: not sent */
    FLEET_FATE_BREAK,   /* device or broker went away after it was sent */
    FLEET_FATE_LATE,    /* no answer within the time */
    FLEET_FATE_DENIED,  /* its owner did not allow it any longer when it could be sent: not sent */
};

/* Tells the owner of a request. `value` is valid until this returns. */
typedef void fleet_response_fn(uint32_t owner, uint32_t item, enum fleet_fate fate, struct skr_span value);

/* Tells the owner how far the device has got: the params of its notification. */
typedef void fleet_progress_fn(uint32_t owner, uint32_t item, struct skr_span params);

/* May the request be sent now? */
typedef bool fleet_may_fn(uint32_t owner, uint32_t item);

struct fleet_order {
    uint32_t device;
    const char *method;
    struct skr_span params; /* the inside of the object, JSON; must stay until the owner is told */
    bool runs;              /* may do something: the fate matters, and it is never delivered twice */
    uint32_t wait_ms;       /* for a device that is away; 0: fails at once */
    uint32_t answer_ms;     /* without an answer or progress */
    struct skr_span
        offers; /* what the agent can be asked, an object: the request is one of 2026-07-28; NULL: of the session */
    fleet_progress_fn *progress; /* NULL: nobody wants to know */
    fleet_may_fn *may;           /* looked at when it is sent, which may be long after the order; NULL: it may */
    fleet_response_fn *answered;
    uint32_t owner, item;
};

/* Takes the order. False when there is no room: try again later. The owner may be told before this returns. */
bool fleet_request_take(const struct fleet_order *order, uint64_t now_ms);

/* The owner does not want to be told any more. What was sent is cancelled at the device. */
void fleet_requests_forget(fleet_response_fn *answered, uint32_t owner);

/* Whom to tell that two devices have answered one greeting. */
void fleet_requests_on_twins(void (*tell)(uint32_t device, uint64_t now_ms));

/* ---- What happens ---- */

/* A message of a device has come. */
void fleet_requests_message(uint32_t device, struct skr_span message, uint64_t now_ms);

/* It was none that could be read. */
void fleet_requests_stray(uint32_t device, uint64_t now_ms);

/* The device is there, or there again: nothing of before counts. */
void fleet_requests_device_up(uint32_t device, uint64_t now_ms);

/* It is gone: `fate` for what was not sent. What was sent is unknown. */
void fleet_requests_device_down(uint32_t device, enum fleet_fate fate);

/* The broker is gone. */
void fleet_requests_broker_down(void);

/* Greets a device that is present, to see whether it answers. False: later, when there is room. */
bool fleet_requests_probe(uint32_t device, uint64_t now_ms);

/* What is due. Returns in how many milliseconds it wants to be called again. */
uint32_t fleet_requests_turn(uint64_t now_ms);

/* Requests that have a place. */
uint32_t fleet_requests_count(void);

#endif
