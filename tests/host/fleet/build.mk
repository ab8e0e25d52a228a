# The swarm: many devices in one program (tests/host/fleet/swarm.c), with cores of profile tiny; and the images of its devices.

SWARM_KINDS := pump valve meter
SWARM_SRC   := tests/host/fleet/swarm.c tests/host/fleet/devices.c $(foreach k,$(SWARM_KINDS),tests/host/fleet/$k/$k.c)

FLAGS.tests/host/fleet := -D_GNU_SOURCE
$(foreach k,$(SWARM_KINDS),$(eval FLAGS.tests/host/fleet/$k := -Ibuild/gen/tests/host/fleet/$k))

# $(call swarm,DIRECTORY,FLAGS)
define swarm
$(call flavour,$1/fleet,$(CC),$2 -DSKR_PROFILE_TINY)
$(foreach k,$(SWARM_KINDS),$(eval $(call objects,$1/fleet,tests/host/fleet/$k/$k.c): | build/gen/tests/host/fleet/$k/tools.h))
$1/swarm: $(call objects,$1/fleet,$(SWARM_SRC) $(CORE_SRC) $(READER_SRC) $(filter-out %/json_edit.c,$(HOST_SRC)) $(MQTT_SRC) $(MQTT_SESSION)) \
          $1/fleet/obj/miniz.o $(LISTS) build/mqtt.list
	@echo '  link    $$@'
	$$(Q)$(LINK) $2 $$(LINKED) -Wl,--gc-sections $(MQTT_LIB) -lm -o $$@
endef

$(eval $(call swarm,build,$(GCC_FLAGS)))
$(eval $(call swarm,build/asan,$(ASAN_FLAGS)))

FLEET_IMAGES := $(SWARM_KINDS:%=build/fleet/%.rom) build/fleet/pump-2.rom
$(SWARM_KINDS:%=build/fleet/%.rom): build/fleet/%.rom: build/skillrom build/gen/tests/host/fleet/%/inputs.list
	@mkdir -p $(@D)
	@echo '  pack    $@'
	$(Q)build/skillrom pack --strict tests/host/fleet/$* -o $@ >/dev/null

# Another build of the pump: later firmware, whose manual has an additional sentence.
build/fleet/pump-2.rom: build/fleet/pump.rom
	@echo '  pack    $@'
	$(Q)rm -rf build/fleet/pump-2 && cp -R tests/host/fleet/pump build/fleet/pump-2 && rm build/fleet/pump-2/*.c
	$(Q)sed -i 's/"1.4.0"/"1.5.0"/' build/fleet/pump-2/device.json
	$(Q)echo 'Note the purge in the log of the plant.' >>build/fleet/pump-2/skills/service-pump/SKILL.md
	$(Q)build/skillrom pack --strict build/fleet/pump-2 -o $@ >/dev/null

fleet-images: $(FLEET_IMAGES)
.PHONY: fleet-images

NEEDS.fleet := build/asan/swarm build/asan/conformance-device build/conformance.rom $(FLEET_IMAGES)

# The official suite through the fleet: the parts that need only an MCP server with skills.
build/behind/pump: tests/host/fleet/behind Makefile tests/host/fleet/build.mk
	@mkdir -p $(@D)
	@printf '#!/bin/sh\nexec "%s" "%s" "%s" "$$@"\n' $(CURDIR)/tests/host/fleet/behind $(CURDIR)/build/asan/skillrom $(CURDIR)/build/asan/pump >$@
	@chmod +x $@

conformance-fleet: conformance-programs build/asan/skillrom build/behind/pump ## run the parts of the official suite that apply to a fleet, through skillrom fleet
	@tests/wire/conformance/run --anywhere build/behind

bench-fleet: all build/swarm fleet-images ## measure a fleet of 10,000 devices: time, memory, calls per second
	@tests/host/fleet/bench

test-long: conformance-fleet
.PHONY: conformance-fleet bench-fleet
