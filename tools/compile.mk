# How everything is compiled: flags, one pattern rule per flavour, libraries and programs. The Makefile includes this.

# ---- Lists that every run of make checks again ----

# $(call when_new,COMMAND): the recipe of a file with the output of COMMAND, which is written only when that has changed.
# Timestamps cannot reveal deletions, so targets made from a wildcard's files also depend on a list of them.
when_new = mkdir -p $(@D); now=$$($1); [ "$$now" = "$$(cat $@ 2>/dev/null)" ] || printf '%s\n' "$$now" >$@
quoted   = '$(subst ','\'',$1)'

# $(call sources,FOLDERS,NAMES): C files except those that are the content of skills; core/skills is a layer.
sources = find $1 -name skills ! -path core/skills -prune -o -name $2 -print

# All C files, for libraries and programs.
build/sources.list: FORCE
	@$(call when_new,$(call sources,boards core examples host port romfs tests $(DEVICE),'*.c') 2>/dev/null | LC_ALL=C sort -u)

# Names and contents of the files of a device folder, except the C beside its device.json: for its image and its header.
build/gen/%/inputs.list: FORCE
	@$(call when_new,{ $(call inputs,$*) && $(call inputs,$*) -type f -exec cksum {} +; } | LC_ALL=C sort)
inputs = find -H $1 -name .git -prune -o \( -path '$1/*/*' -o ! -name '*.[ch]' \)
.PRECIOUS: build/gen/%/inputs.list

# User-supplied flags.
build/flags.list: FORCE
	@$(call when_new,echo $(call quoted,$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS)))

.PHONY: FORCE

# ---- Flags ----

WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
COMMON   := -std=c99 $(WARNINGS) -Icore -Iromfs -Ihost/base -isystem $(JSMN_DIR) -isystem $(MINIZ_DIR)
NO_HEAP  := -Wvla -Walloca
ASSERTS  := -DSKR_ASSERTS=1# in every build that is only for tests
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
MINIZ    := -DMINIZ_NO_STDIO -DMINIZ_NO_TIME -DMINIZ_NO_ARCHIVE_APIS -DMINIZ_NO_ARCHIVE_WRITING_APIS \
            -DMINIZ_NO_ZLIB_APIS -DMINIZ_NO_ZLIB_COMPATIBLE_NAMES -DMINIZ_NO_MALLOC

# For code that uses TLS. A program without TLS leaves it out, and does not link BearSSL.
WITH_TLS              := -DSKR_TLS=1 -isystem $(BEARSSL_DIR)/inc

CORE_FLAGS            := -ffreestanding -fbuiltin $(NO_HEAP) $(MINIZ)
COMPILER_FLAGS        := -D_GNU_SOURCE -Iromfs/mkromfs $(MINIZ)
FLAGS.romfs           := $(CORE_FLAGS)
FLAGS.port/uart       := -ffreestanding -fbuiltin $(NO_HEAP)
FLAGS.host/base       := -D_GNU_SOURCE $(NO_HEAP)
FLAGS.port/posix       = $(FLAGS.port/sockets)
# On a PC port/posix waits; a test sets SOCKETS_WAIT for objects in which port/sockets waits.
SOCKETS_WAIT          := SKR_SOCKETS_OWN
SOCKETS_TLS           := $(WITH_TLS)
FLAGS.port/sockets     = -D_GNU_SOURCE $(NO_HEAP) $(SOCKETS_TLS) -DSKR_SOCKETS_WAIT=$(SOCKETS_WAIT)
FLAGS.port/tls        := -ffreestanding -fbuiltin $(NO_HEAP) $(WITH_TLS)
FLAGS.port/oauth      := $(FLAGS.port/tls)
FLAGS.port/update     := $(FLAGS.port/tls)
FLAGS.port/access     := $(FLAGS.port/uart)
FLAGS.host/main       := $(COMPILER_FLAGS)
FLAGS.host/cli        := $(COMPILER_FLAGS) $(WITH_TLS)
# The example is built in every profile; in small ones without the tool that needs time.
FLAGS.examples/pump := -DSKR_TOOLS_PARTIAL -ffreestanding $(NO_HEAP) -Iport/posix -Ibuild/gen/examples/pump
FLAGS.examples/dispenser := -DSKR_TOOLS_PARTIAL -ffreestanding $(NO_HEAP) -Iport/posix -Ibuild/gen/examples/dispenser
FLAGS.tests/unit      := -D_GNU_SOURCE $(MINIZ) -Iromfs/mkromfs -Ibuild/gen/tests/unit/args/device -isystem $(UNITY_DIR)/src $(WITH_TLS)
FLAGS.tests/unit/lint      := $(FLAGS.tests/unit)
FLAGS.tests/programs/pack      := $(FLAGS.tests/unit)
FLAGS.tests/wire      := -D_GNU_SOURCE $(MINIZ)
FLAGS.tests/quality/size      := -ffreestanding

