# skillrom: every command a person needs. `make help` lists them.
#
#   build/            gcc -O2: the programs people use
#   build/asan/       gcc with address and undefined-behaviour sanitizers: what the tests run
#   build/msan/       clang with the memory sanitizer, which detects reads of uninitialised memory
#   build/poll/       as build/asan/, as for other systems than Linux: poll instead of epoll, no sandbox
#   build/clang/      clang: only to see that it compiles without a warning
#   build/graph/      gcc -O0 with call graphs: to look for recursion
#   build/size/       Cortex-M and RISC-V: to measure flash, RAM and stack
#   build/<board>/    firmware: make BOARD=name
#
# One pattern rule per flavour compiles everything; FLAGS.<folder> has the additional flags of a folder. Wildcards find
# the sources: a new file in a known folder needs no line here.

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory

CC     := $(if $(filter default,$(origin CC)),gcc,$(CC))
CLANG  := clang
ARM_CC := arm-none-eabi-gcc
RISCV_CC := riscv64-unknown-elf-gcc --specs=picolibc.specs
PORT   ?= 7700
Q      := $(if $(filter-out 0,$(V)),,@)# V=1 shows the commands

# Third-party sources, fetched when needed; or your own copies: make MINIZ_DIR=... The core needs the header jsmn.h and,
# with SKR_DEFLATE, miniz's inflater; the unit tests need Unity.
JSMN_DIR  ?= third_party/jsmn
MINIZ_DIR ?= third_party/miniz
UNITY_DIR ?= third_party/unity
LWIP_DIR  ?= third_party/lwip
BEARSSL_DIR ?= third_party/bearssl
TINYUSB_DIR ?= third_party/tinyusb
PICOSDK_DIR ?= third_party/picosdk

comma := ,
SYSTEM := $(shell uname)

# ---- Sources ----

HOST_SRC     := $(sort $(wildcard host/base/*.c))
CLI_SRC      := $(sort $(wildcard host/cli/*.c))
CORE_SRC     := $(sort $(wildcard core/*/*.c))
TEXT_SRC     := $(filter core/text/%,$(CORE_SRC))# what the image compiler uses of the core
READER_SRC   := $(sort $(wildcard romfs/*.c))
COMPILER_SRC := $(sort $(wildcard romfs/mkromfs/*/*.c))
UART_SRC     := $(sort $(wildcard port/uart/*.c))
SANDBOX_SRC  := $(patsubst %,port/posix/%.c,argv cgroup exec filter leave sandbox schema)# --exec-scripts, which needs Linux
PORT_SRC     := $(filter-out %/main.c $(if $(filter Linux,$(SYSTEM)),,$(SANDBOX_SRC)),$(sort $(wildcard port/posix/*.c)))
SOCKETS_SRC  := $(sort $(wildcard port/sockets/*.c))
DEVICE_SRC   := $(filter-out %/main.c,$(sort $(wildcard examples/pump/*.c)))
GUARDED_SRC  := $(filter-out %/main.c,$(sort $(wildcard examples/dispenser/*.c)))
MAIN_SRC     := port/posix/main.c examples/pump/main.c host/main/skillrom.c host/main/pack.c# skillromd, pump, skillrom and what makes its own image
UNIT_SRC     := $(sort $(wildcard tests/unit/test_*.c tests/unit/lint/test_*.c tests/programs/pack/test_*.c))
UNIT_HELP    := tests/unit/args/show.c $(filter-out $(UNIT_SRC),$(sort $(wildcard tests/unit/*.c tests/unit/lint/*.c tests/programs/pack/*.c)))
FIXTURE_SRC  := $(sort $(wildcard tests/wire/conformance/device/*.c))
WIRE_SRC     := $(sort $(wildcard tests/wire/*.c) $(filter-out %/main.c,$(FIXTURE_SRC)) $(GUARDED_SRC))
TLS_SRC      := $(sort $(filter-out %/tls_client.c,$(wildcard port/tls/*.c)))# the client is only in the bridge
OAUTH_SRC    := $(sort $(wildcard port/oauth/*.c))
UPDATE_SRC   := $(sort $(wildcard port/update/*.c))
ACCESS_SRC   := $(sort $(wildcard port/access/*.c))
SERVER_SRC   := $(CORE_SRC) $(READER_SRC) $(UART_SRC) $(HOST_SRC) $(PORT_SRC) $(SOCKETS_SRC) $(TLS_SRC) $(OAUTH_SRC) $(UPDATE_SRC) $(ACCESS_SRC) $(DEVICE_SRC)

include tools/compile.mk

# ---- Programs, and targets for users ----

all: build/skillrom build/skillromd build/pump ## build skillrom (the image compiler), skillromd (serves any image) and pump (the example device)

help: ## list the targets
	@sed -n 's/^\([a-z][a-z0-9-]*\):[^#]*## \(.*\)/make \1|\2/p' Makefile $(sort $(filter %.mk,$(MAKEFILE_LIST))) | awk -F'|' '{ \
	    line = sprintf("  %-22s", $$1); n = split($$2, word, " "); \
	    for (i = 1; i <= n; i++) { \
	        if (length(line " " word[i]) > 80) { print line; line = sprintf("%24s", "") } \
	        line = line " " word[i] } \
	    print line }'

# Builds the device and the compiler of its image; all programs would take three times as long.
run: ## install missing packages, build the example device and serve it; PORT=7700
	@[ -e build/pump ] || echo 'building the example device: about half a minute of processor time, once'
	@$(MAKE) -s $(JOBS) build/pump build/example.rom
	@tools/serve-example build/pump build/example.rom 127.0.0.1:$(PORT)

# The argument structs of a device's tools, generated from their JSON.
build/gen/%/tools.h: build/gen/%/inputs.list build/pack
	@echo '  header  $@'
	$(Q)build/pack pack $* --header $@ >/dev/null

build/example.rom: build/pack build/gen/examples/pump/inputs.list
	@echo '  pack    $@'
	$(Q)build/pack pack --strict examples/pump -o $@ >/dev/null

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

# Checks that the libraries of the image compiler are installed, before anything of it is compiled.
build/libraries.found:
	@mkdir -p $(@D)
	@printf '#include <%s.h>\n' libfyaml utf8proc | $(CC) $(CPPFLAGS) $(CFLAGS) -E - >/dev/null 2>&1 || { printf '%s\n' \
	    'The image compiler is made with libfyaml and utf8proc, and $(CC) does not find their headers.' \
	    'This installs what is missing:  tools/install-packages build' \
	    'or, on Debian, by hand:         apt-get install gcc libc6-dev libfyaml-dev libutf8proc-dev' >&2; exit 1; }
	@touch $@

-include $(shell find build -name debian-root -prune -o -name '*.d' -type f -print 2>/dev/null)
include boards/build.mk# firmware: make BOARD=name
include packaging/build.mk# skillrom in other projects
include packaging/host/build.mk# hosts: make install, make deb
include port/wasm/build.mk# modules for browsers and Node: make wasm
include packaging/npm/build.mk# make npm
-include $(sort $(wildcard tests/*/*.mk tests/*/*/build.mk))# what a folder of tests needs beyond this file

