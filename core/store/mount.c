/* mount.c -- see mount.h. */
#include "store/mount.h"

#include <string.h>

/* Records that only the panel, only prompts, or only the older dialects of skills, read are checked where those are
 * built in: a build that never looks at a record need not carry its check. */
#define MOUNT_LESS                                                                                                     \
    (SKR_EXTRAS || SKR_CHANGES ? romfs_mount_prompts : SKR_DIALECTS ? romfs_mount_skills : romfs_mount_lean)
#define MOUNT (SKR_PANEL ? romfs_mount : MOUNT_LESS)

/* The first tool from `tool` on whose handler does not fit its description. A tool that the image does not describe is
 * not listed, so it promises nothing. */
static const struct skr_tool *tool_misfit(const struct skr_device *d, const struct romfs *fs,
                                          const struct skr_tool *tool)
{
    for (; tool < d->tools + d->tool_count; tool++) {
        const struct romfs_tool *about = romfs_find_tool(fs, tool->name, strlen(tool->name));
        if (tool->interface_id != 0 && about != NULL && about->interface_id != tool->interface_id) {
            return tool;
        }
    }
    return NULL;
}

int skri_store_mount(struct romfs *fs, const struct skr_device *device, const void *image, size_t n)
{
    int error = MOUNT(fs, image, n);

    if (error != ROMFS_OK) {
        return error;
    }
    if (fs->header->window > (SKR_DEFLATE ? SKR_WINDOW_MAX : 0)) {
        return ROMFS_ERR_WINDOW;
    }
    return tool_misfit(device, fs, device->tools) != NULL ? SKR_ERR_TOOLS : ROMFS_OK;
}

const struct skr_tool *skr_server_misfit(const struct skr_server *s, const struct skr_tool *after)
{
    const struct romfs *fs = s->fs;
#if SKR_CHANGES
    const struct romfs *other = &s->images[fs == &s->images[0]];

    if (other->header != NULL && tool_misfit(s->device, fs, s->device->tools) == NULL) {
        fs = other; /* what is served fits, so a swap was refused */
    }
#endif
    return tool_misfit(s->device, fs, after != NULL ? after + 1 : s->device->tools);
}
