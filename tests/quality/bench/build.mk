# What `make bench` and tests/quality/bench/check run. The programs are built like everything else under build/, by gcc -O2.

BENCH_PROGRAMS := build/bench/constant build/bench/load build/bench/drive build/bench/many/pump

FLAGS.tests/quality/bench := -D_GNU_SOURCE $(MINIZ)

build/bench/constant build/bench/load: build/bench/%: build/obj/tests/quality/bench/%.o $(LISTS)
	@mkdir -p $(@D)
	@echo '  link    $@'
	$(Q)$(LINK) $(GCC_FLAGS) $(LINKED) -o $@

build/bench/drive: $(call objects,build,tests/quality/bench/drive.c $(DEVICE_SRC)) build/libskillrom.a $(LISTS)
	@mkdir -p $(@D)
	@echo '  link    $@'
	$(Q)$(LINK) $(GCC_FLAGS) $(LINKED) -Wl,--gc-sections -o $@

# The example device with slots for 128 connections.
$(eval $(call flavour,build/bench/many,$(CC),$(GCC_FLAGS) -DSKR_SOCKETS_SLOTS=144))
build/bench/many/pump: $(call objects,build/bench/many,examples/pump/main.c $(DEVICE_SRC) $(PORT_SRC) $(SOCKETS_SRC) $(HOST_SRC) $(UPDATE_SRC)) build/libtls.a build/libskillrom.a $(LISTS)
	@echo '  link    $@'
	$(Q)$(LINK) $(GCC_FLAGS) $(LINKED) -Wl,--gc-sections -o $@

bench-programs: all $(BENCH_PROGRAMS)
bench: $(BENCH_PROGRAMS)
NEEDS.bench-check := $(BENCH_PROGRAMS)
warnings: $(call objects,build/clang,$(wildcard tests/quality/bench/*.c))

.PHONY: bench-programs
