/* netif.c -- frames between a board's Ethernet controller and lwIP. */
#include <string.h>

#include "board.h"
#include "ethernet.h"
#include "lwip/dhcp.h"
#include "lwip/etharp.h"
#include "lwip/init.h"
#include "lwip/timeouts.h"
#include "net.h"
#include "net_config.h"
#include "netif/ethernet.h"

#define NVIC_DISABLE(irq) REGISTER(0xE000E180u + 4u * ((irq) / 32u)) = 1u << ((irq) % 32u)
#define NVIC_FORGET(irq) REGISTER(0xE000E280u + 4u * ((irq) / 32u)) = 1u << ((irq) % 32u)

uint32_t net_dropped_in, net_dropped_out, net_sleeps;

static struct netif interface;

/* ---- Out ---- */

/* A frame is a chain of pieces of any length and alignment; the controller takes words. The padding is
 * part of the first piece (ETH_PAD_SIZE). */
static err_t send_frame(struct netif *netif, struct pbuf *p)
{
    uint32_t word = 0;
    unsigned have = 0;

    (void)netif;
    if (!ethernet_write_begin(p->tot_len - ETHERNET_PADDING)) {
        net_dropped_out++;
        return ERR_MEM; /* TCP sends it again */
    }
    for (const struct pbuf *q = p; q != NULL; q = q->next) {
        const uint8_t *from = q->payload;
        size_t i = 0;
        while (have > 0 && i < q->len) { /* a word that the previous piece began */
            word |= (uint32_t)from[i++] << (8u * have);
            have = (have + 1u) % 4u;
            if (have == 0) {
                ethernet_write(word);
            }
        }
        for (; have == 0 && i + 4u <= q->len; i += 4u) {
            memcpy(&word, from + i, 4);
            ethernet_write(word);
        }
        for (word = have == 0 ? 0 : word; i < q->len; i++) {
            word |= (uint32_t)from[i] << (8u * have++);
        }
    }
    if (have > 0) {
        ethernet_write(word);
    }
    ethernet_write_end();
    return ERR_OK;
}

/* ---- In ---- */

bool net_has_frame(void)
{
    return ethernet_waiting() > 0;
}

static void receive_frame(size_t bytes)
{
    struct pbuf *p = pbuf_alloc(PBUF_RAW, (u16_t)(bytes + ETHERNET_PADDING), PBUF_POOL);

    entropy_stir((uint32_t)bytes);
    for (struct pbuf *q = p; q != NULL; q = q->next) {
        /* A buffer of the pool has whole words, and all but the last are full. */
        ethernet_read(q->payload, (q->len + 3u) / 4u);
    }
    ethernet_read_end();
    if (p == NULL) {
        net_dropped_in++;
    } else if (interface.input(p, &interface) != ERR_OK) {
        pbuf_free(p);
    }
}

bool net_receive(void)
{
    ethernet_acknowledge();
    size_t bytes = ethernet_waiting();
    if (bytes > 0) {
        receive_frame(bytes);
    }
    return bytes > 0;
}

/* With interrupts off WFI still returns when one is pending. The controller's interrupt is enabled only while
 * sleeping, so it needs no handler. But without one it stays pending, and the processor would never sleep again,
 * unless it is cleared: before looking for frames, so that a later one wakes it. */
void net_sleep(uint32_t seen)
{
    uint32_t state = interrupts_off();

    ethernet_acknowledge();
    NVIC_FORGET(ethernet_irq);
    net_sleeps++;
    if (serial_events() == seen && ethernet_waiting() == 0) {
        NVIC_ENABLE(ethernet_irq);
        __asm volatile("dsb\n\twfi" ::: "memory");
        NVIC_DISABLE(ethernet_irq);
    }
    interrupts_restore(state);
}

/* ---- Up ---- */

static err_t init_interface(struct netif *netif)
{
    static const uint8_t mac[6] = {NET_MAC};

    memcpy(netif->hwaddr, mac, sizeof mac);
    netif->hwaddr_len = sizeof mac;
    netif->mtu = 1500;
    netif->name[0] = 'e';
    netif->name[1] = 'n';
    netif->output = etharp_output;
    netif->linkoutput = send_frame;
    netif->flags = NETIF_FLAG_BROADCAST | NETIF_FLAG_ETHARP | NETIF_FLAG_LINK_UP | NETIF_FLAG_IGMP;
    return ethernet_init(mac) ? ERR_OK : ERR_IF;
}

bool net_init(void)
{
    /* In network byte order, which is also lwIP's. */
    static const union {
        uint8_t bytes[4];
        ip4_addr_t lwip;
    } address = {{NET_ADDRESS}}, mask = {{NET_MASK}}, gateway = {{NET_GATEWAY}};
    const bool fixed = !SKR_LWIP_DHCP;

    lwip_init();
    if (netif_add(&interface, fixed ? &address.lwip : NULL, fixed ? &mask.lwip : NULL, fixed ? &gateway.lwip : NULL,
                  NULL, init_interface, ethernet_input) == NULL) {
        return false;
    }
    netif_set_default(&interface);
    netif_set_up(&interface);
    net_announce(&interface);
#if SKR_LWIP_DHCP
    return dhcp_start(&interface) == ERR_OK;
#else
    return true;
#endif
}

const char *net_address(void)
{
    static char text[16];

    return ip4addr_ntoa_r(netif_ip4_addr(&interface), text, sizeof text);
}

u32_t sys_now(void)
{
    return clock_ms();
}
