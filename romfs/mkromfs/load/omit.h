/* omit.h -- what of a folder is passed over: files that we write ourselves, and skills that
 * have errors, where these are to be left out (`pack --skip-bad`, `serve`).
 *
 * Which skills have errors shows only when a folder has been loaded, and leaving one out can
 * spoil another that names it. So a folder is loaded again and again, each time with more
 * passed over, until nothing is wrong with the rest. */
#ifndef MKROMFS_OMIT_H
#define MKROMFS_OMIT_H

#include "image/model.h"
#include "base/scan.h"

/* A directory that is passed over: what it holds itself, or all that is below it. */
struct omitted {
    const char *dir;
    bool whole;
    struct diag_message why; /* the first error there */
    unsigned errors;         /* how many there were */
    unsigned first, last;    /* rounds of loading in which it was found wrong */
};

struct omit {
    const char *const *outputs; /* files or directories that are ours, where they are if they are there */
    size_t output_count;
    struct omitted *list;
    size_t count;
    unsigned round;
    struct place *left; /* skills that are left out by it */
    size_t left_count;
    char **tools, **prompts; /* those that only skills showed, before some were left out */
    size_t tool_count, prompt_count;
};

/* False, with a message on stderr, when an output would replace a file of the folder that is
 * not an earlier output. */
bool omit_outputs_are_ours(const struct omit *omit, const char *dir);

/* Takes what is passed over out of a tree that has just been scanned. */
void omit_apply(const struct omit *omit, struct disk_entry *root);

/* Tools and prompts that a skill kept for itself do not become everyone's because it is left out. */
void omit_orphans(const struct omit *omit, struct device *device);

/* Passes over whatever the errors that `held` holds are about, after `device` was loaded with
 * them. False when one of them is not about skills: then nothing can be left out. */
bool omit_errors(struct omit *omit, const struct device *device, const struct diag *held);

/* A warning for each directory that is passed over since one of the first `rounds` rounds. */
void omit_report(const struct omit *omit, unsigned rounds, struct diag *diag);

#endif
