# Firmware with Ethernet, in QEMU: prerequisites of tests/boards/net/run.

# $(call net_fixture,BUILD): the conformance fixture as a firmware
net_fixture = $(call board_firmware,$1,conformance,conformance_device,$(net_objects) $(call objects,build/$1,$(filter-out %/main.c,$(FIXTURE_SRC))))
$(foreach b,$(NET_BUILDS),$(eval $(call net_fixture,$b)))

# The dispenser as a firmware, whose tools have rules, where SKR_GUARD is on.
net_dispenser = $(call board_firmware,$1,dispenser,dispenser_device,$(net_objects) $(call objects,build/$1,$(GUARDED_SRC)))
$(eval $(call net_dispenser,mps2-an385-net-full))

net-programs: $(foreach b,$(NET_BUILDS),build/$b/program.elf build/$b/config.txt) build/example.rom build/conformance.rom \
              $(foreach b,lm3s6965evb mps2-an385,build/$b-net-full/conformance.elf) build/mps2-an385-net-full/dispenser.elf
NEEDS.net       := net-programs
NEEDS.net-check := net-programs conformance-programs

# Limit of a device with lwIP, HTTP and four connections, without its skills and with its stack.
# 73 KB of flash: one since idle connections survive a reset (456 bytes, boards/net/resume.c), and one for the state table of
# tool calls, titles, URIs with capitals and images that do not fit, and one for the panel.
NET_FLASH_BUDGET := 74752
NET_RAM_BUDGET   := 24576

size: size-net
size-net: build/lm3s6965evb-net/program.elf build/mps2-an385-net/program.elf
	@tools/net-report.py --flash $(NET_FLASH_BUDGET) --ram $(NET_RAM_BUDGET) $(dir $^)

qemu: qemu-net
qemu-net: net-programs build/asan/wire-runner
	@tests/boards/net/run

# Both compilers compile the port for this machine without a warning.
warnings: $(foreach flavour,build build/clang,$(call objects,$(flavour),$(PORT_LWIP_SRC)))
$(foreach flavour,build build/clang,$(call objects,$(flavour),$(PORT_LWIP_SRC))): | $(LWIP_DIR)/src/include/lwip/init.h

.PHONY: net-programs size-net qemu-net

# make conformance TARGET=lm3s6965evb
ifdef TARGET
conformance: build/$(TARGET)-net-full/program.elf build/$(TARGET)-net-full/conformance.elf
endif

# ---- The server beside a bare echo, for bench.py ----

FLAGS.tests/boards/net := $(FLAGS.boards/net)
$(foreach b,$(NET_BUILDS),build/$b/obj/tests/boards/net/echo.o): | $(LWIP_DIR)/src/include/lwip/init.h

# $(call net_echo,BUILD)
net_echo = $(call board_firmware,$1,echo,skr_example_device,build/$1/obj/tests/boards/net/echo.o $(filter-out %/net/main.o,$(net_objects)) \
    $(call objects,build/$1,$(DEVICE_SRC)))
BENCH_NET := mps2-an385-net-full mps2-an385-net lm3s6965evb-net
$(foreach b,$(BENCH_NET),$(eval $(call net_echo,$b)))

bench: bench-net
bench-net: $(foreach b,$(BENCH_NET),build/$b/echo.elf) build/net/bench.rom
	@tests/boards/net/bench.py $(BENCH_NET)

build/net/bench.rom: tests/boards/net/make-device build/skillrom
	@mkdir -p $(@D)
	$(Q)tests/boards/net/make-device build/net/bench && build/skillrom pack build/net/bench -o $@ >/dev/null

.PHONY: bench-net
