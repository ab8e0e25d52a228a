/* state.h -- what skillromd keeps between its runs: the key of session ids, so that clients survive a restart. */
#ifndef SKR_STATE_H
#define SKR_STATE_H

#include <stdbool.h>
#include <stdint.h>

/* Finds the key in the file session.key of a folder, or makes one: 16 random bytes, as hex, mode 0600. Without `folder`
 * the usual one is taken, and if there is none that can be written to, *key is NULL and that is said: sessions then end
 * with this process. False when a folder that was asked for cannot be used, or what lies there is no key of ours: the
 * reason has been said. */
bool skr_state_key(const char *folder, const uint8_t **key);

#endif
