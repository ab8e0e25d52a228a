/* channel.c -- see channel.h. */
#include "channel.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bridge_config.h"
#include "clock.h"
#include "console.h"
#include "json_edit.h"
#include "system.h"

/* After an error, because the device may not be connected yet; and from one read to the next where it does not
 * notify. */
#define RETRY_MS 2000

/* From one read to the next in a flood of alarms: the client gets at most a ring of them in that time. */
#define GAP_MS 500

#define META                                                                                                           \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                           \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"
#define INSTRUCTIONS                                                                                                   \
    "Alarms of this device arrive as <channel code=.. number=..>: tell the user, and read the skill that fits before you act."

/* Ids of our requests. */
enum { LIST = 1, LISTEN, READ };

/* The next step. */
enum step { STEP_LIST, STEP_LISTEN, STEP_READ, STEP_IDLE };

static struct {
    int fd;
    bool open;              /* --channel */
    bool announced;         /* the client has the capability */
    enum step step;         /* the next request, */
    bool busy;              /* whose response has not come, */
    uint64_t not_before_ms; /* or which waits until then */
    bool again;             /* the alarms have changed while they were read */
    bool polls;             /* the device does not notify, so its alarms are read periodically */
    bool counted;           /* `last` is set */
    long last;              /* number of the newest alarm that was passed on */
    char uri[BRIDGE_SUBSCRIPTION_URI];
    char cursor[64]; /* of the next page of resources */
    char in[131072]; /* from the core: the largest is a page of resources */
    size_t in_n;
    bool too_long;   /* the rest of a message that does not fit is skipped */
    char out[65536]; /* for the client: whole lines */
    size_t out_n;
} channel = {.fd = -1};

int bridge_channel_open(void)
{
    int pair[2];

    if (!host_socket_pair(pair)) {
        return -1;
    }
    channel.fd = pair[0];
    channel.open = true;
    return pair[1];
}

/* ---- Requests to the core ---- */

static void send_text(const char *text)
{
    size_t n = strlen(text);

    channel.busy = write(channel.fd, text, n) == (ssize_t)n; /* short, and the pair is empty: nothing is under way */
    channel.not_before_ms = channel.busy ? 0 : host_clock_ms() + RETRY_MS;
}

static void send_next(void)
{
    char text[BRIDGE_SUBSCRIPTION_URI + 512];

    if (channel.step == STEP_LIST) {
        (void)snprintf(text, sizeof text,
                       "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"resources/list\",\"params\":{%s%s%s" META "}}\n",
                       LIST, channel.cursor[0] != '\0' ? "\"cursor\":" : "", channel.cursor,
                       channel.cursor[0] != '\0' ? "," : "");
    } else if (channel.step == STEP_LISTEN) {
        (void)snprintf(
            text, sizeof text,
            "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{"
            "\"resourcesListChanged\":true,\"resourceSubscriptions\":[%s]}," META "}}\n",
            LISTEN, channel.uri);
    } else {
        (void)snprintf(text, sizeof text,
                       "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"resources/read\",\"params\":{\"uri\":%s," META
                       "}}\n",
                       READ, channel.uri);
    }
    send_text(text);
    if (channel.step == STEP_LISTEN) { /* has no response as long as it is open */
        channel.busy = false;
        channel.step = STEP_READ;
    }
}

/* ---- Its messages ---- */

/* Keeps a JSON text. False if it is missing or does not fit. */
static bool keep_json(char *to, size_t room, struct skr_span json)
{
    bool fits = json.p != NULL && json.n < room;

    to[0] = '\0';
    if (fits) {
        memcpy(to, json.p, json.n);
        to[json.n] = '\0';
    }
    return fits;
}

static void on_list(struct skr_span result)
{
    struct skr_span list = skr_scan_get(result, "resources"), resource;

    while (skr_scan_item(&list, &resource)) {
        if (skr_scan_is(skr_scan_get(resource, "name"), "alarms") &&
            keep_json(channel.uri, sizeof channel.uri, skr_scan_get(resource, "uri"))) {
            channel.step = STEP_LISTEN;
            return;
        }
    }
    if (!keep_json(channel.cursor, sizeof channel.cursor, skr_scan_get(result, "nextCursor"))) {
        host_log("--channel: the device has no resource named alarms");
        channel.step = channel.again ? STEP_LIST : STEP_IDLE;
        channel.again = false;
    }
}

