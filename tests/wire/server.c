/* server.c -- start the example device as a program, talk to it, end it. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wires.h"

#define BOOT "tests/boards/qemu/boot"
#define BOOT_NET "tests/boards/net/boot"

/* A serial line carries 10,000 bytes a second, so a long request takes its time. */
#define UART_PATIENCE_MS 60000

/* A board that is asked to end first waits until its connections are gone. */
#define END_PATIENCE_MS 400000

const char *firmware, *net_firmware, *programs = "build/asan";

/* ---- Starting ---- */

static void __attribute__((noreturn)) become(const struct scene *scene, enum wire wire)
{
    struct bytes image = {0}, page = {0}, program = {0};

    bytes_text(&program, programs);
    bytes_text(&program, strcmp(scene->device, "fixture") == 0     ? "/conformance-device"
                         : strcmp(scene->device, "dispenser") == 0 ? "/dispenser"
                                                                   : "/pump");
    const char *words[20] = {program.p};
    size_t n = 1;
    image_path(scene->device, false, &image);
    words[n++] = image.p;
    if (scene->page != 0) {
        bytes_number(&page, scene->page);
        words[n++] = "--page";
        words[n++] = page.p;
    }
    if (scene->reload) {
        words[n++] = "--reload";
    }
    if (wire != WIRE_STDIO) {
        words[n++] = wire == WIRE_TCP ? "--tcp" : "--http";
        words[n++] = "127.0.0.1:0";
    }
    if (wire == WIRE_HTTP) {
        words[n++] = "--host";
        words[n++] = TEST_HOST;
        words[n++] = "--state";
        words[n++] = STATE_FOLDER;
    }
    if (wire == WIRE_HTTP && scene->tokens) {
        words[n++] = "--token-file";
        words[n++] = TOKEN_FILE;
    }
    if (scene->sessionless) {
        words[n++] = "--no-sessions";
    }
    execv(program.p, (char *const *)words);
    perror(program.p);
    _exit(127);
}

static void make_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC) != 0) {
        perror("pipe");
        exit(2);
    }
}

/* The firmware whose handlers the scene's device has. */
static const char *elf_of(const struct scene *scene)
{
    return strcmp(scene->device, "fixture") == 0     ? "/conformance.elf"
           : strcmp(scene->device, "dispenser") == 0 ? "/dispenser.elf"
                                                     : "/program.elf";
}

static void __attribute__((noreturn)) become_firmware(const struct scene *scene)
{
    struct bytes image = {0}, elf = {0};
    bool own = strcmp(scene->device, "board") == 0; /* the firmware as it is flashed */

    image_path(scene->device, false, &image);
    bytes_text(&elf, "build/");
    bytes_text(&elf, firmware);
    bytes_text(&elf, own ? "/skillrom.elf" : elf_of(scene));
    const char *const words[] = {BOOT, firmware, elf.p, own ? NULL : image.p, NULL};
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    execv(BOOT, (char *const *)words);
    perror(BOOT);
    _exit(127);
}

static void __attribute__((noreturn)) become_net_firmware(const struct scene *scene)
{
    struct bytes image = {0}, elf = {0};

    image_path(scene->device, false, &image);
    bytes_text(&elf, "build/");
    bytes_text(&elf, net_firmware);
    bytes_text(&elf, elf_of(scene));
    const char *const words[] = {BOOT_NET, net_firmware, elf.p, image.p, NULL};
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    execv(BOOT_NET, (char *const *)words);
    perror(BOOT_NET);
    _exit(127);
}

/* The line "pump: serving ... at URL"; false when the server ends without it. */
static bool wait_until_ready(struct server *s)
{
    char text[512];
    size_t n = 0;

    while (n < sizeof text - 1 && read(s->errors, text + n, 1) == 1 && text[n] != '\n') {
        n++;
    }
    text[n] = '\0';
    char *at = strstr(text, " at ");
    snprintf(s->url, sizeof s->url, "%s", at != NULL ? at + 4 : "");
    if (strstr(text, "serving") == NULL) {
        fprintf(stderr, "%s\n", text);
        return false;
    }
    return true;
}

/* The first line of a firmware: "skillrom on NAME: ready". */
static bool wait_until_booted(struct server *s)
{
    struct bytes text = {0};

    bytes_clear(&text);
    while (memchr(text.p, '\n', text.n) == NULL && server_receive(s, &text)) {
    }
    bool ready = strstr(text.p, ": ready\n") != NULL;
    if (!ready) {
        fprintf(stderr, "%s: %s\n", firmware, text.p);
    }
    bytes_free(&text);
    return ready;
}

/* Its serial line is a socket that the emulator inherits as its standard input. */
static bool start_firmware(struct server *s, const struct scene *scene)
{
    int line[2], errors[2];

    make_pipe(errors);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line) != 0) {
        perror("socketpair");
        exit(2);
    }
    fflush(NULL);
    s->pid = fork();
    if (s->pid == 0) {
        dup2(line[1], 0);
        dup2(errors[1], 2);
        become_firmware(scene);
    }
    close(line[1]);
    close(errors[1]);
    s->errors = errors[0];
    s->to = s->from = line[0];
    snprintf(s->url, sizeof s->url, "uart");
    return wait_until_booted(s);
}

/* What the server may say: that a device has more tools than it has handlers for, and whose request it refused. */
static bool is_remark(const char *line)
{
    return strstr(line, " no handler in this program ") != NULL ||
           strstr(line, ": refused a request from 127.0.0.1: ") != NULL;
}

