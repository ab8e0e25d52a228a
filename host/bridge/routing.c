/* routing.c -- see routing.h. */
#include "routing.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "json_edit.h"
#include "requests.h"

static struct bridge_relay *devices;
static size_t device_count;

void bridge_routing_init(struct bridge_relay *relays, size_t count)
{
    devices = relays;
    device_count = count;
}

/* The first device that is connected, from this one on; NULL if none is. */
static struct bridge_relay *first_connected(struct bridge_relay *r)
{
    for (; r < devices + device_count; r++) {
        if (r->transport->state > TRANSPORT_PROBING) {
            return r;
        }
    }
    return NULL;
}

/* The device for a request to all devices, or to any. */
static struct bridge_relay *any_device(void)
{
    struct bridge_relay *r = first_connected(devices);

    return r != NULL ? r : devices;
}

static const char *const lists[] = {
    "tools/list", "prompts/list", "skills/list", "resources/list", "resources/templates/list", "tasks/list", NULL};

/* ---- Requests ---- */

static void cut_text(struct bridge_request *q, const char *at, size_t n)
{
    q->text_n = host_json_splice(q->text, q->text_n, sizeof q->text, at, n, "");
}

/* The device whose name and `separator` the text begins with; they are cut out. */
static struct bridge_relay *take_name(struct bridge_request *q, struct skr_span text, char separator)
{
    for (size_t i = 0; i < device_count; i++) {
        size_t n = strlen(devices[i].name);
        if (text.n > n && memcmp(text.p, devices[i].name, n) == 0 && text.p[n] == separator) {
            cut_text(q, text.p, n + 1);
            return &devices[i];
        }
    }
    return NULL;
}

/* A URI has the device's name after its scheme. */
static struct bridge_relay *take_uri(struct bridge_request *q, struct skr_span uri)
{
    for (size_t i = 0; i + 3 <= uri.n; i++) {
        if (memcmp(uri.p + i, "://", 3) == 0) {
            return take_name(q, (struct skr_span){uri.p + i + 3, uri.n - i - 3}, '/');
        }
    }
    return NULL;
}

/* "1:more" continues with the second device at its cursor "more"; "1:" starts with that device. */
static struct bridge_relay *take_cursor(struct bridge_request *q, struct skr_span params)
{
    struct skr_span value = skr_scan_get(params, "cursor"), text = skr_scan_inside(value);

    if (value.p == NULL) {
        return any_device();
    }
    if (text.n < 2 || text.p[1] != ':' || *text.p < '0' || (size_t)(*text.p - '0') >= device_count) {
        return any_device(); /* not one of ours: the device will refuse it */
    }
    struct bridge_relay *r = &devices[*text.p - '0'];
    if (text.n > 2) {
        cut_text(q, text.p, 2);
        return r;
    }
    const char *from = value.p - sizeof "\"cursor\":" + 1, *end = value.p + value.n;
    bool first = from[-1] == '{', last = *end == '}';
    from -= !first;
    cut_text(q, from, (size_t)(end - from) + (first && !last));
    return r;
}

#define INSTRUCTIONS 16384

/* The merged responses of devices so far, for each request that goes to all of them. */
static struct merged {
    bool wanted;
    size_t n, response_n; /* response_n is 0 until a device has responded */
    char text[INSTRUCTIONS];
    char response[TRANSPORT_SMALL]; /* the first device's, JSON */
} merged[BRIDGE_REQUESTS];

/* Clears the state of an earlier request in this slot. */
static void begin_merge(const struct bridge_request *q, struct skr_span method)
{
    struct merged *s = &merged[q - bridge_requests];

    s->wanted = skr_scan_is(method, "initialize") || skr_scan_is(method, "server/discover");
    s->response_n = 0;
    s->n =
        (size_t)snprintf(s->text, sizeof s->text,
                         "Several devices are served as one. Names of tools and prompts begin with the device's name "
                         "and an underscore, and URIs have it after the scheme; texts of a device leave it out.");
}

static struct bridge_relay *refuse_unknown(struct bridge_request *q)
{
    char names[256];
    size_t n = 0;

