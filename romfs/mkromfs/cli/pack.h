/* pack.h -- from a folder to a checked image in memory: what `pack` and `serve` share. */
#ifndef MKROMFS_PACK_H
#define MKROMFS_PACK_H

#include "base/buf.h"
#include "image/image.h"
#include "image/model.h"
#include "romfs.h"

#define PACK_OUTPUTS 6

struct pack_options {
    struct load_options load;
    struct image_options image;
    bool skip_bad;                     /* leave out skills that have errors */
    const char *outputs[PACK_OUTPUTS]; /* the output files: not packed if they are in the folder */
    size_t output_count;
};

/* Loads, builds, then mounts and verifies the result as a reader would. False when the folder has errors, with the
 * messages in diag. */
bool pack_folder(const char *dir, const struct pack_options *options, struct diag *diag, struct buf *image,
                 struct romfs *fs);

/* Likewise, and returns the device that was loaded: device->left has the skills that were left out. */
bool pack_device(const char *dir, const struct pack_options *options, struct diag *diag, struct device *device,
                 struct buf *image, struct romfs *fs);

/* For rows of host/base/cmdline.h: --base into a const char *, and --compress into a size_t, its window. */
bool pack_take_base(void *base, const char *name, const char *value);
bool pack_take_window(void *window, const char *name, const char *value);

/* Says on stderr how many skills were left out, if any. */
void pack_print_left(const struct device *device);

/* "3 skills, 0 errors, 1 warning". */
void pack_print_counts(FILE *out, size_t skills, const struct diag *diag);

#endif
