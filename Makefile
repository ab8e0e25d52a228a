# skillrom: every command a person needs. `make help` lists them.
#
#   build/            gcc -O2: the programs people use
#   build/asan/       gcc with address and undefined-behaviour sanitizers: what the tests run
#   build/msan/       clang with the memory sanitizer: whether anything is read that was never written
#   build/clang/      clang: only to see that it compiles without a warning
#   build/graph/      gcc -O0 with call graphs: to look for recursion
#   build/size/       Cortex-M: to measure flash, RAM and stack
#   build/<board>/    firmware: make BOARD=name
#
# One pattern rule per flavour compiles everything; what a folder needs beyond the common flags stands in
# FLAGS.<folder>. Sources are found by wildcard: a new file in a known folder needs no line here.

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory

CC     := gcc
CLANG  := clang
ARM_CC := arm-none-eabi-gcc
PORT   ?= 7700
Q      := $(if $(filter-out 0,$(V)),,@)# V=1 shows the commands

# Third-party sources, fetched when needed; or your own copies: make MINIZ_DIR=... The core needs none but miniz's
# inflater, where SKR_DEFLATE is on; jsmn and Unity are what tests compare and judge with.
JSMN_DIR  ?= third_party/jsmn
MINIZ_DIR ?= third_party/miniz
UNITY_DIR ?= third_party/unity
LWIP_DIR  ?= third_party/lwip

# What core and reader may take on a Cortex-M in profile tiny, with one line connection and a tool that has an argument.
FLASH_BUDGET := 18432
RAM_BUDGET   := 3072

# What the older dialects of skills may add on a Cortex-M3, all of them, and what skills as tools and prompts may.
DIALECTS_BUDGET := 8192
FALLBACK_BUDGET := 1024

# What everything that MCP has may take there, without HTTP.
SURFACE_BUDGET := 49152

# What an open HTTP connection may take in profile small, beside the buffer for its request.
CONNECTION_BUDGET := 2048

comma := ,

# ---- Sources ----