    for (size_t i = 0; i < device_count && n < sizeof names; i++) {
        n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", i > 0 ? ", " : "", devices[i].name);
    }
    q->relay = &devices[0];
    q->large = -1;
    bridge_request_refuse(
        q, -32602,
        "No such device: put its name and an underscore before the name of a tool or prompt, or its name and "
        "a slash after the scheme of a URI; the devices are: ",
        (struct skr_span){names, strlen(names)});
    return NULL;
}

struct bridge_relay *bridge_routing_route(struct bridge_request *q)
{
    struct skr_span message = {q->text, q->text_n}, method = skr_scan_get(message, "method");
    struct skr_span params = skr_scan_get(message, "params"), ref = skr_scan_get(params, "ref");
    struct skr_span where = ref.p != NULL ? ref : params;
    struct skr_span name = skr_scan_inside(skr_scan_get(where, "name")),
                    uri = skr_scan_inside(skr_scan_get(where, "uri")),
                    task = skr_scan_inside(skr_scan_get(params, "taskId"));

    if (device_count == 1) {
        return &devices[0];
    }
    begin_merge(q, method);
    if (host_json_is_any(method, lists)) {
        return take_cursor(q, params);
    }
    name = task.p != NULL ? task : name;
    if (uri.p == NULL && name.p == NULL) {
        return any_device();
    }
    struct bridge_relay *r = uri.p != NULL ? take_uri(q, uri) : take_name(q, name, '_');
    return r != NULL ? r : refuse_unknown(q);
}

/* ---- Responses ---- */

/* The maximum length of q->value. */
static size_t value_room(const struct bridge_request *q)
{
    if (q->large < 0) {
        return sizeof q->small;
    }
    return (size_t)(q->relay->larges[q->large] + TRANSPORT_LARGE - q->value);
}

static void insert_text(struct bridge_request *q, const char *at, const char *text)
{
    q->value_n = host_json_splice(q->value, q->value_n, value_room(q), at, 0, text);
}

/* Inserts the device's name and `separator` into every string member `key`: at its start, or, with a slash, after
 * its scheme. In JSON a quote inside a string has a backslash before it, so a match is always a member. Returns
 * the new length. */
static size_t put_name(const struct bridge_relay *r, char *text, size_t n, size_t room, const char *key, char separator)
{
    char name[72];
    const char *found;

    (void)snprintf(name, sizeof name, "%s%c", r->name, separator);
    for (size_t at = 0; (found = memmem(text + at, n - at, key, strlen(key))) != NULL;) {
        at = (size_t)(found - text) + strlen(key);
        while (separator == '/' && at + 3 < n && text[at] != '"' && memcmp(text + at, "://", 3) != 0) {
            at++;
        }
        if (separator != '/' || (at + 3 < n && text[at] == ':')) {
            at += separator == '/' ? 3 : 0;
            n = host_json_splice(text, n, room, text + at, 0, name);
        }
    }
    return n;
}

/* The panel of one device calls tools by the names that this device gives them, so no tool of several devices opens one. */
static void drop_panel(struct bridge_request *q, struct skr_span item)
{
    struct skr_span ui = skr_scan_get(skr_scan_get(item, "_meta"), "ui");

    if (ui.p != NULL) {
        q->value_n = host_json_splice(q->value, q->value_n, value_room(q), ui.p, ui.n, "{}");
    }
}

/* Inserts the device's name before the names in a list. */
static void rename_items(struct bridge_request *q, const char *list)
{
    char name[72];
    struct skr_span rest = skr_scan_get((struct skr_span){q->value, q->value_n}, list), item;

    (void)snprintf(name, sizeof name, "%s_", q->relay->name);
    while (rest.p != NULL && skr_scan_item(&rest, &item)) {
        size_t before = q->value_n;
        drop_panel(q, item);
        item.n -= before - q->value_n;
        struct skr_span its = skr_scan_inside(skr_scan_get(item, "name"));
        if (its.p != NULL) {
            insert_text(q, its.p, name);
        }
        rest.p += (ptrdiff_t)q->value_n - (ptrdiff_t)before; /* all that follows has moved; by 0 if there was no room */
    }
}

