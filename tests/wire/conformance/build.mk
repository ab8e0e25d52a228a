# The conformance fixture: a device of its own on the core and port of skillromd. The Makefile includes this.

FIXTURE := tests/wire/conformance/device

FLAGS.$(FIXTURE) := -DSKR_TOOLS_PARTIAL -D_GNU_SOURCE $(NO_HEAP) -Iport/posix -Ibuild/gen/$(FIXTURE)

# $(call fixture,DIRECTORY,FLAGS)
define fixture
$1/conformance-device: $(call objects,$1,$(FIXTURE_SRC)) $1/libposix.a $1/libskillrom.a $(LISTS)
	@echo '  link    $$@'
	$$(Q)$(LINK) $2 $$(LINKED) -Wl,--gc-sections -o $$@
endef

$(eval $(call fixture,build,$(GCC_FLAGS)))
$(eval $(call fixture,build/asan,$(ASAN_FLAGS)))

build/conformance.rom: build/skillrom build/gen/$(FIXTURE)/inputs.list
	@echo '  pack    $@'
	$(Q)build/skillrom pack --strict $(FIXTURE) -o $@ >/dev/null

build/example-deflated.rom: build/skillrom build/gen/examples/pump/inputs.list
	@echo '  pack    $@'
	$(Q)build/skillrom pack --strict --compress examples/pump -o $@ >/dev/null

# Programs that tests/wire/conformance/run starts. clang only checks the fixture for warnings.
conformance-programs: build/example.rom build/example-deflated.rom build/conformance.rom \
                      build/pump build/conformance-device \
                      build/asan/pump build/asan/conformance-device \
                      $(call objects,build/clang,$(FIXTURE_SRC))
conformance: conformance-programs
NEEDS.conformance := conformance-programs

.PHONY: conformance-programs
