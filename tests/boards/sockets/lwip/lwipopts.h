/* lwipopts.h -- lwIP with its sockets and a loopback interface, in a process on a PC. */
#ifndef LWIPOPTS_H
#define LWIPOPTS_H

#define NO_SYS 0
#define LWIP_SOCKET 1
#define LWIP_NETCONN 1
#define LWIP_COMPAT_SOCKETS 0
#define LWIP_POSIX_SOCKETS_IO_NAMES 0
#define LWIP_COMPAT_MUTEX 1 /* mutexes are semaphores: no thread has a priority here */
#define LWIP_COMPAT_MUTEX_ALLOWED 1
#define LWIP_TIMEVAL_PRIVATE 0
#define LWIP_IPV4 1
#define LWIP_IPV6 0
#define LWIP_UDP 1
#define LWIP_ARP 0
#define LWIP_ETHERNET 0
#define LWIP_STATS 0
#define LWIP_HAVE_LOOPIF 1
#define LWIP_NETIF_LOOPBACK 1
#define LWIP_LOOPBACK_MAX_PBUFS 64
#define LWIP_TCP_KEEPALIVE 1
#define SO_REUSE 1
#define TCP_LISTEN_BACKLOG 1

#define MEM_LIBC_MALLOC 1 /* a sanitizer sees every buffer */
#define MEMP_MEM_MALLOC 1
#define MEM_ALIGNMENT 8
#define MEMP_NUM_NETCONN 64 /* sockets of both ends */
#define TCP_MSS 536
#define TCP_WND (4 * TCP_MSS) /* small, so that responses do not fit */
#define TCP_SND_BUF (4 * TCP_MSS)
#define TCP_SND_QUEUELEN 16
#define TCP_MSL 100UL

#define TCPIP_MBOX_SIZE 64
#define DEFAULT_TCP_RECVMBOX_SIZE 64
#define DEFAULT_ACCEPTMBOX_SIZE 64
#define DEFAULT_THREAD_STACKSIZE 0 /* the system's default */

#endif
