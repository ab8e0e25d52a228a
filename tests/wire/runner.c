/* runner.c -- run transcripts over every wire: wire-runner [--core | --brief | --board NAME | --net NAME | --http FOLDER |
 * --tcp FOLDER] [FILE...]
 *
 * Without files, all transcripts of tests/wire; with --core, in this process only; with --brief, the same with few cuts; with --board, only
 * over the serial line of a firmware, build/NAME/program.elf, in its emulator; with --net, over its TCP
 * ports, HTTP and raw lines, through the emulator's network; with --http, over HTTP alone, of the programs in FOLDER; with --tcp,
 * over HTTP and raw lines, of those. To be started in the top folder of the repository.
 * Images are packed below build/wire. README.md in this folder describes files and ways. */
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "needs.h"
#include "sha256.h"
#include "wires.h"

#define IMAGES "build/wire"
#define CROWD IMAGES "/crowd"

/* Part of a fixture, made here because version control does not keep empty directories. */
#define EMPTY_DIRECTORY "tests/wire/devices/odd/skills/outer/empty"

void image_path(const char *device, bool compressed, struct bytes *path)
{
    bytes_text(path, IMAGES "/");
    bytes_text(path, device);
    bytes_text(path, compressed ? ".deflate.rom" : ".rom");
}

/* ---- Packing the devices ---- */

static void run_program(const char *const words[])
{
    int status = 0;
    pid_t pid = fork();

    if (pid == 0) {
        if (freopen(IMAGES "/pack.log", "a", stdout) == NULL || dup2(1, 2) < 0) {
            _exit(126);
        }
        execv(words[0], (char *const *)words);
        _exit(127);
    }
    if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "wire-runner: %s %s %s failed; see %s/pack.log\n", words[0], words[1], words[2], IMAGES);
        exit(2);
    }
}

static void pack(const char *folder, const char *device)
{
    struct bytes raw = {0}, deflated = {0};

    image_path(device, false, &raw);
    image_path(device, true, &deflated);
    const char *const plain[] = {"build/skillrom", "pack", folder, "-o", raw.p, NULL};
    const char *const compressed[] = {"build/skillrom", "pack", folder, "-o", deflated.p, "--compress=1024", NULL};
    run_program(plain);
    run_program(compressed);
    bytes_free(&raw);
    bytes_free(&deflated);
}

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0) {
        perror(path);
        exit(2);
    }
}

/* A skill with more files than a page holds: 120, each with its number. */
static void make_crowd(void)
{
    char path[80], text[8];

    (void)mkdir(CROWD, 0777);
    (void)mkdir(CROWD "/skills", 0777);
    (void)mkdir(CROWD "/skills/crowd", 0777);
    (void)mkdir(CROWD "/skills/crowd/files", 0777);
    write_file(CROWD "/device.json", "{ \"name\": \"wire-test\", \"version\": \"1.0.0\" }\n");
    write_file(CROWD "/skills/crowd/SKILL.md",
               "---\nname: crowd\ndescription: More files than a page holds.\n---\nDo it.\n");
    for (int i = 0; i < 120; i++) {
        snprintf(path, sizeof path, CROWD "/skills/crowd/files/%03d.txt", i);
        snprintf(text, sizeof text, "%03d\n", i);
        write_file(path, text);
    }
}

static void write_tokens(void)
{
    struct bytes text = {0};

    for (size_t i = 0; i < TEST_TOKENS; i++) {
        char token[32], hex[2 * ROMFS_SHA256_SIZE + 1];
        uint8_t digest[ROMFS_SHA256_SIZE];
        int n = snprintf(token, sizeof token, "%s-token", test_tokens[i].name);
        romfs_sha256_of(token, (size_t)n, digest);
        romfs_sha256_hex(digest, sizeof digest, hex);
        bytes_text(&text, test_tokens[i].name);
        bytes_text(&text, test_tokens[i].reads ? " read " : " operate ");
        bytes_text(&text, hex);
        bytes_text(&text, "\n");
    }
    write_file(TOKEN_FILE, text.p);
    bytes_free(&text);
}

static void pack_devices(void)
{
    glob_t found;

    (void)mkdir("build", 0777);
    (void)mkdir(IMAGES, 0777);
    int lock = open(IMAGES "/lock", O_CREAT | O_WRONLY | O_CLOEXEC, 0666); /* another runner may be at it */
    if (lock < 0 || flock(lock, LOCK_EX) != 0) {
        perror(IMAGES "/lock");
        exit(2);
    }
    (void)unlink(IMAGES "/pack.log");
    (void)mkdir(EMPTY_DIRECTORY, 0777);
    make_crowd();
    write_tokens();
    pack(CROWD, "crowd");
    pack("examples/pump", "example");
    pack("tests/wire/conformance/device", "fixture");
    pack("examples/dispenser", "dispenser");
    if (glob("tests/wire/devices/*", GLOB_ONLYDIR, NULL, &found) != 0) {
        fprintf(stderr, "wire-runner: no tests/wire/devices here; start it from the top folder\n");
        exit(2);
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        pack(found.gl_pathv[i], strrchr(found.gl_pathv[i], '/') + 1);
    }
    globfree(&found);
    close(lock);
}

