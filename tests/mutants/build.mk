# Mutants: make mutants N=200 SEED=1. Unit tests and transcripts run without sanitizers, which is quick; what survives that runs
# the unit tests of build/asan, too. Each is linked again with one object changed.

MUTANTS_FLAGS := -O1 -w $(ASSERTS) $(CPPFLAGS) $(CFLAGS)
MUTANTS_UNIT  := $(filter tests/unit/%,$(UNIT_SRC))
MUTANTS_HELP   = $(call objects,$1,$(UNIT_HELP)) $1/obj/unity.o $2/libtls.a $1/libskillrom.a $2/libmkromfs.a
MUTANTS_PLAIN := $(call MUTANTS_HELP,build/mutants,build)
MUTANTS_ASAN  := $(call MUTANTS_HELP,build/asan,build/asan)
MUTANTS_WIRE  := $(call objects,build/mutants,$(WIRE_SRC) $(DEVICE_SRC)) build/mutants/libskillrom.a

$(eval $(call flavour,build/mutants,$(CC),$(MUTANTS_FLAGS)))

build/mutants/obj/unity.o: $(UNITY_DIR)/src/unity.c Makefile build/flags.list
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c99 -w -c $< -o $@

build/mutants/libskillrom.a: $(call objects,build/mutants,$(CORE_SRC) $(READER_SRC) $(UART_SRC)) build/mutants/obj/miniz.o $(LISTS)
	@rm -f $@
	$(Q)ar rcsD $@ $(LINKED)

# How a changed source becomes a test program: tests/mutants/trial.py
build/mutants/commands: FORCE
	@$(call when_new,printf '%s\n' $(call quoted,compile.asan $(CC) $(COMMON) $(ASAN_FLAGS) -g0 $(CORE_FLAGS)) \
	    $(call quoted,compile.plain $(CC) $(COMMON) $(MUTANTS_FLAGS) $(CORE_FLAGS)) \
	    $(call quoted,link.asan $(LINK) $(ASAN_FLAGS) -Wl$(comma)-S $(MUTANTS_ASAN) -lfyaml -lutf8proc) \
	    $(call quoted,link.plain $(LINK) $(MUTANTS_PLAIN) -lfyaml -lutf8proc) $(call quoted,link.wire $(LINK) $(MUTANTS_WIRE)))

# The tool's own test needs two of the unit tests.
NEEDS.mutants := build/mutants/commands $(MUTANTS_ASAN) $(patsubst %,build/asan/obj/tests/unit/%.o,test_json test_seal)

mutants-programs: build/skillrom build/mutants/commands $(MUTANTS_PLAIN) $(MUTANTS_ASAN) $(MUTANTS_WIRE) \
                  $(foreach flavour,build/asan build/mutants,$(call objects,$(flavour),$(MUTANTS_UNIT)))
mutants: mutants-programs ## change N=200 small things in core and reader, one at a time, and see which change no test notices; SEED=1
	@nice -n 19 tests/mutants/mutate --count $(or $(N),200) --seed $(or $(SEED),1)

test-long: mutants
.PHONY: mutants mutants-programs
