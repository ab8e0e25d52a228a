/* panel.c -- mounts an image with its panel. See romfs.h. A program that shows no panels does not contain this. */
#include "check.h"

#define PANEL_TEXTS                                                                                                    \
    ((offsetof(struct romfs_panel, file.flags) - offsetof(struct romfs_panel, meta)) / sizeof(struct romfs_text))

int romfs_mount(struct romfs *fs, const void *image, size_t n)
{
    int error = romfs_mount_prompts(fs, image, n);
    const struct romfs_panel *panel = error == ROMFS_OK ? romfs_find_panel(fs) : NULL;

    if (panel == NULL) {
        return error;
    }
    bool sound = within(sizeof *fs->header, sizeof *panel, fs->header->meta_size) && file_is_sound(fs, &panel->file) &&
                 (panel->file.flags & (ROMFS_DIR | ROMFS_TEXT)) == ROMFS_TEXT && panel->file.skill == ROMFS_NONE &&
                 digest_fits(fs, panel->file.digest) && texts_fit(fs->header, &panel->meta.off, PANEL_TEXTS);
    return sound ? ROMFS_OK : ROMFS_ERR_NODE;
}