include tools/packages.mk
include tests/build.mk

conformance: all build/example.rom ## run the official MCP conformance suite; TARGET=lm3s6965evb against the board in QEMU
	@tests/wire/conformance/run $(if $(TARGET),--board $(TARGET)-net-full)

bench: all build/example.rom build/example-deflated.rom ## measure requests per second and instructions per request
	@tests/quality/bench/run
	@tests/host/serial/bench

# ---- Claims that can be checked ----

configs: build/obj/miniz.o $(AMALGAMATION) ## build core and reader in every profile, with every pair of switches; ALL=1: every combination
	@tools/check-configs $(if $(ALL),--all) build/configs $(CC) $(CLANG) $(firstword $(AMALGAMATION)) -- $(COMMON) $(CORE_FLAGS) build/obj/miniz.o

test-long: ## install missing packages and run what takes too long for make test, such as every combination of switches
	@$(MAKE) configs ALL=1
	@$(MAKE) msan ALL=1
	@$(MAKE) size

CALLS  := --calls tests/quality/size/calls.txt
PUBLIC := --public core/skillrom.h --public core/skr_args.h --public core/skr_alarm.h --public core/skr_guard.h --public romfs/romfs.h --public romfs/inflate.h --public romfs/archive.h \
          --public romfs/unescape.h --public romfs/digest.h --public romfs/sha256.h --public romfs/release.h
GRAPH_OBJECTS := $(call objects,build/graph,$(CORE_SRC) $(READER_SRC))

# Folders from the top down: core/DESIGN.md says what each is for.
CORE_LAYERS     := wire mcp skills handler subscription store response text
COMPILER_LAYERS := cli sign header load schema verify image base
PARTS           := host/main host/cli host/fleet host/bridge host/client host/transport host/mqtt examples boards port romfs/mkromfs host/base core romfs

layers: $(call objects,build,$(SERVER_SRC) $(COMPILER_SRC) $(CLI_SRC) $(MAIN_SRC)) build/libbridge.a build/libfleet.a build/libmqtt.a ## the graph between folders: calls and includes go down
	@tools/layers --page core/DESIGN.md build/obj/core core $(CORE_LAYERS)
	@tools/layers build/obj/romfs/mkromfs romfs/mkromfs $(COMPILER_LAYERS)
	@tools/layers build/bridge/obj/host/bridge host/bridge
	@tools/layers build/bridge/obj/host/client host/client
	@tools/layers build/bridge/obj/host/transport host/transport
	@tools/layers build/bridge/obj/host/fleet host/fleet
	@tools/layers build/obj/host/mqtt host/mqtt
	@tools/layers --page core/DESIGN.md --parts build/obj:build/bridge/obj $(PARTS)

symbols: $(call objects,build,$(SERVER_SRC) $(MAIN_SRC) $(MQTT_SRC) $(MQTT_SESSION)) build/skillromd build/pump $(GRAPH_OBJECTS) ## no heap, no globals, no recursion, no stray names
	@tools/stackmax.py $(CALLS) $(PUBLIC) $(GRAPH_OBJECTS:.o=.ci)
	@tools/check-symbols build/obj build/skillromd build/pump

# ---- Housekeeping ----

FORMATTED = $(shell $(call sources,boards core examples host port romfs tests,'*.[ch]'))
format: ## format the C sources by .clang-format
	$(Q)clang-format -i $(FORMATTED)

format-check: ## check that they are formatted so
	$(Q)clang-format --dry-run -Werror $(FORMATTED)
	@echo '$(words $(FORMATTED)) passed, 0 failed'

clean: ## remove what was built
	rm -rf build

distclean: clean ## also remove the fetched sources
	rm -rf third_party

# As many jobs as there are cores, unless -j was given.
JOBS = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || getconf _NPROCESSORS_ONLN))

.PHONY: all help run deps test test-long test-programs msan warnings conformance bench configs layers symbols size stack format format-check clean distclean
