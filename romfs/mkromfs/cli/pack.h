/* pack.h -- from a folder to a checked image in memory: what `pack` and `serve` share. */
#ifndef MKROMFS_PACK_H
#define MKROMFS_PACK_H

#include "base/buf.h"
#include "image/image.h"
#include "image/model.h"
#include "romfs.h"

struct pack_options {
    struct load_options load;
    struct image_options image;
};

/* Loads, builds, then mounts and verifies the result as a reader would. False when
 * the folder is at fault, with the messages in diag. */
bool pack_folder(const char *dir, const struct pack_options *options, struct diag *diag, struct buf *image,
                 struct romfs *fs);

/* The same, and what was loaded is wanted, too. */
bool pack_device(const char *dir, const struct pack_options *options, struct diag *diag, struct device *device,
                 struct buf *image, struct romfs *fs);

/* The window from the text of `--compress=TEXT`; NULL means the default. 0 when the
 * text is no power of two from 256 to 32768. */
size_t pack_window(const char *text);

/* True for what URIs can begin with (SK-V-61): a scheme, "://", and segments that each end
 * in a slash. NULL, the default, is sound. */
bool pack_base_is_sound(const char *base);

#define PACK_BASE_WRONG                                                                                      \
    "--base '%s': a lower-case scheme, '://' and segments that end in '/', as in plant://site/"

/* "3 skills, 0 errors, 1 warning". */
void pack_print_counts(FILE *out, size_t skills, const struct diag *diag);

#endif
