/* session.h -- host/mqtt/mqtt.h for fuzzers: a session with a broker that is the fuzzer. */
#ifndef FUZZ_SESSION_H
#define FUZZ_SESSION_H

#include "../../../host/mqtt/mqtt.h"

/* Every message that the program publishes. */
typedef void session_published(const char *topic, const char *payload, size_t n);

/* As at the beginning of every input: nobody has opened a session. */
void session_start(session_published *published);

/* The broker's affairs: it comes, goes, takes less, takes more, refuses, takes all that was sent, or says how the device is to be called. */
void session_turn(uint8_t arg);

/* Delivers a message, in a block of its own size, if the program has a session. */
void session_deliver(const char *topic, const char *payload, size_t n, const char *sender, bool retained);

/* The id of the program's client; "" without a session. */
const char *session_id(void);

#endif
