/* share.h -- one serial port, several bridges: the first one locks the port, the others go through it.
 *
 * Some clients start a stdio command twice, and two agents may use one device. The bridge that has the port listens
 * on a socket whose name is derived from the port; one that finds the port locked connects there and sends plain
 * lines, as any client would. When the first one ends, one of the others gets the lock and goes on. */
#ifndef TRANSPORT_SHARE_H
#define TRANSPORT_SHARE_H

/* Opens a socket where other bridges can connect for this port; -1 if that fails. */
int transport_share_listen(const char *path);

/* Connects to the bridge that has this port, as an open, non-blocking socket; -1 if none has it. */
int transport_share_connect(const char *path);

/* Accepts a bridge and returns its socket; -1 when none is waiting, or it belongs to another user. */
int transport_share_accept(int listener);

#endif
