/* mount.c -- see mount.h. */
#include "store/mount.h"

int skri_store_mount(struct romfs *fs, const void *image, size_t n)
{
    int error = romfs_mount(fs, image, n);
    if (error == ROMFS_OK && fs->header->window > (SKR_DEFLATE ? SKR_WINDOW_MAX : 0)) {
        return ROMFS_ERR_WINDOW;
    }
    return error;
}
