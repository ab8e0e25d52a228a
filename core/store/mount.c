/* mount.c -- see mount.h. */
#include "store/mount.h"

/* Records that only prompts, or only the older dialects of skills, read are checked where those are built in: a build
 * that never looks at a record need not carry its check. */
#if SKR_EXTRAS || SKR_CHANGES
#define MOUNT romfs_mount
#elif SKR_DIALECTS
#define MOUNT romfs_mount_skills
#else
#define MOUNT romfs_mount_lean
#endif

int skri_store_mount(struct romfs *fs, const void *image, size_t n)
{
    int error = MOUNT(fs, image, n);
    if (error == ROMFS_OK && fs->header->window > (SKR_DEFLATE ? SKR_WINDOW_MAX : 0)) {
        return ROMFS_ERR_WINDOW;
    }
    return error;
}
