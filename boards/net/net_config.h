/* net_config.h -- the address of a board and the names it answers to. Each may be set on the
 * compiler's command line: make BOARD=... NET='-DNET_ADDRESS=192,168,1,20'. */
#ifndef NET_CONFIG_H
#define NET_CONFIG_H

#ifndef SKR_TLS
#define SKR_TLS 0
#endif

/* The fixed address, unused with DHCP (SKR_LWIP_DHCP in lwipopts.h). The default suits QEMU's virtual network. */
#ifndef NET_ADDRESS
#define NET_ADDRESS 10, 0, 2, 15
#endif
#ifndef NET_MASK
#define NET_MASK 255, 255, 255, 0
#endif
#ifndef NET_GATEWAY
#define NET_GATEWAY 10, 0, 2, 2
#endif

/* A locally administered address. A product has one of its own. */
#ifndef NET_MAC
#define NET_MAC 0x52, 0x54, 0x00, 0x12, 0x34, 0x56
#endif

/* Its name, for mDNS <name>.local, and for DHCP. */
#ifndef NET_NAME
#define NET_NAME "skillrom"
#endif

/* One more name or address that clients may use for it, for instance that of a router in front of it. */
#ifndef NET_ALIAS
#define NET_ALIAS NET_NAME
#endif

/* HTTP over TLS, with SKR_TLS. */
#ifndef NET_HTTPS_PORT
#define NET_HTTPS_PORT 443
#endif

/* Without TLS; 0: not served. With SKR_TLS nothing is served unencrypted. */
#ifndef NET_HTTP_PORT
#define NET_HTTP_PORT (SKR_TLS ? 0 : 80)
#endif
#ifndef NET_HTTP_PATH
#define NET_HTTP_PATH "/mcp"
#endif

/* Who may use it over HTTP: the holders of tokens, in a file written by `skillrom token NAME --emit-c FILE`,
 * -DNET_TOKENS='"FILE"'; or in a record in flash, apart from the program, -DNET_RECORD=1 (port/access); or with -DNET_ANYONE=1
 * everybody in its network. One of them is required. */
#ifndef NET_RECORD
#define NET_RECORD 0
#endif
#ifndef NET_ANYONE
#define NET_ANYONE 0
#endif
#ifdef NET_TOKENS
#define NET_ACCESS_CHOICES (1 + NET_RECORD + NET_ANYONE)
#else
#define NET_ACCESS_CHOICES (NET_RECORD + NET_ANYONE)
#endif
#if NET_ACCESS_CHOICES != 1
#error                                                                                                                 \
    "who may use this device? One of NET='-DNET_TOKENS=...', '-DNET_RECORD=1', and, in a network you trust, '-DNET_ANYONE=1'"
#endif

/* TCP port of raw lines, one message each; 0 disables them. They have no tokens: every client that reaches them has full access. */
#ifndef NET_LINE_PORT
#define NET_LINE_PORT (NET_ANYONE && !SKR_TLS ? 7701 : 0)
#endif

#endif
