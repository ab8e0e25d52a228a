/* options.c -- read the command line. getopt_long would do, but it may allocate, accepts abbreviations, and has
 * messages of its own. Here an option is one row of a table, and a value may follow as the next word or after '='. */
#include "options.h"

#include <string.h>

#include "say.h"
#include "tty.h"

static const char help_text[] = " IMAGE [options]\n"
                                "Serve a skill image written by `skillrom pack` to MCP clients.\n"
                                "\n"
                                "  --stdio             serve one client on stdin and stdout (the default)\n"
                                "  --http ADDR:PORT    serve MCP Streamable HTTP here, as in 127.0.0.1:7700 or\n"
                                "                      [::1]:7700\n"
                                "  --https ADDR:PORT   the same over TLS 1.2\n"
                                "  --cert FILE         its certificate, then those that signed it, in PEM\n"
                                "  --key FILE          the certificate's private key, in PEM: EC, curve P-256\n"
                                "  --tcp ADDR:PORT     serve JSON-RPC, one message per line, to every program\n"
                                "                      that can reach the address; a line that is not JSON, such\n"
                                "                      as a browser would send, ends its connection. --http,\n"
                                "                      --https and --tcp may be repeated; port 0: a free port\n"
                                "  --serial TTY[,BAUD] serve one host on a serial port, as a device would: lines,\n"
                                "                      or the reliable mode of port/uart (115200)\n"
                                "  --path /mcp         where HTTP serves\n"
                                "  --host NAME         a name HTTP clients may call this machine, or web pages\n"
                                "                      come from; may be given several times. localhost works\n"
                                "                      without, and so does any numeric address\n"
                                "  --token-file FILE   serve only HTTP clients that send a token of this file,\n"
                                "                      made by `skillrom token`: Authorization: Bearer TOKEN\n"
                                "  --allow-anyone      serve without tokens also where other machines reach it:\n"
                                "                      all of them may read everything and run every tool\n"
                                "  --state DIR         keep the key of HTTP sessions here, so that they survive a\n"
                                "                      restart ($XDG_STATE_HOME/skillrom, or\n"
                                "                      ~/.local/state/skillrom)\n"
                                "  --no-sessions       give HTTP clients no session: nothing about them is kept\n"
                                "  --reload            the image may change: put a new file in the place of\n"
                                "                      IMAGE, then send SIGHUP. Clients stay connected, answers\n"
                                "                      under way are finished from the image they began with,\n"
                                "                      and subscribers are notified. A file that cannot be\n"
                                "                      served is refused with its reason, and the old image\n"
                                "                      stays\n"
                                "  --page N            items per page of a list\n"
                                "  --slots N           connections at once (at most)\n"
                                "  --peer-slots N      connections of one address at once (half of the slots; no\n"
                                "                      limit for clients on this machine)\n"
                                "  --grace-ms N        when all slots are in use, one that hardly moves for N ms\n"
                                "                      gives way to a newcomer (1000)\n"
                                "  --timeout-ms N      a request must arrive, and a byte of an answer leave,\n"
                                "                      within N ms (30000)\n"
                                "  --idle-ms N         close an HTTP connection without a request after N ms\n"
                                "                      (75000)\n"
                                "  --drain-ms N        on SIGTERM let answers under way finish for up to N ms\n"
                                "                      (5000)\n"
                                "  --exec-scripts      let clients run the files under scripts/ of the skills,\n"
                                "                      off by default: whoever can reach this server then\n"
                                "                      decides when code from the image runs on this machine.\n"
                                "                      Each run has a bubblewrap sandbox to itself: no network,\n"
                                "                      nothing of your environment or your files, the skill\n"
                                "                      read-only, an empty /tmp, the system calls of ordinary\n"
                                "                      programs, and limits on time, processor, memory, processes\n"
                                "                      and output. Its arguments are JSON on stdin, {\"argv\":\n"
                                "                      [...]} in them its command line, and its result is what it\n"
                                "                      prints. At the start it says what can be run. Serve only\n"
                                "                      images you trust\n"
                                "  --exec-timeout-ms N how long a script may take (10000)\n"
                                "  --help, --version\n"
                                "\n"
                                "Tokens and everything else cross the network in clear text.\n"
                                "Exit status: 0 success, 1 bad input (image, address in use), 2 usage error.\n";

