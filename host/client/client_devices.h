/* client_devices.h -- a client of a device whose options were read from a command line. */
#ifndef CLIENT_CLIENT_DEVICES_H
#define CLIENT_CLIENT_DEVICES_H

#include "../transport/devices.h"
#include "client.h"

/* Selects the first of the devices, with the timeouts and the quiet of its options. `devices` must outlive c. */
void client_use(struct client *c, struct transport_devices *devices);

#endif
