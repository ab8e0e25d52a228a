/* ports.h -- which serial ports there are. */
#ifndef SKR_PORTS_H
#define SKR_PORTS_H

#include <stdbool.h>
#include <stddef.h>

#include "bridge_config.h"

struct bridge_serial_ports {
    size_t count;
    struct bridge_port {
        char path[64];     /* /dev/ttyACM0 */
        char product[128]; /* what the USB device calls itself; may be empty */
        char serial[64];   /* its serial number; may be empty */
    } at[BRIDGE_PORTS];
};

/* Finds the serial ports on USB, sorted by name. */
void bridge_serial_ports_find(struct bridge_serial_ports *ports);

/* Prints them, one per line; returns the exit code. */
int bridge_serial_ports_list(void);

#endif
