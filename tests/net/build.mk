# Firmware with Ethernet, in QEMU: what tests/net/run needs.

# $(call net_fixture,BUILD): the conformance fixture as a firmware
net_fixture = $(call net_firmware,$1,conformance,conformance_device,$(call objects,build/$1,$(filter-out %/main.c,$(FIXTURE_SRC))))
$(foreach b,$(NET_BUILDS),$(eval $(call net_fixture,$b)))

net-programs: $(foreach b,$(NET_BUILDS),build/$b/program.elf build/$b/config.txt) build/lm3s6965evb-net-full/conformance.elf
test-programs: net-programs

.PHONY: net-programs

# make conformance TARGET=lm3s6965evb
ifdef TARGET
conformance: build/$(TARGET)-net-full/program.elf build/$(TARGET)-net-full/conformance.elf
endif
