# skillrom: every command a person needs. `make help` lists them.
#
#   build/            gcc -O2: the programs people use
#   build/asan/       gcc with address and undefined-behaviour sanitizers: what the tests run
#   build/msan/       clang with the memory sanitizer: whether anything is read that was never written
#   build/poll/       as build/asan/, with what other systems than Linux have: poll instead of epoll, no sandbox
#   build/clang/      clang: only to see that it compiles without a warning
#   build/graph/      gcc -O0 with call graphs: to look for recursion
#   build/size/       Cortex-M and RISC-V: to measure flash, RAM and stack
#   build/<board>/    firmware: make BOARD=name
#
# One pattern rule per flavour compiles everything; what a folder needs beyond the common flags stands in
# FLAGS.<folder>. Sources are found by wildcard: a new file in a known folder needs no line here.

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory

CC     := $(if $(filter default,$(origin CC)),gcc,$(CC))
CLANG  := clang
ARM_CC := arm-none-eabi-gcc
RISCV_CC := riscv64-unknown-elf-gcc --specs=picolibc.specs
PORT   ?= 7700
Q      := $(if $(filter-out 0,$(V)),,@)# V=1 shows the commands

# Third-party sources, fetched when needed; or your own copies: make MINIZ_DIR=... The core needs jsmn, a
# header, and where SKR_DEFLATE is on miniz's inflater; Unity is what tests judge with.
JSMN_DIR  ?= third_party/jsmn
MINIZ_DIR ?= third_party/miniz
UNITY_DIR ?= third_party/unity
LWIP_DIR  ?= third_party/lwip
BEARSSL_DIR ?= third_party/bearssl
TINYUSB_DIR ?= third_party/tinyusb
PICOSDK_DIR ?= third_party/picosdk

# What core and reader may take on a Cortex-M in profile tiny, with one line connection and a tool that has an argument.
FLASH_BUDGET := 18944
RAM_BUDGET   := 3072

# The same on RISC-V, with compressed instructions: at most 8 % more flash than on the Cortex-M3 of this very build. This is for boards.
RISCV_PERCENT := 8
# 40 bytes above 8 %: the board adds its own to what `make size` compares with a Cortex-M3.
RISCV_FLASH_BUDGET := 20500

# What the older dialects of skills may add on a Cortex-M3, 256 bytes of it to leave out dependencies without a handler.
DIALECTS_BUDGET := 9728

# Tokens, SHA-256 included, on a Cortex-M3 with HTTP: 1.5 KB, and 64 bytes for the right that each method needs.
AUTH_BUDGET := 1600

# What everything that MCP has may take there, without HTTP: 50 KB, 1 KB for skills as tools and prompts, 256 bytes for
# escaped texts, ranges of them above all, 768 for handlers and images that do not fit, which are named with their remedy, 256
# for the table of a tool call's states, and 768 for dependencies without those tools that have no handler.
SURFACE_BUDGET := 54272

# What an open HTTP connection may take in profile net, beside the buffer for its request.
CONNECTION_BUDGET := 2048

comma := ,

# ---- Sources ----

