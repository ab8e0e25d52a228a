/* ethernet.c -- the Ethernet controller of the LM3S6965, by programmed I/O. A frame begins with its length in two
 * bytes, in the place of the padding of ethernet.h. */
#include "ethernet.h"

#include "board.h"

const unsigned ethernet_irq = 42;

#define RCGC2 REGISTER(0x400FE108u)
#define RCGC2_ETHERNET (1u << 30 | 1u << 28)

#define STATUS REGISTER(0x40048000u)
#define INT_MASK REGISTER(0x40048004u)
#define RX_CONTROL REGISTER(0x40048008u)
#define TX_CONTROL REGISTER(0x4004800Cu)
#define DATA REGISTER(0x40048010u)
#define ADDRESS_LOW REGISTER(0x40048014u)
#define ADDRESS_HIGH REGISTER(0x40048018u)
#define FRAMES_WAITING REGISTER(0x40048034u)
#define TX_REQUEST REGISTER(0x40048038u)
#define INT_RX 1u
#define RX_ON 1u
#define RX_MULTICAST 2u
#define RX_EMPTY_QUEUE 16u
#define TX_ON_PAD_CHECKSUM 7u
#define TX_DUPLEX 16u

#define LENGTH_AND_CHECKSUM 6u
#define HEADER_SIZE 14u

static uint32_t first_word; /* first word of the frame, with its length; 0: not read yet, or already handed on */
static size_t left;         /* words after it that have not been read yet */
static uint32_t write_length;

bool ethernet_init(const uint8_t mac[6])
{
    RCGC2 |= RCGC2_ETHERNET;
    (void)RCGC2;
    INT_MASK = 0;
    RX_CONTROL = 0; /* the reset may have happened in the middle of a frame */
    RX_CONTROL = RX_EMPTY_QUEUE;
    ADDRESS_LOW = (uint32_t)mac[0] | (uint32_t)mac[1] << 8 | (uint32_t)mac[2] << 16 | (uint32_t)mac[3] << 24;
    ADDRESS_HIGH = (uint32_t)mac[4] | (uint32_t)mac[5] << 8;
    TX_CONTROL = TX_ON_PAD_CHECKSUM | TX_DUPLEX;
    RX_CONTROL = RX_ON | RX_MULTICAST;
    INT_MASK = INT_RX;
    return true;
}

/* ---- In ---- */

size_t ethernet_waiting(void)
{
    while (first_word != 0 || (FRAMES_WAITING & 63u) > 0) {
        if (first_word == 0) {
            first_word = DATA;
            left = ((first_word & 0xFFFFu) + 3u) / 4u;
            left -= left > 0; /* the first has been taken */
        }
        size_t bytes = first_word & 0xFFFFu;
        if (bytes > LENGTH_AND_CHECKSUM && bytes <= ETHERNET_FRAME_MAX + LENGTH_AND_CHECKSUM) {
            return bytes - LENGTH_AND_CHECKSUM;
        }
        ethernet_read_end();
    }
    return 0;
}

void ethernet_read(uint32_t *words, size_t count)
{
    if (count > 0 && first_word != 0) {
        *words++ = first_word;
        first_word = 0;
        count--;
    }
    for (; count > 0 && left > 0; count--, left--) {
        *words++ = DATA;
    }
}

void ethernet_read_end(void)
{
    first_word = 0;
    for (; left > 0; left--) {
        (void)DATA;
    }
}

void ethernet_acknowledge(void)
{
    STATUS = INT_RX;
}

/* ---- Out ---- */

bool ethernet_write_begin(size_t bytes)
{
    if ((TX_REQUEST & 1u) != 0) {
        return false;
    }
    write_length = (uint32_t)(bytes - HEADER_SIZE);
    return true;
}

void ethernet_write(uint32_t word)
{
    if (write_length != 0) {
        word = (word & 0xFFFF0000u) | write_length;
        write_length = 0;
    }
    DATA = word;
}

void ethernet_write_end(void)
{
    TX_REQUEST = 1u;
}
