/* layout_panel.c -- the record of the panel, which follows the header. See layout.h. */
#include "image/layout.h"
#include "sha256.h"

void layout_panel(struct layout *l)
{
    const struct panel *panel = l->device->panel;
    uint8_t digest[ROMFS_SHA256_SIZE];

    if (panel == NULL) {
        return;
    }
    romfs_sha256_of(panel->file.bytes, panel->file.size, digest);
    l->panel.file = (struct romfs_node){
        .path = layout_text(l, panel->uri),
        .mime = layout_text(l, panel->file.mime),
        .skill = ROMFS_NONE,
        .digest = texts_add(&l->digests, digest, sizeof digest).off,
    };
    l->panel.file.name = layout_within(l, l->panel.file.path, panel->file.path);
    l->panel.meta = layout_text(l, panel->meta);
    l->panel.tool = layout_text(l, panel->tool);
    l->panel.resource = layout_text(l, panel->resource);
    l->panel.text = layout_text(l, panel->text);
    l->header.flags |= ROMFS_HAS_PANEL;
}
