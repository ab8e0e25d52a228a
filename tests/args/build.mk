# A device of random tools, which tests/args/run has generated into $(ARGS). Both compilers judge the header.

SHOW_SRC := tests/args/show.c
FLAGS.tests/args := -D_GNU_SOURCE

ifdef ARGS
$(ARGS)/args-device: $(ARGS)/handlers.c $(ARGS)/tools.h $(call objects,build/asan,$(SHOW_SRC) $(filter-out %/main.c,$(PORT_SRC))) \
                     build/asan/libskillrom.a
	$(Q)$(CLANG) $(COMMON) -Iport/posix -Itests/args -I$(ARGS) -fsyntax-only $<
	$(Q)$(CC) $(COMMON) -Iport/posix -Itests/args -I$(ARGS) $(SANITIZE) -O0 $< $(filter %.o %.a,$^) -Wl,--gc-sections -o $@
endif

test-programs: $(call objects,build/asan,$(SHOW_SRC)) $(call objects,build/clang,$(SHOW_SRC))