/* True when a line follows, or the end; a process that does neither is killed. */
static bool goes_on(const struct server *s)
{
    struct pollfd ready = {.fd = s->errors, .events = POLLIN};

    if (poll(&ready, 1, END_PATIENCE_MS) > 0) {
        return true;
    }
    fprintf(stderr, "%s was asked to end and did not\n", s->url);
    kill(s->pid, SIGKILL);
    return false;
}

/* Ends the process. False when it did not end well or said something else. */
static bool finish(struct server *s)
{
    FILE *errors = fdopen(s->errors, "r");
    char *line = NULL;
    size_t room = 0;
    int status = 0;
    bool signalled = false;

    if (errors == NULL) {
        perror("fdopen");
        exit(2);
    }
    if (s->url[0] != '\0') { /* over pipes the end of its input ends it */
        kill(s->pid, SIGTERM);
    }
    setvbuf(errors, NULL, _IONBF, 0); /* nothing is read ahead of goes_on */
    while (goes_on(s) && getline(&line, &room, errors) > 0) {
        if (!is_remark(line)) {
            signalled = true;
            fputs(line, stderr);
        }
    }
    free(line);
    fclose(errors);
    server_disconnect(s);
    waitpid(s->pid, &status, 0);
    return !signalled && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- Boards with Ethernet: one emulator serves all scenes of a device, on both wires, and is reset between them ---- */

static struct server board = {.to = -1, .from = -1};
static char board_device[32]; /* empty: there is none */

static bool end_board(void)
{
    bool well = board_device[0] == '\0' || finish(&board);

    board_device[0] = '\0';
    return well;
}

static bool start_board(struct server *s, const struct scene *scene, enum wire wire)
{
    if (strcmp(board_device, scene->device) != 0) {
        int errors[2];
        bool well = end_board();
        make_pipe(errors);
        fflush(NULL);
        board.pid = fork();
        if (board.pid == 0) {
            dup2(errors[1], 2);
            become_net_firmware(scene);
        }
        close(errors[1]);
        board.errors = errors[0];
        snprintf(board_device, sizeof board_device, "%s", scene->device);
        if (!wait_until_ready(&board) || !well) {
            return false;
        }
    }
    *s = board;
    char *other = strstr(s->url, " and "); /* the URL for lines stands after that for HTTP */
    if (other != NULL && wire == WIRE_HTTP) {
        *other = '\0';
    }
    s->to = s->from = -1;
    return server_connect(s);
}

/* False when it has not freed everything, or is gone. */
static bool reset_board(struct server *s)
{
    server_disconnect(s);
    kill(board.pid, SIGHUP);
    bool well = wait_until_ready(&board);
    if (!well) {
        (void)end_board();
    }
    return well;
}

bool servers_end(void)
{
    return end_board();
}

/* ---- All of them ---- */

bool server_start(struct server *s, const struct scene *scene, enum wire wire)
{
    s->emulated = wire == WIRE_UART;
    if (s->emulated) {
        return start_firmware(s, scene);
    }
    if (net_firmware != NULL) {
        return start_board(s, scene, wire);
    }
    int in[2], out[2], errors[2];
    make_pipe(in);
    make_pipe(out);
    make_pipe(errors);
    fflush(NULL);
    s->pid = fork();
    if (s->pid == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        dup2(errors[1], 2);
        become(scene, wire);
    }
    close(in[0]);
    close(out[1]);
    close(errors[1]);
    s->errors = errors[0];
    s->to = in[1];
    s->from = out[0];
    if (wire != WIRE_STDIO) {
        close(in[1]);
        close(out[0]);
        s->to = s->from = -1;
    }
    return wait_until_ready(s) && (wire == WIRE_STDIO || server_connect(s));
}

bool server_connect(struct server *s)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    int one = 1;
    const char *colon = strrchr(s->url, ':');

    server_disconnect(s);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons((uint16_t)strtoul(colon != NULL ? colon + 1 : "0", NULL, 10));
    s->to = s->from = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s->to < 0 || connect(s->to, (struct sockaddr *)&address, sizeof address) != 0) {
        perror(s->url);
        return false;
    }
    setsockopt(s->to, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return true;
}

void server_disconnect(struct server *s)
{
    if (s->to >= 0) {
        close(s->to);
    }
    if (s->from >= 0 && s->from != s->to) {
        close(s->from);
    }
    s->to = s->from = -1;
}

bool server_stop(struct server *s)
{
    if (net_firmware != NULL) {
        return reset_board(s);
    }
    if (!s->emulated) { /* an emulator would end with its line, and not tell about its stack */
        server_disconnect(s);
    }
    return finish(s);
}

/* ---- Talking ---- */

bool server_send(struct server *s, const struct bytes *bytes)
{
    for (size_t at = 0; at < bytes->n;) {
        ssize_t n = write(s->to, bytes->p + at, bytes->n - at);
        if (n < 0 && errno != EINTR) {
            return false;
        }
        at += n > 0 ? (size_t)n : 0;
    }
    return true;
}

bool server_receive(struct server *s, struct bytes *to)
{
    char block[65536];
    struct pollfd ready = {.fd = s->from, .events = POLLIN};

    if (poll(&ready, 1, s->emulated ? UART_PATIENCE_MS : PATIENCE_MS) <= 0) {
        return false;
    }
    ssize_t n = read(s->from, block, sizeof block);
    if (n <= 0) {
        return false;
    }
    bytes_add(to, block, (size_t)n);
    return true;
}
