/* transcript.c -- read transcript files: directives, comments, exchanges. macro.c has
 * the expansion of what is written in short. README.md describes the format. */
#include "transcript.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "macro.h"
#include "needs.h"

#define MARGIN "    " /* in front of a line that goes on with the one above */

/* Where the reading of a file has got to. */
struct reader {
    struct transcript *into;
    const char *path;
    int number; /* of the line being read */
    struct macros macros;
    struct bytes comment; /* lines just above */
    char *device;
    unsigned page;
    bool reload, tokens, sessionless;
    bool restart;        /* before the next exchange */
    unsigned file_wires; /* in force at the start of a scene */
    unsigned wires;
    struct bytes file_needs; /* likewise */
    struct bytes needs;
    bool wanted_last; /* the last message line was `<` */
};

static void __attribute__((noreturn, format(printf, 2, 3))) wrong(const struct reader *r, const char *format, ...)
{
    va_list arguments;

    fprintf(stderr, "%s:%d: ", r->path, r->number);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(2);
}

/* One more element, zeroed, at the end of an array. */
static void *append(void *array, size_t count, size_t size)
{
    char *p = realloc(array, (count + 1) * size);

    if (p == NULL) {
        fprintf(stderr, "wire-runner: out of memory\n");
        exit(2);
    }
    memset(p + count * size, 0, size);
    return p;
}

static char *copy_text(const char *text)
{
    struct bytes b = {0};

    bytes_text(&b, text);
    return b.p;
}

static struct scene *last_scene(struct reader *r)
{
    return r->into->count > 0 ? &r->into->at[r->into->count - 1] : NULL;
}

static struct exchange *new_exchange(struct reader *r)
{
    struct scene *scene = last_scene(r);

    if (scene == NULL) {
        wrong(r, "an exchange needs a scene: a line '== title' above it");
    }
    scene->at = append(scene->at, scene->count, sizeof *scene->at);
    struct exchange *e = &scene->at[scene->count++];
    e->number = r->number;
    e->wires = r->wires;
    e->restart = r->restart;
    scene->restarts |= r->restart;
    r->restart = false;
    e->needs = copy_text(r->needs.n > 0 ? r->needs.p : "");
    bytes_add(&e->comment, r->comment.p, r->comment.n);
    return e;
}

static struct line *add_line(struct lines *lines)
{
    lines->at = append(lines->at, lines->count, sizeof *lines->at);
    return &lines->at[lines->count++];
}

/* ---- Directives ---- */

static unsigned wires_of(struct reader *r, char *names)
{
    static const struct {
        const char *name;
        unsigned wires;
    } groups[] = {{"all", WIRE_ALL}, {"line", WIRE_LINES}, {"core", WIRE_CORE}, {"stdio", WIRE_STDIO},
                  {"tcp", WIRE_TCP}, {"http", WIRE_HTTP},  {"uart", WIRE_UART}};
    unsigned wires = 0;

    for (char *word = strtok(names, " "); word != NULL; word = strtok(NULL, " ")) {
        unsigned found = 0;
        for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
            found |= strcmp(word, groups[i].name) == 0 ? groups[i].wires : 0;
        }
        if (found == 0) {
            wrong(r, "no such wire: %s", word);
        }
        wires |= found;
    }
    return wires;
}

