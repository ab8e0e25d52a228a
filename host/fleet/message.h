/* message.h -- the messages that the fleet sends to devices. */
#ifndef SKR_FLEET_MESSAGE_H
#define SKR_FLEET_MESSAGE_H

#include "requests.h"

/* What devices are told of the fleet. It offers nothing: questions are for requests of 2026-07-28, which say whose they are. */
#define FLEET_GREETING                                                                                                              \
    "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"skillrom-fleet\",\"version\":\"" SKR_VERSION \
    "\"}"

/* Messages are valid until the next one is written. One that is too long is empty. */
struct skr_span fleet_message_request(uint32_t id, const struct fleet_order *order);
struct skr_span fleet_message_cancel(uint32_t id);

/* The answer to a request of a device: the fleet is there, and can do nothing else for it. */
struct skr_span fleet_message_reply(struct skr_span id, struct skr_span method);

#endif
