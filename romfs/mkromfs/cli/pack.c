/* pack.c -- from a folder to a checked image. See pack.h. */
#include "cli/pack.h"

#include <stdlib.h>
#include <string.h>

#include "base/scan.h"
#include "base/screen.h"
#include "cmdline.h"
#include "decimal.h"
#include "load/omit.h"
#include "verify/budget.h"
#include "verify/verify.h"

#define ROUNDS_MAX 32 /* of leaving out skills: more are a chain of skills that name each other */

/* Loads and builds, leaving out more and more, until the rest has no errors. */
static bool build_image(const char *dir, const struct pack_options *options, struct diag *diag, struct device *device,
                        struct buf *image)
{
    struct omit omit = {.outputs = options->outputs, .output_count = options->output_count};
    struct load_options load = options->load;
    bool well, again;

    load.omit = &omit;
    if (!omit_outputs_are_ours(&omit, dir)) {
        return false;
    }
    do {
        struct diag held = {.hold = true};
        image->n = 0;
        memset(device, 0, sizeof *device);
        well = load_device(dir, &load, &held, device) && image_build(device, &options->image, &held, image);
        bool can_skip = !well && omit_errors(&omit, device, &held);
        again = can_skip && options->skip_bad && omit.round < ROUNDS_MAX;
        for (size_t i = 0; again && i < 2 && device->scanned[i] != NULL; i++) {
            scan_forget(device->scanned[i]); /* the next round reads it again */
        }
        if (!again) { /* in the last round errors are printed as such */
            omit_report(&omit, well ? omit.round : omit.round - 1, diag);
            diag_release(diag, &held);
        }
        if (can_skip && !again) {
            screen_error("%s", options->skip_bad
                                   ? "leaving out skills breaks others that name them, again and again; fix those first"
                                   : "--keep-going leaves out skills that have errors");
        }
    } while (again);
    screen_progress_end();
    device->left = omit.left;
    device->left_count = omit.left_count;
    return well;
}

static bool run_stages(const char *dir, const struct pack_options *options, struct diag *diag, struct device *device,
                       struct buf *image, struct romfs *fs)
{
    if (!build_image(dir, options, diag, device, image)) {
        return false;
    }
    /* What we write has been read back once. A failure here is a bug of ours, not the author's, and must never reach
     * a device. */
    int error = romfs_mount(fs, image->p, image->n);
    if (error != ROMFS_OK || verify_image(fs, "new image", stderr) > 0) {
        screen_error("internal error: the new image is refused: %s", romfs_reason(error));
        abort();
    }
    const struct check check = {.diag = diag, .path = dir, .rule_ids = true};
    unsigned errors_before = diag->errors;
    budget_check(&check, fs, device, options->skip_bad);
    return diag->errors == errors_before;
}

bool pack_device(const char *dir, const struct pack_options *options, struct diag *diag, struct device *device,
                 struct buf *image, struct romfs *fs)
{
    bool well = run_stages(dir, options, diag, device, image, fs);

    diag_end(diag);
    return well;
}

bool pack_folder(const char *dir, const struct pack_options *options, struct diag *diag, struct buf *image,
                 struct romfs *fs)
{
    struct device device;

    return pack_device(dir, options, diag, &device, image, fs);
}

bool pack_take_window(void *into, const char *name, const char *value)
{
    uint64_t window = ROMFS_WINDOW_MAX;

    if ((value != NULL && !host_decimal(value, strlen(value), ROMFS_WINDOW_MAX, &window)) ||
        window < ROMFS_WINDOW_MIN || (window & (window - 1)) != 0) {
        (void)host_usage_error("%s=%s: the window is a power of two from %u to %u", name, value, ROMFS_WINDOW_MIN,
                               ROMFS_WINDOW_MAX);
        return false;
    }
    *(size_t *)into = (size_t)window;
    return true;
}

/* True for what URIs can begin with (SK-V-61): a scheme, "://", and segments that each end in a slash. */
static bool is_base(const char *base)
{
    static const char scheme[] = "abcdefghijklmnopqrstuvwxyz0123456789+.-";
    static const char segment[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    size_t n = strspn(base, scheme);
    if (n == 0 || base[0] < 'a' || base[0] > 'z' || strncmp(base + n, "://", 3) != 0) {
        return false;
    }
    for (const char *p = base + n + 3; *p != '\0'; p += n + 1) {
        n = strspn(p, segment);
        bool dots = p[0] == '.' && (n == 1 || (n == 2 && p[1] == '.'));
        if (n == 0 || dots || p[n] != '/') {
            return false;
        }
    }
    return true;
}

bool pack_take_base(void *into, const char *name, const char *value)
{
    if (!is_base(value)) {
        (void)host_usage_error("%s '%s': a lower-case scheme, '://' and segments that end in '/', as in plant://site/",
                               name, value);
        return false;
    }
    *(const char **)into = value;
    return true;
}

void pack_print_left(const struct device *device)
{
    if (device->left_count > 0) {
        screen_error("%zu skill%s left out, %zu packed", device->left_count, screen_plural(device->left_count),
                     device->skill_count);
    }
}

void pack_print_counts(FILE *out, size_t skills, const struct diag *diag)
{
    fprintf(out, "%zu skill%s, %u error%s, %u warning%s\n", skills, screen_plural(skills), diag->errors,
            screen_plural(diag->errors), diag->warnings, screen_plural(diag->warnings));
}
