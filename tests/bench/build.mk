# What `make bench` and tests/bench/check run. The programs are built like everything else under build/, by gcc -O2.

BENCH_PROGRAMS := build/bench/constant build/bench/load build/bench/drive

FLAGS.tests/bench := -D_GNU_SOURCE $(MINIZ)

build/bench/constant build/bench/load: build/bench/%: build/obj/tests/bench/%.o
	@mkdir -p $(@D)
	@echo '  link    $@'
	$(Q)$(CC) $(GCC_FLAGS) $^ -o $@

build/bench/drive: build/obj/tests/bench/drive.o build/libskillrom.a
	@mkdir -p $(@D)
	@echo '  link    $@'
	$(Q)$(CC) $(GCC_FLAGS) $^ -Wl,--gc-sections -o $@

bench-programs: all $(BENCH_PROGRAMS)
bench test-programs: $(BENCH_PROGRAMS)
warnings: $(call objects,build/clang,$(wildcard tests/bench/*.c))

.PHONY: bench-programs
