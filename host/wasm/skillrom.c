/* skillrom.c -- the program skillrom as a WebAssembly module: the image compiler, and the command lines of serve and bridge, which
 * JavaScript carries out with other modules (skillrom.mjs). It gets what they need by the imported functions. */
#include "skillrom.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../main/end_output.h"
#include "../main/program.h"
#include "base/rom_file.h"
#include "base/screen.h"
#include "cli/commands.h"
#include "cli/pack.h"
#include "console.h"

#define DAY_MS 86400000
#define IMPORT(name) __attribute__((import_module("env"), import_name(#name)))

/* Called before the program ends with success: serve this image, or the device on this port. */
IMPORT(serve_image)
void serve_image(const void *image, size_t n, const char *what, const char *http, const char *twin, uint32_t page);
IMPORT(serve_port)
void serve_port(const char *port, const char *http, uint32_t baud, int plain, uint32_t wait_ms, uint32_t response_ms,
                uint32_t poll_ms, int quiet);

struct serve {
    struct pack_options pack;
    const char *http, *twin;
    bool stdio;
    uint32_t page;
};

/* clang-format off */
static const struct host_option serve_rows[] = {
    HOST_TEXT("--twin", "FILE", struct serve, twin,
        "a module with the device's own handlers, .wasm, or the whole device, .html, which `make twin` writes"),
    HOST_TEXT("--http", "ADDR:PORT", struct serve, http,
        "serve MCP Streamable HTTP here, an address of this machine's own; port 0 picks a free one (127.0.0.1:7700)"),
    HOST_FLAG("--stdio", struct serve, stdio, "serve one client on stdin and stdout instead"),
    HOST_NUMBER("--page", "N", struct serve, page, 1, 1000000, "items on a page of a list"),
    HOST_FLAG("--strict", struct serve, pack.load.strict, "as for pack, and so are the following"),
    HOST_TAKE_IN("--base", "URI", struct serve, pack.load.base, pack_take_base, "what URIs begin with"),
    HOST_TAKE_MAYBE_IN("--compress", "WINDOW", struct serve, pack.image.window, pack_take_window,
        "deflate files that get smaller"),
};
/* clang-format on */

static int run_serve(int argc, char **argv);
static const struct host_command cmd_serve_here = {
    .name = "serve",
    .run = run_serve,
    .group = "Author",
    .summary = "serve a folder or image",
    .usage = "DIR|FILE.rom|--twin FILE.html [options]",
    .about =
        "Packs a folder into an image in memory, and serves it. Skills that have errors are left out, with a message.",
    HOST_ROWS(serve_rows),
    .examples = {{"skillrom serve desk-lamp", "serve a folder at http://127.0.0.1:7700/mcp"},
                 {"skillrom serve desk-lamp.rom --stdio", "serve an image on stdin and stdout"}},
    .most = 1,
};

/* The image of a folder or file, after a message if there is none. */
static bool take_image(const char *source, const struct serve *s, struct romfs *fs, struct buf *image)
{
    struct diag diag = {.out = stderr, .places = true};
    struct device device;
    struct stat st;

    if (stat(source, &st) != 0) {
        screen_error("%s: %s", source, strerror(errno));
        return false;
    }
    if (!S_ISDIR(st.st_mode)) {
        return rom_file_open(source, fs) && rom_file_read(source, image);
    }
    if (!pack_device(source, &s->pack, &diag, &device, image, fs)) {
        screen_error("not packed: %u error%s, %u warning%s", diag.errors, screen_plural(diag.errors), diag.warnings,
                     screen_plural(diag.warnings));
        return false;
    }
    pack_print_left(&device);
    return true;
}