CORE_SRC     := $(sort $(wildcard core/*.c))
READER_SRC   := $(sort $(wildcard romfs/*.c))
COMPILER_SRC := $(sort $(wildcard romfs/mkromfs/*.c))
UART_SRC     := $(sort $(wildcard port/uart/*.c))
PORT_SRC     := $(sort $(wildcard port/posix/*.c))
DEVICE_SRC   := $(sort $(wildcard examples/device/*.c))
UNIT_SRC     := $(sort $(wildcard tests/unit/test_*.c tests/lint/test_*.c tests/pack/test_*.c))
UNIT_HELP    := tests/args/show.c $(filter-out $(UNIT_SRC),$(sort $(wildcard tests/unit/*.c tests/lint/*.c tests/pack/*.c)))
FIXTURE_SRC  := $(sort $(wildcard tests/conformance/device/*.c))
WIRE_SRC     := $(sort $(wildcard tests/wire/*.c) $(filter-out %/main.c,$(FIXTURE_SRC)))
SERVER_SRC   := $(CORE_SRC) $(READER_SRC) $(UART_SRC) $(PORT_SRC) $(DEVICE_SRC)
EXAMPLE      := $(shell find examples/device -type f ! -name '*.[ch]')

# ---- Flags ----

WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
COMMON   := -std=c99 $(WARNINGS) -Icore -Iromfs -isystem $(MINIZ_DIR)
NO_HEAP  := -Wvla -Walloca
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
MINIZ    := -DMINIZ_NO_STDIO -DMINIZ_NO_TIME -DMINIZ_NO_ARCHIVE_APIS -DMINIZ_NO_ARCHIVE_WRITING_APIS \
            -DMINIZ_NO_ZLIB_APIS -DMINIZ_NO_ZLIB_COMPATIBLE_NAMES -DMINIZ_NO_MALLOC

FLAGS.core            := -ffreestanding -fbuiltin $(NO_HEAP) $(MINIZ)
FLAGS.romfs           := -ffreestanding -fbuiltin $(NO_HEAP) $(MINIZ)
FLAGS.romfs/mkromfs   := -D_GNU_SOURCE $(MINIZ)
FLAGS.port/uart       := -ffreestanding -fbuiltin $(NO_HEAP)
FLAGS.port/posix      := -D_GNU_SOURCE $(NO_HEAP)
FLAGS.examples/device := -ffreestanding $(NO_HEAP) -Ibuild/gen/examples/device
FLAGS.tests/unit      := -D_GNU_SOURCE $(MINIZ) -Iromfs/mkromfs -Ibuild/gen/tests/args/device -isystem $(UNITY_DIR)/src -isystem $(JSMN_DIR)
FLAGS.tests/lint      := $(FLAGS.tests/unit)
FLAGS.tests/pack      := $(FLAGS.tests/unit)
FLAGS.tests/wire      := -D_GNU_SOURCE $(MINIZ) -isystem $(JSMN_DIR)
FLAGS.tests/size      := -ffreestanding

# ---- What this machine lacks ----

# Installed before anything is made, for those goals that need more than a person who has a compiler can be expected to have.
PACKAGES.run  := build
PACKAGES.test := build test size bench
$(foreach goal,size stack firmware,$(eval PACKAGES.$(goal) := build size))
$(foreach goal,qemu conformance,$(eval PACKAGES.$(goal) := build test size))
$(foreach goal,configs symbols msan,$(eval PACKAGES.$(goal) := build test))
PACKAGES.bench := build bench

NEEDED := $(sort $(foreach goal,$(MAKECMDGOALS),$(PACKAGES.$(goal))) $(if $(BOARD),build size))
ifneq ($(and $(NEEDED),$(if $(findstring n,$(filter-out -%,$(firstword $(MAKEFLAGS)))),,run)),)
ifneq ($(shell tools/install-packages $(NEEDED) >&2 || echo failed),)
$(error packages are missing, see above)
endif
endif

# ---- Programs and what a person does with them ----

all: build/skillrom build/skillromd ## build skillrom (the image compiler) and skillromd (the server)

help: ## list the targets
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*## \(.*\)/make \1|\2/p' Makefile boards/build.mk tests/qemu/build.mk | awk -F'|' '{ printf "  %-18s %s\n", $$1, $$2 }'

URL := http://127.0.0.1:$(PORT)/mcp

run: ## install what is missing, build, and serve the example device; PORT=7700
	@$(MAKE) -s $(JOBS) all build/example.rom
	@printf '%s\n' '' \
	    'The example device, a dosing pump, is served at $(URL)' '' \
	    '  give it to an agent   claude mcp add --transport http pump $(URL)' \
	    '  ask it yourself       curl -s $(URL) -H "Content-Type: application/json" \' \
	    '                          -H "Accept: application/json, text/event-stream" \' \
	    '                          -d '\''{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"me","version":"1"}}}'\' \
	    '  stop                  Ctrl-C' ''
	@build/skillromd build/example.rom --http 127.0.0.1:$(PORT) || { status=$$?; [ $$status -ge 128 ] || \
	    echo "make run: the server did not start; if port $(PORT) is taken, choose another: make run PORT=7701"; exit $$status; }

# What a device's tools get as arguments, generated of their JSON.
build/gen/%/tools.h: build/skillrom
	@mkdir -p $(@D)
	@echo '  header  $@'
	$(Q)build/skillrom pack $* --header $@ >/dev/null

build/gen/examples/device/tools.h: $(EXAMPLE)
build/gen/tests/args/device/tools.h: $(shell find tests/args/device -type f)

build/example.rom: build/skillrom $(EXAMPLE)
	@echo '  pack    $@'
	$(Q)build/skillrom pack --strict examples/device -o $@ >/dev/null

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

# ---- How everything is compiled, whatever the flavour ----

# $(call objects,DIRECTORY,SOURCES)
objects = $(patsubst %.c,$1/obj/%.o,$2)

# $(call flavour,DIRECTORY,COMPILER,FLAGS[,STAMP]): rules for the objects below DIRECTORY; STAMP is a file that changes with FLAGS
define flavour
$1/obj/%.o: %.c Makefile $4 | $(MINIZ_DIR)/miniz.c
	@mkdir -p $$(@D)
	@echo '  compile $$@'
	$$(Q)$2 $(COMMON) $3 $$(FLAGS.$$(patsubst %/,%,$$(dir $$<))) -MMD -MP -c $$< -o $$@

$1/obj/miniz.o: $(MINIZ_DIR)/miniz.c Makefile
	@mkdir -p $$(@D)
	@echo '  compile $$@'
	$$(Q)$2 -std=c99 -w $3 $(MINIZ) -DNDEBUG -ffunction-sections -c $$< -o $$@

$(call objects,$1,$(UNIT_SRC) $(UNIT_HELP)): | $(UNITY_DIR)/src/unity.c
$(call objects,$1,$(UNIT_SRC) $(WIRE_SRC)): | $(JSMN_DIR)/jsmn.h
$(call objects,$1,$(DEVICE_SRC)): | build/gen/examples/device/tools.h
$(call objects,$1,$(UNIT_SRC)): | build/gen/tests/args/device/tools.h
$(call objects,$1,$(FIXTURE_SRC)): | build/gen/tests/conformance/device/tools.h
endef

# $(call programs,DIRECTORY,COMPILER,FLAGS): the two programs, of the objects below DIRECTORY
define programs
$1/libskillrom.a: $(call objects,$1,$(CORE_SRC) $(READER_SRC) $(UART_SRC) $(DEVICE_SRC)) $1/obj/miniz.o
	@rm -f $$@
	$$(Q)ar rcsD $$@ $$^

$1/libmkromfs.a: $(call objects,$1,$(filter-out %/main.c,$(COMPILER_SRC)) $(READER_SRC)) $1/obj/miniz.o
	@rm -f $$@
	$$(Q)ar rcsD $$@ $$^

$1/skillrom: $(call objects,$1,romfs/mkromfs/main.c) $1/libbridge.a $1/libmkromfs.a
	@echo '  link    $$@'
	$$(Q)$2 $3 $$^ -Wl,--gc-sections -lfyaml -lutf8proc -o $$@

$1/skillromd: $(call objects,$1,$(PORT_SRC)) $1/libskillrom.a
	@echo '  link    $$@'
	$$(Q)$2 $3 $$^ -Wl,--gc-sections -o $$@
endef

GCC_FLAGS  := -O2 -g
ASAN_FLAGS := -O1 -g -w $(SANITIZE)# the sanitizers' own code draws warnings; the other flavours judge ours

MSAN_FLAGS := -O1 -g -w -fsanitize=memory -fsanitize-memory-track-origins -fno-sanitize-recover=all -fno-omit-frame-pointer \
              -fsanitize-ignorelist=tests/unit/msan-ignore.txt

$(eval $(call flavour,build,$(CC),$(GCC_FLAGS)))
$(eval $(call flavour,build/asan,$(CC),$(ASAN_FLAGS)))
$(eval $(call flavour,build/msan,$(CLANG),$(MSAN_FLAGS)))
$(eval $(call flavour,build/clang,$(CLANG),$(GCC_FLAGS)))
$(eval $(call flavour,build/graph,$(CC),-O0 -fcallgraph-info=su))
$(eval $(call programs,build,$(CC),$(GCC_FLAGS)))
$(eval $(call programs,build/asan,$(CC),$(ASAN_FLAGS)))
$(eval $(call programs,build/msan,$(CLANG),$(MSAN_FLAGS)))
include port/bridge/build.mk

-include $(shell find build -name '*.d' 2>/dev/null)
include boards/build.mk# firmware: make BOARD=name
-include $(sort $(wildcard tests/*/build.mk))# what a folder of tests needs beyond this file

