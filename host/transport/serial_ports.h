/* serial_ports.h -- the serial ports on USB. */
#ifndef TRANSPORT_SERIAL_PORTS_H
#define TRANSPORT_SERIAL_PORTS_H

#include <stdbool.h>
#include <stddef.h>

#include "transport_config.h"

struct transport_serial_ports {
    size_t count;
    struct transport_port {
        char path[64];     /* /dev/ttyACM0 */
        char product[128]; /* its USB product name; may be empty */
        char serial[64];   /* its serial number; may be empty */
    } at[TRANSPORT_PORTS];
};

/* Finds the serial ports on USB, sorted by name. */
void transport_serial_ports_find(struct transport_serial_ports *ports);

/* Prints them, one per line; returns the exit code. */
int transport_serial_ports_list(void);

#endif