/* Prints `before`, the name of the program, and `behind` on stdout. */
static enum skr_options_result answer(const char *before, const char *behind)
{
    const char *name = skr_say_name();
    bool well = skr_say_result(before, strlen(before)) && skr_say_result(name, strlen(name)) &&
                skr_say_result(behind, strlen(behind));

    return well ? SKR_OPTIONS_DONE : SKR_OPTIONS_LOST;
}

/* Takes the option's value, or NULL for an option without one. False, after a message, when it is wrong. */
typedef bool (*option_fn)(struct skr_options *options, const char *name, const char *value);

static bool add_listener(struct skr_options *options, const char *name, const char *value, enum skr_wire wire,
                         bool secure)
{
    if (options->listen_count == SKR_POSIX_LISTENERS) {
        skr_say("%s %s: at most %d addresses can be served; leave one out", name, value, SKR_POSIX_LISTENERS);
        return false;
    }
    struct skr_listen *listen = &options->listen[options->listen_count];
    if (!skr_address_parse(&listen->address, value)) {
        skr_say("%s %s: not an address; give ADDR:PORT, as in 127.0.0.1:7700 or [::1]:7700", name, value);
        return false;
    }
    listen->wire = wire;
    listen->secure = secure;
    options->listen_count++;
    return true;
}

static bool take_http(struct skr_options *options, const char *name, const char *value)
{
    return add_listener(options, name, value, SKR_HTTP_1, false);
}

static bool take_https(struct skr_options *options, const char *name, const char *value)
{
    return add_listener(options, name, value, SKR_HTTP_1, true);
}

static bool take_cert(struct skr_options *options, const char *name, const char *value)
{
    (void)name;
    options->cert = value;
    return true;
}

static bool take_key(struct skr_options *options, const char *name, const char *value)
{
    (void)name;
    options->key = value;
    return true;
}

static bool take_tcp(struct skr_options *options, const char *name, const char *value)
{
    return add_listener(options, name, value, SKR_LINE_TCP, false);
}

static bool take_stdio(struct skr_options *options, const char *name, const char *value)
{
    (void)name;
    (void)value;
    options->use_stdio = true;
    return true;
}

/* A decimal number from min to max. */
static bool take_number(const char *name, const char *value, uint32_t min, uint32_t max, uint32_t *out)
{
    uint64_t number = 0;
    const char *digit = value;

    while (*digit >= '0' && *digit <= '9' && number <= max) {
        number = number * 10 + (uint64_t)(*digit++ - '0');
    }
    if (*value == '\0' || *digit != '\0' || number < min || number > max) {
        skr_say("%s %s: give a number from %u to %u", name, value, (unsigned)min, (unsigned)max);
        return false;
    }
    *out = (uint32_t)number;
    return true;
}

static bool take_serial(struct skr_options *options, const char *name, const char *value)
{
    const char *comma = strrchr(value, ',');
    size_t n = comma != NULL ? (size_t)(comma - value) : strlen(value);

    if (n == 0 || n >= sizeof options->serial) {
        skr_say("%s %s: not a serial port; give TTY or TTY,BAUD, as in /dev/ttyACM0,115200", name, value);
        return false;
    }
    if (comma != NULL && !take_number(name, comma + 1, 1, 4000000, &options->baud)) {
        return false;
    }
    if (!skr_tty_knows(options->baud)) {
        skr_say("%s %s: unsupported baud rate; use 9600, 115200 or 921600", name, value);
        return false;
    }
    memcpy(options->serial, value, n);
    options->serial[n] = '\0';
    return true;
}

static bool take_reload(struct skr_options *options, const char *name, const char *value)
{
    (void)name;
    (void)value;
    options->reload = true;
    return true;
}

