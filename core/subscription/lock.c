/* lock.c -- the lock of a device: a key switch or an emergency stop. What it means is decided in handler/guard.c. */
#include "skillrom.h"

#if SKR_GUARD

void skr_server_lock(struct skr_server *s, enum skr_lock level, const char *reason)
{
    s->guard.lock = (uint8_t)level;
    s->guard.reason = reason;
#if SKR_CHANGES
    skr_server_notify(s, SKR_CHANGES_TOOLS); /* lists say what is locked */
#endif
}

#endif
