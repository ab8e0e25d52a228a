CPU.lm3s6965evb := -mcpu=cortex-m3 -mthumb

# With Ethernet: lwIP and HTTP.
NET_BUILDS += lm3s6965evb-net
CPU.lm3s6965evb-net    := $(CPU.lm3s6965evb)
FOLDER.lm3s6965evb-net := lm3s6965evb
NET_FLAGS.lm3s6965evb-net := -DNET_ALIAS='"pump.example"'