/* ---- Running ---- */

static bool http_only, tcp_only;

static void begin(struct totals *before)
{
    *before = totals;
}

static void end(const char *path, const char *wire, const struct totals *before)
{
    unsigned long passed = totals.passed - before->passed, failed = totals.failed - before->failed;
    const char *name = strrchr(path, '/');

    if (passed + failed > 0) {
        printf("%-4s %-26s %-14s %6lu passed, %lu failed\n", failed > 0 ? "FAIL" : "ok", name != NULL ? name + 1 : path,
               wire, passed, failed);
        fflush(stdout);
    }
}

static void run_file(const char *path, bool core_only)
{
    struct transcript t;
    struct totals before;

    transcript_read(&t, path);
    begin(&before);
    run_core(&t, false);
    end(path, "core", &before);
    if (t.compressed) {
        begin(&before);
        run_core(&t, true);
        end(path, "core, deflate", &before);
    }
    if (!t.http && !core_only) {
        begin(&before);
        run_lines(&t, WIRE_STDIO);
        end(path, "stdio", &before);
        begin(&before);
        run_lines(&t, WIRE_TCP);
        end(path, "tcp", &before);
    }
    if (!core_only) {
        begin(&before);
        run_http(&t);
        end(path, "http", &before);
    }
    transcript_free(&t);
}

static void run_on_board(const char *path)
{
    struct transcript t;
    struct totals before;

    transcript_read(&t, path);
    begin(&before);
    if (!t.http) {
        run_lines(&t, WIRE_UART);
    }
    end(path, firmware, &before);
    transcript_free(&t);
}

static void run_over_net(const char *path, bool lines_too)
{
    struct transcript t;
    struct totals before;

    transcript_read(&t, path);
    begin(&before);
    run_http(&t);
    end(path, "http", &before);
    if (lines_too && !t.http) {
        begin(&before);
        run_lines(&t, WIRE_TCP);
        end(path, "tcp", &before);
    }
    transcript_free(&t);
}

static void run(const char *path, bool core_only)
{
    if (http_only || tcp_only || net_firmware != NULL) {
        run_over_net(path, !http_only);
    } else if (firmware != NULL) {
        run_on_board(path);
    } else {
        run_file(path, core_only);
    }
}

static void read_needs(const char *name)
{
    struct bytes path = {0};

    bytes_text(&path, "build/");
    bytes_text(&path, name);
    bytes_text(&path, "/config.txt");
    needs_read(path.p);
    bytes_free(&path);
}

int main(int argc, char **argv)
{
    glob_t found;

    signal(SIGPIPE, SIG_IGN);
    core_brief = argc > 1 && strcmp(argv[1], "--brief") == 0;
    bool core_only = core_brief || (argc > 1 && strcmp(argv[1], "--core") == 0);
    int first = core_only ? 2 : 1;
    if (argc > 2 && strcmp(argv[1], "--without") == 0) {
        struct bytes name = {0};
        bytes_text(&name, "without-");
        bytes_text(&name, argv[2]);
        read_needs(name.p);
        bytes_free(&name);
        core_brief = core_only = true; /* how texts are cut does not depend on a switch */
        first = 3;
    } else if (argc > 2 && (strcmp(argv[1], "--board") == 0 || strcmp(argv[1], "--net") == 0)) {
        *(strcmp(argv[1], "--net") == 0 ? &net_firmware : &firmware) = argv[2];
        read_needs(argv[2]);
        first = 3;
    }
    if (argc > 2 && (strcmp(argv[1], "--http") == 0 || strcmp(argv[1], "--tcp") == 0)) {
        http_only = strcmp(argv[1], "--http") == 0;
        tcp_only = !http_only;
        programs = argv[2];
        first = 3;
    }
    pack_devices();
    if (argc > first) {
        for (int i = first; i < argc; i++) {
            run(argv[i], core_only);
        }
    } else if (glob("tests/wire/*.txt", 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            run(found.gl_pathv[i], core_only);
        }
        globfree(&found);
    }
    totals.failed += !servers_end();
    needs_report();
    printf("%lu passed, %lu failed\n", totals.passed, totals.failed);
    return totals.failed == 0 && totals.passed > 0 ? 0 : 1;
}
