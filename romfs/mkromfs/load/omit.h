/* omit.h -- what is skipped in a folder: files that we write ourselves, and skills with errors if those are to be
 * left out (`pack --keep-going`, `serve`).
 *
 * Errors are known only when a folder has been loaded, and leaving out one skill can break another that names it. So
 * a folder is loaded again and again, each time skipping more, until the rest has no errors. */
#ifndef MKROMFS_OMIT_H
#define MKROMFS_OMIT_H

#include "base/names.h"
#include "base/scan.h"
#include "image/model.h"

/* How much of a skill's directory is skipped. What lies in another skill is still that one's. */
enum omitted_part {
    OMIT_SKILL,
    OMIT_FILES,
    OMIT_ALL
}; /* only that it is a skill; its own files; all that is below it */

/* A directory that is skipped. */
struct omitted {
    const char *dir;
    enum omitted_part part;
    struct diag_message why; /* the first error there */
    unsigned errors;         /* how many there were */
    unsigned first, last;    /* rounds of loading in which it was found wrong */
};

struct omit {
    const char *const *outputs; /* paths of our own files or directories, which may not exist */
    size_t output_count;
    struct omitted *list;
    size_t count;
    struct names by_dir; /* the number of each in the list, from 1 */
    unsigned round;
    struct place *left; /* skills that are left out because of it */
    size_t left_count;
    struct names tools, prompts; /* those that only skills showed, before skills were left out */
};

/* False, with a message on stderr, when an output would replace a file of the folder that is
 * not an earlier output. */
bool omit_outputs_are_ours(const struct omit *omit, const char *dir);

/* Removes what is skipped from a newly scanned tree. */
void omit_apply(const struct omit *omit, struct disk_entry *root);

/* Tools and prompts scoped to a skill do not become listed because the skill is left out. */
void omit_orphans(const struct omit *omit, struct device *device);

/* Skips whatever the errors in `held` are about, after `device` was loaded with them. False when one of them is not
 * about skills: then leaving out skills does not help. */
bool omit_errors(struct omit *omit, const struct device *device, const struct diag *held);

/* A warning for each directory that has been skipped since one of the first `rounds` rounds. */
void omit_report(const struct omit *omit, unsigned rounds, struct diag *diag);

#endif