size_t bridge_routing_tasks(const struct bridge_relay *r, char *text, size_t n, size_t room)
{
    return device_count > 1 ? put_name(r, text, n, room, "\"taskId\":\"", '_') : n;
}

static void rename_cursor(struct bridge_request *q)
{
    char text[32];
    const struct bridge_relay *next = first_connected(q->relay + 1);
    struct skr_span cursor = skr_scan_inside(skr_scan_get((struct skr_span){q->value, q->value_n}, "nextCursor"));

    if (cursor.p != NULL) {
        (void)snprintf(text, sizeof text, "%u:", (unsigned)(q->relay - devices));
        insert_text(q, cursor.p, text);
    } else if (next != NULL && *q->value == '{') {
        (void)snprintf(text, sizeof text, ",\"nextCursor\":\"%u:\"", (unsigned)(next - devices));
        insert_text(q, q->value + q->value_n - 1, text + (q->value_n == 2)); /* no comma in an empty object */
    }
}

void bridge_routing_result(struct bridge_request *q)
{
    struct skr_span method = skr_scan_get((struct skr_span){q->text, q->text_n}, "method");

    if (device_count == 1 || q->failed) {
        return;
    }
    q->value_n = put_name(q->relay, q->value, q->value_n, value_room(q), "\"uri\":\"", '/');
    q->value_n = put_name(q->relay, q->value, q->value_n, value_room(q), "\"uriTemplate\":\"", '/');
    q->value_n = bridge_routing_tasks(q->relay, q->value, q->value_n, value_room(q));
    if (skr_scan_is(method, "tools/list")) {
        rename_items(q, "tools");
    } else if (skr_scan_is(method, "prompts/list")) {
        rename_items(q, "prompts");
    }
    if (host_json_is_any(method, lists)) {
        rename_cursor(q);
    }
}

/* ---- Merged responses ---- */

static void add_instructions(struct merged *s, const char *name, struct skr_span text)
{
    int n = snprintf(s->text + s->n, sizeof s->text - s->n, "\\n\\n%s: %.*s", name, (int)text.n,
                     text.p != NULL ? text.p : "");

    if (n > 0 && (size_t)n < sizeof s->text - s->n) {
        s->n += (size_t)n;
    }
    s->text[s->n] = '\0';
}

/* Completes the request with the first device's response and the instructions of all. */
static void finish_merge(struct bridge_request *q, struct merged *s)
{
    static const char none[] = "\"instructions\":\"\",";

    if (s->response_n > 0) {
        bridge_request_give_back(q);
        memcpy(q->small, s->response, s->response_n);
        q->value = q->small;
        q->value_n = s->response_n;
        q->failed = false;
    }
    struct skr_span all = {q->value, q->value_n};
    if (q->failed || skr_scan_get(all, "capabilities").p == NULL) {
        return; /* there is nothing to add the instructions to */
    }
    if (skr_scan_get(all, "instructions").p == NULL) {
        insert_text(q, q->value + 1, none);
        all.n = q->value_n;
    }
    struct skr_span text = skr_scan_inside(skr_scan_get(all, "instructions"));
    if (text.p != NULL) {
        q->value_n = host_json_splice(q->value, q->value_n, value_room(q), text.p, text.n, s->text);
    }
}

struct bridge_relay *bridge_routing_merge(struct bridge_request *q)
{
    struct merged *s = &merged[q - bridge_requests];
    struct skr_span response = {q->value, q->value_n};

    if (!s->wanted) {
        return NULL;
    }
    if (!q->failed) {
        add_instructions(s, q->relay->name, skr_scan_inside(skr_scan_get(response, "instructions")));
    }
    if (!q->failed && s->response_n == 0 && response.n <= sizeof s->response) {
        memcpy(s->response, response.p, response.n);
        s->response_n = response.n;
    }
    struct bridge_relay *next = first_connected(q->relay + 1); /* a missing device is not waited for */
    if (next != NULL) {
        bridge_request_give_back(q);
    } else {
        finish_merge(q, s);
    }
    return next;
}
