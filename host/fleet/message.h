/* message.h -- writes the messages to devices. */
#ifndef SKR_FLEET_MESSAGE_H
#define SKR_FLEET_MESSAGE_H

#include "requests.h"

/* The params of initialize. There are no capabilities: devices request input in results of 2026-07-28 only, where it belongs to a
 * call. */
#define FLEET_INITIALIZE                                                                                                            \
    "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"skillrom-fleet\",\"version\":\"" SKR_VERSION \
    "\"}"

/* A message is valid until the next one is written. NOTHING: it is too long. */
struct skr_span fleet_message_request(uint32_t id, const struct fleet_request *order);
struct skr_span fleet_message_cancel(uint32_t id);

/* The response to a request of a device: to ping a result, to others an error. */
struct skr_span fleet_message_reply(struct skr_span id, struct skr_span method);

#endif
