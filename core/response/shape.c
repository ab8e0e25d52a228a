/* shape.c -- turns shapes into pieces. See shape.h. */
#include "response/shape.h"

#include "response/depend.h"
#include "response/feature.h"
#include "response/older.h"
#include "response/version.h"
#include "text/span.h"

/* The letters of FIELD_...; only this file knows them. */
enum field {
    URI = 'u',
    FILE_NAME = 'l',
    MIME_TYPE = 'm',
    SIZE = 's',
    DIGEST = 'h',
    REQUEST_ID = 'I',
    SUBJECT = 'S',
    VERSIONS = 'v',
    SKILL_REQUESTED = 'N',
    SCRIPT_REQUESTED = 'K',
    OUTCOME = 'O',
    NAME = 'n',
    DESCRIPTION = 'd',
    DESCRIPTION_TEXT = 'i',
    VERSION = 'V',
    RESOURCE_MEMBERS = 'x',
    ENTRY_MEMBERS = 'M',
    LEAN_MEMBERS = 'L',
    PROMPT_MEMBERS = 'P',
    DEPENDENCIES = 'D',
    METADATA = 'F',
    PATH = 'p',
    FOLDER_URI = 'b',
    TGZ_DIGEST = 'g',
    ZIP_DIGEST = 'z',
    FILE_PATH = 'f',
    ABOUT = 'a',
    ABOUT_GIVEN = 'A',
    TITLE = 'T',
    OPTIONAL = '?',
};

/* Fields of a record. Texts are sent raw or escaped like the shape; for other fields `kind`
 * says how. */
enum record_kind { NODE, OF_SKILL, OF_FILE };
/* clang-format off */
#define IN_NODE(letter, field, kind) {letter, NODE, offsetof(struct romfs_node, field), kind}
#define IN_SKILL(letter, field, kind) {letter, OF_SKILL, offsetof(struct romfs_skill, field), kind}
#define IN_FILE(letter, field, kind) {letter, OF_FILE, offsetof(struct romfs_file, field), kind}

static const struct place {
    char letter;
    uint8_t record;
    uint8_t at;
    uint8_t kind;
} places[] = {
    IN_NODE(URI, path, SKR_RAW),
    IN_NODE(FILE_NAME, name, SKR_RAW),
    IN_NODE(MIME_TYPE, mime, SKR_RAW),
    IN_NODE(SIZE, size, SKR_NUMBER),
    IN_SKILL(NAME, name, SKR_RAW),
    IN_SKILL(DESCRIPTION, description, SKR_RAW),
    IN_SKILL(RESOURCE_MEMBERS, extra, SKR_RAW),
#if SKR_DIALECTS || SKR_EXTRAS
    IN_SKILL(PATH, path, SKR_RAW),
#endif
#if SKR_EXTRAS
    IN_SKILL(DESCRIPTION_TEXT, description, SKR_RAW),
    IN_SKILL(PROMPT_MEMBERS, prompt, SKR_RAW),
#endif
#if SKR_DIALECTS
    IN_NODE(DIGEST, digest, SKR_HEX),
    IN_SKILL(FOLDER_URI, path, SKR_RAW),
    IN_SKILL(TGZ_DIGEST, tgz_digest, SKR_HEX),
    IN_SKILL(VERSION, version, SKR_RAW),
    IN_SKILL(ZIP_DIGEST, zip_digest, SKR_HEX),
    IN_SKILL(DEPENDENCIES, dependencies, SKR_RAW),
    IN_SKILL(METADATA, metadata, SKR_RAW),
    IN_SKILL(LEAN_MEMBERS, lean, SKR_RAW),
    IN_FILE(ABOUT, about, SKR_RAW),
    IN_FILE(ABOUT_GIVEN, about, SKR_RAW),
    IN_FILE(FILE_PATH, path, SKR_RAW),
    IN_FILE(TITLE, title, SKR_RAW),
#endif
};
/* clang-format on */

/* The piece for such a field; for others it stays empty. */
static void find_place(struct skr_response *a, char letter, const struct romfs_node *node, const void *of,
                       struct skr_piece *piece)
{
    struct romfs_text text = {0, 0};

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (places[i].letter == letter) {
            const char *record = places[i].record == NODE ? (const void *)node : of;
            memcpy(&text, record + places[i].at, sizeof text);
            if (places[i].kind != SKR_RAW) {
                piece->kind = places[i].kind;
                text.len = piece->kind == SKR_NUMBER ? text.off : ROMFS_DIGEST_SIZE;
            }
        }
    }
    if (letter == ENTRY_MEMBERS) { /* after the opening brace; these members are contiguous */
        const struct romfs_skill *skill = of;
        text.off = skill->entry.off + 1;
        text.len = skill->resources.off + skill->resources.len - text.off;
    }
    if (SKR_EXTRAS && letter == DESCRIPTION_TEXT) {
        text.off++;
        text.len -= 2;
    }
    if (SKR_DIALECTS && letter == ABOUT_GIVEN && (((const struct romfs_file *)of)->flags & ROMFS_ABOUT) == 0) {
        text.len = 0;
    }
    piece->p = romfs_at(a->fs, text);
    piece->n = text.len;
}

