# The program whose instructions are counted, compiled with gcc -O2 and with clang -O2, with the version of DWARF that valgrind reads.

TOKENS_SRC := tests/quality/tokens.c $(CORE_SRC) $(READER_SRC)

FLAGS.tests/quality := -D_GNU_SOURCE $(MINIZ)

$(eval $(call flavour,build/tokens/by-clang,$(CLANG),-O2 -gdwarf-4 -w))

build/tokens/gcc: $(call objects,build,tests/quality/tokens.c) build/libskillrom.a $(LISTS)
	@mkdir -p $(@D)
	@echo '  link    $@'
	$(Q)$(LINK) $(GCC_FLAGS) $(LINKED) -Wl,--gc-sections -o $@

build/tokens/clang: $(call objects,build/tokens/by-clang,$(TOKENS_SRC)) build/tokens/by-clang/obj/miniz.o
	@echo '  link    $@'
	$(Q)$(CLANG) $^ -o $@

NEEDS.tokens := build/tokens/gcc build/tokens/clang build/example.rom
warnings: $(call objects,build/clang,tests/quality/tokens.c)
