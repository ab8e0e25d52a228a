/* mount.h -- mounts an image (mount.c). */
#ifndef SKR_MOUNT_H
#define SKR_MOUNT_H

#include "skillrom.h"

/* As romfs_mount, but also refuses an image that this build cannot serve. */
int skri_store_mount(struct romfs *fs, const void *image, size_t n);

#endif
