# A second runner, whose core has the smallest send buffers there may be: every answer crosses their ends many
# times. The Makefile builds the first one, build/asan/wire-runner.

CRAMPED     := -DSKR_TX_SCRATCH=256 -DSKR_TX_DIRECT=16 -DSKR_TX_SPANS=2
CRAMPED_SRC := $(WIRE_SRC) $(CORE_SRC) $(READER_SRC) $(DEVICE_SRC)

$(eval $(call flavour,build/cramped,$(CC),$(ASAN_FLAGS) $(CRAMPED)))

build/cramped/wire-runner: $(call objects,build/cramped,$(CRAMPED_SRC)) build/cramped/obj/miniz.o $(LISTS)
	@echo '  link    $@'
	$(Q)$(LINK) $(ASAN_FLAGS) $(LINKED) -o $@

NEEDS.wire-cramped := build/cramped/wire-runner

# One by clang, whose sanitizer of undefined behaviour knows more than gcc's: arithmetic on null pointers. It needs no
# library, as it only stops the program.

TRAPPED := -O1 -g -w $(ASSERTS) -fsanitize=undefined -fsanitize-trap=undefined

$(eval $(call flavour,build/trapped,$(CLANG),$(TRAPPED)))

build/trapped/wire-runner: $(call objects,build/trapped,$(CRAMPED_SRC)) build/trapped/obj/miniz.o
	@echo '  link    $@'
	$(Q)$(CLANG) $(TRAPPED) $^ -o $@

NEEDS.wire-trapped := build/trapped/wire-runner

# One whose core knows the released skills extension alone: tests/wire/without is about that.

WITHOUT := $(patsubst %,-DSKR_%=0,DIALECT_B DIALECT_C DIALECT_D DIALECT_E DIALECT_F ARCHIVES SKILL_TOOLS SKILL_PROMPTS \
                                 DIRECTORY_READ)

$(eval $(call flavour,build/without,$(CC),$(ASAN_FLAGS) $(WITHOUT)))

build/without/wire-runner: $(call objects,build/without,$(CRAMPED_SRC)) build/without/obj/miniz.o $(LISTS)
	@echo '  link    $@'
	$(Q)$(LINK) $(ASAN_FLAGS) $(LINKED) -o $@

NEEDS.wire-without := build/without/wire-runner

# One with the firmware and the freshness that the contract's fixture has, and without what else every result
# would carry: tests/wire/contract/answers.txt holds what the contract prints.

CONTRACT     := -DSKR_TTL_MS=300000 -DSKR_RESULT_INFO=0 -DWIRE_DEVICE=contract_device
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
