/* record.h -- what becomes of a device in an image, as one line of text per question.
 *
 * Keys about the first skill:
 *   lean, title, version, tags, dependencies, metadata, resource   the JSON as it lies there
 *   flags     "dynamic archived unarchivable"
 *   files     "references/a.md:reference:"About it"", with "(Title)", "@alias", "!" if required, "=tool" behind
 *   args      "who! tone=kind"
 *   body      the instructions, with <who> where a value goes
 *   tools, prompts, subskills   what it links to
 * Keys about the device: flags-of-device, listed-tools, listed-prompts, base, templates, index-templates. */
#ifndef TESTS_LINT_RECORD_H
#define TESTS_LINT_RECORD_H

#include "image/model.h"

/* Builds the image anew for each question. */
char *record_of(const struct device *device, const char *key);

#endif
