CPU.lm3s6965evb      := -mcpu=cortex-m3 -mthumb
EMULATOR.lm3s6965evb := qemu-system-arm -M lm3s6965evb
FLASH.lm3s6965evb    := openocd board/ek-lm3s6965.cfg

NOTE.lm3s6965evb-net   := Ethernet: lwIP and HTTP
FOLDER.lm3s6965evb-net := lm3s6965evb
WIRE.lm3s6965evb-net   := net

NOTE.lm3s6965evb-net-full      := the same with every dialect of skills: for conformance
FOLDER.lm3s6965evb-net-full    := lm3s6965evb
WIRE.lm3s6965evb-net-full      := net
CONFIG.lm3s6965evb-net-full    := net_full_skr.h
SCRIPT.lm3s6965evb-net-full    := net_full.ld
NET_FLAGS.lm3s6965evb-net-full := -DNET_ALIAS='"pump.example"' -DSKR_LWIP_SLOTS=7

NOTE.lm3s6965evb-net-record   := with tokens in flash, apart from the program
FOLDER.lm3s6965evb-net-record := lm3s6965evb
WIRE.lm3s6965evb-net-record   := net
NET.lm3s6965evb-net-record    := -DNET_RECORD=1

NOTE.lm3s6965evb-net-tls   := with TLS
FOLDER.lm3s6965evb-net-tls := lm3s6965evb
WIRE.lm3s6965evb-net-tls   := net
SCRIPT.lm3s6965evb-net-tls := net_tls.ld
TLS.lm3s6965evb-net-tls    := yes
