/* skr_freertos_tcp.c -- the core's connections on sockets of FreeRTOS-Plus-TCP.
 *
 * One task serves all connections. No call of it waits inside the stack: sockets have timeouts of zero, and the
 * stack gives one semaphore, shared by all sockets, whenever something has happened to any of them. A turn of the
 * task then checks every slot. Bytes go straight into the core's buffer; on the way out the stack copies them into
 * its own. Nothing is allocated here. */
#include "skr_freertos_tcp.h"

#include "FreeRTOS_IP_Private.h"

#define BUSY "all connections are in use, try again later\r\n"
static const char busy[] = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n"
                           "Content-Type: text/plain\r\nContent-Length: 45\r\n\r\n" BUSY;
typedef char busy_has_that_length[sizeof BUSY - 1 == 45 ? 1 : -1];

static uint32_t now_ms(void)
{
    return (uint32_t)((uint64_t)xTaskGetTickCount() * 1000u / configTICK_RATE_HZ);
}

/* ---- The end of a connection ---- */

static void slot_release(struct skr_freertos_tcp_slot *slot)
{
    if (!slot->closing) {
        skr_conn_close(&slot->conn);
    }
    (void)FreeRTOS_closesocket(slot->socket);
    slot->socket = NULL;
}

/* Shuts our side; the slot is free when the peer has closed, or after a while. */
static void slot_end(struct skr_freertos_tcp_slot *slot)
{
    skr_conn_close(&slot->conn);
    slot->closing = true;
    slot->since_ms = now_ms();
    (void)FreeRTOS_shutdown(slot->socket, FREERTOS_SHUT_RDWR);
}

static void finish_closing(struct skr_freertos_tcp_slot *slot)
{
    char rubbish[32];
    BaseType_t n;

    do {
        n = FreeRTOS_recv(slot->socket, rubbish, sizeof rubbish, 0);
    } while (n > 0);
    if (n < 0 || now_ms() - slot->since_ms >= SKR_FREERTOS_TCP_LINGER_MS) {
        slot_release(slot);
    }
}

/* ---- Bytes ---- */

/* Reads as long as there is something and room for it. False when the connection is lost. */
static bool slot_receive(struct skr_freertos_tcp_slot *slot)
{
    BaseType_t n = 1;

    while (n > 0) {
        size_t room;
        void *to = skr_conn_rx_room(&slot->conn, &room);
        slot->full = room == 0;
        if (slot->full || slot->peer_done) {
            return true;
        }
        n = FreeRTOS_recv(slot->socket, to, room, 0);
        skr_conn_rx_done(&slot->conn, n > 0 ? (size_t)n : 0);
        skr_pace_moved(&slot->pace, n > 0 ? (uint32_t)n : 0);
        if (n > 0 && slot->conn.wire == SKR_LINE) {
            slot->since_ms = now_ms(); /* the time for an HTTP request is limited as a whole, a line may pause */
        }
    }
    if (n == 0 || n == -pdFREERTOS_ERRNO_EWOULDBLOCK) {
        return true;
    }
    slot->peer_done = true; /* the stack reports an end and a reset alike */
    return n == -pdFREERTOS_ERRNO_ENOTCONN;
}

/* Writes until there is nothing left or the stack is full. False when the connection is lost. */
static bool slot_send(struct skr_freertos_tcp_slot *slot)
{
    const void *bytes;
    size_t n;

    while ((n = skr_conn_tx(&slot->conn, &bytes)) > 0) {
        BaseType_t sent = FreeRTOS_send(slot->socket, bytes, n, 0);
        if (sent <= 0) {
            return sent == 0 || sent == -pdFREERTOS_ERRNO_ENOSPC || sent == -pdFREERTOS_ERRNO_EWOULDBLOCK;
        }
        skr_conn_tx_done(&slot->conn, (size_t)sent);
        skr_pace_moved(&slot->pace, (uint32_t)sent);
        slot->served = true;
        slot->since_ms = now_ms();
    }
    return true;
}

