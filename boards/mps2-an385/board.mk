CPU.mps2-an385 := -mcpu=cortex-m3 -mthumb

# The same board with its 4 MB and with everything a serial line can carry: for tests.
BUILDS += mps2-an385-full
CPU.mps2-an385-full    := $(CPU.mps2-an385)
FOLDER.mps2-an385-full := mps2-an385
CONFIG.mps2-an385-full := full_skr.h
SCRIPT.mps2-an385-full := full.ld

# With Ethernet: lwIP and HTTP.
NET_BUILDS += mps2-an385-net
CPU.mps2-an385-net    := $(CPU.mps2-an385)
FOLDER.mps2-an385-net := mps2-an385

# With Ethernet and everything that a PC has, with the limits of a PC: for tests. lwIP checks itself, too, and has
# memory for speed: large segments, and whole answers under way.
NET_BUILDS += mps2-an385-net-full
CPU.mps2-an385-net-full       := $(CPU.mps2-an385)
FOLDER.mps2-an385-net-full    := mps2-an385
CONFIG.mps2-an385-net-full    := net_full_skr.h
SCRIPT.mps2-an385-net-full    := full.ld
NET_FLAGS.mps2-an385-net-full := -DSKR_LWIP_ASSERTS -DNET_ALIAS='"pump.example"' -DTCP_MSS=1460 -DTCP_WND=2920 -DSKR_LWIP_SEGMENTS=6 \
                                 -DSKR_LWIP_COPY_MAX=1024 -DSKR_LWIP_COPIES=10 -DSKR_LWIP_COPY_POOL=44

# With an address by DHCP and a name by mDNS.
NET_BUILDS += mps2-an385-net-auto
CPU.mps2-an385-net-auto       := $(CPU.mps2-an385)
FOLDER.mps2-an385-net-auto    := mps2-an385
SCRIPT.mps2-an385-net-auto    := full.ld
NET_FLAGS.mps2-an385-net-auto := -DSKR_LWIP_DHCP=1 -DSKR_LWIP_MDNS=1

# With TLS.
NET_BUILDS += mps2-an385-net-tls
CPU.mps2-an385-net-tls    := $(CPU.mps2-an385)
FOLDER.mps2-an385-net-tls := mps2-an385
SCRIPT.mps2-an385-net-tls := net_tls.ld
TLS.mps2-an385-net-tls    := yes