#if SKR_DIALECTS
/* Fields of a request that names a skill and a file; true for those. */
static bool push_of_script(struct skr_response *a, char letter)
{
    switch (letter) {
    case OUTCOME: skri_push(a, SKR_TOOL_TEXT, a->outcome.text); return true;
    case SKILL_REQUESTED: skri_push(a, SKR_ESCAPED, SKRI_AS(a, script)->call->name); return true;
    case SCRIPT_REQUESTED: skri_push(a, SKR_ESCAPED, SKRI_AS(a, script)->call->file); return true;
    default: return false;
    }
}
#else
#define push_of_script(a, letter) false
#endif

/* Fields of the request; true for those. */
static bool push_of_request(struct skr_response *a, char letter)
{
    if (letter == REQUEST_ID) {
        skri_push(a, SKR_RAW, a->envelope.id);
    } else if (letter == SUBJECT) {
        skri_push(a, SKR_ESCAPED, a->subject);
    } else {
        return push_of_script(a, letter);
    }
    return true;
}

static void push_place(struct skr_response *a, enum skr_piece_kind kind, char letter, const struct skr_piece *found,
                       const void *of)
{
    bool digest = SKR_DIALECTS && found->kind == SKR_HEX;

    if (push_of_request(a, letter)) {
        return;
    }
    if (letter == URI || letter == FOLDER_URI) {
        skri_push(a, kind, skr_span_rom(a->fs, a->fs->header->base));
    } else if (letter == VERSIONS) {
        skri_push_text(a, skri_versions_json);
    }
    if (digest) {
        skri_push(a, kind, SPAN("\"digest\":\"sha256:"));
    }
    if (letter == RESOURCE_MEMBERS || letter == PROMPT_MEMBERS) {
        skri_push_described(a, false, found->p, found->n);
        return;
    }
    if (SKR_DIALECTS && (letter == LEAN_MEMBERS || letter == DEPENDENCIES)) {
        skri_push_depend(a, of, found->p, found->n);
        return;
    }
    skri_push(a, (enum skr_piece_kind)found->kind, (struct skr_span){found->p, found->n});
    if (digest) {
        skri_push(a, kind, SPAN("\""));
    }
}

void skri_push_shape(struct skr_response *a, const char *shape, const struct romfs_node *node, const void *of)
{
    enum skr_piece_kind kind = *shape == '!' ? SKR_ESCAPED : SKR_RAW;
    bool optional = false;

    shape += *shape == '!';
    for (;;) {
        struct skr_piece piece = {.kind = (uint8_t)kind};
        struct skr_span fixed = {shape, 0};
        while (*shape != '\0' && *shape != '%') {
            shape++;
        }
        fixed.n = (size_t)(shape - fixed.p);
        char letter = *shape != '\0' ? shape[1] : '\0';
        find_place(a, letter, node, of, &piece);
        if (!optional || piece.n > 0) {
            skri_push(a, kind, fixed);
            push_place(a, kind, letter, &piece, of);
        }
        if (letter == '\0') {
            return;
        }
        optional = letter == OPTIONAL;
        shape += 2;
    }
}

void skri_push_skill(struct skr_response *a, const char *shape, const struct romfs_skill *skill)
{
    skri_push_shape(a, shape, &a->fs->nodes[skill->node], skill);
}

const struct romfs_file *skri_push_file(struct skr_response *a, const struct romfs_skill *skill, const char *shape,
                                        uint32_t i)
{
    const struct romfs_file *file = &a->fs->files[skill->first_file + i];

    skri_push_shape(a, shape, &a->fs->nodes[file->node], file);
    return file;
}

void skri_push_content(struct skr_response *a)
{
    enum skr_piece_kind kind = skri_file_piece(a->pieces.file);

    skri_push_shape(a, "\",\"mimeType\":\"" FIELD_MIME_TYPE, a->pieces.file, NULL);
    skri_push_text(a, kind == SKR_FILE_TEXT ? "\",\"text\":\"" : "\",\"blob\":\"");
    skri_push_own(a, kind);
    skri_push_text(a, "\"}");
}

void skri_push_contents_with_meta(struct skr_response *a)
{
    const struct romfs_panel *panel = skri_panel(a->fs);

    skri_push_text(a, "\"");
    if (panel != NULL && a->pieces.file == &panel->file) {
        skri_push_described(a, false, romfs_at(a->fs, panel->meta), panel->meta.len);
    }
    skri_push_text(a, "}]");
}

bool skri_push_contents(struct skr_response *a, struct skr_span mime, enum skr_piece_kind kind, struct skr_span bytes)
{
    bool text = kind == SKR_FILE_TEXT || kind == SKR_ANY_TEXT;

    skri_push_contents_open(a);
    skri_push(a, SKR_RAW, mime);
    skri_push_text(a, text ? "\",\"text\":\"" : "\",\"blob\":\"");
    skri_push(a, kind, bytes);
    return skri_push_contents_end(a);
}
