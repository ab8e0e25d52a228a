/* update_file.h -- the slots of a device in a file (--update), as firmware has them in its flash: port/update does the
 * rest, so that a PC is updated over the wire as a device is. */
#ifndef SKR_UPDATE_FILE_H
#define SKR_UPDATE_FILE_H

#include "../update/updater.h"
#include "image.h"
#include "options.h"
#include "skillrom.h"

/* Opens the file of options->update; one that does not exist is made, with `image` in slot 0. On success *image becomes
 * what is to be served, which is mapped as long as the program runs. False, after a message. */
bool posix_update_file_open(const struct posix_options *options, struct skr_server *server, struct posix_image *image);

/* Offers updates, after skr_server_init. */
struct skr_server_update *posix_update_file_start(void);

#endif
