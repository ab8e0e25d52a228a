/* options.c -- the command line of skillromd, and of every program whose main is skr_posix_main. To add an option, add a member
 * to struct posix_options and a row here (host/base/cmdline.h). */
#include "options.h"

#include <string.h>

#include "cmdline.h"
#include "console.h"
#include "endpoint.h"
#include "log.h"
#include "tty.h"

/* Below 10 ms the coarse clock could not distinguish a timeout from a tick. */
#define SOONEST_MS 10
#define DAY_MS 86400000

static bool take_serial(void *into, const char *name, const char *value)
{
    struct posix_options *options = into;
    const char *comma = strrchr(value, ',');
    size_t n = comma != NULL ? (size_t)(comma - value) : strlen(value);

    if (n == 0 || n >= sizeof options->serial) {
        host_log("%s %s: not a serial port; give TTY or TTY,BAUD, as in /dev/ttyACM0,115200", name, value);
        return false;
    }
    if (comma != NULL && !posix_take_baud(&options->baud, name, comma + 1)) {
        return false;
    }
    memcpy(options->serial, value, n);
    options->serial[n] = '\0';
    return true;
}

static bool take_announce(void *into, const char *name, const char *value)
{
    struct posix_options *options = into;
    size_t n = strlen(value);

    if (n == 0 || n > 63 || strpbrk(value, ".\\") != NULL) {
        host_log("%s %s: not a name for mDNS; give 1 to 63 characters without dots, as in pump-3", name, value);
        return false;
    }
    options->announce = value;
    return true;
}

static bool take_update_key(void *into, const char *name, const char *value)
{
    struct posix_options *options = into;

    if (options->update_key_count == SKR_POSIX_UPDATE_KEYS) {
        host_log("%s %s: at most %d keys", name, value, SKR_POSIX_UPDATE_KEYS);
        return false;
    }
    options->update_keys[options->update_key_count++] = value;
    return true;
}

#define OPTIONS struct posix_options

