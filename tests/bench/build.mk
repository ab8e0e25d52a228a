# What `make bench` and tests/bench/check run. The programs are built like everything else under build/, by gcc -O2.

BENCH_PROGRAMS := build/bench/constant build/bench/load build/bench/drive

FLAGS.tests/bench := -D_GNU_SOURCE $(MINIZ)

build/bench/constant build/bench/load: build/bench/%: build/obj/tests/bench/%.o $(LISTS)
	@mkdir -p $(@D)
	@echo '  link    $@'
	$(Q)$(LINK) $(GCC_FLAGS) $(LINKED) -o $@

build/bench/drive: $(call objects,build,tests/bench/drive.c $(DEVICE_SRC)) build/libskillrom.a $(LISTS)
	@mkdir -p $(@D)
	@echo '  link    $@'
	$(Q)$(LINK) $(GCC_FLAGS) $(LINKED) -Wl,--gc-sections -o $@

bench-programs: all $(BENCH_PROGRAMS)
bench: $(BENCH_PROGRAMS)
NEEDS.bench-check := $(BENCH_PROGRAMS)
warnings: $(call objects,build/clang,$(wildcard tests/bench/*.c))

.PHONY: bench-programs
