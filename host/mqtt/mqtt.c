/* mqtt.c -- see mqtt.h. The only file that uses libmosquitto, which has a heap. */
#include "mqtt.h"

#include <errno.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "clock.h"
#include "console.h"
#include "random.h"
#include "text/span.h"
#include "topic.h"

#define TYPE "MCP-COMPONENT-TYPE"
#define META "MCP-META"
#define FROM "MCP-MQTT-CLIENT-ID"
#define GIVEN "MCP-SERVER-NAME"

static const char *component_of(const struct mqtt_session *m)
{
    return m->component == MQTT_MCP_SERVER ? "mcp-server" : "mcp-client";
}

/* A user property in a packet: its number, and two strings with their lengths. */
static size_t pair_size(const char *key, const char *value)
{
    return 1 + 2 + strlen(key) + 2 + strlen(value);
}

/* ---- Events of the library ---- */

/* Copies the value of the first user property of this name; "" if there is none, or it does not fit. */
static void user_property(const mosquitto_property *props, const char *wanted, char *to, size_t room)
{
    char *name = NULL, *value = NULL;

    to[0] = '\0';
    for (bool again = false;; again = true) {
        props = mosquitto_property_read_string_pair(props, MQTT_PROP_USER_PROPERTY, &name, &value, again);
        if (props == NULL) {
            return;
        }
        bool found = name != NULL && value != NULL && strcmp(name, wanted) == 0;
        if (found && strlen(value) < room) {
            strcpy(to, value);
        }
        free(name); /* the library's copies, which the caller frees */
        free(value);
        if (found) {
            return;
        }
    }
}

static void on_connect(struct mosquitto *handle, void *it, int code, int flags, const mosquitto_property *props)
{
    struct mqtt_session *m = it;
    uint16_t most = 0;
    uint32_t packet = 0;

    (void)handle;
    (void)flags;
    if (code != 0) {
        m->reason = code;
        m->lost = true;
        return;
    }
    (void)mosquitto_property_read_int16(props, MQTT_PROP_RECEIVE_MAXIMUM, &most, false);
    (void)mosquitto_property_read_int32(props, MQTT_PROP_MAXIMUM_PACKET_SIZE, &packet, false);
    m->window = most > 0 && most < MQTT_WINDOW ? most : MQTT_WINDOW;
    m->packet_max = packet > 0 && packet < MQTT_MESSAGE ? packet : MQTT_MESSAGE;
    user_property(props, GIVEN, m->given_name, sizeof m->given_name);
    if (!mqtt_topic_is_name(skr_span_of(m->given_name))) {
        m->given_name[0] = '\0';
    }
    m->state = MQTT_UP;
    m->failures = 0;
    m->reason = 0;
    m->events->up(m->owner);
}

static void on_disconnect(struct mosquitto *handle, void *it, int code, const mosquitto_property *props)
{
    struct mqtt_session *m = it;

    (void)handle;
    (void)props;
    m->lost = true;
    m->reason = code >= 0x80 ? code : m->reason; /* the broker's reasons; lower ones are the library's */
    m->failure = code < 0x80 ? code : m->failure;
}

static void on_message(struct mosquitto *handle, void *it, const struct mosquitto_message *got,
                       const mosquitto_property *props)
{
    struct mqtt_session *m = it;
    char sender[MQTT_ID + 1];

    (void)handle;
    user_property(props, FROM, sender, sizeof sender);
    if (!mqtt_topic_is_id(skr_span_of(sender))) {
        sender[0] = '\0';
    }
    struct mqtt_message message = {.topic = got->topic,
                                   .payload = got->payloadlen > 0 ? got->payload : "",
                                   .n = (size_t)got->payloadlen,
                                   .retained = got->retain,
                                   .sender = sender};
    m->events->message(m->owner, &message);
}

static void report_reason(struct mqtt_session *m, int mid, int reason)
{
    if (reason >= 0x80 && m->events->refused != NULL) {
        m->events->refused(m->owner, mid, reason);
    }
}

static void on_publish(struct mosquitto *handle, void *it, int mid, int reason, const mosquitto_property *props)
{
    struct mqtt_session *m = it;

    (void)handle;
    (void)props;
    m->unacked = (uint16_t)(m->unacked > 0 ? m->unacked - 1 : 0);
    report_reason(m, mid, reason);
}

