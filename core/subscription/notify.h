/* notify.h -- notifies clients of changes, of another image or reported by the firmware: notifications/.../list_changed
 * and notifications/resources/updated.
 *
 * Who is notified of what:
 *   a client of the initialize era   every list whose changes it was promised, and the URIs it subscribed to; on its
 *                                    line, or over HTTP on the GET stream of its session
 *   a client of 2026-07-28           the filter of its subscriptions/listen: a feed
 *
 * Nothing is queued. Each of these has a bit for every list and URI, so that a slow peer that misses a hundred changes
 * is notified once (SUB-14); and the count of changes it has seen, so that a change need not visit every client. */
#ifndef SKR_NOTIFY_H
#define SKR_NOTIFY_H

#include "response/feature.h"
#include "response/request.h"

/* Lists that change, as bits; their order is that of the notifications. */
enum skr_list_bit { SKR_CHANGED_SKILLS = 1, SKR_CHANGED_RESOURCES = 2, SKR_CHANGED_TOOLS = 4, SKR_CHANGED_PROMPTS = 8 };

/* While nothing is being sent: prepares the next notification in c->response. False when there is none. */
bool skri_notify_next(struct skr_conn *c);

/* The link is gone. */
void skri_notify_close(struct skr_conn *c);

/* The lists, as bits, that clients can be notified of: those there are, if the image or the firmware may change
 * them. */
uint8_t skri_notify_kinds(const struct skr_server *s);

/* The lists whose changes the firmware reports, enum skr_changes: a resource that has a version needs no word of its
 * own in `changes` of struct skr_device. */
unsigned skri_changes_of(const struct skr_device *device);

/* initialize: forgets earlier subscriptions, and promises notifications of these. */
void skri_notify_promise(struct skr_call *call);

/* Makes a feed for the request being handled; NULL when no slot is free or its id is too long. One with the same id is
 * replaced (SER-03). */
struct skr_listen *skri_listen_open(struct skr_call *call, uint8_t wants);
void skri_listen_close(struct skr_conn *c, struct skr_listen *feed);

/* The feed that the request with this id has opened; NULL: there is none. */
struct skr_listen *skri_listen_find(struct skr_conn *c, struct skr_span id);
uint8_t skri_listen_owner(const struct skr_conn *c, const struct skr_listen *feed); /* of its subscriptions */

/* The client no longer wants the response to the request with this id. */
void skri_notify_cancel(struct skr_conn *c, struct skr_span id);

/* The subscriptions of this call's client, brought up to date: call it before adding one, because that is only notified of
 * later changes. */
struct skr_subscriptions *skri_notify_legacy(struct skr_call *call);

/* Marks an HTTP connection as one that stays open for notifications. False when there are as many as allowed. */
bool skri_notify_stream(struct skr_conn *c);

/* True when c is such a stream. */
static inline bool skri_notify_is_stream(const struct skr_conn *c)
{
#if SKR_CHANGES
    return c->stream.open;
#else
    (void)c;
    return false;
#endif
}

/* ---- The messages that begin and end a subscriptions/listen (listen.c) ---- */

/* Makes `a`, whose id is set, the acknowledgement, and also the end unless a->envelope.open says that the subscription
 * goes on. a->as.listen has what is honoured. */
void skri_listen_begin(struct skr_response *a);

/* Makes `a`, whose id is set, the final messages of a feed. */
void skri_listen_end(struct skr_response *a);

#endif
