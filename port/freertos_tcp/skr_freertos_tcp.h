/* skr_freertos_tcp.h -- serve on a TCP port of FreeRTOS-Plus-TCP, in a task of its own.
 *
 *     static struct skr_freertos_tcp net;
 *
 *     skr_server_init(&server, &device, image, size);
 *     skr_server_http(&server, &config);
 *     skr_freertos_tcp_start(&net, &server, 80, SKR_HTTP_1, priority);     when the network is up
 *
 * From then on server and tools belong to that task. Its stack and its control block are in the struct. README.md
 * says which options of kernel and stack this needs, and what the stack allocates by itself. */
#ifndef SKR_FREERTOS_TCP_H
#define SKR_FREERTOS_TCP_H

#include "../pace.h"
#include "FreeRTOS.h"
#include "FreeRTOS_IP.h"
#include "FreeRTOS_Sockets.h"
#include "semphr.h"
#include "skillrom.h"
#include "task.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Connections served simultaneously. The next client takes the place of one that is idle or hardly moves; if none is, it is
 * told to come back (503). */
#ifndef SKR_FREERTOS_TCP_SLOTS
#define SKR_FREERTOS_TCP_SLOTS 4
#endif

/* A request must arrive, and some byte of a response must leave, within this time. */
#ifndef SKR_FREERTOS_TCP_TIMEOUT_MS
#define SKR_FREERTOS_TCP_TIMEOUT_MS 10000
#endif

/* A kept-alive HTTP connection without a request. It yields to newcomers long before. */
#ifndef SKR_FREERTOS_TCP_IDLE_MS
#define SKR_FREERTOS_TCP_IDLE_MS 75000
#endif

/* How long a connection that makes no progress keeps its slot when a newcomer needs it: its request may still be on
 * the way. */
#ifndef SKR_FREERTOS_TCP_GRACE_MS
#define SKR_FREERTOS_TCP_GRACE_MS 1000
#endif

/* Bytes of a request or a response that must move in that time for the connection to keep its slot: half of what the
 * slowest modem manages. */
#ifndef SKR_FREERTOS_TCP_PACE
#define SKR_FREERTOS_TCP_PACE 512
#endif

/* How long an ended connection may take to close. */
#ifndef SKR_FREERTOS_TCP_LINGER_MS
#define SKR_FREERTOS_TCP_LINGER_MS 2000
#endif

/* How often a comment is sent on an open HTTP stream, which also shows whether its peer is gone. Needs SKR_CHANGES. */
#ifndef SKR_FREERTOS_TCP_COMMENT_MS
#define SKR_FREERTOS_TCP_COMMENT_MS 15000
#endif

/* How often handlers that need time are called, and timeouts checked. Bytes wake the task by themselves. */
#ifndef SKR_FREERTOS_TCP_WORK_MS
#define SKR_FREERTOS_TCP_WORK_MS 5
#endif
#ifndef SKR_FREERTOS_TCP_CLOCK_MS
#define SKR_FREERTOS_TCP_CLOCK_MS 500
#endif

/* In words. The official suite with its fixture used 303; a tool may need more. */
#ifndef SKR_FREERTOS_TCP_STACK
#define SKR_FREERTOS_TCP_STACK 512
#endif

struct skr_freertos_tcp_slot {
    Socket_t socket; /* NULL: free */
    bool closing;    /* has had its last response; waits for the peer to close */
    bool served;     /* had a response already */
    bool peer_done;  /* nothing more will come */
    bool full;       /* there was no room to read more */
    uint8_t doing;   /* enum skr_activity, when it was last looked at */
    uint32_t since_ms;
    struct skr_pace pace; /* while a request comes or a response leaves */
    struct skr_conn conn;
};

struct skr_freertos_tcp {
    struct skr_server *server;
    enum skr_wire wire;
    uint16_t port;
    bool working; /* a handler has asked for time */
    Socket_t listener;
    SemaphoreHandle_t woken;
    StaticSemaphore_t semaphore;
    StaticTask_t task;
    StackType_t stack[SKR_FREERTOS_TCP_STACK];
    struct skr_freertos_tcp_slot slots[SKR_FREERTOS_TCP_SLOTS];
};

/* Creates the task, which listens on the port as soon as it gets a socket; lines are those of SKR_LINE_TCP, whether
 * or not you say so. Call it once; the hook for "network up" may do so. */
#define skr_freertos_tcp_start SKR_CONFIGURED(skr_freertos_tcp_start) /* skr_layout.h */
bool skr_freertos_tcp_start(struct skr_freertos_tcp *net, struct skr_server *server, uint16_t port, enum skr_wire wire,
                            UBaseType_t priority);

#ifdef __cplusplus
}
#endif

#endif
