/* archives.c -- resources/read of a skill as .zip or .tar.gz (SK-X-10), which drafts of the extension name in their
 * index. */
#include "response/shape.h"
#include "skills/dialects.h"
#include "store/store.h"

#if SKR_DIALECTS

static bool archive_body(struct skr_response *a)
{
    struct skr_span all = {NULL, SKRI_AS(a, contents)->archive_size};
    struct skr_span mime = skr_span_of(a->pieces.archive.kind == ROMFS_ZIP ? "application/zip" : "application/gzip");

    return skri_push_contents(a, mime, SKR_ARCHIVE, all);
}

void skri_read_archive(struct skr_call *call, const struct skr_found *found)
{
    struct skr_response *a = call->response;
    uint32_t skill = call->fs->nodes[found->archive->node].skill;
    enum romfs_archive_kind kind = found->tar ? ROMFS_TAR_GZ : ROMFS_ZIP;

    romfs_archive_start(&a->pieces.archive, call->fs, skill, kind);
    SKRI_AS(a, contents)->archive_size = romfs_archive_size(call->fs, skill, kind);
    if (SKRI_AS(a, contents)->archive_size == 0) { /* not an image from our compiler */
        skri_store_unknown(call, a->subject);
        return;
    }
    skri_response_result(a, archive_body);
}

#endif
