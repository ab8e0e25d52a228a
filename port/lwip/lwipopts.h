/* lwipopts.h -- lwIP for this port: no system, no heap, as little RAM as full speed allows.
 *
 * Every allocation of lwIP comes from a pool of fixed size, and the sizes follow from the number
 * of connections (lwip_config.h). For a product, copy this file and keep the part "Pools". */
#ifndef LWIPOPTS_H
#define LWIPOPTS_H

#include "lwip_config.h"

/* ---- What there is ---- */

#define NO_SYS 1
#define SYS_LIGHTWEIGHT_PROT 0 /* lwIP is called from the main loop only */
#define LWIP_NETCONN 0
#define LWIP_SOCKET 0
#define LWIP_STATS 0
#define LWIP_RAW 0
#define LWIP_DNS 0
#define LWIP_ETHERNET 1
#define LWIP_ARP 1
#define LWIP_ICMP 1
#define LWIP_TCP 1
#define IP_REASSEMBLY 0 /* TCP does not fragment */
#define IP_FRAG 0
#define LWIP_SINGLE_NETIF 1
#define LWIP_NETIF_TX_SINGLE_PBUF 0 /* 1 would copy what is in ROM */

#ifndef SKR_LWIP_DHCP /* ask for an address: 5 KB of code */
#define SKR_LWIP_DHCP 0
#endif
#ifndef SKR_LWIP_MDNS /* answer to <name>.local and announce the service: 12 KB of code */
#define SKR_LWIP_MDNS 0
#endif
#define LWIP_UDP (SKR_LWIP_DHCP || SKR_LWIP_MDNS)
#define LWIP_DHCP SKR_LWIP_DHCP
#define LWIP_DHCP_GET_NTP_SRV 0
#define DHCP_DOES_ARP_CHECK 0 /* checked before */
#define LWIP_IGMP SKR_LWIP_MDNS
#define LWIP_MDNS_RESPONDER SKR_LWIP_MDNS
#define LWIP_NUM_NETIF_CLIENT_DATA SKR_LWIP_MDNS
#define LWIP_NETIF_EXT_STATUS_CALLBACK SKR_LWIP_MDNS
#define LWIP_MULTICAST_TX_OPTIONS SKR_LWIP_MDNS

#ifndef SKR_LWIP_ASSERTS /* a failed assertion ends the program; for tests */
#define LWIP_NOASSERT
#endif

/* ---- TCP ---- */

#ifndef TCP_MSS /* most requests are one segment of this size, and a long response is few */
#define TCP_MSS 1072
#endif
#ifndef TCP_WND /* what one connection may hold of the receive pool */
#define TCP_WND TCP_MSS
#endif
#define TCP_SND_BUF (SKR_LWIP_SEGMENTS * TCP_MSS)
#define TCP_SND_QUEUELEN (5 * SKR_LWIP_SEGMENTS) /* buffers: a segment is made of several pieces */
#define TCP_SNDLOWAT (TCP_MSS / 2)               /* of the socket layer, which is not there; its check is */
#define TCP_OVERSIZE 0                           /* a copy takes the room it needs */
#define TCP_QUEUE_OOSEQ 0
#define LWIP_TCP_KEEPALIVE 1
#define TCP_KEEPIDLE_DEFAULT 60000UL
#define TCP_KEEPINTVL_DEFAULT 10000UL
#define TCP_KEEPCNT_DEFAULT 3U
#define TCP_MSL 1000UL /* a network of a few hops; a finished connection is forgotten after two seconds */

/* ---- Pools ---- */

#define MEM_LIBC_MALLOC 0
#define MEMP_MEM_MALLOC 0
#ifndef MEM_ALIGNMENT /* that of a pointer */
#define MEM_ALIGNMENT 4
#endif
#define MEM_USE_POOLS 1 /* the pools of lwippools.h */
#define MEMP_USE_CUSTOM_POOLS 1
#define MEM_USE_POOLS_TRY_BIGGER_POOL 1

#define MEMP_NUM_TCP_PCB (SKR_LWIP_SLOTS + SKR_LWIP_SPARE)
#define MEMP_NUM_TCP_PCB_LISTEN SKR_LWIP_LISTENERS
#define MEMP_NUM_UDP_PCB (SKR_LWIP_DHCP + SKR_LWIP_MDNS)
/* Per connection full segments, one cut short by a full queue, and its end. */
#define MEMP_NUM_TCP_SEG (SKR_LWIP_SLOTS * (SKR_LWIP_SEGMENTS + 2) + SKR_LWIP_SPARE)
/* References to ROM: half of a queue, because there is a copy between any two of them. */
#define MEMP_NUM_PBUF (SKR_LWIP_SLOTS * (TCP_SND_QUEUELEN / 2) + SKR_LWIP_SPARE)
/* Received frames, in pieces: most are small. A frame is taken out of the controller when the one before has been
 * dealt with, so few connections hold their whole window. */
#define PBUF_POOL_BUFSIZE 304
#define PBUF_POOL_SIZE ((2 * SKR_LWIP_SLOTS + 4) * ((TCP_WND + 1071) / 1072))

#define ETH_PAD_SIZE 2 /* aligns the IP header to a word, as controllers do */
#define ARP_TABLE_SIZE 4
/* Packets that wait for ARP: after a reset, each connection that is gone sends a reset segment immediately. */
#define ARP_QUEUEING 1
#define ARP_QUEUE_LEN SKR_LWIP_SLOTS
#define MEMP_NUM_ARP_QUEUE SKR_LWIP_SLOTS
#define ETHARP_SUPPORT_STATIC_ENTRIES 0

#define LWIP_CHKSUM_ALGORITHM 3

#endif