/* clang-format off */
static const struct host_option rows[] = {
    HOST_FLAG("--stdio", OPTIONS, use_stdio, "serve one client on stdin and stdout (the default)"),
    HOST_TAKE_EACH("--http", "ADDR:PORT", posix_take_http,
        "serve MCP Streamable HTTP here, as in 127.0.0.1:7700 or [::1]:7700"),
    HOST_TAKE_EACH("--https", "ADDR:PORT", posix_take_https, "the same over TLS 1.2"),
    HOST_TEXT("--cert", "FILE", OPTIONS, cert, "its certificate, then those that signed it, in PEM"),
    HOST_TEXT("--key", "FILE", OPTIONS, key, "the certificate's private key, in PEM: EC, curve P-256"),
    HOST_TAKE_EACH("--tcp", "ADDR:PORT", posix_take_tcp,
        "serve JSON-RPC, one message per line, to every program that can reach the address; a line that is not JSON, such as a "
        "browser would send, ends its connection. --http, --https and --tcp may be repeated; port 0 picks a free one"),
    HOST_TAKE("--serial", "TTY[,BAUD]", take_serial,
        "serve one host on a serial port, as a device would: lines, or the reliable mode of port/uart (115200)"),
    HOST_TAKE("--path", "/mcp", posix_take_path, "where HTTP serves"),
    HOST_TAKE_EACH("--host", "NAME", posix_take_host,
        "a name HTTP clients may call this machine, or web pages come from; may be given several times. localhost works "
        "without, and so does any numeric address"),
    HOST_TEXT("--token-file", "FILE", OPTIONS, token_file,
        "serve only HTTP clients that send a token of this file, made by `skillrom token`: Authorization: Bearer TOKEN. SIGHUP reads the file again"),
    HOST_TEXT("--oauth-issuer", "URL", OPTIONS, oauth_issuer,
        "also accept access tokens of this authorization server: JWTs, signed with ES256 (port/oauth)"),
    HOST_TEXT("--oauth-keys", "FILE", OPTIONS, oauth_keys, "its public keys, a JSON Web Key Set: the content of its jwks_uri"),
    HOST_TEXT("--oauth-resource", "URL", OPTIONS, oauth_resource,
        "what clients call this server, as in https://pump.local:8443/mcp: a token must be for it"),
    HOST_TEXT("--oauth-scopes", "READ,OPERATE[,UPDATE]", OPTIONS, oauth_scopes,
        "the scopes that grant read access, full access, and updates of the image (read,operate,update); without the third, none grants updates"),
    HOST_FLAG("--allow-anyone", OPTIONS, anyone,
        "serve without tokens also where other machines reach it: all of them may read everything and run every tool"),
    HOST_TAKE("--announce", "NAME", take_announce,
        "announce this server over mDNS as NAME._mcp._tcp.local, for `skillrom find`; off by default, because not every "
        "device should be found"),
    HOST_TEXT("--state", "DIR", OPTIONS, state,
        "keep the key of HTTP sessions here, so that they survive a restart ($XDG_STATE_HOME/skillrom, or "
        "~/.local/state/skillrom)"),
    HOST_FLAG("--no-sessions", OPTIONS, sessionless, "give HTTP clients no session: nothing about them is kept"),
    HOST_FLAG("--reload", OPTIONS, reload,
        "the image may change: put a new file in the place of IMAGE, then send SIGHUP. Clients stay connected, responses that "
        "are being sent are finished from the image they began with, and subscribers are notified. A file that cannot be served is refused "
        "with its reason, and the old image stays"),
    HOST_TEXT("--update", "FILE", OPTIONS, update,
        "accept signed releases from `skillrom update`, and keep them in FILE, which is made from IMAGE if it does not exist; needs "
        "--update-key and --product"),
    HOST_TAKE_EACH("--update-key", "FILE.pem", take_update_key,
        "a public key that signs releases, as `skillrom keys public` prints it; may be repeated: the first is key 0"),
    HOST_TEXT("--product", "NAME", OPTIONS, product, "the product that releases must be for"),
    HOST_NUMBER("--page", "N", OPTIONS, page, 1, 1000000, "items per page of a list"),
    HOST_NUMBER("--slots", "N", OPTIONS, slots, 1, SKR_SOCKETS_SLOTS, "maximum number of connections"),
    HOST_NUMBER("--peer-slots", "N", OPTIONS, peer_slots, 1, SKR_SOCKETS_SLOTS,
        "maximum number of connections of one address (half of the slots; no limit for clients on this machine)"),
    HOST_TIME("--grace", OPTIONS, grace_ms, SOONEST_MS, DAY_MS,
        "when all slots are in use, one that hardly moves for TIME gives way to a newcomer (1s)"),
    HOST_TIME("--timeout", OPTIONS, timeout_ms, SOONEST_MS, DAY_MS,
        "a request must arrive, and a byte of a response leave, within TIME (30s)"),
    HOST_TIME("--idle", OPTIONS, idle_ms, SOONEST_MS, DAY_MS,
        "close an HTTP connection without a request after TIME (75s)"),
    HOST_TIME("--drain", OPTIONS, drain_ms, SOONEST_MS, DAY_MS,
        "on SIGTERM let responses finish for up to TIME (5s)"),
    HOST_FLAG("--log", OPTIONS, log, POSIX_LOG_HELP),
    HOST_TEXT("--audit-log", "FILE", OPTIONS, audit_log,
        "append every tool call and every refusal to FILE, chained by hashes; for a device whose tools have rules. `skillrom call FILE --log` checks it"),
    HOST_FLAG("--exec-scripts", OPTIONS, exec_scripts,
        "let clients run the files under scripts/ of the skills, off by default: every client that can reach this server then decides "
        "when code from the image runs on this machine. Each run has a bubblewrap sandbox to itself: no network, nothing of "
        "your environment or your files, the skill read-only, an empty /tmp, the system calls of ordinary programs, and limits "
        "on time, processor, memory, processes and output. Its arguments are JSON on stdin, {\"argv\": [...]} in them its "
        "command line, and its result is what it prints. At the start it prints which scripts can be run. Serve only images you trust"),
    HOST_TIME("--exec-timeout", OPTIONS, exec_ms, SOONEST_MS, SKR_JOB_DEADLINE_MAX_MS,
        "how long a script may take (10s)"),
};
/* clang-format on */

