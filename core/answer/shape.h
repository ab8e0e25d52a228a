/* shape.h -- JSON about a skill or a file, written as text with placeholders (shape.c).
 *
 *     skri_push_shape(a, "{\"uri\":\"%u\",\"name\":\"%l\"%?,\"title\":%T}", node, file);
 *
 * says in one line what would take many calls of skri_push_text and skri_push_rom, and costs a tenth of the flash. A
 * placeholder is a per cent sign and a letter:
 *
 *     %u  the file's URI               %l  its last segment      %m  its media type
 *     %s  its size                     %h  "digest":"sha256:.."
 *   of the request:
 *     %I  its id                       %S  what it asked about   %v  (the versions supported here)
 *     %N  the name of a skill in it    %K  that of a file        %O  the outcome of running it
 *   of a skill:
 *     %n  name, with quotes            %d  description, with quotes; %i  without
 *     %V  version, with quotes         %x  further members of its Resource
 *     %M  "uri", "frontmatter" and "resources"                   %L  members of a lean entry
 *     %P  members of its Prompt        %D  dependencies          %F  metadata as in dialect F
 *     %p  path                         %b  its URI without SKILL.md
 *     %g  digest of its .tar.gz, as %h;  %z  of its .zip
 *   of a file of a skill:
 *     %f  path below the skill         %a  description, with quotes;  %A  empty if it was made up
 *     %T  title, with quotes
 *
 * The text between %? and the next placeholder is left out when that one is empty: `%?,"title":%T`. A shape that begins
 * with an exclamation mark is escaped, to be part of a string. */
#ifndef SKR_SHAPE_H
#define SKR_SHAPE_H

#include "answer/answer.h"

/* `of` is a struct romfs_skill or a struct romfs_file, as the letters require. */
void skri_push_shape(struct skr_answer *a, const char *shape, const struct romfs_node *node, const void *of);

/* The same for a skill and its SKILL.md. */
void skri_push_skill(struct skr_answer *a, const char *shape, const struct romfs_skill *skill);

/* The same for file number i of the skill that the answer is about. Returns the file. */
const struct romfs_file *skri_push_file(struct skr_answer *a, const char *shape, uint32_t i);

/* Pushes ","mimeType":"..","text":".."} or blob: the end of an object that carries a->file. */
void skri_push_content(struct skr_answer *a);

#endif
