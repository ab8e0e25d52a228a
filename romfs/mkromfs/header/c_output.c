/* c_output.c -- an image as C source. See c_output.h. The text contains no date and no path, so the same image gives
 * the same source. */
#include "header/c_output.h"

#include <ctype.h>
#include <string.h>

#include "base/screen.h"
#include "schema/schema.h"
#include "sha256.h"

#define WORDS_A_LINE 8

bool c_output_is_symbol(const char *symbol)
{
    return strcmp(schema_identifier(symbol), symbol) == 0;
}

static void add_what_it_is(struct buf *out, const struct romfs *fs)
{
    char build[17];

    romfs_sha256_hex(fs->header->digest, 8, build);
    buf_puts(out, "/* A skill image, written by `skillrom pack`: change the skills and pack again, not this file.\n");
    buf_printf(out, " * %u bytes, %u skill%s, build %s. Little-endian words; romfs/FORMAT.md explains them. */\n",
               fs->header->size, fs->header->skills.count, screen_plural(fs->header->skills.count), build);
}

void c_output_source(struct buf *out, const struct romfs *fs, const char *symbol, const char *header)
{
    size_t words = fs->header->size / 4u; /* an image is made of whole words */

    add_what_it_is(out, fs);
    buf_printf(out, "#include \"%s\"\n\n", header);
    buf_printf(out, "const uint32_t %s[%zu] = {", symbol, words);
    for (size_t i = 0; i < words; i++) {
        const uint8_t *p = fs->image + 4 * i;
        uint32_t word = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
        buf_printf(out, "%s0x%08Xu,", i % WORDS_A_LINE == 0 ? "\n    " : " ", word);
    }
    buf_printf(out, "\n};\n\nconst size_t %s_size = sizeof %s;\n", symbol, symbol);
}

void c_output_header(struct buf *out, const struct romfs *fs, const char *symbol)
{
    struct buf guard = {0};

    for (const char *p = symbol; *p != '\0'; p++) {
        char upper = (char)toupper((unsigned char)*p);
        buf_add(&guard, &upper, 1);
    }
    add_what_it_is(out, fs);
    buf_printf(out, "#ifndef %s_H\n#define %s_H\n\n", buf_str(&guard), buf_str(&guard));
    buf_puts(out, "#include <stddef.h>\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
    buf_printf(out, "extern const uint32_t %s[%zu];\n", symbol, (size_t)fs->header->size / 4u);
    buf_printf(out, "extern const size_t %s_size; /* in bytes */\n\n", symbol);
    buf_puts(out, "#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}