static const struct host_command command = {
    .summary = "serve a skill image to MCP clients",
    .usage = "IMAGE [options]",
    .about = "Serve a skill image written by `skillrom pack` to MCP clients.",
    HOST_ROWS(rows),
    .closing = "Without --https, tokens and everything else cross the network in clear text.",
    .examples = {{"desk-lamp.rom", "serve one client on stdin and stdout"},
                 {"desk-lamp.rom --http 127.0.0.1:7700", "serve HTTP clients on this machine"}},
    .operands = {"IMAGE, the file that `skillrom pack` wrote,"},
    .least = 1,
    .most = 1,
};

static bool serves_http(const struct posix_options *options)
{
    for (size_t i = 0; i < options->listen_count; i++) {
        if (options->listen[i].wire == SKR_HTTP_1) {
            return true;
        }
    }
    return false;
}

static bool updates_agree(const struct posix_options *options)
{
    bool updates = options->update != NULL;

    if (updates != (options->update_key_count > 0) || updates != (options->product != NULL) ||
        (updates && options->reload)) {
        host_log("--update, --update-key and --product belong together, and without --reload");
        return false;
    }
    if (updates && *options->product == '\0') {
        host_log("--product has no name; give the one that releases are signed for");
        return false;
    }
    return true;
}

/* Checks that are possible only when everything has been read. */
static bool agree(struct posix_options *options)
{
    if (options->use_stdio && options->listen_count > 0) {
        host_log("--stdio serves a single client; leave it out, or leave out --http and --tcp");
        return false;
    }
    if (options->serial[0] != '\0' && (options->use_stdio || options->listen_count > 0 || options->reload)) {
        host_log(
            "--serial serves a single host and a fixed image; leave out --stdio, --http, --https, --tcp and --reload");
        return false;
    }
    bool secure = false;
    for (size_t i = 0; i < options->listen_count; i++) {
        secure |= options->listen[i].secure;
    }
    if (secure != (options->cert != NULL) || secure != (options->key != NULL)) {
        host_log("--https, --cert and --key belong together: give all three, or none");
        return false;
    }
    if (!updates_agree(options)) {
        return false;
    }
    bool oauth = options->oauth_issuer != NULL;
    if (oauth != (options->oauth_keys != NULL) || oauth != (options->oauth_resource != NULL) ||
        (options->oauth_scopes != NULL && !oauth)) {
        host_log("--oauth-issuer, --oauth-keys and --oauth-resource belong together: give all three, or none");
        return false;
    }
    options->use_stdio = options->listen_count == 0;
    if (oauth && !serves_http(options)) {
        host_log("--oauth-issuer is for HTTP; add --http or remove it: other wires have no tokens");
        return false;
    }
    if (options->announce != NULL && !serves_http(options)) {
        host_log("--announce is for HTTP; add --http or remove it: clients find URLs over mDNS");
        return false;
    }
    if (options->token_file != NULL && !serves_http(options)) {
        host_log("--token-file is for HTTP; add --http or remove it: other wires have no tokens");
        return false;
    }
    return true;
}

int posix_options_read(struct posix_options *options, int argc, char **argv)
{
    *options = (struct posix_options){
        .path = "/mcp",
        .keeps_key = true,
        .baud = POSIX_TTY_BAUD,
        .slots = SKR_SOCKETS_SLOTS,
        .timeout_ms = SKR_SOCKETS_TIMEOUT_MS,
        .idle_ms = SKR_SOCKETS_IDLE_MS,
        .drain_ms = POSIX_DRAIN_MS,
        .exec_ms = POSIX_EXEC_MS,
    };
    int code = host_command_help(&command, SKR_VERSION, argc, argv);
    if (code >= 0) {
        return code;
    }
    if (host_command_read(&command, options, argc, argv) < 0) {
        return POSIX_OPTIONS_WRONG;
    }
    options->verbose = host_console.verbose;
    options->quiet = host_console.quiet;
    options->image = argv[1];
    return agree(options) ? POSIX_OPTIONS_RUN : POSIX_OPTIONS_WRONG;
}
