/* state.h -- what skillromd keeps between runs: the key of session ids, so that clients survive a restart. */
#ifndef SKR_STATE_H
#define SKR_STATE_H

#include <stdbool.h>
#include <stdint.h>

/* Reads the key from the file session.key in a folder, or creates it: 16 random bytes, as hex, mode 0600. NULL means the
 * default folder; if that cannot be used, *key is NULL after a message, and sessions end with this process. False, after a
 * message, if the given folder cannot be used, or the file is not a key of ours. */
bool posix_state_key(const char *folder, const uint8_t **key);

#endif
