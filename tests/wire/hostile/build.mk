# The hostile tests: core and reader in several profiles, with sanitizers, each with programs of its own.
# build/hostile/<profile>/<program>; tests/wire/hostile/run runs them.

HOSTILE_PROFILES := tiny net host# full and tiny-http: make test-long
HOSTILE_HELP     := tests/wire/hostile/count.c tests/wire/hostile/judge.c tests/wire/hostile/agree.c tests/wire/hostile/corpus.c tests/unit/sample.c tests/unit/peer.c
HOSTILE_MAINS    := $(filter-out $(HOSTILE_HELP) tests/wire/hostile/big.c,$(sort $(wildcard tests/wire/hostile/*.c)))
HOSTILE_FLAGS    := $(ASAN_FLAGS)

HOSTILE.tiny      := -DSKR_PROFILE_TINY
HOSTILE.net       := -DSKR_PROFILE_NET
HOSTILE.full      := -DSKR_PROFILE_FULL
HOSTILE.host      := -DSKR_PROFILE_HOST
HOSTILE.tiny-http := -DSKR_PROFILE_TINY -DSKR_HTTP=1 -DSKR_EXTRAS=1

FLAGS.tests/wire/hostile := -D_GNU_SOURCE $(MINIZ) -Iromfs/mkromfs -Itests/unit

# $(call hostile,PROFILE): every program of one profile, with that profile's core and reader. All use one library of the image
# compiler, which depends on no switch: of the core it needs functions of text/ alone.
define hostile
$(call flavour,build/hostile/$1,$(CC),$(HOSTILE_FLAGS) $(HOSTILE.$1))

$(patsubst tests/wire/hostile/%.c,build/hostile/$1/%,$(HOSTILE_MAINS)): build/hostile/$1/%: build/hostile/$1/obj/tests/wire/hostile/%.o \
        $(call objects,build/hostile/$1,$(HOSTILE_HELP) $(CORE_SRC) $(READER_SRC)) build/asan/libmkromfs.a $(LISTS)
	@echo '  link    $$@'
	$$(Q)$(LINK) $(HOSTILE_FLAGS) $$(LINKED) -lfyaml -lutf8proc -o $$@

hostile-programs: $(patsubst tests/wire/hostile/%.c,build/hostile/$1/%,$(HOSTILE_MAINS))
endef
$(foreach profile,$(HOSTILE_PROFILES),$(eval $(call hostile,$(profile))))

# The response of 16 MiB: profile tiny without sanitizers, because 45 million bytes are made one by one.
$(eval $(call flavour,build/hostile/big,$(CC),-O2 -g $(ASSERTS) $(HOSTILE.tiny)))
build/hostile/big/big: $(call objects,build/hostile/big,tests/wire/hostile/big.c tests/wire/hostile/count.c $(CORE_SRC) $(READER_SRC)) \
                       build/hostile/big/obj/miniz.o $(LISTS)
	@echo '  link    $@'
	$(Q)$(LINK) -O2 $(LINKED) -o $@

hostile-programs: build/hostile/big/big build/skillrom
NEEDS.hostile := hostile-programs

test-long: hostile-long
hostile-long: build/asan/libmkromfs.a build/skillrom
	@ALL=1 TIMES=3 tests/wire/hostile/run
warnings: $(foreach flavour,build build/clang,$(call objects,$(flavour),$(sort $(wildcard tests/wire/hostile/*.c))))
.PHONY: hostile-programs hostile-long
