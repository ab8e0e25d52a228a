/* mkpage.c -- makes the page for people and the shell of panels as C.
 *
 * usage: mkpage page|panel HTML JAVASCRIPT CSS... >FILE.c
 *
 * Puts styles and script into the HTML, where it refers to them, without comments and needless spaces; terser has minified the
 * script before. The page is compressed and gets the head of its HTTP response. Its Content-Security-Policy names style and
 * script by their hashes: nothing else in the page, whatever a device sends, is ever run or applied. The shell stays plain
 * text, into which `skillrom pack` puts a device. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "miniz.h"
#include "romfs.h"
#include "sha256.h"
#include "text/encode.h"

#define ROOM 65536u     /* for each of the sources, and for the page made of them */
#define FLASH_MAX 5632u /* what page and head may take on a device */
#define PAGE_MAX 5120u  /* what the page may take of that */
#define SHELL_MAX 7168u /* what the shell of a panel may take */
#define PROBES 4095     /* as many as miniz can make */

struct text {
    char p[ROOM];
    size_t n;
};

static void give_up(const char *what, const char *why)
{
    fprintf(stderr, "mkpage: %s: %s\n", what, why);
    exit(1);
}

static void text_add(struct text *t, const char *bytes, size_t n)
{
    if (n > sizeof t->p - t->n) {
        give_up("the page", "larger than mkpage has room for");
    }
    memcpy(t->p + t->n, bytes, n);
    t->n += n;
}

static void text_load(struct text *t, const char *path)
{
    FILE *f = fopen(path, "r");

    if (f == NULL) {
        give_up(path, "cannot be opened");
    }
    t->n = fread(t->p, 1, sizeof t->p - 1, f);
    t->p[t->n] = '\0';
    if (ferror(f) || !feof(f)) {
        give_up(path, "cannot be read, or is too large");
    }
    fclose(f);
}

/* ---- Leaving out ---- */

static char last_of(const struct text *t)
{
    return t->n > 0 ? t->p[t->n - 1] : '\n';
}

/* Without indentation, empty lines and lines of comment; CSS also without the spaces beside its signs. */
static void text_squeeze(struct text *out, const struct text *in, const char *comment, const char *signs)
{
    for (size_t i = 0; i < in->n;) {
        char c = in->p[i], before = last_of(out);
        if (before == '\n' && strncmp(in->p + i, comment, strlen(comment)) == 0) {
            i += strcspn(in->p + i, "\n");
        } else if (c == ' ' || c == '\n') {
            size_t blanks = strspn(in->p + i, " \n");
            bool line = memchr(in->p + i, '\n', blanks) != NULL;
            char after = in->p[i + blanks];
            i += blanks;
            if (before != '\n' && after != '\0' && strchr(signs, before) == NULL && strchr(signs, after) == NULL) {
                text_add(out, line ? "\n" : " ", 1);
            }
        } else {
            text_add(out, &c, 1);
            i++;
        }
    }
}

/* ---- Putting together ---- */

/* 'sha256-...' of what is in a style or script element. */
static void hash_of(const char *bytes, size_t n, char hash[64])
{
    uint8_t digest[ROMFS_SHA256_SIZE];
    struct skr_carry carry = {.n = 0};

    romfs_sha256_of(bytes, n, digest);
    struct skr_encoding e = {.from = (const char *)digest, .n = sizeof digest, .out = hash, .room = 63};
    skr_encode_base64(&e, &carry, true);
    hash[e.made] = '\0';
}

/* Everything up to `end`, which is left out; returns what follows. */
static const char *copy_to(struct text *page, const char *from, const char *end)
{
    const char *found = strstr(from, end);

    if (found == NULL) {
        give_up("index.html", end);
    }
    text_add(page, from, (size_t)(found - from));
    return found + strlen(end);
}

/* The style from all of its files, without spaces and semicolons at the end of a rule. */
static void load_style(struct text *css, char **files)
{
    static struct text source;

    for (; *files != NULL; files++) {
        text_load(&source, *files);
        text_squeeze(css, &source, "/* ", "{}:;,>\n");
    }
}

static void put_together(struct text *page, char **files, char style[64], char script[64])
{
    static struct text html, css, js, source;

    text_load(&source, files[0]);
    text_squeeze(&html, &source, "<!-- ", "");
    text_add(&html, "", 1);
    text_load(&js, files[1]);
    load_style(&css, files + 2);
    hash_of(css.p, css.n, style);
    hash_of(js.p, js.n, script);

    const char *rest = copy_to(page, html.p, "<link rel=stylesheet href=style.css>");
    text_add(page, "<style>", 7);
    text_add(page, css.p, css.n);
    text_add(page, "</style>", 8);
    rest = copy_to(page, rest, "<script type=module src=script.js></script>");
    text_add(page, "<script type=module>", 20);
    text_add(page, js.p, js.n);
    text_add(page, "</script>", 9);
    text_add(page, rest, strlen(rest));
}