# ---- Tests ----

UNIT_PROGRAMS := $(patsubst tests/%.c,build/asan/%,$(UNIT_SRC))
WIRE_RUNNER   := $(if $(WIRE_SRC),build/asan/wire-runner)
RUN_SCRIPTS   := $(filter-out tests/bench/run,$(sort $(wildcard tests/*/run tests/*/check)))

# $(call checkers,DIRECTORY,COMPILER,FLAGS): unit tests and the runner of transcripts, of the objects below DIRECTORY
define checkers
$1/obj/unity.o: $(UNITY_DIR)/src/unity.c Makefile
	@mkdir -p $$(@D)
	$$(Q)$2 -std=c99 -w $3 -c $$< -o $$@

$(patsubst tests/%.c,$1/%,$(UNIT_SRC)): $1/%: $1/obj/tests/%.o $(call objects,$1,$(UNIT_HELP)) $1/obj/unity.o \
                  $1/libskillrom.a $1/libmkromfs.a
	@mkdir -p $$(@D)
	@echo '  link    $$@'
	$$(Q)$2 $3 $$^ -lfyaml -lutf8proc -o $$@

$1/wire-runner: $(call objects,$1,$(WIRE_SRC)) $1/libskillrom.a
	@echo '  link    $$@'
	$$(Q)$2 $3 $$^ -o $$@