static void on_subscribe(struct mosquitto *handle, void *it, int mid, int count, const int *granted,
                         const mosquitto_property *props)
{
    (void)handle;
    (void)props;
    for (int i = 0; i < count; i++) {
        report_reason(it, mid, granted[i]);
    }
}

/* ---- Connections ---- */

static void drop_handle(struct mqtt_session *m)
{
    if (m->handle != NULL) {
        mosquitto_destroy(m->handle);
        mosquitto_property_free_all(&m->props);
    }
    m->handle = NULL;
    m->lost = false;
    m->unacked = 0;
    m->given_name[0] = '\0';
}

/* The next attempt is due after a pause that grows with the failures in a row. */
static void pause_for(struct mqtt_session *m, uint64_t now_ms)
{
    uint32_t pause = MQTT_RETRY_MAX_MS, chance = 0;

    if (m->failures < 16 && (uint32_t)MQTT_RETRY_MS << m->failures < MQTT_RETRY_MAX_MS) {
        pause = (uint32_t)MQTT_RETRY_MS << m->failures;
    }
    (void)host_random(&chance, sizeof chance);
    m->failures++;
    m->state = MQTT_WAITING;
    m->due_ms = now_ms + pause + chance % (pause / 2);
}

static bool set_tls(struct mqtt_session *m)
{
    const struct mqtt_broker *b = m->broker;
    int code = b->ca_file == NULL ? mosquitto_int_option(m->handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1) : MOSQ_ERR_SUCCESS;

    if (code == MOSQ_ERR_SUCCESS && (b->ca_file != NULL || b->cert_file != NULL)) {
        /* with a certificate the library requires a folder, even for the authorities of the system */
        code = mosquitto_tls_set(m->handle, b->ca_file, b->ca_file == NULL ? "/etc/ssl/certs" : NULL, b->cert_file,
                                 b->key_file, NULL);
    }
    return code == MOSQ_ERR_SUCCESS;
}

/* A new handle, ready to connect. */
static bool prepare_handle(struct mqtt_session *m)
{
    const struct mqtt_broker *b = m->broker;

    m->handle = mosquitto_new(m->id, true, m);
    bool good =
        m->handle != NULL && mosquitto_int_option(m->handle, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5) == 0 &&
        mosquitto_int_option(m->handle, MOSQ_OPT_RECEIVE_MAXIMUM, MQTT_RECEIVE) == 0 &&
        mosquitto_int_option(m->handle, MOSQ_OPT_SEND_MAXIMUM, MQTT_WINDOW) == 0 &&
        mosquitto_int_option(m->handle, MOSQ_OPT_TCP_NODELAY, 1) == 0 &&
        mosquitto_will_set_v5(m->handle, m->will_topic, (int)strlen(m->will), m->will, 1, m->will_retained, NULL) == 0;
    if (good && b->user[0] != '\0') {
        good = mosquitto_username_pw_set(m->handle, b->user, b->password[0] != '\0' ? b->password : NULL) == 0;
    }
    good = good && (!b->tls || set_tls(m));
    good = good && mosquitto_property_add_string_pair(&m->props, MQTT_PROP_USER_PROPERTY, TYPE, component_of(m)) == 0 &&
           mosquitto_property_add_string_pair(&m->props, MQTT_PROP_USER_PROPERTY, FROM, m->id) == 0;
    m->props_n = pair_size(TYPE, component_of(m)) + pair_size(FROM, m->id);
    if (good) {
        mosquitto_connect_v5_callback_set(m->handle, on_connect);
        mosquitto_disconnect_v5_callback_set(m->handle, on_disconnect);
        mosquitto_message_v5_callback_set(m->handle, on_message);
        mosquitto_publish_v5_callback_set(m->handle, on_publish);
        mosquitto_subscribe_v5_callback_set(m->handle, on_subscribe);
    }
    return good;
}

/* The library connects without blocking only if the caller gives no properties for CONNECT. But it keeps those of an earlier call,
 * even of one that it refuses for its port. */