/* The handshake of a client of the initialize era, as two exchanges. */
static void add_handshake(struct reader *r, char *version)
{
    char *capabilities = strchr(version, ' ');

    if (capabilities != NULL) {
        *capabilities++ = '\0';
    }
    struct exchange *hello = new_exchange(r);
    struct line *line = add_line(&hello->sent);
    bytes_text(&line->text,
               "{\"jsonrpc\":\"2.0\",\"id\":\"hello\",\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"");
    bytes_text(&line->text, version);
    bytes_text(&line->text, "\",\"capabilities\":");
    bytes_text(&line->text, capabilities != NULL ? capabilities : "{}");
    bytes_text(&line->text, ",\"clientInfo\":{\"name\":\"wire-runner\",\"version\":\"1\"}}}");
    line = add_line(&hello->wanted);
    line->pattern = true;
    bytes_text(&line->text, "{\"jsonrpc\":\"2.0\",\"id\":\"hello\",\"result\":{\"protocolVersion\":\"");
    bytes_text(&line->text, version);
    bytes_text(&line->text, "\",...}}");

    struct exchange *ready = new_exchange(r);
    bytes_text(&add_line(&ready->sent)->text, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    add_line(&ready->wanted)->nothing = true;
}

static void define(struct reader *r, char *rest, bool escapes)
{
    char *blank = strchr(rest, ' '), *text = rest + strlen(rest);
    struct bytes value = {0};

    if (blank != NULL) {
        *blank = '\0';
        text = blank + 1;
    }
    bytes_clear(&value);
    const char *problem = macro_expand(&r->macros, text, strlen(text), escapes, &value);
    if (problem != NULL || !macro_define(&r->macros, rest, &value)) {
        wrong(r, "%s", problem != NULL ? problem : "a name is made of capital letters, digits and _");
    }
}

/* "SWITCH NAME value": a definition that holds only where the switch is on. */
static void define_if(struct reader *r, char *rest)
{
    struct bytes unmet = {0};
    char *blank = strchr(rest, ' ');

    if (blank == NULL) {
        wrong(r, "@let? SWITCH NAME value");
    }
    *blank = '\0';
    if (needs_met(rest, &unmet)) {
        define(r, blank + 1, false);
    }
    bytes_free(&unmet);
}

/* For the rest of the scene; above the first, for the whole file. */
static void need(struct reader *r, const char *words)
{
    bytes_text(&r->needs, " ");
    bytes_text(&r->needs, words);
    if (r->into->count == 0) {
        bytes_text(&r->file_needs, " ");
        bytes_text(&r->file_needs, words);
    }
}

/* A directive without a value. False when there is no such one. */
static bool plain_directive(struct reader *r, const char *text)
{
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {{"http", &r->into->http}, {"compressed", &r->into->compressed}, {"reload", &r->reload},
                 {"tokens", &r->tokens},   {"sessionless", &r->sessionless},     {"restart", &r->restart}};

    if (strcmp(text, "http") == 0) {
        r->file_wires = WIRE_CORE | WIRE_HTTP;
    }
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (strcmp(text, flags[i].name) == 0) {
            *flags[i].flag = true;
            return true;
        }
    }
    if (strcmp(text, "needs") != 0) {
        return false;
    }
    bytes_clear(&r->needs); /* nothing but what the whole file needs */
    bytes_add(&r->needs, r->file_needs.p, r->file_needs.n);
    return true;
}

static void directive(struct reader *r, char *text)
{
    char *rest = strchr(text, ' ');

    if (rest != NULL) {
        *rest++ = '\0';
    }
    if (rest == NULL && plain_directive(r, text)) {
        return;
    }
    if (rest == NULL || *rest == '\0') {
        wrong(r, "@%s: not a directive, or it lacks a value", text);
    } else if (strcmp(text, "let") == 0) {
        define(r, rest, false);
    } else if (strcmp(text, "let!") == 0) {
        define(r, rest, true);
    } else if (strcmp(text, "let?") == 0) {
        define_if(r, rest);
    } else if (strcmp(text, "needs") == 0) {
        need(r, rest);
    } else if (strcmp(text, "device") == 0) {
        free(r->device);
        r->device = copy_text(rest);
    } else if (strcmp(text, "page") == 0) {
        r->page = (unsigned)strtoul(rest, NULL, 10);
    } else if (strcmp(text, "legacy") == 0) {
        add_handshake(r, rest);
        r->wanted_last = true;
    } else if (strcmp(text, "wires") == 0) {
        r->wires = wires_of(r, rest);
        if (r->into->count == 0) {
            r->file_wires = r->wires;
        }
    } else {
        wrong(r, "no such directive: @%s", text);
    }
}

/* ---- Lines ---- */

static void new_scene(struct reader *r, const char *title)
{
    r->into->at = append(r->into->at, r->into->count, sizeof *r->into->at);
    struct scene *scene = &r->into->at[r->into->count++];
    scene->number = r->number;
    scene->title = copy_text(title);
    scene->device = copy_text(r->device);
    scene->page = r->page;
    scene->reload = r->reload;
    scene->tokens = r->tokens;
    scene->sessionless = r->sessionless;
    r->wires = r->file_wires;
    bytes_clear(&r->needs);
    bytes_add(&r->needs, r->file_needs.p, r->file_needs.n);
    r->wanted_last = true;
}

/* A line that starts with > or <. */
static void message(struct reader *r, const char *text)
{
    bool wanted = text[0] == '<', escapes = false;
    struct exchange *e;

    if (wanted) {
        struct scene *scene = last_scene(r);
        if (scene == NULL || scene->count == 0) {
            wrong(r, "a response without a request");
        }
        e = &scene->at[scene->count - 1];
    } else {
        e = r->wanted_last ? new_exchange(r) : &last_scene(r)->at[last_scene(r)->count - 1];
    }
    r->wanted_last = wanted;
    struct line *line = add_line(wanted ? &e->wanted : &e->sent);
    const char *p = text + 1;
    if (*p == text[0]) {
        line->bare = true;
        p++;
    }
    for (; *p == '!' || *p == '~'; p++) {
        escapes |= *p == '!';
        line->pattern |= *p == '~';
    }
    while (isdigit((unsigned char)*p)) {
        line->status = line->status * 10 + *p++ - '0';
    }
    if (*p != '\0' && *p++ != ' ') {
        wrong(r, "a blank must follow the sign");
    }
    line->nothing = wanted && strcmp(p, "(nothing)") == 0;
    line->closed = wanted && strcmp(p, "(closed)") == 0;
    line->timeout = !wanted && strcmp(p, "(time out)") == 0;
    if (!line->nothing && !line->closed && !line->timeout) {
        const char *problem = macro_expand(&r->macros, p, strlen(p), escapes, &line->text);
        if (problem != NULL) {
            wrong(r, "%s", problem);
        }
    }
}

static void take_line(struct reader *r, char *text)
{
    switch (text[0]) {
    case '\0': bytes_clear(&r->comment); break;
    case '#':
        bytes_text(&r->comment, r->comment.n > 0 ? " " : "");
        bytes_text(&r->comment, text[1] == ' ' ? text + 2 : text + 1);
        break;
    case '@': directive(r, text + 1); break;
    case '=':
        new_scene(r, text + (strncmp(text, "== ", 3) == 0 ? 3 : 1));
        bytes_clear(&r->comment);
        break;
    case '>':
    case '<':
        message(r, text);
        if (text[0] == '<') {
            bytes_clear(&r->comment);
        }
        break;
    default: wrong(r, "a line starts with one of # @ = > <, or with blanks to go on with the line above");
    }
}

/* Reads the file line by line; a line that starts with a blank goes on with the one above. */
static void read_file(struct reader *r, const char *path)
{
    struct bytes whole = {0};
    char *text = NULL;
    size_t room = 0;
    int number = 0;
    FILE *f = fopen(path, "r");

    r->path = path;
    if (f == NULL) {
        perror(path);
        exit(2);
    }
    for (;;) {
        ssize_t n = getline(&text, &room, f);
        if (n > 0 && text[n - 1] == '\n') {
            text[--n] = '\0';
        }
        if (n > 0 && text[0] == ' ') {
            bytes_text(&whole, text + (strncmp(text, MARGIN, sizeof MARGIN - 1) == 0 ? sizeof MARGIN - 1 : 0));
        } else if (number > 0) {
            take_line(r, whole.p);
        }
        number++;
        if (n < 0) {
            break;
        }
        if (text[0] != ' ') {
            bytes_clear(&whole);
            bytes_add(&whole, text, (size_t)n);
            r->number = number;
        }
    }
    fclose(f);
    free(text);
    bytes_free(&whole);
}

void transcript_read(struct transcript *t, const char *path)
{
    struct reader r = {.into = t, .device = copy_text("example"), .file_wires = WIRE_ALL, .wanted_last = true};

    memset(t, 0, sizeof *t);
    t->path = path;
    read_file(&r, "tests/wire/prelude.let");
    read_file(&r, path);
    for (size_t s = 0; s < t->count; s++) {
        for (size_t i = 0; i < t->at[s].count; i++) {
            if (t->at[s].at[i].wanted.count == 0) {
                r.number = t->at[s].at[i].number;
                wrong(&r, "no answer is given; write '< (nothing)' when there is none");
            }
        }
    }
    macro_free(&r.macros);
    bytes_free(&r.comment);
    bytes_free(&r.needs);
    bytes_free(&r.file_needs);
    free(r.device);
}

bool scene_has_wire(const struct scene *scene, enum wire wire)
{
    for (size_t i = 0; i < scene->count; i++) {
        if ((scene->at[i].wires & (unsigned)wire) != 0) {
            return true;
        }
    }
    return false;
}

static void free_lines(struct lines *lines)
{
    for (size_t i = 0; i < lines->count; i++) {
        bytes_free(&lines->at[i].text);
    }
    free(lines->at);
}

void transcript_free(struct transcript *t)
{
    for (size_t s = 0; s < t->count; s++) {
        struct scene *scene = &t->at[s];
        for (size_t i = 0; i < scene->count; i++) {
            free_lines(&scene->at[i].sent);
            free_lines(&scene->at[i].wanted);
            bytes_free(&scene->at[i].comment);
            free(scene->at[i].needs);
        }
        free(scene->at);
        free(scene->title);
        free(scene->device);
    }
    free(t->at);
}
