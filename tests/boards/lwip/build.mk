# port/lwip on a PC: real lwIP with its pools, the core as the LM3S6965 has it (net_full_skr.h), the conformance fixture, and TLS.
# build/lwip has sanitizers, build/cov/lwip counts branches for make coverage.
#
# A pointer has eight bytes here: lwIP aligns its elements to that, and struct pbuf, which is larger, leaves less room in a copy.

LWIP_PC_FLAGS := -DSKR_USER_CONFIG='"net_full_skr.h"' -Iboards/lm3s6965evb -DMEM_ALIGNMENT=8 -DSKR_LWIP_COPY_MAX=248 -DSKR_LWIP_LISTENERS=3 \
                 -DSKR_LWIP_ASSERTS $(WITH_TLS)
LWIP_TESTS    := $(sort $(wildcard tests/boards/lwip/test_*.c))
LWIP_HELP     := $(filter-out $(LWIP_TESTS),$(sort $(wildcard tests/boards/lwip/*.c)))

FLAGS.tests/boards/lwip := $(WITH_TLS) -Iport/lwip -Iport -Iboards/net -Itests/wire/conformance/device -isystem $(LWIP_DIR)/src/include \
                    -isystem $(UNITY_DIR)/src

# $(call lwip_pc,DIRECTORY,FLAGS)
define lwip_pc
$(call flavour,$1,$(CC),$2 $(LWIP_PC_FLAGS))
$(call bearssl_rule,$1,$(CC),$2)

$1/lwip/%.o: $(LWIP_DIR)/src/%.c $(LWIP_CONFIG) Makefile tests/boards/lwip/build.mk build/flags.list
	@mkdir -p $$(@D)
	$$(Q)$(CC) -std=c99 -w $2 $(LWIP_PC_FLAGS) -Iport/lwip -Iboards/net -Iboards/common -isystem $(LWIP_DIR)/src/include -c $$< -o $$@

$1/obj/unity.o: $(UNITY_DIR)/src/unity.c Makefile build/flags.list
	@mkdir -p $$(@D)
	$$(Q)$(CC) -std=c99 -w $2 -c $$< -o $$@

$(call objects,$1,$(PORT_LWIP_SRC) $(LWIP_HELP) $(LWIP_TESTS)): | $(LWIP_DIR)/src/include/lwip/init.h $(UNITY_DIR)/src/unity.c
$1/libdevice.a: $(call objects,$1,$(CORE_SRC) $(READER_SRC) $(PORT_LWIP_SRC) $(TLS_SRC) $(LWIP_HELP) $(filter-out %/main.c,$(FIXTURE_SRC))) \
                $(LWIP_SRC:%=$1/lwip/%.o) $(call bearssl,$1) $1/obj/miniz.o $(LISTS)
	@rm -f $$@
	$$(Q)ar rcsD $$@ $$(LINKED)

$(LWIP_TESTS:tests/boards/lwip/%.c=$1/%): $1/%: $1/obj/tests/boards/lwip/%.o $1/obj/unity.o $1/libdevice.a $(LISTS)
	@echo '  link    $$@'
	$$(Q)$(LINK) $2 $$(LINKED) -o $$@
endef

$(eval $(call lwip_pc,build/lwip,$(ASAN_FLAGS)))
$(eval $(call lwip_pc,build/cov/lwip,$(COV_FLAGS)))

LWIP_PROGRAMS := $(LWIP_TESTS:tests/boards/lwip/%.c=build/lwip/%)
NEEDS.lwip    := $(LWIP_PROGRAMS) build/conformance.rom
coverage-programs: $(LWIP_TESTS:tests/boards/lwip/%.c=build/cov/lwip/%) build/conformance.rom
warnings: $(foreach flavour,build build/clang,$(call objects,$(flavour),$(LWIP_HELP) $(LWIP_TESTS)))
