# port/sockets as on systems other than Linux: waiting with poll and with select, also on a faulty network; as in firmware;
# compiled for Zephyr; its size.

SOCKETS_WAITS  := poll select
SOCKETS_FAULTS := recv send sendmsg accept4 poll select
SOCKETS_WRAP   := $(SOCKETS_FAULTS:%=-Wl$(comma)--wrap=%)

FLAGS.tests/boards/sockets = $(if $(findstring zephyr,$@),,$(FLAGS.tests/wire/conformance/device)) -Itests/wire/conformance/device

# $(call sockets_program,DIRECTORY,NAME,OBJECTS): a program of port/posix whose port/sockets waits by itself, and one with a faulty network.
define sockets_program
$1/$2: $(call objects,$1,$(PORT_SRC) $(SOCKETS_SRC)) $3 build/asan/libposix.a build/asan/libskillrom.a $(LISTS)
	@echo '  link    $$@'
	$$(Q)$(LINK) $(ASAN_FLAGS) $$(LINKED) -Wl,--gc-sections -o $$@

$1/faulty/$2: $(call objects,$1,$(PORT_SRC) $(SOCKETS_SRC)) $3 build/asan/obj/tests/boards/sockets/faults.o build/asan/libposix.a \
              build/asan/libskillrom.a $(LISTS)
	@mkdir -p $$(@D)
	@echo '  link    $$@'
	$$(Q)$(LINK) $(ASAN_FLAGS) $(SOCKETS_WRAP) $$(LINKED) -Wl,--gc-sections -o $$@
endef

# $(call sockets_wait,poll|select): those programs, and the device: port/sockets and the core with few slots and small buffers.
define sockets_wait
$(foreach p,port/sockets port/posix,$(eval build/sockets-$1/obj/$p/%.o: SOCKETS_WAIT := SKR_SOCKETS_$(shell echo $1 | tr a-z A-Z)))
$(call flavour,build/sockets-$1,$(CC),$(ASAN_FLAGS))
$(call sockets_program,build/sockets-$1,skillromd,build/asan/obj/port/posix/main.o)
$(call sockets_program,build/sockets-$1,pump,$(call objects,build/asan,examples/pump/main.c $(DEVICE_SRC)))
$(call sockets_program,build/sockets-$1,conformance-device,$(call objects,build/asan,$(FIXTURE_SRC)))
$(call sockets_program,build/sockets-$1,dispenser,$(call objects,build/asan,examples/dispenser/main.c $(GUARDED_SRC)))

$(foreach p,port/sockets,$(eval build/sockets-device-$1/obj/$p/%.o: SOCKETS_WAIT := SKR_SOCKETS_$(shell echo $1 | tr a-z A-Z)))
$(call flavour,build/sockets-device-$1,$(CC),$(ASAN_FLAGS) -Iboards/lm3s6965evb -DSKR_USER_CONFIG='"net_full_skr.h"' $(WITH_TLS))
$(call bearssl_rule,build/sockets-device-$1,$(CC),$(ASAN_FLAGS))
$(call objects,build/sockets-device-$1,tests/boards/sockets/device.c $(filter-out %/main.c,$(FIXTURE_SRC))): | build/gen/tests/wire/conformance/device/tools.h
build/sockets-device-$1/device: $(call objects,build/sockets-device-$1,tests/boards/sockets/device.c $(filter-out %/main.c,$(FIXTURE_SRC)) \
        $(SOCKETS_SRC) $(CORE_SRC) $(READER_SRC) $(TLS_SRC)) $(call bearssl,build/sockets-device-$1) build/sockets-device-$1/obj/miniz.o $(LISTS)
	@echo '  link    $$@'
	$$(Q)$(LINK) $(ASAN_FLAGS) $$(LINKED) -Wl,--gc-sections -o $$@
endef
$(foreach w,$(SOCKETS_WAITS),$(eval $(call sockets_wait,$w)))

# The device on lwIP's own sockets, with lwIP's loopback interface and POSIX threads below.
LWIP_SOCKETS_SRC := $(addprefix api/,api_lib api_msg err netbuf sockets tcpip) \
                    $(addprefix core/,def inet_chksum init ip mem memp netif pbuf tcp tcp_in tcp_out timeouts udp dns raw) \
                    $(addprefix core/ipv4/,icmp ip4 ip4_addr ip4_frag)
LWIP_SOCKETS_INC := -Itests/boards/sockets/lwip -isystem $(LWIP_DIR)/src/include

# $(call sockets_lwip,poll|select)
define sockets_lwip
build/sockets-lwip-$1/obj/port/sockets/%.o: SOCKETS_WAIT := SKR_SOCKETS_$(shell echo $1 | tr a-z A-Z)
$(call flavour,build/sockets-lwip-$1,$(CC),$(ASAN_FLAGS) -DSKR_SOCKETS_LWIP=1 $(LWIP_SOCKETS_INC) -Iboards/lm3s6965evb -DSKR_USER_CONFIG='"net_full_skr.h"' $(WITH_TLS))
$(call bearssl_rule,build/sockets-lwip-$1,$(CC),$(ASAN_FLAGS))
build/sockets-lwip-$1/lwip/%.o: $(LWIP_DIR)/src/%.c tests/boards/sockets/lwip/lwipopts.h Makefile build/flags.list
	@mkdir -p $$(@D)
	$$(Q)$(CC) -std=c99 -w -D_GNU_SOURCE $(ASAN_FLAGS) $(LWIP_SOCKETS_INC) -c $$< -o $$@
