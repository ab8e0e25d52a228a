/* front.h -- the bridge as the core sees it: a server whose methods are a device's. */
#ifndef SKR_FRONT_H
#define SKR_FRONT_H

#include "relay.h"

/* The server that clients are connected to. */
extern struct skr_server skr_front_server;

/* Readies it for these devices. `changes`: clients are promised to hear when lists change. `poll`: how long an HTTP
 * answer is waited for before its client, if it can, is told to come back for it; 0: for ever. */
void skr_front_init(struct skr_relay *relays, size_t count, bool changes, uint32_t poll);

/* The run of the core that a request is; NULL: it is over. */
struct skr_job *skr_front_job(const struct skr_request *q);

/* A place for a request; NULL: all are taken. */
struct skr_request *skr_front_spare(void);

/* Gives back the places of answers that have left. */
void skr_front_tidy(void);

/* A request has been taken in: look at the devices soon. (bridge.c) */
void skr_front_soon(void);

/* These lists may be others now, enum skr_news_bit: tells whoever wants to hear of it. */
void skr_front_changed(unsigned kinds);

#endif
