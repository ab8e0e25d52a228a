/* pack.h -- from a folder to a checked image in memory: what `pack` and `serve` share. */
#ifndef MKROMFS_PACK_H
#define MKROMFS_PACK_H

#include "base/buf.h"
#include "image/image.h"
#include "image/model.h"
#include "romfs.h"

#define PACK_OUTPUTS 4

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

/* The same, and also returns what was loaded: device->left has the skills that were left out. */
bool pack_device(const char *dir, const struct pack_options *options, struct diag *diag, struct device *device,
                 struct buf *image, struct romfs *fs);

/* The window from the text of `--compress=TEXT`; NULL means the default. 0 when the text is not a power of two from
 * 256 to 32768. */
size_t pack_window(const char *text);

/* True for what URIs can begin with (SK-V-61): a scheme, "://", and segments that each end in a
 * slash. NULL, the default, is valid. */
bool pack_base_is_sound(const char *base);

#define PACK_BASE_WRONG "--base '%s': a lower-case scheme, '://' and segments that end in '/', as in plant://site/"

/* Says on stderr how many skills were left out, if any. */
void pack_print_left(const struct device *device);

/* "3 skills, 0 errors, 1 warning". */
void pack_print_counts(FILE *out, size_t skills, const struct diag *diag);

#endif