static int start_connecting(struct mqtt_session *m)
{
    mosquitto_property *props = NULL;
    int code = MOSQ_ERR_NOMEM;

    if (mosquitto_property_add_int32(&props, MQTT_PROP_SESSION_EXPIRY_INTERVAL, 0) == 0 &&
        mosquitto_property_add_int32(&props, MQTT_PROP_MAXIMUM_PACKET_SIZE, MQTT_MESSAGE) == 0 &&
        mosquitto_property_add_string_pair(&props, MQTT_PROP_USER_PROPERTY, TYPE, component_of(m)) == 0 &&
        mosquitto_property_add_string_pair(&props, MQTT_PROP_USER_PROPERTY, META, m->meta != NULL ? m->meta : "{}") ==
            0) {
        (void)mosquitto_connect_bind_v5(m->handle, m->broker->host, 0, MQTT_KEEPALIVE_S, NULL, props);
        code = mosquitto_connect_async(m->handle, m->broker->host, m->broker->port, MQTT_KEEPALIVE_S);
    }
    mosquitto_property_free_all(&props);
    return code;
}

static const char *loss_reason(const struct mqtt_session *m, bool was_up)
{
    return m->reason >= 0x80              ? mosquitto_reason_string(m->reason)
           : m->failure == MOSQ_ERR_ERRNO ? strerror(errno)
           : m->failure > 0               ? mosquitto_strerror(m->failure)
           : was_up                       ? "the connection was lost"
                                          : "no response";
}

static void lose_connection(struct mqtt_session *m, uint64_t now_ms)
{
    bool was_up = m->state == MQTT_UP;
    const char *text = loss_reason(m, was_up);

    drop_handle(m);
    pause_for(m, now_ms);
    m->events->down(m->owner, was_up, text);
    m->failure = 0;
}

static void connect_now(struct mqtt_session *m, uint64_t now_ms)
{
    m->reason = 0;
    m->state = MQTT_CONNECTING;
    m->due_ms = now_ms + MQTT_CONNECT_MS;
    m->failure = prepare_handle(m) ? start_connecting(m) : MOSQ_ERR_INVAL;
    if (m->failure > 0) {
        lose_connection(m, now_ms);
    }
}

bool mqtt_prepare(const struct mqtt_broker *broker)
{
    const char *const files[] = {broker->ca_file, broker->cert_file, broker->key_file};

    if (mosquitto_lib_init() != MOSQ_ERR_SUCCESS) {
        host_log("cannot initialise libmosquitto");
        return false;
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (files[i] != NULL && access(files[i], R_OK) != 0) {
            host_log("cannot read %s: %s", files[i], strerror(errno));
            return false;
        }
    }
    return true;
}

bool mqtt_open(struct mqtt_session *m, uint64_t now_ms)
{
    if (!mqtt_prepare(m->broker)) {
        return false;
    }
    m->state = MQTT_WAITING;
    m->due_ms = now_ms;
    m->failures = 0;
    return true;
}

/* One call of the library may read one packet only. */
static void read_packets(struct mqtt_session *m)
{
    int waiting = 0;
    unsigned count = 0;

    do {
        (void)mosquitto_loop_read(m->handle, MQTT_PACKETS);
    } while (!m->lost && ++count < MQTT_PACKETS && ioctl(mosquitto_socket(m->handle), FIONREAD, &waiting) == 0 &&
             waiting > 0);
}

void mqtt_turn(struct mqtt_session *m, uint64_t now_ms)
{
    if (m->state == MQTT_WAITING && now_ms >= m->due_ms) {
        connect_now(m, now_ms);
    }
    if (m->handle == NULL) {
        return;
    }
    read_packets(m);
    if (!m->lost && mosquitto_want_write(m->handle)) {
        (void)mosquitto_loop_write(m->handle, MQTT_PACKETS);
    }
    if (!m->lost && now_ms >= m->misc_ms) {
        m->misc_ms = now_ms + MQTT_MISC_MS;
        (void)mosquitto_loop_misc(m->handle);
    }
    if (m->lost || (m->state == MQTT_CONNECTING && now_ms >= m->due_ms)) {
        lose_connection(m, now_ms);
    }
}

int mqtt_wants(const struct mqtt_session *m, short *events)
{
    *events = 0;
    if (m->handle == NULL) {
        return -1;
    }
    *events = (short)(POLLIN | (mosquitto_want_write(m->handle) ? POLLOUT : 0));
    return mosquitto_socket(m->handle);
}