static void pass_on(struct skr_span alarm, long number)
{
    struct skr_span code = skr_scan_get(alarm, "code"), text = skr_scan_get(alarm, "text");
    size_t room = sizeof channel.out - channel.out_n;
    int n = snprintf(channel.out + channel.out_n, room,
                     "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/claude/channel\",\"params\":{\"content\":%.*s,"
                     "\"meta\":{\"code\":%.*s,\"number\":\"%ld\"}}}\n",
                     (int)text.n, text.p, (int)code.n, code.p, number);

    if (n > 0 && (size_t)n < room) { /* the buffer is empty before a read: only other firmware can have too many */
        channel.out_n += (size_t)n;
    }
}

static bool is_string(struct skr_span value)
{
    return value.n > 0 && *value.p == '"';
}

static long number_of(struct skr_span alarm)
{
    return host_json_int(skr_scan_get(alarm, "number"));
}

/* Passes on the alarms after the last one. Those from before the start do not belong to this conversation. */
static void on_alarms(struct skr_span alarms)
{
    struct skr_span rest = alarms, alarm;
    long newest = 0;

    while (skr_scan_item(&rest, &alarm)) {
        newest = number_of(alarm) > newest ? number_of(alarm) : newest;
    }
    if (newest < channel.last) {
        channel.last = 0; /* the device has lost its alarms, and counts from the beginning */
    }
    for (rest = alarms; channel.counted && skr_scan_item(&rest, &alarm);) {
        bool sound = is_string(skr_scan_get(alarm, "text")) && is_string(skr_scan_get(alarm, "code"));
        if (sound && number_of(alarm) > channel.last) {
            pass_on(alarm, number_of(alarm));
        }
    }
    channel.last = newest;
    channel.counted = true;
}

static void on_read(struct skr_span result)
{
    static char text[65536];
    struct skr_span contents = skr_scan_get(result, "contents"), first = {NULL, 0};

    (void)skr_scan_item(&contents, &first);
    size_t n = first.p != NULL ? host_json_text(skr_scan_inside(skr_scan_get(first, "text")), text, sizeof text) : 0;
    if (n > 0 && n < sizeof text && text[0] == '[') {
        on_alarms((struct skr_span){text, n});
    }
    channel.not_before_ms = host_clock_ms() + (channel.polls && !channel.again ? RETRY_MS : GAP_MS);
    channel.step = channel.again || channel.polls ? STEP_READ : STEP_IDLE;
    channel.again = false;
}

static void on_notification(struct skr_span method)
{
    bool other = skr_scan_is(method, "notifications/resources/list_changed"); /* the device was away */

    if (!other && !skr_scan_is(method, "notifications/resources/updated")) {
        return;
    }
    if (channel.busy) {
        channel.again = true;
    } else if (channel.step == STEP_IDLE) {
        channel.step = channel.uri[0] != '\0' ? STEP_READ : STEP_LIST;
    }
}

static void on_message(struct skr_span message)
{
    struct skr_span method = skr_scan_get(message, "method"), result = skr_scan_get(message, "result");
    int id = host_json_int(skr_scan_get(message, "id"));

    if (method.p != NULL) {
        on_notification(method);
        return;
    }
    if (id == LISTEN) { /* there are no notifications, or no more */
        channel.polls = true;
        channel.step = channel.step == STEP_IDLE && !channel.busy ? STEP_READ : channel.step;
        return;
    }
    channel.busy = false;
    if (result.p == NULL) {
        channel.not_before_ms = host_clock_ms() + RETRY_MS;
    } else if (id == LIST) {
        on_list(result);
    } else {
        on_read(result);
    }
}

/* Gives up a response that does not fit; the rest of it is skipped. */
static void drop_message(void)
{
    if (!channel.too_long) {
        host_log("--channel: a response of the device exceeds %zu bytes, so no alarms are passed on",
                 sizeof channel.in);
    }
    channel.too_long = true;
    channel.in_n = 0;
    channel.busy = false;
    channel.step = STEP_IDLE;
}

