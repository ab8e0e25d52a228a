/* front.h -- the bridge as the core sees it: a server whose methods are a device's. */
#ifndef SKR_FRONT_H
#define SKR_FRONT_H

#include "relay.h"

/* Readies it for these devices. `changes`: clients are promised to hear when lists change. `poll`: how long an HTTP
 * answer is waited for before its client, if it can, is told to come back for it; 0: for ever. */
void skr_front_init(struct skr_relay *relays, size_t count, bool changes, uint32_t poll);

/* These lists may be others now, enum skr_news_bit: tells whoever wants to hear of it. */
void skr_front_changed(unsigned kinds);

#endif
