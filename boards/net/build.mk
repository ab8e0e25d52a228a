# Firmware with Ethernet: make BOARD=mps2-an385-net. boards/build.mk includes this.
#
#   build/<build>/skillrom.elf      the firmware with a device's skills and tools: DEVICE
#   build/<build>/program.elf       with the tools of examples/device and without an image; tests append images
#   build/<build>/lwip              lwIP's own objects
#   build/<build>/chosen            what was given as NET and SCRIPT
#
# A board's board.mk adds such a build to NET_BUILDS, with FOLDER and CPU; SCRIPT and CONFIG if they are not net.ld and
# ../net/net_skr.h; NET_FLAGS for settings of lwip_config.h and net_config.h; TLS for a build
# with TLS. NET=... adds to these from the command line.

# Who may use it has to be said (net_config.h). As they are built here they are run in QEMU, whose network is inside this
# machine.
NET ?= -DNET_ANYONE=1

LWIP_SRC := $(addprefix core/,def inet_chksum init ip mem memp netif pbuf tcp tcp_in tcp_out timeouts udp \
              ipv4/dhcp ipv4/etharp ipv4/icmp ipv4/igmp ipv4/ip4 ipv4/ip4_addr) netif/ethernet apps/mdns/mdns

# What lwIP's own headers include; the compiler does not report that the objects depend on them.
LWIP_CONFIG   := $(sort $(wildcard port/lwip/lwip*.h))
PORT_LWIP_SRC := $(sort $(wildcard port/lwip/*.c))
NET_COMMON    := $(filter-out boards/common/main.c,$(BOARD_COMMON)) $(sort $(wildcard boards/net/*.c)) $(PORT_LWIP_SRC)

# $(call net_tls,BUILD): the parts of BearSSL a Cortex-M3 needs, for a build with TLS.<build>
net_tls = $(if $(TLS.$1),$(patsubst %,build/$1/bearssl/%.o,$(BEARSSL_BOTH) $(BEARSSL_15)))

FLAGS.port/lwip  := -ffreestanding -fbuiltin $(NO_HEAP) -Iport/lwip -Iboards/net -isystem $(LWIP_DIR)/src/include
FLAGS.boards/net := $(FLAGS.port/lwip)

# $(call net_...,BUILD)
net_script  = boards/$(FOLDER.$1)/$(or $(SCRIPT.$1),net.ld)
net_config  = -Iboards/$(FOLDER.$1) -Iboards/net -DSKR_USER_CONFIG='"$(or $(CONFIG.$1),net_skr.h)"'
net_sources = $(NET_COMMON) $(sort $(wildcard boards/$(FOLDER.$1)/*.c)) $(CORE_SRC) $(READER_SRC) $(if $(TLS.$1),$(TLS_SRC))
net_flags   = $(CPU.$1) -Os -g -ffunction-sections -fdata-sections -fcallgraph-info=su -Iboards/common $(net_config) \
              $(NET_FLAGS.$1) $(if $(TLS.$1),$(WITH_TLS)) $(NET)
net_link    = $(ARM_CC) $(CPU.$1) --specs=nano.specs -nostartfiles -Wl,--gc-sections,--defsym=board_device=$2 \
              -Lboards/common -Wl,-T,$(net_script),-Map=$$(@:.elf=.map) -Wl,--no-warn-rwx-segments

# $(call net_firmware,BUILD,NAME,STRUCT SKR_DEVICE,OBJECTS)
define net_firmware
build/$1/$2.elf: $(call objects,build/$1,$(net_sources)) $(LWIP_SRC:%=build/$1/lwip/%.o) build/$1/obj/miniz.o $(net_tls) $4 \
                 $(net_script) boards/common/sections.ld build/sources.list
	@echo '  link    $$@'
	$$(Q)$(call net_link,$1,$3) $$(LINKED) -o $$@
endef

# $(call net_board,BUILD)
define net_board
FLAGS.boards/$(FOLDER.$1) := -ffreestanding $(NO_HEAP) -Iboards/net
$(call flavour,build/$1,$(ARM_CC),$(net_flags),build/$1/chosen)
$(call objects,build/$1,$(NET_COMMON)): $(LWIP_CONFIG) boards/$(FOLDER.$1)/board.mk | $(LWIP_DIR)/src/include/lwip/init.h

build/$1/lwip/%.o: $(LWIP_DIR)/src/%.c $(LWIP_CONFIG) boards/$(FOLDER.$1)/board.mk Makefile build/$1/chosen
	@mkdir -p $$(@D)
	$$(Q)$(ARM_CC) -std=c99 -w $(net_flags) -Iport/lwip -isystem $(LWIP_DIR)/src/include -c $$< -o $$@

$(call bearssl_rule,build/$1,$(ARM_CC),$(net_flags),build/$1/chosen)

# Changes when another NET or SCRIPT is given, so that everything is compiled again.
build/$1/chosen: FORCE
	@$$(call when_new,echo $$(call quoted,$(NET) $(net_script)))

build/$1/%.image.o: build/device/%.c
	@mkdir -p $$(@D)
	$$(Q)$(ARM_CC) $(CPU.$1) -fdata-sections -c $$< -o $$@

$(call net_firmware,$1,program,skr_example_device,$(call objects,build/$1,$(DEVICE_SRC)))
$(call objects,build/$1,$(DEVICE_C)): | build/gen/$(DEVICE)/tools.h
$(call net_firmware,$1,skillrom,$(DEVICE_NAME),$(call objects,build/$1,$(DEVICE_C)) \
    build/$1/$(subst /,-,$(DEVICE)).image.o build/device/chosen)

build/$1/config.txt: core/skr_config.h boards/net/net_skr.h $(wildcard boards/$(FOLDER.$1)/*_skr.h) tools/list-config
	@mkdir -p $$(@D)
	$$(Q)tools/list-config core/skr_config.h $(ARM_CC) $(net_config) >$$@

$1: build/$1/skillrom.elf
.PHONY: $1
endef

$(LWIP_SRC:%=$(LWIP_DIR)/src/%.c): | $(LWIP_DIR)/src/include/lwip/init.h

$(foreach b,$(NET_BUILDS),$(eval $(call net_board,$b)))
