/* schema_names.c -- the C names made from a schema: valid, and each only once. See schema.h. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "schema/schema_parts.h"

/* Keywords of C up to C23, and names that compilers and common headers define as macros. */
static const char *const taken_words[] = {
    "NULL",         "SIZE_MAX", "SKILLROM_H",    "alignas",  "alignof",       "asm",       "auto",     "bool",
    "break",        "case",     "char",          "complex",  "const",         "constexpr", "continue", "default",
    "do",           "double",   "else",          "enum",     "errno",         "extern",    "false",    "float",
    "for",          "goto",     "i386",          "if",       "inline",        "int",       "linux",    "long",
    "mips",         "noreturn", "nullptr",       "register", "restrict",      "return",    "short",    "signed",
    "sizeof",       "static",   "static_assert", "stderr",   "stdin",         "stdout",    "struct",   "switch",
    "thread_local", "true",     "typedef",       "typeof",   "typeof_unqual", "union",     "unix",     "unsigned",
    "void",         "volatile", "while",
};

/* And of C++ up to C++20, so that its handlers can include the header. */
static const char *const taken_words_cxx[] = {
    "and",       "and_eq",       "bitand",     "bitor",     "catch",     "char16_t",
    "char32_t",  "char8_t",      "class",      "co_await",  "co_return", "co_yield",
    "compl",     "concept",      "const_cast", "consteval", "constinit", "decltype",
    "delete",    "dynamic_cast", "explicit",   "export",    "friend",    "mutable",
    "namespace", "new",          "noexcept",   "not",       "not_eq",    "operator",
    "or",        "or_eq",        "private",    "protected", "public",    "reinterpret_cast",
    "requires",  "static_cast",  "template",   "this",      "throw",     "try",
    "typeid",    "typename",     "using",      "virtual",   "wchar_t",   "xor",
    "xor_eq",
};

/* Of stdint.h and of ours. */
static const char *const taken_beginnings[] = {
    "INT_", "INTMAX_", "INTPTR_",  "PTRDIFF_", "ROMFS_", "SIG_ATOMIC_",
    "SKR_", "UINT_",   "UINTMAX_", "UINTPTR_", "WCHAR_", "WINT_",
};

static bool name_begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static bool is_among(const char *name, const char *const *words, size_t count)
{
    while (count > 0 && strcmp(name, words[count - 1]) != 0) {
        count--;
    }
    return count > 0;
}

static bool is_taken(const char *name)
{
    const char *width = name + (*name == 'U'); /* INT8_MAX, UINT64_C */

    if (is_among(name, taken_words, sizeof taken_words / sizeof taken_words[0]) ||
        is_among(name, taken_words_cxx, sizeof taken_words_cxx / sizeof taken_words_cxx[0])) {
        return true;
    }
    for (size_t i = 0; i < sizeof taken_beginnings / sizeof taken_beginnings[0]; i++) {
        if (name_begins(name, taken_beginnings[i])) {
            return true;
        }
    }
    return (name_begins(width, "INT") && isdigit((unsigned char)width[3])) ||
           (*name == '_' && isupper((unsigned char)name[1])); /* all reserved: _Bool */
}

char *schema_identifier(const char *text)
{
    struct buf out = {0};
    bool reserved = name_begins(text, "__");

    if (*text == '\0' || isdigit((unsigned char)*text)) {
        buf_puts(&out, "_");
    }
    for (; *text != '\0'; text++) {
        char c = isalnum((unsigned char)*text) && (unsigned char)*text < 0x80 ? *text : '_';
        buf_add(&out, &c, 1);
    }
    if (reserved || is_taken(buf_str(&out))) {
        buf_puts(&out, "_");
    }
    return buf_str(&out);
}

char *schema_constant(const char *tag, const char *text)
{
    char *name = xasprintf("%s_%s", tag, schema_identifier(*text == '\0' ? "empty" : text));

    for (char *p = name; *p != '\0'; p++) {
        *p = (char)toupper((unsigned char)*p);
    }
    return name;
}

char *schema_place(const struct shape *owner, const struct shape *value)
{
    return xasprintf("%s_%s", owner->tag, value->field != NULL ? value->field : "item");
}

/* ---- Each only once ---- */

struct taken_name {
    const char *path; /* the file that took it, and where in it */
    struct pos at;
};

bool schema_take_name(const struct schema_reader *r, const struct node *at, enum schema_name kind, const char *name)
{
    static const char *const kinds[] = {"handler", "type", "constant", "table"};
    struct taken_name *own = xmalloc(sizeof *own);

    *own = (struct taken_name){r->check->path, at->at};
    const struct taken_name *other = names_add(&r->names->taken[kind], name, strlen(name), own);
    if (other == own) {
        return true;
    }
    schema_wrong(r, at, "its %s '%s' would have the same name in C as that of %s:%u:%u; rename one", kinds[kind], name,
                 other->path, other->at.line, other->at.col);
    free(own);
    return false;
}