$(call objects,build/sockets-lwip-$1,$(SOCKETS_SRC)): | $(LWIP_DIR)/src/include/lwip/init.h
$(call objects,build/sockets-lwip-$1,tests/boards/sockets/device.c $(filter-out %/main.c,$(FIXTURE_SRC))): | build/gen/tests/wire/conformance/device/tools.h
build/sockets-lwip-$1/device: $(call objects,build/sockets-lwip-$1,tests/boards/sockets/device.c $(sort $(wildcard tests/boards/sockets/lwip/*.c)) \
        $(filter-out %/main.c,$(FIXTURE_SRC)) $(SOCKETS_SRC) $(CORE_SRC) $(READER_SRC) $(TLS_SRC)) $(call bearssl,build/sockets-lwip-$1) \
        build/sockets-lwip-$1/obj/miniz.o $(LWIP_SOCKETS_SRC:%=build/sockets-lwip-$1/lwip/%.o) $(LISTS)
	@echo '  link    $$@'
	$$(Q)$(LINK) $(ASAN_FLAGS) $$(LINKED) -pthread -Wl,--gc-sections -o $$@
endef
$(foreach w,$(SOCKETS_WAITS),$(eval $(call sockets_lwip,$w)))
FLAGS.tests/boards/sockets/lwip := -D_GNU_SOURCE -pthread

SOCKETS_PROGRAMS := $(SOCKETS_WAITS:%=build/sockets-lwip-%/device) $(foreach w,$(SOCKETS_WAITS),$(foreach p,skillromd pump conformance-device dispenser,build/sockets-$w/$p) \
                        build/sockets-$w/faulty/pump build/sockets-device-$w/device)
NEEDS.sockets       := $(SOCKETS_PROGRAMS) build/conformance.rom
NEEDS.sockets-check := $(SOCKETS_PROGRAMS) build/asan/wire-runner build/conformance.rom build/example-deflated.rom

# Compiled against the declarations of Zephyr in this folder, before 4.4 and after, with poll and select; and as the module for Zephyr does,
# for HTTP over IPv4 alone.
ZEPHYR_STUBS := $(foreach v,before-4.4-poll from-4.4-poll from-4.4-select from-4.4-http,build/sockets-zephyr-$v)
ZEPHYR_FLAGS := -mcpu=cortex-m3 -mthumb -Os -ffunction-sections -fdata-sections -DSKR_PROFILE_NET -D__ZEPHYR__=1 -Itests/boards/sockets/zephyr
$(foreach d,$(ZEPHYR_STUBS),\
    $(eval $d/obj/port/sockets/%.o: SOCKETS_WAIT := SKR_SOCKETS_$(if $(findstring select,$d),SELECT,POLL))\
    $(eval $d/obj/port/sockets/%.o: SOCKETS_TLS :=)\
    $(eval $(call flavour,$d,$(ARM_CC),$(ZEPHYR_FLAGS) -DZEPHYR_PREFIXES=$(if $(findstring from,$d),1,0) $(if $(findstring http,$d),-DSKR_SOCKETS_LINES=0 -DSKR_SOCKETS_IPV6=0))))
warnings: $(foreach d,$(ZEPHYR_STUBS),$(call objects,$d,$(SOCKETS_SRC)))

# Limits of the code there: all of it, that for HTTP over IPv4, and the memory of one connection.
SOCKETS_FLASH_BUDGETS := from-4.4-poll=3520 from-4.4-http=3072
SOCKETS_RAM_BUDGET    := 2560
SOCKETS_SIZED         := $(foreach b,$(SOCKETS_FLASH_BUDGETS),build/sockets-zephyr-$(firstword $(subst =, ,$b)))

# $(call sockets_sized,DIRECTORY)
define sockets_sized
$1/program.elf: $(call objects,$1,tests/boards/sockets/size.c $(SOCKETS_SRC)) build/sources.list
	@echo '  link    $$@'
	$$(Q)$(ARM_CC) -mcpu=cortex-m3 -mthumb --specs=nano.specs -nostartfiles \
	    -Wl,--gc-sections,-e,main,--unresolved-symbols=ignore-all,-Map=$$(@D)/program.map $$(LINKED) -o $$@
endef
$(foreach d,$(SOCKETS_SIZED),$(eval $(call sockets_sized,$d)))

size: size-sockets
size-sockets: $(SOCKETS_SIZED:%=%/program.elf)
	@tests/boards/sockets/size-report $(SOCKETS_RAM_BUDGET) $(SOCKETS_FLASH_BUDGETS:%=build/sockets-zephyr-%)

.PHONY: size-sockets