static mz_bool collect_bytes(const void *bytes, int n, void *user)
{
    text_add(user, bytes, (size_t)n);
    return MZ_TRUE;
}

static void add_32(struct text *t, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) {
        text_add(t, &(char){(char)(value >> (8 * i))}, 1);
    }
}

/* RFC 1952, without a name or a time, so that the same page gives the same bytes. */
static void text_gzip(struct text *out, const struct text *page)
{
    static tdefl_compressor z;

    text_add(out, "\x1f\x8b\x08\0\0\0\0\0\x02\xff", 10);
    if (tdefl_init(&z, collect_bytes, out, PROBES) != TDEFL_STATUS_OKAY ||
        tdefl_compress_buffer(&z, page->p, page->n, TDEFL_FINISH) != TDEFL_STATUS_DONE) {
        give_up("the page", "cannot be compressed");
    }
    add_32(out, romfs_crc32(0, page->p, page->n));
    add_32(out, (uint32_t)page->n);
}

/* ---- The C file ---- */

static void write_bytes(const struct text *t)
{
    for (size_t i = 0; i < t->n; i++) {
        printf("%s%u,", i % 30 == 0 ? "\n" : "", (unsigned char)t->p[i]);
    }
}

static int write_page(const struct text *zipped, size_t plain, const char *style, const char *script)
{
    char head[1024];
    int head_size = snprintf(
        head, sizeof head,
        "\r\nContent-Type: text/html; charset=utf-8\r\nContent-Encoding: gzip\r\nContent-Length: %zu\r\n"
        "Cache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\n"
        "Content-Security-Policy: default-src 'none'; connect-src 'self'; img-src data:; media-src data:; "
        "style-src 'sha256-%s'; script-src 'sha256-%s'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'\r\n\r\n",
        zipped->n, style, script);

    if (zipped->n > PAGE_MAX || (size_t)head_size + zipped->n > FLASH_MAX) {
        fprintf(stderr, "mkpage: the page has %zu bytes and its head %d, %u and together %u are allowed\n", zipped->n,
                head_size, PAGE_MAX, FLASH_MAX);
        return 1;
    }
    printf(
        "/* page.c -- the page for people: made from page/ by `make page`, so change it there. %zu bytes, and %zu for its\n"
        " * head; %zu before it was compressed. */\n"
        "#include \"wire/page.h\"\n\n#if SKR_WEB\n\n/* clang-format off */\n"
        "const char skri_page_head[] =\n    \"",
        zipped->n, (size_t)head_size, plain);
    for (const char *p = head; *p != '\0'; p++) {
        if (*p == '\n') {
            fputs(p[1] != '\0' ? "\\n\"\n    \"" : "\\n\";\n", stdout);
        } else {
            fputs(*p == '\r' ? "\\r" : (char[]){*p, '\0'}, stdout);
        }
    }
    printf("const unsigned short skri_page_size = %zu;\nconst unsigned char skri_page_bytes[] = {", zipped->n);
    write_bytes(zipped);
    puts("\n};\n/* clang-format on */\n\n#endif");
    return fflush(stdout) == 0 ? 0 : 1;
}

static int write_shell(const struct text *shell)
{
    if (shell->n > SHELL_MAX) {
        fprintf(stderr, "mkpage: the shell of a panel has %zu bytes, %u are allowed\n", shell->n, SHELL_MAX);
        return 1;
    }
    puts("/* panel_shell.c -- the shell of panels: made from core/wire/page by `make page`, so change it there. */\n"
         "#include \"load/panel.h\"\n\n/* clang-format off */\n"
         "const unsigned char panel_shell[] = {");
    write_bytes(shell);
    puts("\n};\n/* clang-format on */\n\nconst size_t panel_shell_size = sizeof panel_shell;");
    return fflush(stdout) == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    static struct text page, zipped;
    char style[64], script[64];
    bool panel = argc > 1 && strcmp(argv[1], "panel") == 0;

    if (argc < 5 || (!panel && strcmp(argv[1], "page") != 0)) {
        fputs("usage: mkpage page|panel HTML JAVASCRIPT CSS... >FILE.c\n", stderr);
        return 2;
    }
    put_together(&page, argv + 2, style, script);
    if (panel) {
        return write_shell(&page);
    }
    text_gzip(&zipped, &page);
    return write_page(&zipped, page.n, style, script);
}
