CPU.mps2-an385      := -mcpu=cortex-m3 -mthumb
EMULATOR.mps2-an385 := qemu-system-arm -M mps2-an385
TESTS.mps2-an385    := checks

NOTE.mps2-an385-full   := all its 4 MB, and everything a serial line can carry: for tests
FOLDER.mps2-an385-full := mps2-an385
CONFIG.mps2-an385-full := full_skr.h
SCRIPT.mps2-an385-full := full.ld
TESTS.mps2-an385-full  := transcripts

NOTE.mps2-an385-net   := Ethernet: lwIP and HTTP
FOLDER.mps2-an385-net := mps2-an385
WIRE.mps2-an385-net   := net

# Assertions of lwIP are on, and it has memory for speed: large segments, and whole responses in its queue.
NOTE.mps2-an385-net-full      := with Ethernet and everything that a PC has, with the limits of a PC: for tests
FOLDER.mps2-an385-net-full    := mps2-an385
WIRE.mps2-an385-net-full      := net
CONFIG.mps2-an385-net-full    := net_full_skr.h
SCRIPT.mps2-an385-net-full    := full.ld
NET_FLAGS.mps2-an385-net-full := -DSKR_LWIP_ASSERTS -DNET_ALIAS='"pump.example"' -DTCP_MSS=1460 -DTCP_WND=2920 -DSKR_LWIP_SEGMENTS=6 \
                                 -DSKR_LWIP_COPY_MAX=1024 -DSKR_LWIP_COPIES=10 -DSKR_LWIP_COPY_POOL=44

NOTE.mps2-an385-net-auto      := with an address by DHCP and a name by mDNS
FOLDER.mps2-an385-net-auto    := mps2-an385
WIRE.mps2-an385-net-auto      := net
SCRIPT.mps2-an385-net-auto    := full.ld
NET_FLAGS.mps2-an385-net-auto := -DSKR_LWIP_DHCP=1 -DSKR_LWIP_MDNS=1

NOTE.mps2-an385-net-tls   := with TLS
FOLDER.mps2-an385-net-tls := mps2-an385
WIRE.mps2-an385-net-tls   := net
SCRIPT.mps2-an385-net-tls := net_tls.ld
TLS.mps2-an385-net-tls    := yes
