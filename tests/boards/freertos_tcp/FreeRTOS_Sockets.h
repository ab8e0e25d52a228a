/* FreeRTOS_Sockets.h -- see FreeRTOS.h. */
#ifndef FREERTOS_SOCKETS_H
#define FREERTOS_SOCKETS_H

#include "FreeRTOS_IP.h"

typedef struct xSOCKET *Socket_t;
typedef uint32_t socklen_t;

struct freertos_sockaddr {
    uint8_t sin_len;
    uint8_t sin_family;
    uint16_t sin_port;
    uint32_t sin_flowinfo;
    union {
        uint32_t ulIP_IPv4;
    } sin_address;
};

#define FREERTOS_AF_INET 2
#define FREERTOS_SOCK_STREAM 1
#define FREERTOS_IPPROTO_TCP 6
#define FREERTOS_SHUT_RDWR 2
#define FREERTOS_SO_RCVTIMEO 0
#define FREERTOS_SO_SNDTIMEO 1
#define FREERTOS_SO_SET_SEMAPHORE 3
#define FREERTOS_INVALID_SOCKET ((Socket_t) ~(uintptr_t)0)

Socket_t FreeRTOS_socket(BaseType_t domain, BaseType_t type, BaseType_t protocol);
BaseType_t FreeRTOS_setsockopt(Socket_t socket, int32_t level, int32_t name, const void *value, size_t size);
BaseType_t FreeRTOS_bind(Socket_t socket, const struct freertos_sockaddr *address, socklen_t size);
BaseType_t FreeRTOS_listen(Socket_t socket, BaseType_t backlog);
Socket_t FreeRTOS_accept(Socket_t listener, struct freertos_sockaddr *peer, socklen_t *size);
BaseType_t FreeRTOS_recv(Socket_t socket, void *to, size_t size, BaseType_t flags);
BaseType_t FreeRTOS_send(Socket_t socket, const void *from, size_t size, BaseType_t flags);
BaseType_t FreeRTOS_shutdown(Socket_t socket, BaseType_t how);
BaseType_t FreeRTOS_closesocket(Socket_t socket);

#endif
