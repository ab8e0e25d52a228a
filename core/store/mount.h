/* mount.h -- an image, if this build can serve it (mount.c). */
#ifndef SKR_MOUNT_H
#define SKR_MOUNT_H

#include "skillrom.h"

/* Mounts an image, if this build can serve it. As romfs_mount. */
int skri_store_mount(struct romfs *fs, const void *image, size_t n);

#endif