endef

$(eval $(call checkers,build/asan,$(CC),$(ASAN_FLAGS)))
$(eval $(call checkers,build/msan,$(CLANG),$(MSAN_FLAGS)))

test-programs: all build/example.rom build/asan/skillrom build/asan/skillromd $(UNIT_PROGRAMS) $(WIRE_RUNNER)

# The compiler is a host tool that leaves its memory to the system when it exits; that is no leak worth a report.
test: export ASAN_OPTIONS = detect_leaks=0:abort_on_error=1
test: ## everything a change must pass; V=1 shows the output of every step
	@tools/run-tests build/test-logs \
	    need  dependencies    'tools/fetch-deps' \
	    build build           '$(MAKE) -k $(JOBS) test-programs' \
	    test  warnings        '$(MAKE) -k $(JOBS) warnings' \
	    test  msan            '$(MAKE) $(JOBS) msan' \
	    $(foreach t,$(UNIT_PROGRAMS),test $(patsubst build/asan/%,%,$t) $t) \
	    $(if $(WIRE_RUNNER),test wire $(WIRE_RUNNER) test wire-cramped 'build/cramped/wire-runner --core' \
	        test wire-without 'build/without/wire-runner --core tests/wire/without/dialects.txt' \
        test wire-contract 'build/contract/wire-runner --core tests/wire/contract/answers.txt') \
	    $(foreach t,$(RUN_SCRIPTS),test $(subst /,-,$(patsubst tests/%/run,%,$(t:tests/%/check=%-check))) $t) \
	    $(if $(wildcard tests/port/run.py),test port 'tests/port/run.py build/asan/skillromd build/asan/skillrom') \
	    test  bridge          'tests/conformance/run --suite build/bridged-board' \
	    test  configs         '$(MAKE) configs' \
	    test  symbols         '$(MAKE) $(JOBS) symbols' \
	    test  size            '$(MAKE) $(JOBS) size' \
	    build stack           '$(MAKE) $(JOBS) stack'

MSAN_PROGRAMS := $(patsubst tests/%.c,build/msan/%,$(filter tests/unit/%,$(UNIT_SRC)))
msan: build/skillrom $(MSAN_PROGRAMS) build/msan/wire-runner ## unit tests and transcripts under clang's memory sanitizer
	@tools/run-tests build/msan/logs $(foreach t,$(MSAN_PROGRAMS),test $(t:build/msan/%=%) $t) \
	    test wire 'build/msan/wire-runner --core'

# Every source, by both compilers, without a warning; the sanitized build of the tests does not look.
JUDGED := $(foreach flavour,build build/clang,\
    $(call objects,$(flavour),$(SERVER_SRC) $(COMPILER_SRC) $(BRIDGE_SRC) $(UNIT_SRC) $(UNIT_HELP) $(WIRE_SRC) tests/size/main.c))