uint32_t mqtt_wait_ms(const struct mqtt_session *m, uint64_t now_ms)
{
    uint64_t due = m->state == MQTT_CLOSED ? UINT64_MAX : m->state == MQTT_WAITING ? m->due_ms : m->misc_ms;
    uint64_t left = due > now_ms ? due - now_ms : 0;

    return left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;
}

/* ---- Sending ---- */

size_t mqtt_payload_max(const struct mqtt_session *m, const char *topic)
{
    size_t around =
        1 + 4 + 2 + strlen(topic) + 2 + 2 + m->props_n; /* type, length, topic, number, length of the properties */

    return m->packet_max > around ? m->packet_max - around : 0;
}

enum mqtt_result mqtt_publish(struct mqtt_session *m, const char *topic, const void *payload, size_t n, bool retain)
{
    if (m->state != MQTT_UP || m->lost) {
        return MQTT_AWAY;
    }
    if (n > mqtt_payload_max(m, topic)) {
        return MQTT_TOO_LARGE;
    }
    if (m->unacked >= m->window) {
        return MQTT_FULL;
    }
    m->unacked++; /* before the call, in which an event may report a failed write */
    int code = mosquitto_publish_v5(m->handle, &m->mid, topic, (int)n, payload, 1, retain, m->props);
    if (code != MOSQ_ERR_SUCCESS && m->unacked > 0) {
        m->unacked--;
    }
    return code == MOSQ_ERR_SUCCESS ? MQTT_SENT : code == MOSQ_ERR_OVERSIZE_PACKET ? MQTT_TOO_LARGE : MQTT_AWAY;
}

#define FILTERS 8

/* The library takes filters as pointers to char, but does not write to them. */
static bool copy_filters(char *to[FILTERS], const struct mqtt_session *m, const char *const filters[], int count)
{
    union {
        const char *given;
        char *taken;
    } filter;

    for (int i = 0; i < count && i < FILTERS; i++) {
        filter.given = filters[i];
        to[i] = filter.taken;
    }
    return m->state == MQTT_UP && !m->lost && count > 0 && count <= FILTERS;
}

bool mqtt_subscribe(struct mqtt_session *m, const char *const filters[], int count)
{
    char *list[FILTERS];

    return copy_filters(list, m, filters, count) &&
           mosquitto_subscribe_multiple(m->handle, &m->mid, count, list, 1, MQTT_SUB_OPT_NO_LOCAL, NULL) == 0;
}

bool mqtt_unsubscribe(struct mqtt_session *m, const char *const filters[], int count)
{
    char *list[FILTERS];

    return copy_filters(list, m, filters, count) &&
           mosquitto_unsubscribe_multiple(m->handle, &m->mid, count, list, NULL) == 0;
}

/* ---- Closing ---- */

/* Waits until everything is written and acknowledged, or MQTT_LEAVE_MS. */
static void flush_messages(struct mqtt_session *m)
{
    uint64_t until_ms = host_clock_ms() + MQTT_LEAVE_MS, now_ms;

    while (!m->lost && (m->unacked > 0 || mosquitto_want_write(m->handle)) && (now_ms = host_clock_ms()) < until_ms) {
        struct pollfd socket = {.fd = mosquitto_socket(m->handle)};
        socket.events = (short)(POLLIN | (mosquitto_want_write(m->handle) ? POLLOUT : 0));
        (void)poll(&socket, 1, (int)(until_ms - now_ms));
        (void)mosquitto_loop_read(m->handle, MQTT_PACKETS);
        (void)mosquitto_loop_write(m->handle, MQTT_PACKETS);
    }
}

void mqtt_close(struct mqtt_session *m)
{
    if (m->state == MQTT_UP) {
        flush_messages(m);
        (void)mosquitto_disconnect_v5(m->handle, 0, NULL);
        (void)mosquitto_loop_write(m->handle, 1);
    }
    drop_handle(m);
    m->state = MQTT_CLOSED;
}

void mqtt_restart(struct mqtt_session *m, bool pause, uint64_t now_ms)
{
    if (m->state == MQTT_UP) {
        (void)mosquitto_disconnect_v5(m->handle, MQTT_RC_DISCONNECT_WITH_WILL_MSG, NULL);
        (void)mosquitto_loop_write(m->handle, MQTT_PACKETS);
    }
    drop_handle(m);
    m->state = MQTT_WAITING;
    m->due_ms = now_ms;
    if (pause) {
        pause_for(m, now_ms);
    }
}
