# A second runner, whose core has the smallest possible send buffers: every response crosses their ends many times. The
# Makefile builds the first one, build/asan/wire-runner.

CRAMPED     := -DSKR_OAUTH=0 -DSKR_TX_SCRATCH=256 -DSKR_TX_DIRECT=16 -DSKR_TX_SPANS=2
CRAMPED_SRC := $(WIRE_SRC) $(CORE_SRC) $(READER_SRC) $(DEVICE_SRC)

$(eval $(call flavour,build/cramped,$(CC),$(ASAN_FLAGS) $(CRAMPED)))

build/cramped/wire-runner: $(call objects,build/cramped,$(CRAMPED_SRC)) build/cramped/obj/miniz.o $(LISTS)
	@echo '  link    $@'
	$(Q)$(LINK) $(ASAN_FLAGS) $(LINKED) -o $@

NEEDS.wire  += build/asan/dispenser
NEEDS.rules += build/asan/dispenser build/pack
NEEDS.wire-cramped := build/cramped/wire-runner

# One compiled with clang, whose sanitizer of undefined behaviour also detects arithmetic on null pointers. It needs no library,
# as it only stops the program. Its core and reader are the two files of `make amalgamation`.

TRAPPED := -O1 -g -w $(ASSERTS) -fsanitize=undefined -fsanitize-trap=undefined

$(eval $(call flavour,build/trapped,$(CLANG),$(TRAPPED)))

build/trapped/obj/skillrom.o: $(AMALGAMATION) Makefile build/flags.list | $(MINIZ_DIR)/miniz.c
	@mkdir -p $(@D)
	@echo '  compile $@'
	$(Q)$(CLANG) -std=c99 $(TRAPPED) $(CORE_FLAGS) -Ibuild/amalgamation -isystem $(MINIZ_DIR) -c $< -o $@

build/trapped/wire-runner: $(call objects,build/trapped,$(WIRE_SRC) $(DEVICE_SRC)) build/trapped/obj/skillrom.o build/trapped/obj/miniz.o
	@echo '  link    $@'
	$(Q)$(CLANG) $(TRAPPED) $^ -o $@

NEEDS.wire-trapped := build/trapped/wire-runner

# One for each switch, with the core of a PC without that switch: every transcript that does not need the switch also passes
# there, and tests/wire/without/SWITCH.txt shows the responses of missing features. Boards cover the absence of HTTP, jobs and
# deflate (tests/boards/qemu). The fixture has handlers that send client requests, progress, logs and changes.

LEFT_OUT := extras interactive tasks changes dialects panel guard
OFF.extras   := -DSKR_EXTRAS=0
OFF.interactive     := -DSKR_INTERACTIVE=0
OFF.tasks    := -DSKR_TASKS=0
OFF.changes  := -DSKR_CHANGES=0
OFF.dialects := -DSKR_DIALECTS=0
OFF.panel    := -DSKR_PANEL=0
OFF.guard    := -DSKR_GUARD=0

# $(call left_out,SWITCH)
define left_out
$(call flavour,build/without-$1,$(CC),-O0 -g $(ASSERTS) $(OFF.$1))

build/without-$1/wire-runner: $(call objects,build/without-$1,$(filter-out $(if $(filter extras interactive changes,$1),$(FIXTURE_SRC)) $(if $(filter guard,$1),$(GUARDED_SRC)),$(CRAMPED_SRC))) \
                              build/without-$1/obj/miniz.o $(LISTS)
	@echo '  link    $$@'
	$$(Q)$(LINK) $$(LINKED) -o $$@

build/without-$1/config.txt: core/skr_config.h tools/list-config tests/wire/build.mk
	@mkdir -p $$(@D)
	$$(Q)tools/list-config $$< $(CC) $(OFF.$1) >$$@

NEEDS.wire-without-$1 := build/without-$1/wire-runner build/without-$1/config.txt
RUN.wire-without-$1   := build/without-$1/wire-runner --without $1 $(sort $(wildcard tests/wire/*.txt tests/wire/without/$1.txt))
endef
$(foreach switch,$(LEFT_OUT),$(eval $(call left_out,$(switch))))

# One with the firmware and the freshness of the contract's fixture: tests/wire/contract/responses.txt has the responses that the
# contract prints.

CONTRACT     := -DSKR_TTL_MS=300000 -DWIRE_DEVICE=contract_device
CONTRACT_SRC := $(CRAMPED_SRC) tests/wire/contract/device.c

FLAGS.tests/wire/contract := $(FLAGS.tests/wire) -Ibuild/gen/tests/wire/devices/contract

$(foreach flavour,build build/clang build/contract,$(call objects,$(flavour),tests/wire/contract/device.c)): \
    | build/gen/tests/wire/devices/contract/tools.h
$(eval $(call flavour,build/contract,$(CC),$(ASAN_FLAGS) $(CONTRACT)))

build/contract/wire-runner: $(call objects,build/contract,$(CONTRACT_SRC)) build/contract/obj/miniz.o $(LISTS)
	@echo '  link    $@'
	$(Q)$(LINK) $(ASAN_FLAGS) $(LINKED) -o $@

NEEDS.wire-contract := build/contract/wire-runner
warnings: $(foreach flavour,build build/clang,$(call objects,$(flavour),tests/wire/contract/device.c))