static bool take_host(struct skr_options *options, const char *name, const char *value)
{
    if (options->host_count == SKR_POSIX_HOSTS) {
        skr_say("%s %s: at most %d names can be given; leave one out", name, value, SKR_POSIX_HOSTS);
        return false;
    }
    if (*value == '\0' || strpbrk(value, "/ \t") != NULL) {
        skr_say("%s %s: not a host name; give it alone, as in pump.local", name, value);
        return false;
    }
    options->hosts[options->host_count++] = value;
    return true;
}

static bool take_path(struct skr_options *options, const char *name, const char *value)
{
    if (value[0] != '/' || strpbrk(value, "?# \t") != NULL) {
        skr_say("%s %s: not a path; it starts with a slash, as in /mcp", name, value);
        return false;
    }
    options->path = value;
    return true;
}

static bool take_token_file(struct skr_options *options, const char *name, const char *value)
{
    (void)name;
    options->token_file = value;
    return true;
}

static bool take_anyone(struct skr_options *options, const char *name, const char *value)
{
    (void)name;
    (void)value;
    options->anyone = true;
    return true;
}

static bool take_state(struct skr_options *options, const char *name, const char *value)
{
    (void)name;
    options->state = value;
    return true;
}

static bool take_no_sessions(struct skr_options *options, const char *name, const char *value)
{
    (void)name;
    (void)value;
    options->sessionless = true;
    return true;
}

static bool take_page(struct skr_options *options, const char *name, const char *value)
{
    return take_number(name, value, 1, 1000000, &options->page);
}

static bool take_slots(struct skr_options *options, const char *name, const char *value)
{
    return take_number(name, value, 1, SKR_POSIX_SLOTS, &options->slots);
}

static bool take_peer_slots(struct skr_options *options, const char *name, const char *value)
{
    return take_number(name, value, 1, SKR_POSIX_SLOTS, &options->peer_slots);
}

/* Below 10 ms the coarse clock could not tell a time-out from a tick. */
static bool take_timeout(struct skr_options *options, const char *name, const char *value)
{
    return take_number(name, value, 10, 86400000, &options->timeout_ms);
}

static bool take_idle(struct skr_options *options, const char *name, const char *value)
{
    return take_number(name, value, 10, 86400000, &options->idle_ms);
}

static bool take_grace(struct skr_options *options, const char *name, const char *value)
{
    return take_number(name, value, 10, 86400000, &options->grace_ms);
}

static bool take_drain(struct skr_options *options, const char *name, const char *value)
{
    return take_number(name, value, 10, 86400000, &options->drain_ms);
}

static bool take_exec(struct skr_options *options, const char *name, const char *value)
{
    (void)name;
    (void)value;
    options->exec_scripts = true;
    return true;
}

static bool take_exec_timeout(struct skr_options *options, const char *name, const char *value)
{
    return take_number(name, value, 10, SKR_JOB_DEADLINE_MAX_MS, &options->exec_ms);
}

static const struct option {
    const char *name;
    bool has_value;
    option_fn take;
} known[] = {
    {"--stdio", false, take_stdio},
    {"--http", true, take_http},
    {"--https", true, take_https},
    {"--cert", true, take_cert},
    {"--key", true, take_key},
    {"--tcp", true, take_tcp},
    {"--serial", true, take_serial},
    {"--path", true, take_path},
    {"--host", true, take_host},
    {"--token-file", true, take_token_file},
    {"--allow-anyone", false, take_anyone},
    {"--state", true, take_state},
    {"--no-sessions", false, take_no_sessions},
    {"--page", true, take_page},
    {"--reload", false, take_reload},
    {"--slots", true, take_slots},
    {"--peer-slots", true, take_peer_slots},
    {"--grace-ms", true, take_grace},
    {"--timeout-ms", true, take_timeout},
    {"--idle-ms", true, take_idle},
    {"--drain-ms", true, take_drain},
    {"--exec-scripts", false, take_exec},
    {"--exec-timeout-ms", true, take_exec_timeout},
};