# Every folder of core is a layer, every folder of the compiler a stage; each layer has the same flags.
$(foreach f,$(sort $(dir $(CORE_SRC))),$(eval FLAGS.$(f:%/=%) := $(CORE_FLAGS)))
$(foreach f,$(sort $(dir $(COMPILER_SRC))),$(eval FLAGS.$(f:%/=%) := $(COMPILER_FLAGS)))
FLAGS.romfs/mkromfs/sign += -isystem $(BEARSSL_DIR)/inc

# ---- How everything is compiled, whatever the flavour ----

# $(call objects,DIRECTORY,SOURCES)
objects = $(patsubst %.c,$1/obj/%.o,$2)

# What is linked or archived depends on LISTS, and its recipe takes $(LINKED).
LISTS  := build/sources.list build/flags.list
LINKED  = $(filter %.o %.a,$^)
LINK   := $(CC) $(LDFLAGS)

# Apple's ar and linker lack these options of GNU's, and its C library keeps the parser of DNS messages in libresolv.
MAC         := $(filter Darwin,$(SYSTEM))
ARCHIVE     := ar $(if $(MAC),rcs,rcsD)
DROP_UNUSED := -Wl,$(if $(MAC),-dead_strip,--gc-sections)
WITH_DNS    := $(if $(MAC),-lresolv)

# A file that changes with the flags of this compiler; user-supplied flags do not apply to microcontrollers.
flags_list = $(if $(filter $(ARM_CC) $(RISCV_CC),$1),,build/flags.list)

# $(call flavour,DIRECTORY,COMPILER,FLAGS[,LIST]): rules for the objects below DIRECTORY; LIST is a file that changes with FLAGS.
# -MD and not -MMD, which leaves out system headers: gcc counts a header of this project as one when lwIP's or TinyUSB's headers
# include it, and then also every other one in its folder.
define flavour
$1/obj/%.o: %.c Makefile tools/compile.mk $(or $4,$(call flags_list,$2)) | $(JSMN_DIR)/jsmn.h $(MINIZ_DIR)/miniz.c
	@mkdir -p $$(@D)
	@echo '  compile $$@'
	$$(Q)$2 $(COMMON) $3 $$(FLAGS.$$(patsubst %/,%,$$(dir $$<))) -MD -MP -c $$< -o $$@

$1/obj/miniz.o: $(MINIZ_DIR)/miniz.c Makefile tools/compile.mk $(or $4,$(call flags_list,$2))
	@mkdir -p $$(@D)
	@echo '  compile $$@'
	$$(Q)$2 -std=c99 -w $3 $(MINIZ) -DNDEBUG -ffunction-sections -c $$< -o $$@

$(call objects,$1,$(UNIT_SRC) $(UNIT_HELP)): | $(UNITY_DIR)/src/unity.c
$(call objects,$1,$(COMPILER_SRC) $(CLI_SRC)): | build/libraries.found $(BEARSSL_DIR)/inc/bearssl.h
$(call objects,$1,$(PORT_SRC) $(SOCKETS_SRC) $(TLS_SRC) $(OAUTH_SRC) $(UPDATE_SRC) $(UNIT_SRC)): | $(BEARSSL_DIR)/inc/bearssl.h
$(call objects,$1,$(DEVICE_SRC) examples/pump/main.c): | build/gen/examples/pump/tools.h
$(call objects,$1,$(GUARDED_SRC) examples/dispenser/main.c): | build/gen/examples/dispenser/tools.h
$(call objects,$1,$(UNIT_SRC)): | build/gen/tests/unit/args/device/tools.h
$(call objects,$1,$(FIXTURE_SRC)): | build/gen/tests/wire/conformance/device/tools.h
endef

# $(call programs,DIRECTORY,COMPILER,FLAGS): the programs, of the objects below DIRECTORY. A device is a program like pump: its
# handlers and its main, linked with two libraries. No handler of the example is in a library, where it would replace a missing
# handler of your own device.
define programs
$1/libskillrom.a: $(call objects,$1,$(CORE_SRC) $(READER_SRC) $(UART_SRC)) $1/obj/miniz.o $(LISTS)
	@rm -f $$@
	$$(Q)$(ARCHIVE) $$@ $$(LINKED)