static bool receive_messages(void)
{
    struct pollfd end = {.fd = channel.fd, .events = POLLIN};

    if (poll(&end, 1, 0) <= 0) {
        return false;
    }
    ssize_t k = read(channel.fd, channel.in + channel.in_n, sizeof channel.in - channel.in_n);
    channel.in_n += k > 0 ? (size_t)k : 0;
    char *end_of_line;
    while ((end_of_line = memchr(channel.in, '\n', channel.in_n)) != NULL) {
        size_t n = (size_t)(end_of_line - channel.in);
        if (!channel.too_long) {
            on_message((struct skr_span){channel.in, n});
        }
        channel.too_long = false;
        channel.in_n -= n + 1;
        memmove(channel.in, end_of_line + 1, channel.in_n);
    }
    if (channel.in_n == sizeof channel.in) {
        drop_message();
    }
    return k > 0;
}

/* True when nothing but its time holds the next request back. While a client does not read, no alarms are fetched. */
static bool has_next(void)
{
    return channel.open && channel.announced && !channel.busy && channel.step != STEP_IDLE && channel.out_n == 0;
}

void bridge_channel_turn(uint64_t now_ms)
{
    while (channel.open && receive_messages()) {
    }
    if (has_next() && now_ms >= channel.not_before_ms) {
        send_next();
    }
}

uint32_t bridge_channel_wait_ms(uint64_t now_ms)
{
    if (!has_next()) {
        return UINT32_MAX;
    }
    return channel.not_before_ms > now_ms ? (uint32_t)(channel.not_before_ms - now_ms) : 0;
}

int bridge_channel_wants(short *events)
{
    *events = POLLIN;
    return channel.open ? channel.fd : -1;
}

/* ---- The client ---- */

bool bridge_channel_waits(void)
{
    return channel.open && !channel.announced;
}

/* Adds a member to the object at `object`, which is in text[0..n). */
static size_t add_member(char *text, size_t n, size_t room, struct skr_span object, const char *member)
{
    char more[sizeof INSTRUCTIONS + 64];
    bool empty = object.n == 2;

    (void)snprintf(more, sizeof more, "%s%s", member, empty ? "" : ",");
    return host_json_splice(text, n, room, object.p + 1, 0, more);
}

/* Clients take channel messages in the initialize era alone, and begin with that where there is no server/discover. */
static size_t refuse_discover(char *line, size_t n, size_t room)
{
    struct skr_span id = skr_scan_get((struct skr_span){line, n}, "id");
    char response[512];
    int made =
        snprintf(response, sizeof response,
                 "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"error\":{\"code\":-32601,\"message\":\"no server/discover with "
                 "--channel, which needs initialize\"}}\n",
                 (int)id.n, id.p);

    if (id.p == NULL || made < 0 || (size_t)made >= sizeof response || (size_t)made > room) {
        return n;
    }
    memcpy(line, response, (size_t)made);
    return (size_t)made;
}

size_t bridge_channel_edit(char *line, size_t n, size_t room)
{
    struct skr_span result = skr_scan_get((struct skr_span){line, n}, "result");
    struct skr_span capabilities = skr_scan_get(result, "capabilities");

    if (!bridge_channel_waits()) {
        return n;
    }
    if (skr_scan_get(result, "supportedVersions").p != NULL) {
        return refuse_discover(line, n, room);
    }
    if (skr_scan_get(result, "protocolVersion").p == NULL || capabilities.p == NULL) {
        return n;
    }
    struct skr_span instructions = skr_scan_get(result, "instructions");
    channel.announced = true;
    channel.polls = skr_scan_get(skr_scan_get(capabilities, "resources"), "subscribe").p == NULL;
    if (instructions.p != NULL) { /* the later in the text first: positions before it stay */
        const char *quote = instructions.p + instructions.n - 1;
        if (quote > capabilities.p) {
            n = host_json_splice(line, n, room, quote, 0, " " INSTRUCTIONS);
        }
    }
    struct skr_span experimental = skr_scan_get(capabilities, "experimental");
    n = experimental.p != NULL ? add_member(line, n, room, experimental, "\"claude/channel\":{}")
                               : add_member(line, n, room, capabilities, "\"experimental\":{\"claude/channel\":{}}");
    if (instructions.p == NULL) {
        result = skr_scan_get((struct skr_span){line, n}, "result");
        n = add_member(line, n, room, result, "\"instructions\":\"" INSTRUCTIONS "\"");
    }
    return n;
}

size_t bridge_channel_take(char *to, size_t room)
{
    size_t n = channel.announced && channel.out_n <= room ? channel.out_n : 0;

    memcpy(to, channel.out, n);
    channel.out_n -= n;
    return n;
}