warnings: $(JUDGED)
	@echo '$(words $(JUDGED)) passed, 0 failed'

conformance: all build/example.rom ## run the official MCP conformance suite; TARGET=lm3s6965evb against the board in QEMU
	@tests/conformance/run $(if $(TARGET),--board $(TARGET)-net-full)

bench: all build/example.rom build/example-deflated.rom ## measure requests per second and instructions per request
	@tests/bench/run
	@tests/serial/bench

# ---- Claims that can be ----

configs: build/obj/miniz.o ## build core and reader in every profile and with every switch turned over
	@tools/check-configs build/configs $(CC) $(CLANG) -- $(COMMON) $(FLAGS.core) build/obj/miniz.o

CALLS  := --calls tests/size/calls.txt
PUBLIC := --public core/skillrom.h --public core/skr_args.h --public romfs/romfs.h --public romfs/inflate.h --public romfs/archive.h
GRAPH_OBJECTS := $(call objects,build/graph,$(CORE_SRC) $(READER_SRC))

symbols: $(call objects,build,$(SERVER_SRC)) build/skillromd $(GRAPH_OBJECTS) ## no heap, no globals, no recursion, no stray names
	@tools/stackmax.py $(CALLS) $(PUBLIC) $(GRAPH_OBJECTS:.o=.ci)
	@tools/check-symbols build/obj build/skillromd

# $(call firmware,CPU,VARIANT,FLAGS[,LINKED[,OBJECTS OF]]): tests/size/main.c linked for a Cortex-M, with all of core and
# reader; or with what another variant has compiled of them, when only main.c differs.
FIRMWARE_SRC := tests/size/main.c $(CORE_SRC) $(READER_SRC)
define firmware
$(call flavour,build/size/$1-$2,$(ARM_CC),-mcpu=$1 -mthumb -Os -ffunction-sections -fdata-sections -fcallgraph-info=su $3)

build/size/$1-$2/firmware.elf: build/size/$1-$2/obj/tests/size/main.o $(call objects,build/size/$1-$(or $5,$2),$(CORE_SRC) $(READER_SRC)) \
                               build/size/$1-$(or $5,$2)/obj/miniz.o
	@echo '  link    $$@'
	$$(Q)$(ARM_CC) -mcpu=$1 -mthumb --specs=nano.specs -nostartfiles -Wl,--gc-sections,-e,main,-Map=$$(@D)/firmware.map $4 $$^ -o $$@
endef

CPUS := cortex-m0plus cortex-m3
$(foreach cpu,$(CPUS),\
    $(eval $(call firmware,$(cpu),tiny,-DSKR_PROFILE_TINY))\
    $(eval $(call firmware,$(cpu),http,-DSKR_PROFILE_TINY -DSKR_HTTP=1 -DSKR_TX_SCRATCH=256))\
    $(eval $(call firmware,$(cpu),deflate,-DSKR_PROFILE_TINY -DSKR_DEFLATE=1 -DSKR_WINDOW_MAX=4096))\
    $(eval $(call firmware,$(cpu),prompts,-DSKR_PROFILE_TINY -DSKR_PROMPTS=1))\
    $(eval $(call firmware,$(cpu),completion,-DSKR_PROFILE_TINY -DSKR_COMPLETION=1))\
    $(eval $(call firmware,$(cpu),archives,-DSKR_PROFILE_TINY -DSKR_ARCHIVES=1))\
    $(eval $(call firmware,$(cpu),small,-DSKR_PROFILE_SMALL)))

# Tools whose argument is of another kind than a whole number.
ARG_KINDS := bool enum string wide decimal double array object
$(foreach cpu,$(CPUS),$(foreach kind,$(ARG_KINDS),\
    $(eval $(call firmware,$(cpu),arg-$(kind),-DSKR_PROFILE_TINY -DMEASURE_KIND=skr_arg_$(kind),,tiny))))

MEASURED := tiny http deflate prompts completion archives small $(ARG_KINDS:%=arg-%)
MEASURED := $(foreach cpu,$(CPUS),$(patsubst %,build/size/$(cpu)-%/firmware.elf,$(MEASURED)))

