/* lwippools.h -- what mem_malloc takes from. Included by lwIP several times, so without a guard.
 *
 * The first pool is for headers: of segments whose bytes lie in ROM, of acknowledgements, of ends.
 * The second is for copies with a header in front: 16 of struct pbuf, 2 + 14 + 20 + 20 of headers.
 * A copy that goes over the end of a segment is two of them; with the headers that is what the
 * spare connections' share covers. */
LWIP_MALLOC_MEMPOOL_START
LWIP_MALLOC_MEMPOOL((SKR_LWIP_SLOTS * (SKR_LWIP_SEGMENTS + 1) + SKR_LWIP_SPARE), 88)
#if SKR_LWIP_COPY_MAX > 256
LWIP_MALLOC_MEMPOOL(SKR_LWIP_COPY_POOL, 1100)
#else
LWIP_MALLOC_MEMPOOL(SKR_LWIP_COPY_POOL, 332)
#endif
#if SKR_LWIP_DHCP || SKR_LWIP_MDNS
LWIP_MALLOC_MEMPOOL(2, 1620)
#endif
LWIP_MALLOC_MEMPOOL_END