/* How long it may go on with what it is doing; 0: for ever. */
static uint32_t patience_ms(const struct skr_freertos_tcp_slot *slot)
{
    switch ((enum skr_activity)slot->doing) {
    case SKR_IDLE:
        if (slot->conn.wire == SKR_LINE) {
            return 0;
        }
        return slot->served ? SKR_FREERTOS_TCP_IDLE_MS : SKR_FREERTOS_TCP_TIMEOUT_MS;
    case SKR_RECEIVING:
    case SKR_RESPONDING: return SKR_FREERTOS_TCP_TIMEOUT_MS;
    case SKR_WAITING: return SKR_FREERTOS_TCP_COMMENT_MS;
    case SKR_WORKING: break; /* the core knows the deadline */
    }
    return 0;
}

static void time_out(struct skr_freertos_tcp_slot *slot)
{
    uint32_t patience = patience_ms(slot);

    if (patience == 0 || now_ms() - slot->since_ms < patience) {
        return;
    }
    slot->since_ms = now_ms();
#if SKR_CHANGES
    if (slot->doing == SKR_WAITING) {
        skr_conn_keep_alive(&slot->conn);
        (void)slot_send(slot); /* where the peer is gone, the next receive says so */
        return;
    }
#endif
    if (slot->doing == SKR_RECEIVING) {
        skr_conn_timed_out(&slot->conn);
        (void)slot_send(slot);
    } else {
        slot_end(slot);
    }
}

/* Moves what can be moved. True when there is more to read now: the stack does not signal bytes that it has had
 * for a while. */
static bool slot_serve(struct skr_freertos_tcp_slot *slot)
{
    size_t room;

    if (!slot_receive(slot) || !slot_send(slot)) {
        slot_release(slot);
        return false;
    }
    enum skr_activity doing = skr_conn_activity(&slot->conn);
    if (doing != (enum skr_activity)slot->doing) {
        slot->doing = (uint8_t)doing;
        slot->since_ms = now_ms();
        skr_pace_start(&slot->pace, slot->since_ms);
    }
    skr_pace_check(&slot->pace, now_ms(), SKR_FREERTOS_TCP_GRACE_MS, SKR_FREERTOS_TCP_PACE);
    if (doing != SKR_RESPONDING && (slot->peer_done || skr_conn_finished(&slot->conn))) {
        slot_end(slot);
        finish_closing(slot); /* the peer may have closed already */
        return false;
    }
    (void)skr_conn_rx_room(&slot->conn, &room);
    bool more = slot->full && room > 0;
    time_out(slot);
    return more;
}

/* ---- Newcomers ---- */

static enum skr_claim claim_of(const struct skr_freertos_tcp_slot *slot)
{
    bool patient = now_ms() - slot->since_ms < SKR_FREERTOS_TCP_GRACE_MS;

    if (slot->closing) {
        return SKR_CLAIM_KEEPS;
    }
    return skr_claim_of((enum skr_activity)slot->doing, (enum skr_wire)slot->conn.wire, slot->served, patient,
                        &slot->pace);
}

/* A free slot; otherwise that of the connection with the weakest claim, or among several the one that has waited
 * longest; or NULL. */
static struct skr_freertos_tcp_slot *find_slot(struct skr_freertos_tcp *net)
{
    struct skr_freertos_tcp_slot *found = NULL;
    enum skr_claim claim = SKR_CLAIM_KEEPS;

    for (size_t i = 0; i < SKR_FREERTOS_TCP_SLOTS; i++) {
        struct skr_freertos_tcp_slot *slot = &net->slots[i];
        if (slot->socket == NULL) {
            return slot;
        }
        enum skr_claim its = claim_of(slot);
        if (its < claim || (its == claim && found != NULL && (int32_t)(slot->since_ms - found->since_ms) < 0)) {
            found = slot;
            claim = its;
        }
    }
    if (found != NULL) {
        slot_release(found);
    }
    return found;
}

static void client_refuse(struct skr_freertos_tcp *net, Socket_t socket)
{
    if (net->wire == SKR_HTTP_1) {
        (void)FreeRTOS_send(socket, busy, sizeof busy - 1, 0);
    }
    (void)FreeRTOS_shutdown(socket, FREERTOS_SHUT_RDWR);
    (void)FreeRTOS_closesocket(socket);
}

/* The stack remembers one client that waits to be accepted, and forgets all others when that one goes away first. It
 * looks for them again when it is asked to, which FreeRTOS_accept does only after a success. */
static void ask_for_forgotten(struct skr_freertos_tcp *net)
{
    const IPStackEvent_t ask = {.eEventType = eTCPAcceptEvent, .pvData = net->listener};

    (void)xSendEventStructToIPTask(&ask, 0);
}

