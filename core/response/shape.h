/* shape.h -- JSON about a skill or a file, written as text with placeholders (shape.c).
 *
 *     skri_push_shape(a, "{\"uri\":\"" FIELD_URI "\",\"name\":" FIELD_NAME "}", node, skill);
 *
 * replaces many calls of skri_push_text and skri_push_rom, and costs a tenth of the flash. A
 * shape that begins with an exclamation mark is escaped, to be part of a string. */
#ifndef SKR_SHAPE_H
#define SKR_SHAPE_H

#include "response/response.h"

/* Comments keep their column. */
/* clang-format off */

/* Of a file. */
#define FIELD_URI              "%u"
#define FIELD_FILE_NAME        "%l" /* the last segment of its URI */
#define FIELD_MIME_TYPE        "%m"
#define FIELD_SIZE             "%s"
#define FIELD_DIGEST           "%h" /* "digest":"sha256:.." */
/* Of a file of a skill. */
#define FIELD_FILE_PATH        "%f" /* below the skill */
#define FIELD_ABOUT            "%a" /* its description, with quotes */
#define FIELD_ABOUT_GIVEN      "%A" /* the same; empty if it was made up */
#define FIELD_TITLE            "%T" /* with quotes */
/* Of a skill. */
#define FIELD_NAME             "%n" /* with quotes */
#define FIELD_DESCRIPTION      "%d" /* with quotes */
#define FIELD_DESCRIPTION_TEXT "%i" /* without */
#define FIELD_VERSION          "%V" /* with quotes */
#define FIELD_PATH             "%p"
#define FIELD_FOLDER_URI       "%b" /* its URI without SKILL.md */
#define FIELD_TGZ_DIGEST       "%g" /* of its .tar.gz, as FIELD_DIGEST */
#define FIELD_ZIP_DIGEST       "%z" /* of its .zip */
#define FIELD_ENTRY_MEMBERS    "%M" /* "uri", "frontmatter" and "resources" */
#define FIELD_LEAN_MEMBERS     "%L" /* of a lean entry */
#define FIELD_RESOURCE_MEMBERS "%x" /* further ones of its Resource */
#define FIELD_PROMPT_MEMBERS   "%P" /* of its Prompt */
#define FIELD_DEPENDENCIES     "%D"
#define FIELD_METADATA         "%F" /* as in skills_page.c */
/* Of the request. */
#define FIELD_REQUEST_ID       "%I"
#define FIELD_SUBJECT          "%S" /* a URI or name in it */
#define FIELD_SKILL_REQUESTED  "%N" /* the name of a skill in it */
#define FIELD_SCRIPT_REQUESTED "%K" /* the name of a script in it */
#define FIELD_OUTCOME          "%O" /* the output of that script */
/* Of this server. */
#define FIELD_VERSIONS         "%v" /* those of the protocol */

/* The text between this and the next field is left out when that field is empty. */
#define FIELD_OPTIONAL         "%?"

/* clang-format on */

/* `of` is a struct romfs_skill or a struct romfs_file, as the fields require. */
void skri_push_shape(struct skr_response *a, const char *shape, const struct romfs_node *node, const void *of);

/* Likewise for a skill and its SKILL.md. */
void skri_push_skill(struct skr_response *a, const char *shape, const struct romfs_skill *skill);

/* Likewise for file number i of a skill. Returns the file. */
const struct romfs_file *skri_push_file(struct skr_response *a, const struct romfs_skill *skill, const char *shape,
                                        uint32_t i);

/* Pushes ","mimeType":"..","text":".."} or blob: the end of an object that carries a->pieces.file. */
void skri_push_content(struct skr_response *a);

/* The member `contents` of resources/read: up to the value of mimeType; from the end of the text on, where the panel
 * has _meta; and all of it, with one content of a kind that tells whether it is text. The latter two return false, for
 * the body that ends with them. */
static inline void skri_push_contents_open(struct skr_response *a)
{
    skri_push_text(a, "\"contents\":[{\"uri\":\"");
    skri_push(a, SKR_FAST && SKRI_AS(a, contents)->plain ? SKR_RAW : SKR_ESCAPED, a->subject);
    skri_push_text(a, "\",\"mimeType\":\"");
}
void skri_push_contents_with_meta(struct skr_response *a);
static inline bool skri_push_contents_end(struct skr_response *a)
{
    if (SKR_PANEL) {
        skri_push_contents_with_meta(a);
    } else {
        skri_push_text(a, "\"}]");
    }
    return false;
}
bool skri_push_contents(struct skr_response *a, struct skr_span mime, enum skr_piece_kind kind, struct skr_span bytes);

#endif
