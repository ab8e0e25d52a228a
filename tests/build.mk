# What `make test` runs: its steps, their programs and their order. The Makefile includes this.

UNIT_PROGRAMS := $(patsubst tests/%.c,build/asan/%,$(UNIT_SRC))
WIRE_RUNNER   := build/asan/wire-runner
RUN_SCRIPTS   := $(filter-out tests/quality/bench/run tests/quality/mutants/run,$(sort $(wildcard tests/*/*/run tests/*/*/check tests/*/run-*)))

# $(call checkers,DIRECTORY,COMPILER,FLAGS): unit tests and the runner of transcripts, of the objects below DIRECTORY
define checkers
$1/obj/unity.o: $(UNITY_DIR)/src/unity.c Makefile build/flags.list
	@mkdir -p $$(@D)
	$$(Q)$2 -std=c99 -w $3 -c $$< -o $$@

$(patsubst tests/%.c,$1/%,$(UNIT_SRC)): $1/%: $1/obj/tests/%.o $(call objects,$1,$(UNIT_HELP) $(ACCESS_SRC) $(filter-out port/update/update_ec.c,$(UPDATE_SRC))) $1/obj/unity.o \
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

# The steps of `make test`, in their order. RUN.<step> is the command of a step; NEEDS.<step>, its prerequisites, may also be
# in tests/*/build.mk.
UNIT_STEPS   := $(UNIT_PROGRAMS:build/asan/%=%)
WIRE_STEPS   := wire wire-cramped wire-trapped $(LEFT_OUT:%=wire-without-%) wire-contract
step_of = $(patsubst run-%,%,$(notdir $(patsubst %/check,%-check,$(patsubst %/run,%,$1))))# tests/host/fleet/run, tests/wire/tls/check, tests/quality/run-tools
SCRIPT_STEPS := $(foreach t,$(RUN_SCRIPTS),$(call step_of,$t))
MAKE_STEPS   := configs format-check layers symbols size
STEPS        := warnings msan $(UNIT_STEPS) $(WIRE_STEPS) $(SCRIPT_STEPS) port poll arm64 bridge wasm-twin wasm-bridge wasm-pack $(MAKE_STEPS)

$(foreach s,$(UNIT_STEPS),$(eval RUN.$s := build/asan/$s)$(eval NEEDS.$s := build/asan/$s))
$(foreach t,$(RUN_SCRIPTS),$(eval RUN.$(call step_of,$t) ?= $t))
RUN.warnings      = $(MAKE) -k $(JOBS) warnings
RUN.msan          = $(MAKE) $(JOBS) msan
RUN.wire          = $(WIRE_RUNNER)
RUN.wire-cramped  = build/cramped/wire-runner --core
RUN.wire-trapped  = build/trapped/wire-runner --core
RUN.wire-contract = build/contract/wire-runner --core tests/wire/contract/responses.txt
RUN.port          = tests/programs/port/run.py build/asan/skillromd build/asan/skillrom
RUN.poll          = tests/programs/port/run.py build/poll/skillromd build/poll/skillrom stdio image net limits
NEEDS.poll        = build/poll/skillrom build/poll/skillromd build/poll/pump
RUN.arm64         = SMALL=1 tests/programs/port/run.py build/arm64/run/skillromd build/skillrom
NEEDS.arm64       = build/arm64/run/skillromd
RUN.bridge        = tests/wire/conformance/run --suite build/bridged-board
$(foreach s,$(MAKE_STEPS),$(eval RUN.$s = $$(MAKE) $$(JOBS) $s))
RUN.size          = $(MAKE) $(JOBS) measured

# Programs that transcripts and scripts run, except scripts that only read sources.
PROGRAMS   := all build/example.rom build/asan/skillrom build/asan/skillromd build/asan/pump
NEEDS.wire += $(WIRE_RUNNER) build/asan/conformance-device build/conformance.rom
NEEDS.qemu += $(WIRE_RUNNER)
NEEDS.net  += $(WIRE_RUNNER)
$(foreach s,$(WIRE_STEPS) $(filter-out coverage proofs style tools words,$(SCRIPT_STEPS)) port poll arm64 bridge,$(eval NEEDS.$s += $(PROGRAMS)))

# ONLY=NAMES: these steps, and those in folders of these names, such as ONLY=unit/lint, ONLY=fleet or ONLY=host.
ASKED  := $(if $(filter test test-programs,$(MAKECMDGOALS)),$(patsubst tests/%,%,$(patsubst %/,%,$(subst $(comma), ,$(ONLY)))))
script_of  = $(patsubst tests/%,%,$(filter tests/%,$(firstword $(RUN.$1))))
folders_of = $1 $(call script_of,$1) $(subst /, ,$1 $(call script_of,$1))
steps_of   = $(strip $(foreach s,$(STEPS),$(if $(filter $1 $1/%,$(call folders_of,$s)),$s)))
CHOSEN := $(if $(ASKED),$(foreach s,$(STEPS),$(if $(filter $(ASKED) $(ASKED:%=%/%),$(call folders_of,$s)),$s)),$(STEPS))
$(foreach a,$(ASKED),$(if $(call steps_of,$a),,$(error ONLY=$a: `make test` has no step or folder of that name. \
    There are: $(STEPS))))

test-programs: $(sort $(foreach s,$(CHOSEN),$(NEEDS.$s)))

# The image compiler leaves its memory to the system when it exits; that is not reported as a leak.
test: export ASAN_OPTIONS = detect_leaks=0:abort_on_error=1
test: ## install missing packages and run everything a change must pass; V=1 shows the output of every step, ONLY=wire,unit/test_json runs these alone
	+@tools/run-tests build/test-logs \
	    need  dependencies 'tools/fetch-deps' \
	    build build        '$(MAKE) -k $(JOBS) test-programs' \
	    $(foreach s,$(CHOSEN),test $s '$(RUN.$s)')

MSAN_PROGRAMS := $(patsubst tests/%.c,build/msan/%,$(filter tests/unit/%,$(UNIT_SRC)))
msan: build/skillrom $(MSAN_PROGRAMS) build/msan/wire-runner ## unit tests and transcripts under clang's memory sanitizer; ALL=1: cut at every byte
	@tools/run-tests build/msan/logs $(foreach t,$(MSAN_PROGRAMS),test $(t:build/msan/%=%) $t) \
	    test wire 'build/msan/wire-runner $(if $(ALL),--core,--brief)'

# Every source, by both compilers, without a warning; the sanitized build of the tests ignores warnings.
JUDGED := $(foreach flavour,build build/clang,\
    $(call objects,$(flavour),$(SERVER_SRC) $(MAIN_SRC) $(COMPILER_SRC) $(CLI_SRC) $(BRIDGE_SRC) $(FLEET_SRC) $(MQTT_SRC) $(MQTT_SESSION) host/mqtt/without.c $(UNIT_SRC) $(UNIT_HELP) $(WIRE_SRC) tests/quality/size/main.c core/wire/page/mkpage.c))
$(foreach d,build build/clang,$(call objects,$d,$(FLEET_SRC))): | $(FLEET_IMAGE)
warnings: $(JUDGED)
	@echo '$(words $(JUDGED)) passed, 0 failed'