static void welcome(struct skr_freertos_tcp *net)
{
    struct freertos_sockaddr peer;
    socklen_t size = sizeof peer;
    Socket_t socket;

    while ((socket = FreeRTOS_accept(net->listener, &peer, &size)) != NULL && socket != FREERTOS_INVALID_SOCKET) {
        struct skr_freertos_tcp_slot *slot = find_slot(net);
        if (slot == NULL) {
            client_refuse(net, socket);
            continue;
        }
        slot->socket = socket;
        slot->closing = slot->served = slot->peer_done = false;
        slot->doing = SKR_IDLE;
        slot->since_ms = now_ms();
        skr_conn_open(&slot->conn, net->server, net->wire);
    }
    ask_for_forgotten(net);
}

/* ---- The task ---- */

/* True when another turn is due immediately. */
static bool server_turn(struct skr_freertos_tcp *net)
{
    bool more = false;

    welcome(net);
    for (size_t i = 0; i < SKR_FREERTOS_TCP_SLOTS; i++) {
        struct skr_freertos_tcp_slot *slot = &net->slots[i];
        if (slot->socket != NULL && slot->closing) {
            finish_closing(slot);
        } else if (slot->socket != NULL) {
            more |= slot_serve(slot);
        }
    }
    return more;
}

/* A socket that never waits, and gives the semaphore. What it accepts inherits both. */
static bool open_listener(struct skr_freertos_tcp *net)
{
    const TickType_t at_once = 0;
    struct freertos_sockaddr address = {0};

    net->listener = FreeRTOS_socket(FREERTOS_AF_INET, FREERTOS_SOCK_STREAM, FREERTOS_IPPROTO_TCP);
    if (net->listener == FREERTOS_INVALID_SOCKET) {
        return false;
    }
    address.sin_family = FREERTOS_AF_INET;
    address.sin_port = FreeRTOS_htons(net->port);
    (void)FreeRTOS_setsockopt(net->listener, 0, FREERTOS_SO_RCVTIMEO, &at_once, sizeof at_once);
    (void)FreeRTOS_setsockopt(net->listener, 0, FREERTOS_SO_SNDTIMEO, &at_once, sizeof at_once);
    (void)FreeRTOS_setsockopt(net->listener, 0, FREERTOS_SO_SET_SEMAPHORE, &net->woken, sizeof net->woken);
    /* The backlog counts live children; one more than there are slots, so that a client can be told that all are in
     * use. */
    if (FreeRTOS_bind(net->listener, &address, sizeof address) != 0 ||
        FreeRTOS_listen(net->listener, SKR_FREERTOS_TCP_SLOTS + 2) != 0) {
        (void)FreeRTOS_closesocket(net->listener);
        return false;
    }
    return true;
}

static void server_run(void *arg)
{
    struct skr_freertos_tcp *net = arg;

    while (!open_listener(net)) { /* no memory yet, or the port is still taken */
        vTaskDelay(pdMS_TO_TICKS(SKR_FREERTOS_TCP_CLOCK_MS));
    }
    bool more = false;
    for (;;) {
        uint32_t wait_ms = more ? 0 : net->working ? SKR_FREERTOS_TCP_WORK_MS : SKR_FREERTOS_TCP_CLOCK_MS;
        (void)xSemaphoreTake(net->woken, pdMS_TO_TICKS(wait_ms));
#if SKR_JOBS
        net->working = skr_server_tick(net->server, now_ms());
#endif
        more = server_turn(net);
    }
}

bool skr_freertos_tcp_start(struct skr_freertos_tcp *net, struct skr_server *server, uint16_t port, enum skr_wire wire,
                            UBaseType_t priority)
{
    net->server = server;
    net->wire = wire == SKR_HTTP_1 ? SKR_HTTP_1 : SKR_LINE_TCP;
    net->port = port;
    net->working = false;
    for (size_t i = 0; i < SKR_FREERTOS_TCP_SLOTS; i++) {
        net->slots[i].socket = NULL;
    }
    net->woken = xSemaphoreCreateBinaryStatic(&net->semaphore);
    return xTaskCreateStatic(server_run, "skillrom", SKR_FREERTOS_TCP_STACK, net, priority, net->stack, &net->task) !=
           NULL;
}
