/* channel.h -- `skillrom bridge --channel`: alarms of the device as messages in a Claude Code conversation.
 *
 * Claude Code (2.1.80 and later, research preview) takes `notifications/claude/channel` from a stdio server that
 * declares the experimental capability `claude/channel`. The bridge is such a server for its device: here is a client
 * of the bridge's own core, on a socket pair, that subscribes to the resource named `alarms` (core/skr_alarm.h) and
 * reads it when it changes. */
#ifndef BRIDGE_CHANNEL_H
#define BRIDGE_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Creates the pair and returns the core's end; -1 when the system has no sockets left. Without this call the other
 * functions do nothing. */
int bridge_channel_open(void);

/* Moves bytes without blocking. */
void bridge_channel_turn(uint64_t now_ms);

/* The descriptor to wait for, -1 for none, with poll's events. */
int bridge_channel_wants(short *events);

/* Milliseconds until it has something to do by itself; UINT32_MAX when it waits for others. */
uint32_t bridge_channel_wait_ms(uint64_t now_ms);

/* True until the client's initialize has its response: what the core sends must then be passed to bridge_channel_edit
 * line by line, which adds the capability and the instructions, and refuses server/discover. Returns the new length, at
 * most `room`. */
bool bridge_channel_waits(void);
size_t bridge_channel_edit(char *line, size_t n, size_t room);

/* Writes the next notifications for the client, whole lines, to be sent between two messages. Returns their length. */
size_t bridge_channel_take(char *to, size_t room);

#endif
