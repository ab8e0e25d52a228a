# A device of random tools, which tests/unit/args/run has generated into $(ARGS). Both compilers compile its header.

FLAGS.tests/unit/args := -D_GNU_SOURCE

ifdef ARGS
$(ARGS)/args-device: $(ARGS)/handlers.c $(ARGS)/tools.h $(call objects,build/asan,tests/unit/args/show.c) \
                     build/asan/libposix.a build/asan/libskillrom.a
	$(Q)$(CLANG) $(COMMON) -Iport/posix -Itests/unit/args -I$(ARGS) -fsyntax-only $<
	$(Q)printf '#define SKR_TOOLS_TABLE\n#include "tools.h"\n' | \
	    g++ -std=c++11 $(WARNINGS) -Wno-unused -Icore -Iromfs -I$(ARGS) -fsyntax-only -x c++ -
	$(Q)$(CC) $(COMMON) -Iport/posix -Itests/unit/args -I$(ARGS) $(SANITIZE) -O0 $< $(filter %.o %.a,$^) -Wl,--gc-sections -o $@
endif
