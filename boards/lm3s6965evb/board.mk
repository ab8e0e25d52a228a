CPU.lm3s6965evb := -mcpu=cortex-m3 -mthumb

# With Ethernet: lwIP and HTTP.
NET_BUILDS += lm3s6965evb-net
CPU.lm3s6965evb-net    := $(CPU.lm3s6965evb)
FOLDER.lm3s6965evb-net := lm3s6965evb

# The same with every dialect of skills: for conformance.
NET_BUILDS += lm3s6965evb-net-full
CPU.lm3s6965evb-net-full       := $(CPU.lm3s6965evb)
FOLDER.lm3s6965evb-net-full    := lm3s6965evb
CONFIG.lm3s6965evb-net-full    := net_full_skr.h
SCRIPT.lm3s6965evb-net-full    := net_full.ld
NET_FLAGS.lm3s6965evb-net-full := -DNET_ALIAS='"pump.example"' -DSKR_LWIP_SLOTS=7

# With TLS.
NET_BUILDS += lm3s6965evb-net-tls
CPU.lm3s6965evb-net-tls    := $(CPU.lm3s6965evb)
FOLDER.lm3s6965evb-net-tls := lm3s6965evb
SCRIPT.lm3s6965evb-net-tls := net_tls.ld
TLS.lm3s6965evb-net-tls    := yes