$1/libposix.a: $(call objects,$1,$(HOST_SRC) $(if $(findstring SKR_POLL,$3),$(filter-out $(SANDBOX_SRC),$(PORT_SRC)),$(PORT_SRC)) $(SOCKETS_SRC) $(TLS_SRC) $(OAUTH_SRC) $(UPDATE_SRC)) $(call bearssl,$1) $(LISTS)
	@rm -f $$@
	$$(Q)$(ARCHIVE) $$@ $$(LINKED)

$1/libmkromfs.a: $(call objects,$1,$(COMPILER_SRC) $(HOST_SRC) $(TEXT_SRC) $(READER_SRC)) $1/obj/miniz.o $(LISTS)
	@rm -f $$@
	$$(Q)$(ARCHIVE) $$@ $$(LINKED)

$1/skillrom: $(call objects,$1,host/main/skillrom.c $(CLI_SRC)) $1/libfleet.a $1/libbridge.a $1/libmqtt.a $1/libmkromfs.a $(call bearssl,$1) $(LISTS)
	@echo '  link    $$@$(if $(MQTT_LIB),, without --mqtt: there is no libmosquitto)'
	$$(Q)$2 $(LDFLAGS) $3 $$(LINKED) $(DROP_UNUSED) -lfyaml -lutf8proc -lm -lresolv $(MQTT_LIB) -o $$@

$1/skillromd: $(call objects,$1,port/posix/main.c) $1/libposix.a $1/libskillrom.a $(LISTS)
	@echo '  link    $$@'
	$$(Q)$2 $(LDFLAGS) $3 $$(LINKED) $(DROP_UNUSED) $(WITH_DNS) -o $$@

$1/dispenser: $(call objects,$1,examples/dispenser/main.c $(GUARDED_SRC)) $1/libposix.a $1/libskillrom.a $(LISTS)
	@echo '  link    $$@'
	$$(Q)$2 $(LDFLAGS) $3 $$(LINKED) $(DROP_UNUSED) $(WITH_DNS) -o $$@

$1/pump: $(call objects,$1,examples/pump/main.c $(DEVICE_SRC)) $1/libposix.a $1/libskillrom.a $(LISTS)
	@echo '  link    $$@'
	$$(Q)$2 $(LDFLAGS) $3 $$(LINKED) $(DROP_UNUSED) $(WITH_DNS) -o $$@
endef

# User-supplied flags come last and take precedence.
GCC_FLAGS  := -O2 -g $(CPPFLAGS) $(CFLAGS)
ASAN_FLAGS := -O1 -g -w $(SANITIZE) $(ASSERTS) $(CPPFLAGS) $(CFLAGS)# sanitizers cause warnings of their own; the other flavours check our code

POLL_FLAGS := $(ASAN_FLAGS) -DSKR_POLL=1

MSAN_FLAGS := -O1 -g -w $(ASSERTS) -fsanitize=memory -fsanitize-memory-track-origins -fno-sanitize-recover=all -fno-omit-frame-pointer \
              -fsanitize-ignorelist=tests/unit/msan-ignore.txt

# Objects that do not depend on the system are those of build/asan/.
define same_for_poll
build/poll/$1/%.o: build/asan/$1/%.o
	@mkdir -p $$(@D)
	$$(Q)cp $$< $$@
endef
$(foreach part,bearssl $(foreach obj,obj bridge/obj,$(addprefix $(obj)/,core romfs port/uart port/tls)),$(eval $(call same_for_poll,$(part))))

include port/tls/build.mk
include host/mqtt/build.mk
$(eval $(call flavour,build,$(CC),$(GCC_FLAGS)))
$(eval $(call flavour,build/asan,$(CC),$(ASAN_FLAGS)))
$(eval $(call flavour,build/poll,$(CC),$(POLL_FLAGS)))
$(eval $(call flavour,build/msan,$(CLANG),$(MSAN_FLAGS)))
$(eval $(call flavour,build/clang,$(CLANG),-O0 $(CPPFLAGS) $(CFLAGS)))# unlike gcc's, its warnings do not come from optimisation
$(eval $(call flavour,build/graph,$(CC),-O0 -fcallgraph-info=su))
$(eval $(call programs,build,$(CC),$(GCC_FLAGS)))
$(eval $(call programs,build/asan,$(CC),$(ASAN_FLAGS)))
$(eval $(call programs,build/poll,$(CC),$(POLL_FLAGS)))
$(eval $(call programs,build/msan,$(CLANG),$(MSAN_FLAGS)))
include host/bridge/build.mk
include host/fleet/build.mk
include core/wire/page/build.mk
