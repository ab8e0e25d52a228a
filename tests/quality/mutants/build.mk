# Mutants: make mutants N=200 SEED=1. Core, reader and serial wire are a shared library here, so that a change is one object and
# one library, and no test program is linked again. Unit tests and transcripts run without sanitizers, which is fast; a mutant that
# survives also runs the unit tests with sanitizers.

MUTANTS_FLAGS := -O1 -w -fPIC $(ASSERTS) $(CPPFLAGS) $(CFLAGS)
MUTANTS_ASAN  := $(ASAN_FLAGS) -g0 -fPIC
MUTANTS_UNIT  := $(filter-out %/test_mqtt.c %/test_cmdline.c %/test_clip.c %/test_share.c %/test_updater.c,$(filter tests/unit/%,$(UNIT_SRC)))# these test other parts
MUTANTS_LIB    = $(call objects,$1,$(CORE_SRC) $(READER_SRC) $(UART_SRC)) $1/obj/miniz.o
MUTANTS_MADE   = $(patsubst tests/%.c,$1/%,$(MUTANTS_UNIT)) $1/libskillrom.so
MUTANTS_SO    := -shared -Wl,-soname,libskillrom.so -Wl,-z,defs

$(eval $(call flavour,build/mutants/plain,$(CC),$(MUTANTS_FLAGS)))
$(eval $(call flavour,build/mutants/asan,$(CC),$(MUTANTS_ASAN)))

# $(call mutants_kind,DIRECTORY,FLAGS,DIRECTORY OF THE OTHER OBJECTS,DIRECTORY OF THE OTHER LIBRARIES)
define mutants_kind
$1/libskillrom.so: $(call MUTANTS_LIB,$1) $(LISTS)
	@echo '  link    $$@'
	$$(Q)$(LINK) $2 $(MUTANTS_SO) $$(LINKED) -o $$@

$(patsubst tests/%.c,$1/%,$(MUTANTS_UNIT)): $1/%: $3/obj/tests/%.o $(call objects,$3,$(UNIT_HELP)) $3/obj/unity.o \
                  $4/libtls.a $4/libmkromfs.a $(LISTS) | $1/libskillrom.so
	@mkdir -p $$(@D)
	@echo '  link    $$@'
	$$(Q)$(LINK) $2 $$(filter %.o,$$^) $1/libskillrom.so $$(filter %.a,$$^) -lfyaml -lutf8proc -o $$@
endef
$(eval $(call mutants_kind,build/mutants/plain,$(MUTANTS_FLAGS),build/mutants/plain,build))
$(eval $(call mutants_kind,build/mutants/asan,$(ASAN_FLAGS) -Wl$(comma)-S,build/asan,build/asan))

build/mutants/plain/obj/unity.o: $(UNITY_DIR)/src/unity.c Makefile build/flags.list
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c99 -w -c $< -o $@

build/mutants/plain/wire-runner: $(call objects,build/mutants/plain,$(WIRE_SRC) $(DEVICE_SRC)) $(LISTS) | build/mutants/plain/libskillrom.so
	@echo '  link    $@'
	$(Q)$(LINK) $(LINKED) build/mutants/plain/libskillrom.so -o $@

# A library whose functions report that they were reached: only tests that reach a function can notice a change there.
$(eval $(call flavour,build/mutants/reach,$(CC),$(MUTANTS_FLAGS) -finstrument-functions))

build/mutants/reach/libskillrom.so: $(call MUTANTS_LIB,build/mutants/reach) build/mutants/plain/obj/tests/quality/mutants/reached.o $(LISTS)
	@echo '  link    $@'
	$(Q)$(LINK) $(MUTANTS_SO) $(LINKED) -o $@

# How a changed source becomes a library: tests/quality/mutants/trial.py
build/mutants/commands: FORCE
	@$(call when_new,printf '%s\n' $(foreach kind,plain asan,$(foreach flags,$(if $(filter asan,$(kind)),MUTANTS_ASAN,MUTANTS_FLAGS), \
	    $(call quoted,compile.$(kind) $(CC) $(COMMON) $($(flags)) $(CORE_FLAGS)) \
	    $(call quoted,link.$(kind) $(LINK) $($(flags)) $(MUTANTS_SO) $(call MUTANTS_LIB,build/mutants/$(kind))))) \
	    $(call quoted,tests $(basename $(notdir $(MUTANTS_UNIT)))))

# The tool's own test needs one of the unit tests, with sanitizers and without. Neither is a part of make test.
mutants-check: build/mutants/commands build/mutants/reach/libskillrom.so $(foreach kind,plain asan,build/mutants/$(kind)/unit/test_seal build/mutants/$(kind)/libskillrom.so)
	@tests/quality/mutants/run

mutants-programs: build/skillrom build/mutants/reach/libskillrom.so build/mutants/commands build/mutants/plain/wire-runner $(foreach kind,plain asan,$(call MUTANTS_MADE,build/mutants/$(kind)))
mutants: mutants-programs ## make N=200 small changes to core and reader, one at a time, and report those that no test notices; SEED=1
	@nice -n 19 tests/quality/mutants/mutate --count $(or $(N),200) --seed $(or $(SEED),1)

test-long: mutants-check mutants
.PHONY: mutants mutants-check mutants-programs