HOST_SRC     := $(sort $(wildcard host/*.c))
CORE_SRC     := $(sort $(wildcard core/*/*.c))
READER_SRC   := $(sort $(wildcard romfs/*.c))
COMPILER_SRC := $(sort $(wildcard romfs/mkromfs/*/*.c))
UART_SRC     := $(sort $(wildcard port/uart/*.c))
SANDBOX_SRC  := $(patsubst %,port/posix/%.c,argv cgroup exec filter leave sandbox schema)# --exec-scripts, which needs Linux
PORT_SRC     := $(filter-out %/main.c $(if $(filter Linux,$(shell uname)),,$(SANDBOX_SRC)),$(sort $(wildcard port/posix/*.c)))
DEVICE_SRC   := $(filter-out %/main.c,$(sort $(wildcard examples/device/*.c)))
MAIN_SRC     := port/posix/main.c examples/device/main.c programs/skillrom.c programs/pack.c# skillromd, pump, skillrom and what makes its own image
UNIT_SRC     := $(sort $(wildcard tests/unit/test_*.c tests/lint/test_*.c tests/pack/test_*.c))
UNIT_HELP    := tests/args/show.c $(filter-out $(UNIT_SRC),$(sort $(wildcard tests/unit/*.c tests/lint/*.c tests/pack/*.c)))
FIXTURE_SRC  := $(sort $(wildcard tests/conformance/device/*.c))
WIRE_SRC     := $(sort $(wildcard tests/wire/*.c) $(filter-out %/main.c,$(FIXTURE_SRC)))
TLS_SRC      := $(sort $(filter-out %/tls_client.c,$(wildcard port/tls/*.c)))# the client is only in the bridge
OAUTH_SRC    := $(sort $(wildcard port/oauth/*.c))
SERVER_SRC   := $(CORE_SRC) $(READER_SRC) $(UART_SRC) $(HOST_SRC) $(PORT_SRC) $(TLS_SRC) $(OAUTH_SRC) $(DEVICE_SRC)

# ---- What is looked at again in every run ----

# $(call when_new,COMMAND): the recipe of a file that holds what COMMAND prints, and is written only when that has changed.
# The time of a file tells nothing of one that is gone, so whatever is made of files that are looked for depends on such a
# list of them, too.
when_new = mkdir -p $(@D); now=$$($1); [ "$$now" = "$$(cat $@ 2>/dev/null)" ] || printf '%s\n' "$$now" >$@
quoted   = '$(subst ','\'',$1)'

# $(call sources,FOLDERS,NAMES): C files but for those that are the content of skills; core/skills is a layer.
sources = find $1 -name skills ! -path core/skills -prune -o -name $2 -print

# Every C file there is: for libraries and programs.
build/sources.list: FORCE
	@$(call when_new,$(call sources,boards core examples host page port programs romfs tests $(DEVICE),'*.c') 2>/dev/null | LC_ALL=C sort -u)

# What a device's folder holds but for the C beside its device.json, by name and content: for its image and its header.
build/gen/%/inputs.list: FORCE
	@$(call when_new,{ $(call inputs,$*) && $(call inputs,$*) -type f -exec cksum {} +; } | LC_ALL=C sort)
inputs = find -H $1 -name .git -prune -o \( -path '$1/*/*' -o ! -name '*.[ch]' \)
.PRECIOUS: build/gen/%/inputs.list

# What the caller wants of the compiler.
build/flags.list: FORCE
	@$(call when_new,echo $(call quoted,$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS)))

.PHONY: FORCE

# ---- Flags ----

WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
COMMON   := -std=c99 $(WARNINGS) -Icore -Iromfs -Ihost -isystem $(JSMN_DIR) -isystem $(MINIZ_DIR)
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
FLAGS.host            := -D_GNU_SOURCE $(NO_HEAP)
FLAGS.port/posix      := -D_GNU_SOURCE $(NO_HEAP) $(WITH_TLS)
FLAGS.port/tls        := -ffreestanding -fbuiltin $(NO_HEAP) $(WITH_TLS)
FLAGS.port/oauth      := $(FLAGS.port/tls)
FLAGS.programs        := $(COMPILER_FLAGS)
# The example is built in every profile, in small ones without the tool that needs time.
FLAGS.examples/device := -DSKR_TOOLS_PARTIAL -ffreestanding $(NO_HEAP) -Iport/posix -Ibuild/gen/examples/device
FLAGS.tests/unit      := -D_GNU_SOURCE $(MINIZ) -Iromfs/mkromfs -Ibuild/gen/tests/args/device -isystem $(UNITY_DIR)/src $(WITH_TLS)
FLAGS.tests/lint      := $(FLAGS.tests/unit)
FLAGS.tests/pack      := $(FLAGS.tests/unit)
FLAGS.tests/wire      := -D_GNU_SOURCE $(MINIZ)
FLAGS.tests/size      := -ffreestanding

# Every folder of core is a layer, every folder of the compiler a stage; each layer has the same flags.
$(foreach f,$(sort $(dir $(CORE_SRC))),$(eval FLAGS.$(f:%/=%) := $(CORE_FLAGS)))
$(foreach f,$(sort $(dir $(COMPILER_SRC))),$(eval FLAGS.$(f:%/=%) := $(COMPILER_FLAGS)))

# ---- Programs and what a person does with them ----

all: build/skillrom build/skillromd build/pump ## build skillrom (the image compiler), skillromd (serves any image) and pump (the example device)

help: ## list the targets
	@sed -n 's/^\([a-z][a-z0-9-]*\):[^#]*## \(.*\)/make \1|\2/p' Makefile $(sort $(filter %.mk,$(MAKEFILE_LIST))) | awk -F'|' '{ \
	    line = sprintf("  %-22s", $$1); n = split($$2, word, " "); \
	    for (i = 1; i <= n; i++) { \
	        if (length(line " " word[i]) > 80) { print line; line = sprintf("%24s", "") } \
	        line = line " " word[i] } \
	    print line }'

# Only what it runs: the device and the compiler of its image. What else `make` builds takes twice as long again.
run: ## install what is missing, build the example device, and serve it; PORT=7700
	@[ -e build/pump ] || echo 'building the example device: about half a minute of processor time, once'
	@$(MAKE) -s $(JOBS) build/pump build/example.rom
	@tools/serve-example build/pump build/example.rom 127.0.0.1:$(PORT)

# What a device's tools get as arguments, generated of their JSON.
build/gen/%/tools.h: build/gen/%/inputs.list build/pack
	@echo '  header  $@'
	$(Q)build/pack pack $* --header $@ >/dev/null

build/example.rom: build/pack build/gen/examples/device/inputs.list
	@echo '  pack    $@'
	$(Q)build/pack pack --strict examples/device -o $@ >/dev/null

deps: ## fetch the pinned third-party sources into third_party/
	@tools/fetch-deps

$(JSMN_DIR)/jsmn.h:
	@tools/fetch-deps jsmn
$(MINIZ_DIR)/miniz.c:
	@tools/fetch-deps miniz
$(UNITY_DIR)/src/unity.c:
	@tools/fetch-deps unity
$(LWIP_DIR)/src/include/lwip/init.h:
	@tools/fetch-deps lwip
$(BEARSSL_DIR)/inc/bearssl.h:
	@tools/fetch-deps bearssl
$(TINYUSB_DIR)/src/tusb.h:
	@tools/fetch-deps tinyusb
$(PICOSDK_DIR)/pico_sdk_init.cmake:
	@tools/fetch-deps picosdk

# What only the image compiler needs, looked for before any of it is compiled. The caller may have it anywhere.
build/libraries.found:
	@mkdir -p $(@D)
	@printf '#include <%s.h>\n' libfyaml utf8proc | $(CC) $(CPPFLAGS) $(CFLAGS) -E - >/dev/null 2>&1 || { printf '%s\n' \
	    'The image compiler is made with libfyaml and utf8proc, and $(CC) does not find their headers.' \
	    'This installs what is missing:  tools/install-packages build' \
	    'or, on Debian, by hand:         apt-get install gcc libc6-dev libfyaml-dev libutf8proc-dev' >&2; exit 1; }
	@touch $@

# ---- How everything is compiled, whatever the flavour ----

# $(call objects,DIRECTORY,SOURCES)
objects = $(patsubst %.c,$1/obj/%.o,$2)

# What is linked or archived depends on LISTS, and its recipe takes $(LINKED).
LISTS  := build/sources.list build/flags.list
LINKED  = $(filter %.o %.a,$^)
LINK   := $(CC) $(LDFLAGS)

# What changes with the flags of this compiler; the caller's are none for a microcontroller.
flags_list = $(if $(filter $(ARM_CC) $(RISCV_CC),$1),,build/flags.list)

# $(call flavour,DIRECTORY,COMPILER,FLAGS[,LIST]): rules for the objects below DIRECTORY; LIST is a file that changes with FLAGS.
# -MD and not -MMD, which leaves out system headers: to gcc one of ours is such a header when lwIP's or TinyUSB's include it, and
# then so is every other one in its folder.
define flavour
$1/obj/%.o: %.c Makefile $(or $4,$(call flags_list,$2)) | $(JSMN_DIR)/jsmn.h $(MINIZ_DIR)/miniz.c
	@mkdir -p $$(@D)
	@echo '  compile $$@'
	$$(Q)$2 $(COMMON) $3 $$(FLAGS.$$(patsubst %/,%,$$(dir $$<))) -MD -MP -c $$< -o $$@

$1/obj/miniz.o: $(MINIZ_DIR)/miniz.c Makefile $(or $4,$(call flags_list,$2))
	@mkdir -p $$(@D)
	@echo '  compile $$@'
	$$(Q)$2 -std=c99 -w $3 $(MINIZ) -DNDEBUG -ffunction-sections -c $$< -o $$@

$(call objects,$1,$(UNIT_SRC) $(UNIT_HELP)): | $(UNITY_DIR)/src/unity.c
$(call objects,$1,$(COMPILER_SRC)): | build/libraries.found
$(call objects,$1,$(PORT_SRC) $(TLS_SRC) $(OAUTH_SRC) $(UNIT_SRC)): | $(BEARSSL_DIR)/inc/bearssl.h
$(call objects,$1,$(DEVICE_SRC) examples/device/main.c): | build/gen/examples/device/tools.h
$(call objects,$1,$(UNIT_SRC)): | build/gen/tests/args/device/tools.h
$(call objects,$1,$(FIXTURE_SRC)): | build/gen/tests/conformance/device/tools.h
endef

# $(call programs,DIRECTORY,COMPILER,FLAGS): the programs, of the objects below DIRECTORY. A device is a program as pump is: its
# handlers and its main, linked with two libraries. No handler of the example is in a library: it would stand in for one that
# is missing in a device of your own.
define programs
$1/libskillrom.a: $(call objects,$1,$(CORE_SRC) $(READER_SRC) $(UART_SRC)) $1/obj/miniz.o $(LISTS)
	@rm -f $$@
	$$(Q)ar rcsD $$@ $$(LINKED)

$1/libposix.a: $(call objects,$1,$(HOST_SRC) $(if $(findstring SKR_POLL,$3),$(filter-out $(SANDBOX_SRC),$(PORT_SRC)),$(PORT_SRC)) $(TLS_SRC) $(OAUTH_SRC)) $(call bearssl,$1) $(LISTS)
	@rm -f $$@
	$$(Q)ar rcsD $$@ $$(LINKED)

$1/libmkromfs.a: $(call objects,$1,$(COMPILER_SRC) $(HOST_SRC) $(READER_SRC)) $1/obj/miniz.o $(LISTS)
	@rm -f $$@
	$$(Q)ar rcsD $$@ $$(LINKED)

$1/skillrom: $(call objects,$1,programs/skillrom.c) $1/libfleet.a $1/libbridge.a $1/libmqtt.a $1/libmkromfs.a $(call bearssl,$1) $(LISTS)
	@echo '  link    $$@$(if $(MQTT_LIB),, without --mqtt: there is no libmosquitto)'
	$$(Q)$2 $(LDFLAGS) $3 $$(LINKED) -Wl,--gc-sections -lfyaml -lutf8proc -lm -lresolv $(MQTT_LIB) -o $$@

$1/skillromd: $(call objects,$1,port/posix/main.c) $1/libposix.a $1/libskillrom.a $(LISTS)
	@echo '  link    $$@'
	$$(Q)$2 $(LDFLAGS) $3 $$(LINKED) -Wl,--gc-sections -o $$@

$1/pump: $(call objects,$1,examples/device/main.c $(DEVICE_SRC)) $1/libposix.a $1/libskillrom.a $(LISTS)
	@echo '  link    $$@'
	$$(Q)$2 $(LDFLAGS) $3 $$(LINKED) -Wl,--gc-sections -o $$@
endef

# The caller's come last, so that they win.
GCC_FLAGS  := -O2 -g $(CPPFLAGS) $(CFLAGS)
ASAN_FLAGS := -O1 -g -w $(SANITIZE) $(ASSERTS) $(CPPFLAGS) $(CFLAGS)# the sanitizers' own code draws warnings; the other flavours judge ours

POLL_FLAGS := $(ASAN_FLAGS) -DSKR_POLL=1

MSAN_FLAGS := -O1 -g -w $(ASSERTS) -fsanitize=memory -fsanitize-memory-track-origins -fno-sanitize-recover=all -fno-omit-frame-pointer \
              -fsanitize-ignorelist=tests/unit/msan-ignore.txt

# What knows nothing of the system is in build/poll/ what it is in build/asan/.
define same_for_poll
build/poll/$1/%.o: build/asan/$1/%.o
	@mkdir -p $$(@D)
	$$(Q)cp $$< $$@
endef
$(foreach part,bearssl $(foreach obj,obj bridge/obj,$(addprefix $(obj)/,core romfs port/uart port/tls)),$(eval $(call same_for_poll,$(part))))

include port/tls/build.mk
include port/mqtt/build.mk
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
include port/bridge/build.mk
include port/fleet/build.mk
include page/build.mk

-include $(shell find build -name debian-root -prune -o -name '*.d' -type f -print 2>/dev/null)
include boards/build.mk# firmware: make BOARD=name
include packaging/build.mk# skillrom in other projects
include packaging/host/build.mk# hosts: make install, make deb
-include $(sort $(wildcard tests/*/build.mk))# what a folder of tests needs beyond this file

# ---- What this machine lacks ----

# Installed before anything is made, for those goals that need more than a person who has a compiler can be expected to have.
PACKAGES.run  := build
PACKAGES.test := build test size riscv bench deb arm format
$(foreach goal,size stack firmware,$(eval PACKAGES.$(goal) := build size riscv))
$(foreach goal,qemu conformance,$(eval PACKAGES.$(goal) := build test size riscv))
$(foreach goal,configs conformance-mqtt conformance-fleet bench-fleet symbols msan prove coverage mutants soak fuzz,$(eval PACKAGES.$(goal) := build test))
PACKAGES.test-long := build test size riscv arm
PACKAGES.deb := build deb
$(foreach goal,static mcpb,$(eval PACKAGES.$(goal) := build test))
$(foreach goal,arm64 armhf,$(eval PACKAGES.$(goal) := build arm))
PACKAGES.bench := build bench riscv
$(foreach goal,format format-check,$(eval PACKAGES.$(goal) := format))

NEEDED := $(sort $(foreach goal,$(MAKECMDGOALS),$(PACKAGES.$(goal))) $(if $(BOARD),build $(if $(filter riscv,$(call of,ARCH,$(BOARD))),riscv,size)))
ifneq ($(and $(NEEDED),$(if $(findstring n,$(filter-out -%,$(firstword $(MAKEFLAGS)))),,run)),)
ifneq ($(shell tools/install-packages $(NEEDED) >&2 || echo failed),)
$(error packages are missing, see above)
endif
endif

# ---- Tests ----

UNIT_PROGRAMS := $(patsubst tests/%.c,build/asan/%,$(UNIT_SRC))
WIRE_RUNNER   := build/asan/wire-runner
RUN_SCRIPTS   := $(filter-out tests/bench/run tests/mutants/run,$(sort $(wildcard tests/*/run tests/*/check)))

# $(call checkers,DIRECTORY,COMPILER,FLAGS): unit tests and the runner of transcripts, of the objects below DIRECTORY
define checkers
$1/obj/unity.o: $(UNITY_DIR)/src/unity.c Makefile build/flags.list
	@mkdir -p $$(@D)
	$$(Q)$2 -std=c99 -w $3 -c $$< -o $$@

$(patsubst tests/%.c,$1/%,$(UNIT_SRC)): $1/%: $1/obj/tests/%.o $(call objects,$1,$(UNIT_HELP)) $1/obj/unity.o \
                  $1/libtls.a $1/libmqtt.a $1/libskillrom.a $1/libmkromfs.a $(LISTS)
	@mkdir -p $$(@D)
	@echo '  link    $$@'
	$$(Q)$2 $(LDFLAGS) $3 $$(LINKED) -lfyaml -lutf8proc $(MQTT_LIB) -o $$@

$1/wire-runner: $(call objects,$1,$(WIRE_SRC) $(DEVICE_SRC)) $1/libskillrom.a $(LISTS)
	@echo '  link    $$@'
	$$(Q)$2 $(LDFLAGS) $3 $$(LINKED) -o $$@
endef

$(eval $(call checkers,build/asan,$(CC),$(ASAN_FLAGS)))
$(eval $(call checkers,build/msan,$(CLANG),$(MSAN_FLAGS)))

# The steps of `make test`, in their order. RUN.<step> is a step's command; NEEDS.<step> is what has to be built for it, and
# for some of them stands in tests/*/build.mk.
UNIT_STEPS   := $(UNIT_PROGRAMS:build/asan/%=%)
WIRE_STEPS   := wire wire-cramped wire-trapped $(LEFT_OUT:%=wire-without-%) wire-contract
SCRIPT_STEPS := $(subst /,-,$(patsubst tests/%/run,%,$(RUN_SCRIPTS:tests/%/check=%-check)))
MAKE_STEPS   := configs format-check layers symbols size
STEPS        := warnings msan $(UNIT_STEPS) $(WIRE_STEPS) $(SCRIPT_STEPS) port poll arm64 bridge $(MAKE_STEPS)

$(foreach s,$(UNIT_STEPS),$(eval RUN.$s := build/asan/$s)$(eval NEEDS.$s := build/asan/$s))
$(foreach t,$(RUN_SCRIPTS),$(eval RUN.$(subst /,-,$(patsubst tests/%/run,%,$(t:tests/%/check=%-check))) := $t))
RUN.warnings      = $(MAKE) -k $(JOBS) warnings
RUN.msan          = $(MAKE) $(JOBS) msan
RUN.wire          = $(WIRE_RUNNER)
RUN.wire-cramped  = build/cramped/wire-runner --core
RUN.wire-trapped  = build/trapped/wire-runner --core
RUN.wire-contract = build/contract/wire-runner --core tests/wire/contract/answers.txt
RUN.port          = tests/port/run.py build/asan/skillromd build/asan/skillrom
RUN.poll          = tests/port/run.py build/poll/skillromd build/poll/skillrom stdio image net limits
NEEDS.poll        = build/poll/skillrom build/poll/skillromd build/poll/pump
RUN.arm64         = SMALL=1 tests/port/run.py build/arm64/run/skillromd build/skillrom
NEEDS.arm64       = build/arm64/run/skillromd
RUN.bridge        = tests/conformance/run --suite build/bridged-board
$(foreach s,$(MAKE_STEPS),$(eval RUN.$s = $$(MAKE) $$(JOBS) $s))
RUN.size          = $(MAKE) $(JOBS) size BRIEF=1

# What every script and transcript runs, but for those two that look at sources.
PROGRAMS   := all build/example.rom build/asan/skillrom build/asan/skillromd build/asan/pump
NEEDS.wire += $(WIRE_RUNNER) build/asan/conformance-device build/conformance.rom
NEEDS.qemu += $(WIRE_RUNNER)
NEEDS.net  += $(WIRE_RUNNER)
$(foreach s,$(WIRE_STEPS) $(filter-out coverage proofs tools,$(SCRIPT_STEPS)) port poll arm64 bridge,$(eval NEEDS.$s += $(PROGRAMS)))

# ONLY=NAMES: these steps, and those in folders of these names.
ASKED  := $(if $(filter test test-programs,$(MAKECMDGOALS)),$(patsubst tests/%,%,$(patsubst %/,%,$(subst $(comma), ,$(ONLY)))))
CHOSEN := $(if $(ASKED),$(filter $(ASKED) $(ASKED:%=%/%),$(STEPS)),$(STEPS))
$(foreach a,$(ASKED),$(if $(filter $a $a/%,$(STEPS)),,$(error ONLY=$a: `make test` has no step or folder of that name. \
    There are: $(STEPS))))

test-programs: $(sort $(foreach s,$(CHOSEN),$(NEEDS.$s)))

# The compiler is a host tool that leaves its memory to the system when it exits; that is no leak worth a report.
test: export ASAN_OPTIONS = detect_leaks=0:abort_on_error=1
test: ## everything a change must pass; V=1 shows the output of every step, ONLY=wire,unit/test_json runs these alone
	+@tools/run-tests build/test-logs \
	    need  dependencies 'tools/fetch-deps' \
	    build build        '$(MAKE) -k $(JOBS) test-programs' \
	    $(foreach s,$(CHOSEN),test $s '$(RUN.$s)') \
	    $(if $(ASKED),,build stack '$(MAKE) $(JOBS) stack')

MSAN_PROGRAMS := $(patsubst tests/%.c,build/msan/%,$(filter tests/unit/%,$(UNIT_SRC)))
msan: build/skillrom $(MSAN_PROGRAMS) build/msan/wire-runner ## unit tests and transcripts under clang's memory sanitizer; ALL=1: cut at every byte
	@tools/run-tests build/msan/logs $(foreach t,$(MSAN_PROGRAMS),test $(t:build/msan/%=%) $t) \
	    test wire 'build/msan/wire-runner $(if $(ALL),--core,--brief)'

# Every source, by both compilers, without a warning; the sanitized build of the tests does not look.
JUDGED := $(foreach flavour,build build/clang,\
    $(call objects,$(flavour),$(SERVER_SRC) $(MAIN_SRC) $(COMPILER_SRC) $(BRIDGE_SRC) $(FLEET_SRC) $(MQTT_SRC) $(MQTT_SESSION) port/mqtt/without.c $(UNIT_SRC) $(UNIT_HELP) $(WIRE_SRC) tests/size/main.c page/mkpage.c))
warnings: $(JUDGED)
	@echo '$(words $(JUDGED)) passed, 0 failed'

conformance: all build/example.rom ## run the official MCP conformance suite; TARGET=lm3s6965evb against the board in QEMU
	@tests/conformance/run $(if $(TARGET),--board $(TARGET)-net-full)

bench: all build/example.rom build/example-deflated.rom ## measure requests per second and instructions per request
	@tests/bench/run
	@tests/serial/bench

# ---- Claims that can be ----

configs: build/obj/miniz.o $(AMALGAMATION) ## build core and reader in every profile, with every pair of switches; ALL=1: every combination
	@tools/check-configs $(if $(ALL),--all) build/configs $(CC) $(CLANG) $(firstword $(AMALGAMATION)) -- $(COMMON) $(CORE_FLAGS) build/obj/miniz.o

test-long: ## what takes too long for make test: every combination of switches, and what folders of tests add to this
	@$(MAKE) configs ALL=1
	@$(MAKE) msan ALL=1
	@$(MAKE) size

CALLS  := --calls tests/size/calls.txt
PUBLIC := --public core/skillrom.h --public core/skr_args.h --public romfs/romfs.h --public romfs/inflate.h --public romfs/archive.h \
          --public romfs/unescape.h --public romfs/digest.h --public romfs/sha256.h
GRAPH_OBJECTS := $(call objects,build/graph,$(CORE_SRC) $(READER_SRC))

# Folders from the top down: core/DESIGN.md says what each is for.
CORE_LAYERS     := wire mcp skills run news store answer text
COMPILER_LAYERS := cli header load schema verify image base
PARTS           := programs boards examples port romfs/mkromfs host core romfs

layers: $(call objects,build,$(SERVER_SRC) $(COMPILER_SRC) $(MAIN_SRC)) build/libbridge.a build/libfleet.a build/libmqtt.a ## the graph between folders: calls and includes go down
	@tools/layers --page core/DESIGN.md build/obj/core core $(CORE_LAYERS)
	@tools/layers build/obj/romfs/mkromfs romfs/mkromfs $(COMPILER_LAYERS)
	@tools/layers build/bridge/obj/port/bridge port/bridge
	@tools/layers build/bridge/obj/port/fleet port/fleet
	@tools/layers build/obj/port/mqtt port/mqtt
	@tools/layers --page core/DESIGN.md --parts build/obj:build/bridge/obj $(PARTS)

symbols: $(call objects,build,$(SERVER_SRC) $(MAIN_SRC) $(MQTT_SRC) $(MQTT_SESSION)) build/skillromd build/pump $(GRAPH_OBJECTS) ## no heap, no globals, no recursion, no stray names
	@tools/stackmax.py $(CALLS) $(PUBLIC) $(GRAPH_OBJECTS:.o=.ci)
	@tools/check-symbols build/obj build/skillromd build/pump

# $(call firmware,CPU,VARIANT,FLAGS[,LINKED[,OBJECTS OF]]): tests/size/main.c linked for a Cortex-M, with all of core and
# reader; or with what another variant has compiled of them, when only main.c differs.
FIRMWARE_SRC := tests/size/main.c $(CORE_SRC) $(READER_SRC)
define firmware
$(call flavour,build/size/$1-$2,$(ARM_CC),-mcpu=$1 -mthumb -Os -ffunction-sections -fdata-sections -fcallgraph-info=su $3)

build/size/$1-$2/firmware.elf: build/size/$1-$2/obj/tests/size/main.o $(call objects,build/size/$1-$(or $5,$2),$(CORE_SRC) $(READER_SRC)) \
                               build/size/$1-$(or $5,$2)/obj/miniz.o build/sources.list
	@echo '  link    $$@'
	$$(Q)$(ARM_CC) -mcpu=$1 -mthumb --specs=nano.specs -nostartfiles -Wl,--gc-sections,-e,main,-Map=$$(@D)/firmware.map $4 $$(LINKED) -o $$@
endef

CPUS := cortex-m0plus cortex-m3

# The switches of core/skr_config.h, each with what it needs.
SWITCHES := http extras jobs talk tasks changes dialects deflate
$(foreach s,http extras changes dialects deflate,$(eval ON.$s := -DSKR_$(shell echo $s | tr a-z A-Z)=1))
ON.jobs  := -DSKR_JOBS=1
ON.talk  := $(ON.jobs) -DSKR_TALK=1
ON.tasks := $(ON.talk) -DSKR_TASKS=1

$(foreach cpu,$(CPUS),\
    $(eval $(call firmware,$(cpu),tiny,-DSKR_PROFILE_TINY))\
    $(foreach switch,$(SWITCHES),$(eval $(call firmware,$(cpu),$(switch),-DSKR_PROFILE_TINY $(ON.$(switch))))))
$(eval $(call firmware,cortex-m3,http-open,-DSKR_PROFILE_TINY $(ON.http) -DSKR_AUTH=0))
$(eval $(call firmware,cortex-m3,net,-DSKR_PROFILE_NET))

# What is measured of RISC-V is compiled for its board already.
build/size/rv32imc-tiny/firmware.elf: $(call objects,build/sifive-e,$(FIRMWARE_SRC)) build/sifive-e/obj/miniz.o build/sources.list tests/size/rv32imc.ld
	@mkdir -p $(@D)
	@echo '  link    $@'
	$(Q)$(RISCV_CC) $(CPU.sifive-e) -T tests/size/rv32imc.ld -nostartfiles -Wl,--gc-sections,-e,main,-Map=$(@D)/firmware.map $(LINKED) -o $@

# Signed tokens: the core's part, port/oauth, and what it needs of BearSSL. Firmware with TLS has most of that already.
$(eval $(call firmware,cortex-m3,oauth,-DSKR_PROFILE_TINY $(ON.http) -DSKR_OAUTH=1,$(patsubst %,-Wl$(comma)-u$(comma)skr_oauth_%,open keys)))
$(eval $(call bearssl_rule,build/size/cortex-m3-oauth,$(ARM_CC),-mcpu=cortex-m3 -mthumb -Os))
build/size/cortex-m3-oauth/firmware.elf: $(call objects,build/size/cortex-m3-oauth,$(OAUTH_SRC)) \
                                         $(BEARSSL_CHECK:%=build/size/cortex-m3-oauth/bearssl/%.o)

# Tools whose argument is of another kind than a whole number.
ARG_KINDS := bool enum string wide decimal double array object
$(foreach cpu,$(CPUS),$(foreach kind,$(ARG_KINDS),\
    $(eval $(call firmware,$(cpu),arg-$(kind),-DSKR_PROFILE_TINY -DMEASURE_KIND=skr_arg_$(kind),,tiny))))

MEASURED := tiny $(SWITCHES) $(ARG_KINDS:%=arg-%)
MEASURED := $(foreach cpu,$(CPUS),$(patsubst %,build/size/$(cpu)-%/firmware.elf,$(MEASURED)))

# Everything that MCP has, without HTTP, and with every function and every kind of argument that firmware could use:
# first with skills of the released extension alone, then with all that is known of them.
NAMES_OF  = $(shell grep -oh '\bskr_[a-z_]*' $1 | sort -u)
PUBLISHED := $(patsubst %,-Wl$(comma)-u$(comma)%,$(call NAMES_OF,core/skillrom.h core/skr_args.h))
SURFACE   := -DSKR_PROFILE_TINY $(ON.extras) $(ON.changes) $(ON.tasks)
$(eval $(call firmware,cortex-m3,surface,$(SURFACE),$(PUBLISHED)))
$(eval $(call firmware,cortex-m3,surface-dialects,$(SURFACE) $(ON.dialects),$(PUBLISHED)))
MEASURED += $(patsubst %,build/size/%/firmware.elf,$(addprefix cortex-m3-,http-open net surface surface-dialects oauth) rv32imc-tiny)

# Those of them that have a budget: a third of what there is to compile.
BUDGETED := $(patsubst %,build/size/%/firmware.elf,cortex-m0plus-tiny rv32imc-tiny $(addprefix cortex-m3-,tiny dialects http http-open net surface))

size: $(if $(BRIEF),$(BUDGETED),$(MEASURED)) build/obj/tests/size/main.o ## flash and RAM on Cortex-M and RISC-V, per part and per switch; fails over budget; BRIEF=1: only what has one
	@tools/size-report.py build/size $(if $(BRIEF),--brief) --flash $(FLASH_BUDGET) --riscv-percent $(RISCV_PERCENT) --ram $(RAM_BUDGET) --dialects $(DIALECTS_BUDGET) \
	    --auth $(AUTH_BUDGET) --surface $(SURFACE_BUDGET) --connection $(CONNECTION_BUDGET) \
	    --request-max $$(tools/list-config core/skr_config.h $(ARM_CC) -DSKR_PROFILE_NET | sed -n 's/^SKR_REQUEST_MAX //p') \
	    --native build/obj/tests/size/main.o

stack: $(patsubst %,build/size/%-tiny/firmware.elf,$(CPUS) rv32imc) ## worst-case stack on Cortex-M and RISC-V, with the calls that lead there
	@$(foreach of,$(foreach cpu,$(CPUS),$(cpu):build/size/$(cpu)-tiny) rv32imc:build/sifive-e,echo "$(firstword $(subst :, ,$(of))), profile tiny" && \
	    tools/stackmax.py $(CALLS) --unused-ok --root main --library 32 $(patsubst %.c,$(lastword $(subst :, ,$(of)))/obj/%.ci,$(FIRMWARE_SRC)) &&) true

# ---- Housekeeping ----

FORMATTED = $(shell $(call sources,core romfs host page port boards examples programs tests,'*.[ch]'))
format: ## format the C sources by .clang-format
	$(Q)clang-format -i $(FORMATTED)

format-check: ## check that they are formatted so
	$(Q)clang-format --dry-run -Werror $(FORMATTED)
	@echo '$(words $(FORMATTED)) passed, 0 failed'

clean: ## remove what was built
	rm -rf build

distclean: clean ## remove the fetched sources, too
	rm -rf third_party

# As many jobs as there are cores, unless -j was given.
JOBS = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc))

.PHONY: all help run deps test test-long test-programs msan warnings conformance bench configs layers symbols size stack format format-check clean distclean
