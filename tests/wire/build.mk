# A second runner, whose core has the smallest send buffers there may be: every answer crosses their ends many
# times. The Makefile builds the first one, build/asan/wire-runner.

CRAMPED     := -DSKR_TX_SCRATCH=256 -DSKR_TX_DIRECT=16 -DSKR_TX_SPANS=2
CRAMPED_SRC := $(WIRE_SRC) $(CORE_SRC) $(READER_SRC) $(DEVICE_SRC)

$(eval $(call flavour,build/cramped,$(CC),$(ASAN_FLAGS) $(CRAMPED)))

build/cramped/wire-runner: $(call objects,build/cramped,$(CRAMPED_SRC)) build/cramped/obj/miniz.o
	@echo '  link    $@'
	$(Q)$(CC) $(ASAN_FLAGS) $^ -o $@

test-programs: build/cramped/wire-runner
