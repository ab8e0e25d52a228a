/* notify.h -- telling clients that the image is another one.
 *
 * Who hears of what:
 *   a client of the initialize era   every list that it was promised to hear of, and
 *                                    the URIs it subscribed to; on its line, or over
 *                                    HTTP on the GET stream of its session
 *   a client of 2026-07-28           what it asked for in subscriptions/listen: a feed
 *
 * Nothing is queued. Each keeps a bit for every list and URI, so that a hundred changes
 * that a slow peer misses are told once (SUB-14); and the count of images it has seen,
 * so that nobody has to visit it when one happens. */
#ifndef SKR_NOTIFY_H
#define SKR_NOTIFY_H

#include "answer/feature.h"
#include "answer/request.h"

/* Lists that change, as bits; their order is that of the notifications. */
enum skr_news_bit { SKR_NEWS_SKILLS = 1, SKR_NEWS_RESOURCES = 2, SKR_NEWS_TOOLS = 4, SKR_NEWS_PROMPTS = 8 };

/* Nothing is being answered: readies the next notification in c->answer. False when
 * there is none. */
bool skri_notify_next(struct skr_conn *c);

/* The link is gone. */
void skri_notify_close(struct skr_conn *c);

/* The lists, as bits, whose change can be told: those there are, if the image may change. */
uint8_t skri_notify_kinds(const struct skr_call *call);

/* initialize: forgets what was, and promises to tell of these. */
void skri_notify_promise(struct skr_call *call);

/* Makes a feed for the request being handled; NULL when there is no place. One with the
 * same id is replaced (SER-03). */
struct skr_feed *skri_feed_open(struct skr_call *call, uint8_t wants);
void skri_feed_close(struct skr_conn *c, struct skr_feed *feed);

/* The feed that the request with this id has opened; NULL: there is none. */
struct skr_feed *skri_feed_find(struct skr_conn *c, struct skr_span id);
uint8_t skri_feed_owner(const struct skr_conn *c, const struct skr_feed *feed); /* of its interests */

/* The client no longer wants the answer to the request with this id. */
void skri_notify_cancel(struct skr_conn *c, struct skr_span id);

/* The news of this call's client, or of the connection's feeds, brought up to date: to
 * be done before anything is added to them, which is to hear only of what comes. */
struct skr_news *skri_notify_legacy(struct skr_call *call);
struct skr_news *skri_notify_feeds(struct skr_call *call);

/* Marks an HTTP connection as one that stays open for news. False when there are as many
 * as there may be. */
bool skri_notify_stream(struct skr_conn *c);

/* ---- The messages that begin and end a subscriptions/listen (listen.c) ---- */

/* Makes `a`, whose id is set, the acknowledgement; unless a->open says that the subscription goes on, also its end.
 * a->as.listen has what is honoured. */
void skri_listen_begin(struct skr_answer *a);

/* Makes `a`, whose id is set, the last words of a feed. */
void skri_listen_end(struct skr_answer *a);

#endif
