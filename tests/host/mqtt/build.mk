# Prerequisites of tests/host/mqtt/run: the device with all features, and skillrom built without libmosquitto.
build/without-mqtt/skillrom: $(call objects,build,host/main/skillrom.c $(CLI_SRC) $(MQTT_SRC) host/mqtt/without.c) build/libfleet.a build/libbridge.a build/libmkromfs.a \
                             $(call bearssl,build) $(LISTS)
	@mkdir -p $(@D)
	@echo '  link    $@'
	$(Q)$(LINK) $(GCC_FLAGS) $(LINKED) -Wl,--gc-sections -lfyaml -lutf8proc -lm -lresolv -o $@

NEEDS.mqtt := build/asan/conformance-device build/conformance.rom build/without-mqtt/skillrom build/asan/swarm fleet-images

# The conformance suite through a published device: every server it starts is a device on a broker (tests/host/mqtt/published).
PUBLISHED := $(patsubst %,build/published/%,pump conformance-device)

$(PUBLISHED): build/published/%: tests/host/mqtt/published Makefile tests/host/mqtt/build.mk
	@mkdir -p $(@D)
	@printf '#!/bin/sh\nexec "%s" "%s" "%s" "$$@"\n' $(CURDIR)/tests/host/mqtt/published $(CURDIR)/build/asan/skillrom \
	    $(CURDIR)/build/asan/$* >$@
	@chmod +x $@

conformance-mqtt: conformance-programs build/asan/skillrom $(PUBLISHED) ## run the official suite against a device that is published on a broker
	@tests/wire/conformance/run --suite build/published

test-long: conformance-mqtt
.PHONY: conformance-mqtt
