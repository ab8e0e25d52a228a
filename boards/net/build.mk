# Firmware with Ethernet: make BOARD=mps2-an385-net. boards/build.mk includes this.
#
#   build/<build>/lwip      lwIP's own objects, in addition to those of every build
#
# A board's board.mk describes such a build by WIRE.<build> := net, and by NET_FLAGS for settings of lwip_config.h and
# net_config.h, TLS for a build with TLS. NET=... adds to these from the command line.

# A build must state who may use it (net_config.h). Builds made here run in QEMU, whose network is inside this machine.
NET ?= -DNET_ANYONE=1

LWIP_SRC := $(addprefix core/,def inet_chksum init ip mem memp netif pbuf tcp tcp_in tcp_out timeouts udp \
              ipv4/dhcp ipv4/etharp ipv4/icmp ipv4/igmp ipv4/ip4 ipv4/ip4_addr) netif/ethernet apps/mdns/mdns

# Headers that lwIP's own headers include; the compiler does not report that lwIP's objects depend on them.
LWIP_CONFIG   := $(sort $(wildcard port/lwip/lwip*.h))
PORT_LWIP_SRC := $(sort $(wildcard port/lwip/*.c))

FLAGS.port/lwip  := -ffreestanding -fbuiltin $(NO_HEAP) -Iport/lwip -Iboards/net -isystem $(LWIP_DIR)/src/include
FLAGS.boards/net := $(FLAGS.port/lwip) -Iport/access

# $(call net_...,BUILD)
net_tls     = $(if $(TLS.$1),$(patsubst %,build/$1/bearssl/%.o,$(BEARSSL_BOTH) $(BEARSSL_15)))# what a Cortex-M3 needs of it
net_common  = $(filter-out boards/common/main.c,$(board_common)) $(sort $(wildcard boards/net/*.c)) port/access/record.c $(PORT_LWIP_SRC)
net_sources = $(net_common) $(board_own) $(CORE_SRC) $(READER_SRC) $(if $(TLS.$1),$(TLS_SRC))
net_objects = $(call objects,build/$1,$(net_sources)) $(LWIP_SRC:%=build/$1/lwip/%.o) $(net_tls)
net_flags   = $(board_flags) $(NET_FLAGS.$1) $(if $(TLS.$1),$(WITH_TLS)) $(or $(NET.$1),$(NET))

# $(call net_board,BUILD)
define net_board
FLAGS.$(board_folder) := -ffreestanding $(NO_HEAP) -Iboards/net
$(call board_build,$1,$(net_objects),$(net_flags))
$(call objects,build/$1,$(net_common)): | $(LWIP_DIR)/src/include/lwip/init.h

build/$1/lwip/%.o: $(LWIP_DIR)/src/%.c $(LWIP_CONFIG) Makefile build/$1/chosen
	@mkdir -p $$(@D)
	$$(Q)$(board_cc) -std=c99 -w $(net_flags) -Iport/lwip -isystem $(LWIP_DIR)/src/include -c $$< -o $$@

$(call bearssl_rule,build/$1,$(board_cc),$(net_flags),build/$1/chosen)
endef

$(LWIP_SRC:%=$(LWIP_DIR)/src/%.c): | $(LWIP_DIR)/src/include/lwip/init.h

$(foreach b,$(NET_BUILDS),$(eval $(call net_board,$b)))