# The older dialects of skills one by one and all together, and what else makes skills reach every host: on one
# processor, because they take their time to build.
DIALECTS     := B C D E F
ALL_DIALECTS := -DSKR_PROFILE_TINY $(patsubst %,-DSKR_DIALECT_%=1,$(DIALECTS))
$(foreach d,$(DIALECTS),$(eval $(call firmware,cortex-m3,dialect-$d,-DSKR_PROFILE_TINY -DSKR_DIALECT_$d=1)))
$(eval $(call firmware,cortex-m3,dialects,$(ALL_DIALECTS)))
$(eval $(call firmware,cortex-m3,dialects-prompts,$(ALL_DIALECTS) -DSKR_PROMPTS=1))
$(eval $(call firmware,cortex-m3,fallback,$(ALL_DIALECTS) -DSKR_PROMPTS=1 -DSKR_SKILL_TOOLS=1 -DSKR_SKILL_PROMPTS=1))
MEASURED += $(patsubst %,build/size/cortex-m3-%/firmware.elf,$(DIALECTS:%=dialect-%) dialects dialects-prompts fallback)

# Everything that MCP has, without HTTP, and with every function and every kind of argument that firmware could use:
# first with skills of the released extension alone, then with all that is known of them.
NAMES_OF  = $(shell grep -oh '\bskr_[a-z_]*' $1 | sort -u)
PUBLISHED := $(patsubst %,-Wl$(comma)-u$(comma)%,$(call NAMES_OF,core/skillrom.h core/skr_args.h))
SURFACE   := -DSKR_PROFILE_TINY -DSKR_PROMPTS=1 -DSKR_COMPLETION=1 -DSKR_LOGGING=1 -DSKR_SUBSCRIBE=1 -DSKR_BATCH=1 -DSKR_SWAP=1 \
             -DSKR_JOBS=2 -DSKR_ASK=1 -DSKR_NOTES=1 -DSKR_TASKS=1
$(eval $(call firmware,cortex-m3,surface,$(SURFACE),$(PUBLISHED)))
$(eval $(call firmware,cortex-m3,surface-dialects,$(SURFACE) $(ALL_DIALECTS) -DSKR_SKILL_TOOLS=1 -DSKR_SKILL_PROMPTS=1,$(PUBLISHED)))
MEASURED += $(patsubst %,build/size/cortex-m3-%/firmware.elf,surface surface-dialects)

size: $(MEASURED) build/obj/tests/size/main.o ## flash and RAM on Cortex-M, per part and per switch; fails over budget
	@tools/size-report.py build/size --flash $(FLASH_BUDGET) --ram $(RAM_BUDGET) --dialects $(DIALECTS_BUDGET) \
	    --fallback $(FALLBACK_BUDGET) --surface $(SURFACE_BUDGET) --connection $(CONNECTION_BUDGET) \
	    --request-max $$(tools/list-config core/skr_config.h $(ARM_CC) -DSKR_PROFILE_SMALL | sed -n 's/^SKR_REQUEST_MAX //p') \
	    --native build/obj/tests/size/main.o

stack: $(patsubst %,build/size/%-tiny/firmware.elf,$(CPUS)) ## worst-case stack on Cortex-M, with the calls that lead there
	@$(foreach cpu,$(CPUS),echo "$(cpu), profile tiny" && tools/stackmax.py $(CALLS) --unused-ok --root main --library 32 \
	    $(patsubst %.c,build/size/$(cpu)-tiny/obj/%.ci,$(FIRMWARE_SRC)) &&) true

# ---- Housekeeping ----

format: ## lay out the C sources as .clang-format says
	clang-format -i $$(git ls-files '*.c' '*.h')

clean: ## remove what was built
	rm -rf build

distclean: clean ## remove the fetched sources, too
	rm -rf third_party

# As many jobs as there are cores, unless -j was given.
JOBS = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc))

.PHONY: all help run deps test test-programs msan warnings conformance bench configs symbols size stack format clean distclean
