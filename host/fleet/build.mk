# The parts of `skillrom fleet`, with the core as configured for the bridge, and an image of its own. build/pack makes that
# image, before there is a skillrom to contain it. $(call fleet,DIRECTORY,COMPILER,FLAGS) makes DIRECTORY/libfleet.a.

FLEET_SRC   := $(sort $(wildcard host/fleet/*.c))
FLEET_IMAGE := build/gen/host/fleet/device/image.c

FLAGS.host/fleet := -D_GNU_SOURCE $(NO_HEAP) $(WITH_TLS) -Ibuild/gen/host/fleet/device

# `skillrom pack` alone packs everything here, so that nothing else waits for the bridge and the fleet.
build/pack: $(call objects,build,host/main/pack.c) build/libmkromfs.a $(call bearssl,build) $(LISTS)
	@echo '  link    $@'
	$(Q)$(CC) $(LDFLAGS) $(GCC_FLAGS) $(LINKED) $(DROP_UNUSED) -lfyaml -lutf8proc -lm -o $@

$(FLEET_IMAGE): build/pack build/gen/host/fleet/device/inputs.list
	@echo '  pack    $@'
	$(Q)build/pack pack --strict host/fleet/device --emit-c $@ --header $(@D)/tools.h >/dev/null

build/gen/host/fleet/device/tools.h: $(FLEET_IMAGE) ;

define fleet
$(call objects,$1/bridge,$(FLEET_SRC)): | $(FLEET_IMAGE) $(BEARSSL_DIR)/inc/bearssl.h

$1/libfleet.a: $(call objects,$1/bridge,$(FLEET_SRC) $(FLEET_IMAGE)) $(LISTS)
	@rm -f $$@
	$$(Q)$(ARCHIVE) $$@ $$(LINKED)
endef

$(foreach d,build build/asan build/poll,$(eval $(call fleet,$d)))
