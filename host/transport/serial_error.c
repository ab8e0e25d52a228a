/* serial_error.c -- why a serial port cannot be used, and the remedy; see serial.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "serial.h"

static const struct open_failure {
    int error;
    const char *message, *remedy;
} open_failures[] = {
    {0, "no device responds there",
     "The device is missing: none responds on its port; check its power, its wiring and the speed (--baud)"},
    {ENOENT, "No such file or directory", "The device is missing; check that it is plugged in and powered"},
    {EACCES, "Permission denied; add yourself to the port's group, usually dialout: sudo usermod -aG dialout $USER",
     "Permission to open its port is denied; add yourself to the port's group, usually dialout (sudo usermod -aG "
     "dialout $USER), log in again and start the bridge again"},
    {EBUSY, "in use by another program", "Its port is in use by another program; close that program"},
    {ENOTTY, "not a serial port", "The path is not a serial port; skillrom find shows those on USB"},
};

static const struct open_failure *open_failure(int error)
{
    for (size_t i = 0; i < sizeof open_failures / sizeof open_failures[0]; i++) {
        if (open_failures[i].error == error) {
            return &open_failures[i];
        }
    }
    return NULL;
}

void transport_serial_set_error(struct transport_serial *c, int error)
{
    const struct open_failure *it = open_failure(error);

    c->open_error = error;
    (void)snprintf(c->base.remedy, sizeof c->base.remedy, "%s",
                   it != NULL ? it->remedy
                              : "Its port cannot be opened; the bridge's messages on stderr have the reason");
}

const char *transport_serial_error(const struct transport_serial *c)
{
    const struct open_failure *it = open_failure(c->open_error);

    return it != NULL ? it->message : strerror(c->open_error);
}