/* The row whose name is the n bytes at text, or NULL. */
static const struct option *find_option(const char *text, size_t n)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i].name) == n && memcmp(known[i].name, text, n) == 0) {
            return &known[i];
        }
    }
    return NULL;
}

/* Handles the option at argv[*at] and moves *at to the last word it used. */
static bool take_option(struct skr_options *options, int argc, char **argv, int *at)
{
    const char *word = argv[*at];
    const char *equals = strchr(word, '=');
    const struct option *option = find_option(word, equals ? (size_t)(equals - word) : strlen(word));
    const char *value = equals ? equals + 1 : NULL;

    if (option == NULL) {
        skr_say("unknown option %s; see %s --help", word, skr_say_name());
        return false;
    }
    if (!option->has_value && value != NULL) {
        skr_say("%s takes no value; see %s --help", option->name, skr_say_name());
        return false;
    }
    if (option->has_value && value == NULL) {
        if (*at + 1 >= argc) {
            skr_say("%s needs a value; see %s --help", option->name, skr_say_name());
            return false;
        }
        value = argv[++*at];
    }
    return option->take(options, option->name, value);
}

static bool serves_http(const struct skr_options *options)
{
    for (size_t i = 0; i < options->listen_count; i++) {
        if (options->listen[i].wire == SKR_HTTP_1) {
            return true;
        }
    }
    return false;
}

/* Checks that are possible only when everything has been read. */
static bool agree(struct skr_options *options)
{
    if (options->image == NULL) {
        skr_say("which image? give the file that `skillrom pack` wrote; see %s --help", skr_say_name());
        return false;
    }
    if (options->use_stdio && options->listen_count > 0) {
        skr_say("--stdio serves a single client; leave it out, or leave out --http and --tcp");
        return false;
    }
    if (options->serial[0] != '\0' && (options->use_stdio || options->listen_count > 0 || options->reload)) {
        skr_say(
            "--serial serves a single host and a fixed image; leave out --stdio, --http, --https, --tcp and --reload");
        return false;
    }
    bool secure = false;
    for (size_t i = 0; i < options->listen_count; i++) {
        secure |= options->listen[i].secure;
    }
    if (secure != (options->cert != NULL) || secure != (options->key != NULL)) {
        skr_say("--https, --cert and --key belong together: give all three, or none");
        return false;
    }
    options->use_stdio = options->listen_count == 0;
    if (options->token_file != NULL && !serves_http(options)) {
        skr_say("--token-file is for HTTP; add --http or remove it: other wires have no tokens");
        return false;
    }
    return true;
}

enum skr_options_result skr_options_parse(struct skr_options *options, int argc, char **argv)
{
    *options = (struct skr_options){
        .path = "/mcp",
        .keeps_key = true,
        .baud = SKR_TTY_BAUD,
        .slots = SKR_POSIX_SLOTS,
        .timeout_ms = SKR_POSIX_TIMEOUT_MS,
        .idle_ms = SKR_POSIX_IDLE_MS,
        .drain_ms = SKR_POSIX_DRAIN_MS,
        .exec_ms = SKR_POSIX_EXEC_MS,
    };
    for (int at = 1; at < argc; at++) {
        if (strcmp(argv[at], "--help") == 0 || strcmp(argv[at], "-h") == 0) {
            return answer("usage: ", help_text);
        }
        if (strcmp(argv[at], "--version") == 0) {
            return answer("", " " SKR_VERSION "\n");
        }
        if (argv[at][0] == '-') {
            if (!take_option(options, argc, argv, &at)) {
                return SKR_OPTIONS_WRONG;
            }
        } else if (options->image != NULL) {
            skr_say("%s: only one image can be served, and %s was given already; see %s --help", argv[at],
                    options->image, skr_say_name());
            return SKR_OPTIONS_WRONG;
        } else {
            options->image = argv[at];
        }
    }
    return agree(options) ? SKR_OPTIONS_RUN : SKR_OPTIONS_WRONG;
}
