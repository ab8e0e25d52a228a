/* lan9118.c -- SMSC LAN9118, the Ethernet controller of the MPS2 boards, by programmed I/O. */
#include "board.h"
#include "ethernet.h"

const unsigned ethernet_irq = 13;

#define BASE 0x40200000u
#define RX_DATA REGISTER(BASE + 0x00u)
#define TX_DATA REGISTER(BASE + 0x20u)
#define RX_STATUS REGISTER(BASE + 0x40u)
#define RX_STATUS_PEEK REGISTER(BASE + 0x44u)
#define TX_STATUS REGISTER(BASE + 0x48u)
#define ID REGISTER(BASE + 0x50u)
#define IRQ_CONFIG REGISTER(BASE + 0x54u)
#define INT_STATUS REGISTER(BASE + 0x58u)
#define INT_ENABLE REGISTER(BASE + 0x5Cu)
#define BYTE_TEST REGISTER(BASE + 0x64u)
#define FIFO_INT REGISTER(BASE + 0x68u)
#define RX_CONFIG REGISTER(BASE + 0x6Cu)
#define TX_CONFIG REGISTER(BASE + 0x70u)
#define HW_CONFIG REGISTER(BASE + 0x74u)
#define RX_FIFO REGISTER(BASE + 0x7Cu)
#define TX_FIFO REGISTER(BASE + 0x80u)
#define MAC_COMMAND REGISTER(BASE + 0xA4u)
#define MAC_DATA REGISTER(BASE + 0xA8u)
#define FLOW_CONTROL REGISTER(BASE + 0xACu)

#define HW_RESET 1u
#define HW_TX_FIFO_5K (1u << 20 | 5u << 16)
#define INT_RX_LEVEL (1u << 3)
#define RX_ERROR (1u << 15)
#define TX_FIRST_AND_LAST (1u << 13 | 1u << 12)
#define MAC_BUSY (1u << 31)
#define CHECKSUM_SIZE 4u

enum mac_register { MAC_CONTROL = 1, MAC_HIGH = 2, MAC_LOW = 3, MAC_PHY_ACCESS = 6, MAC_PHY_DATA = 7 };

static size_t left; /* words of the frame being read */

/* ---- Start ---- */

static bool wait_clear(volatile uint32_t *reg, uint32_t bits)
{
    for (uint32_t tries = 0; tries < 1000000u; tries++) {
        if ((*reg & bits) == 0) {
            return true;
        }
    }
    return false;
}

static bool mac_write(enum mac_register reg, uint32_t value)
{
    if (!wait_clear(&MAC_COMMAND, MAC_BUSY)) {
        return false;
    }
    MAC_DATA = value;
    MAC_COMMAND = MAC_BUSY | (uint32_t)reg;
    return wait_clear(&MAC_COMMAND, MAC_BUSY);
}

static bool phy_write(uint32_t reg, uint32_t value)
{
    return mac_write(MAC_PHY_DATA, value) && mac_write(MAC_PHY_ACCESS, 1u << 11 | reg << 6 | 1u << 1 | 1u);
}

bool ethernet_init(const uint8_t mac[6])
{
    uint32_t low = (uint32_t)mac[0] | (uint32_t)mac[1] << 8 | (uint32_t)mac[2] << 16 | (uint32_t)mac[3] << 24;
    uint32_t high = (uint32_t)mac[4] | (uint32_t)mac[5] << 8;

    if (BYTE_TEST != 0x87654321u || ID >> 16 != 0x0118u) {
        return false;
    }
    HW_CONFIG = HW_RESET;
    if (!wait_clear(&HW_CONFIG, HW_RESET)) {
        return false;
    }
    HW_CONFIG = HW_TX_FIFO_5K;
    FLOW_CONTROL = 0x006E3740u;
    FIFO_INT = 0xFF000000u; /* receive level 0: an interrupt for every frame */
    RX_CONFIG = ETHERNET_PADDING << 8;
    TX_CONFIG = 1u << 2 | 1u << 1;       /* status may overflow; on */
    IRQ_CONFIG = 1u << 8 | 1u << 4 | 1u; /* on, active high, push-pull */
    INT_STATUS = 0xFFFFFFFFu;
    INT_ENABLE = INT_RX_LEVEL;
    return mac_write(MAC_LOW, low) && mac_write(MAC_HIGH, high) && phy_write(0, 0x1200u) /* negotiate */ &&
           mac_write(MAC_CONTROL, 1u << 20 | 1u << 19 | 1u << 3 | 1u << 2); /* full duplex, multicast, send, receive */
}

/* ---- In ---- */

/* Takes the status of the first frame, whose words are then at the front of the other queue. */
static void start_reading(void)
{
    size_t bytes = RX_STATUS >> 16 & 0x3FFFu;

    left = (bytes + ETHERNET_PADDING + 3u) / 4u;
}

size_t ethernet_waiting(void)
{
    while ((RX_FIFO >> 16 & 0xFFu) > 0) {
        uint32_t status = RX_STATUS_PEEK;
        size_t bytes = status >> 16 & 0x3FFFu;
        if ((status & RX_ERROR) == 0 && bytes > CHECKSUM_SIZE) {
            return bytes - CHECKSUM_SIZE;
        }
        ethernet_read_end();
    }
    return 0;
}

void ethernet_read(uint32_t *words, size_t count)
{
    if (left == 0) {
        start_reading();
    }
    for (; count > 0 && left > 0; count--, left--) {
        *words++ = RX_DATA;
    }
}

/* After a frame has been read, at least its checksum is left; if nothing is, it was not started. */
void ethernet_read_end(void)
{
    if (left == 0) {
        start_reading();
    }
    for (; left > 0; left--) {
        (void)RX_DATA;
    }
}

void ethernet_acknowledge(void)
{
    INT_STATUS = INT_RX_LEVEL;
}

/* ---- Out ---- */

bool ethernet_write_begin(size_t bytes)
{
    if ((TX_FIFO & 0xFFFFu) < bytes + 16u) {
        return false;
    }
    TX_DATA = ETHERNET_PADDING << 16 | TX_FIRST_AND_LAST | (uint32_t)bytes;
    TX_DATA = (uint32_t)bytes;
    return true;
}

void ethernet_write(uint32_t word)
{
    TX_DATA = word;
}

void ethernet_write_end(void)
{
    while ((TX_FIFO >> 16 & 0xFFu) > 0) {
        (void)TX_STATUS;
    }
}
