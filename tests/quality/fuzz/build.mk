# Fuzzers: libFuzzer with clang's sanitizers. build/fuzz/<target> detects wrong addresses and undefined behaviour, build/fuzz-msan/<target>
# uninitialised memory; build/fuzz-fast/<target> is optimised and only traps undefined behaviour, to try several times as many inputs.
# tests/quality/fuzz/run runs them.

FUZZERS      := wire image frames uart tls text token update
FUZZ_HELP    := port/update/update.c port/update/update_record.c port/access/record.c tests/quality/fuzz/script.c tests/quality/fuzz/link.c tests/quality/fuzz/load.c tests/wire/hostile/judge.c tests/wire/hostile/agree.c
FUZZ_COMMON  := -O1 -g -w $(ASSERTS) -DSKR_PROFILE_FULL -DSKR_TX_SCRATCH=512 -DSKR_TX_DIRECT=16 -DSKR_TX_SPANS=2# buffers as small as they may be
FUZZ_ADDRESS := -fsanitize=address,undefined -fno-sanitize-recover=all
FUZZ_FAST    := -O2 -fsanitize=undefined -fsanitize-trap=undefined
FUZZ_MEMORY  := -fsanitize=memory -fsanitize-memory-track-origins
FLAGS.tests/quality/fuzz := $(COMPILER_FLAGS) -Iport/uart -Iport/tls -Iport/oauth -Iport/update -Iport/access $(WITH_TLS)

# $(call fuzzers,DIRECTORY,SANITIZERS[,FLAGS])
define fuzzers
$(call flavour,$1,$(CLANG),$(FUZZ_COMMON) $2 -fsanitize=fuzzer-no-link $3)
$(call tls,$1,$(CLANG),$(FUZZ_COMMON) $2 -fsanitize=fuzzer-no-link $3)
$(call objects,$1,tests/quality/fuzz/tls.c): | $(BEARSSL_DIR)/inc/bearssl.h

# A library, so that a target has only the objects that it needs: after each input libFuzzer reads the counters of all that are linked.
$1/libfuzz.a: $(call objects,$1,$(FUZZ_HELP) $(CORE_SRC) $(READER_SRC) $(UART_SRC) $(filter-out %/main.c,$(FIXTURE_SRC))) $1/obj/miniz.o $(LISTS)
	@rm -f $$@
	$$(Q)ar rcsD $$@ $$(LINKED)

$(FUZZERS:%=$1/%): $1/%: $1/obj/tests/quality/fuzz/%.o $1/libtls.a $1/libfuzz.a $(LISTS)
	@echo '  link    $$@'
	$$(Q)$(CLANG) $2 -fsanitize=fuzzer $$(filter %.o,$$^) -Wl,--start-group $$(filter %.a,$$^) -Wl,--end-group -o $$@
endef
$(eval $(call fuzzers,build/fuzz,$(FUZZ_ADDRESS)))
$(eval $(call fuzzers,build/fuzz-fast,$(FUZZ_FAST),-fno-sanitize-coverage=trace-cmp))
$(eval $(call fuzzers,build/fuzz-msan,$(FUZZ_MEMORY)))

# The bridge and its libraries have limits of their own, and so has their core. The linker replaces the system with the fuzzer
# (stand_in.c; device.c; session.c, instead of host/mqtt/mqtt.c).
BRIDGED      := bridge fleet publisher find
BRIDGE_FUZZ  := -O1 -g -w $(ASSERTS) -DSKR_USER_CONFIG='"../tests/quality/fuzz/bridge_fuzz.h"' -Ihost/bridge -Ihost/client -Ihost/transport -Iport/uart -Iport/tls -isystem $(HTTP_PARSER_DIR)
BRIDGE_WRAPS := $(patsubst %,-Wl$(comma)--wrap=%,clock_gettime getentropy host_log bridge_timer_in $(addprefix bridge_cache_,get put drop))
WRAPS.bridge := $(patsubst %,-Wl$(comma)--wrap=%,transport_target_resolve $(addprefix transport_connection_,open turn read write close))
BRIDGE_FUZZ_HELP := $(patsubst %,tests/quality/fuzz/%.c,device link script session stand_in) tests/wire/hostile/judge.c

