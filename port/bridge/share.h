/* share.h -- one serial port, several bridges: the first locks the port, the others ask it.
 *
 * Some clients start a stdio command twice, and two agents may use one device. Who has the
 * port listens on a socket whose name follows from the port; who finds the port locked
 * connects there and speaks plain lines to it, as any client would. When the first ends,
 * one of the others gets the lock and goes on. */
#ifndef SKR_SHARE_H
#define SKR_SHARE_H

/* A socket where other bridges may ask for this port; -1: it cannot be made now. */
int skr_share_listen(const char *path);

/* Connects to the bridge that has this port, as an open, non-blocking socket; -1: none has it. */
int skr_share_connect(const char *path);

/* Takes a bridge in: its socket; -1 when none is there, or it is another user's. */
int skr_share_accept(int listener);

#endif