static int run_serve(int argc, char **argv)
{
    struct serve s = {.pack.skip_bad = true, .pack.image.take = true};
    struct buf image = {0};
    struct romfs fs;
    int count = host_command_read(&cmd_serve_here, &s, argc, argv);

    if (count < 0) {
        return 2;
    }
    if (count == 0 && s.twin == NULL) {
        return host_usage_error("DIR or FILE.rom is missing");
    }
    if (s.stdio && s.http != NULL) {
        return host_usage_error("--stdio serves a single client; leave it out, or leave out --http");
    }
    if (count > 0 && !take_image(argv[1], &s, &fs, &image)) {
        return 1;
    }
    if (count > 0 && s.twin == NULL && fs.header->tools.count > 0) {
        host_log("tools without a handler here: %u, not listed; see --twin", fs.header->tools.count);
    }
    const char *http = s.http != NULL ? s.http : s.stdio ? "" : "127.0.0.1:7700";
    serve_image(image.p, image.n, count > 0 ? argv[1] : s.twin, http, s.twin != NULL ? s.twin : "", s.page);
    return 0;
}

struct bridge {
    const char *http;
    bool plain;
    uint32_t baud, wait_ms, response_ms, poll_ms;
};

/* clang-format off */
static const struct host_option bridge_rows[] = {
    HOST_NUMBER("--baud", "N", struct bridge, baud, 1200, 4000000, "speed of the line; by default the usual ones are tried"),
    HOST_FLAG("--plain", struct bridge, plain, "use plain lines even if the device has the reliable mode"),
    HOST_TEXT("--http", "ADDR:PORT", struct bridge, http,
        "serve MCP Streamable HTTP here, an address of this machine's own, instead of stdio; port 0 picks a free one"),
    HOST_TIME("--wait", struct bridge, wait_ms, 1, DAY_MS, "how long a request waits for a missing device (10s)"),
    HOST_TIME("--response-timeout", struct bridge, response_ms, 1, DAY_MS, "how long a request waits for its response (65s)"),
    HOST_TIME("--poll", struct bridge, poll_ms, 0, DAY_MS,
        "HTTP: if a response takes longer, close its stream once; a client of 2025-11-25 then comes back for the response. "
        "0 keeps the stream open (0)"),
};
/* clang-format on */

static int run_bridge(int argc, char **argv);
static const struct host_command cmd_bridge_here = {
    .name = "bridge",
    .run = run_bridge,
    .group = "Device",
    .summary = "a device on a serial port as a server on stdio or HTTP",
    .usage = "PORT [options]",
    .about =
        "Makes the device on a serial port an ordinary MCP server, on stdin and stdout or over HTTP. PORT is COM5, "
        "/dev/tty.usbmodem101 or /dev/ttyACM0. It may be started before the device is there, and keeps running when the "
        "device is reset or unplugged. The device's log lines go to stderr. Needs the npm package serialport.",
    HOST_ROWS(bridge_rows),
    .examples = {{"skillrom bridge COM5", "serve the device on COM5 on stdin and stdout"},
                 {"skillrom bridge /dev/ttyACM0 --http 127.0.0.1:7700", "serve it over HTTP"}},
    .operands = {"PORT"},
    .least = 1,
    .most = 1,
};

static int run_bridge(int argc, char **argv)
{
    struct bridge b = {.wait_ms = 10000, .response_ms = 65000};

    if (host_command_read(&cmd_bridge_here, &b, argc, argv) < 0) {
        return 2;
    }
    serve_port(argv[1], b.http != NULL ? b.http : "", b.baud, b.plain, b.wait_ms, b.response_ms, b.poll_ms,
               host_console.quiet);
    return 0;
}

static const struct host_command *const commands[] = {&cmd_new,  &cmd_lint,       &cmd_explain,    &cmd_pack,
                                                      &cmd_info, &cmd_ls,         &cmd_cat,        &cmd_verify,
                                                      &cmd_sign, &cmd_serve_here, &cmd_bridge_here};

static const struct host_program skillrom = SKILLROM_PROGRAM(commands);

int main(int argc, char **argv)
{
    const char *here = getenv("SKILLROM_CWD"); /* WASI has no working directory */

    if (here != NULL && chdir(here) != 0) {
        screen_error("cannot work in %s: %s", here, strerror(errno));
        return 1;
    }
    return end_output(host_program_run(&skillrom, argc, argv));
}