# $(call bridge_fuzzers,DIRECTORY,SANITIZERS[,FLAGS])
define bridge_fuzzers
$(call flavour,$1/bridged,$(CLANG),$(BRIDGE_FUZZ) $2 -fsanitize=fuzzer-no-link $3)
$(call objects,$1/bridged,$(BRIDGE_SRC) $(FLEET_SRC) $(BRIDGED:%=tests/quality/fuzz/%.c) $(BRIDGE_FUZZ_HELP)): | $(HTTP_PARSER_DIR)/http_parser.c $(BEARSSL_DIR)/inc/bearssl.h $(FLEET_IMAGE)
$1/bridged/http_parser.o: $(HTTP_PARSER_DIR)/http_parser.c Makefile
	@mkdir -p $$(@D)
	$$(Q)$(CLANG) -std=c99 -w -O1 -g $2 -fsanitize=fuzzer-no-link -DHTTP_PARSER_STRICT=1 -c $$< -o $$@

$1/bridged/libbridge.a: $(call objects,$1/bridged,$(filter-out %/oauth%,$(BRIDGE_SRC) $(BRIDGE_WITH)) $(READER_SRC) $(FLEET_SRC) $(FLEET_IMAGE) $(MQTT_SRC) \
                          $(BRIDGE_FUZZ_HELP)) $1/bridged/obj/miniz.o $1/bridged/http_parser.o $(LISTS)
	@rm -f $$@
	$$(Q)ar rcsD $$@ $$(LINKED)

$(BRIDGED:%=$1/%): $1/%: $1/bridged/obj/tests/quality/fuzz/%.o $1/bridged/libbridge.a $(call bearssl,$1) $(LISTS)
	@echo '  link    $$@'
	$$(Q)$(CLANG) $2 -fsanitize=fuzzer $(BRIDGE_WRAPS) $$(WRAPS.$$*) $$(LINKED) -lresolv -o $$@
endef
$(eval $(call bridge_fuzzers,build/fuzz,$(FUZZ_ADDRESS)))
$(eval $(call bridge_fuzzers,build/fuzz-fast,$(FUZZ_FAST),-fno-sanitize-coverage=trace-cmp))
$(eval $(call bridge_fuzzers,build/fuzz-msan,$(FUZZ_MEMORY)))

# The image compiler's libraries are not built for the memory sanitizer, so its fuzzers have one flavour.
build/fuzz/compiler: $(call objects,build/fuzz,tests/quality/fuzz/compiler.c $(COMPILER_SRC) $(READER_SRC) $(HOST_SRC) $(TEXT_SRC)) build/fuzz/obj/miniz.o $(call bearssl,build/fuzz) $(LISTS)
	@echo '  link    $@'
	$(Q)$(CLANG) $(FUZZ_ADDRESS) -fsanitize=fuzzer $(LINKED) -lfyaml -lutf8proc -o $@

build/fuzz/deflated.rom: build/skillrom build/gen/tests/wire/conformance/device/inputs.list
	@mkdir -p $(@D)
	@echo '  pack    $@'
	$(Q)build/skillrom pack --strict --compress tests/wire/conformance/device -o $@ >/dev/null

# A key and its certificate, in the form that boards use.
build/fuzz/identity.der:
	@mkdir -p $(@D)
	$(Q)openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout $@.key -out $@.cert -subj /CN=fuzz -days 3650 2>/dev/null
	$(Q)openssl ec -in $@.key -outform DER -out $@.key.der 2>/dev/null
	$(Q)openssl x509 -in $@.cert -outform DER -out $@.cert.der
	$(Q)cat $@.key.der $@.cert.der >$@

fuzz-short-programs: $(patsubst %,build/fuzz/%,$(FUZZERS) fleet publisher bridge find compiler) build/conformance.rom build/fuzz/deflated.rom \
               build/fuzz/identity.der
fuzz-programs: fuzz-short-programs $(foreach flavour,fuzz-fast fuzz-msan,$(patsubst %,build/$(flavour)/%,$(FUZZERS) fleet publisher)) \
               build/fuzz-msan/bridge build/fuzz-fast/find
NEEDS.fuzz := fuzz-short-programs
test-long: fuzz

fuzz: fuzz-programs ## search for inputs that break something: each target of tests/quality/fuzz for SECONDS=60
	@SECONDS=$(or $(SECONDS),60) tests/quality/fuzz/run $(TARGETS)
.PHONY: fuzz fuzz-programs fuzz-short-programs
