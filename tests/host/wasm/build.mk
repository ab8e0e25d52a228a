# The transcripts of tests/wire as a module, with assertions.

WASM_WIRE_SRC := tests/host/wasm/wire_main.c $(patsubst %,tests/wire/%.c,bytes core_wire machines macro needs report transcript) \
                 $(filter-out %/main.c,$(FIXTURE_SRC)) $(DEVICE_SRC) $(GUARDED_SRC) $(CORE_SRC) $(READER_SRC)

FLAGS.tests/host/wasm := $(FLAGS.tests/wire)
$(eval $(call flavour,build/wasm/wire,$(WASI_CC),$(WASI_FLAGS) -w $(ASSERTS)))

build/wasm/wire.wasm: $(call objects,build/wasm/wire,$(WASM_WIRE_SRC)) build/wasm/wire/obj/miniz.o build/sources.list
	@echo '  link    $@'
	$(Q)$(WASM_LINK) -z stack-size=1048576 /usr/lib/wasm32-wasi/crt1-command.o $(LINKED) $(WASI_LIBS) $(WASI_BUILTINS) -o $@

# A twin of a device with rules, made of the objects of `make twin`.
$(eval $(call module,dispenser,own,dispenser_device,$(GUARDED_SRC)))
$(call objects,build/wasm/own,$(GUARDED_SRC)): | build/gen/examples/dispenser/tools.h
build/wasm/dispenser.rom: build/skillrom build/gen/examples/dispenser/inputs.list
	$(Q)build/skillrom pack examples/dispenser -o $@ >/dev/null

NEEDS.wasm := build/wasm/wire.wasm wasm build/wasm/dispenser.wasm build/wasm/dispenser.rom

# ---- The official suite, through a twin and through the bridge ----

# The fixture needs the limits of a PC. The example has them here, too large for its usual profile (tests/programs/page).
$(eval $(call module,pump,serve,skr_example_device,$(DEVICE_SRC)))
$(eval $(call module,conformance-device,serve,conformance_device,$(filter-out %/main.c,$(FIXTURE_SRC))))
$(call objects,build/wasm/serve,$(DEVICE_SRC)): | build/gen/examples/pump/tools.h

SUITE := pump conformance-device

# A program for tests/wire/conformance; without --http it has one client on stdin and stdout.
$(SUITE:%=build/wasm/twins/%): build/wasm/twins/%: build/wasm/%.wasm build/npm/program.done tests/host/wasm/build.mk
	@mkdir -p $(@D)
	$(Q)printf '#!/bin/sh\ncase " $$* " in *" --http "*) ;; *) set -- --stdio "$$@" ;; esac\nexec node %s serve --twin %s "$$@"\n' \
	    $(abspath $(NPM))/skillrom.mjs $(CURDIR)/$< >$@ && chmod +x $@

# The bridge keeps nothing on disk, so it is started without the cache that tests/host/serial/bridged names.
build/wasm/bridge-program: build/npm/program.done $(NPM_SERIAL) tests/host/wasm/build.mk
	$(Q)printf '#!/bin/sh\ncommand=$$1 port=$$2 && shift 4\nexec node %s $$command $$port "$$@"\n' $(abspath $(NPM))/skillrom.mjs >$@ && chmod +x $@

$(SUITE:%=build/wasm/bridged/%): build/wasm/bridged/%: build/wasm/bridge-program tests/host/wasm/build.mk
	@mkdir -p $(@D)
	$(Q)printf '#!/bin/sh\nexec %s/tests/host/serial/bridged %s %s/build/%s "$$@"\n' $(CURDIR) $(CURDIR)/$< $(CURDIR) $* >$@ && chmod +x $@

NEEDS.wasm += build/page/page.c build/stm32vldiscovery/program.elf $(NPM_SERIAL) $(PAGE_NPM) npm mcpb-serial
NEEDS.wasm-twin   := build/conformance.rom build/example.rom build/wasm/twins/conformance-device
RUN.wasm-twin     := tests/wire/conformance/run --official build/wasm/twins
NEEDS.wasm-bridge := build/conformance.rom build/example.rom build/conformance-device build/wasm/bridged/conformance-device
RUN.wasm-bridge   := tests/wire/conformance/run --official build/wasm/bridged

# ---- The pack tests against the npm program ----

build/wasm/pack/skillrom: build/npm/program.done tests/host/wasm/build.mk
	@mkdir -p $(@D)
	$(Q)printf '#!/bin/sh\nexec node %s "$$@"\n' $(abspath $(NPM))/skillrom.mjs >$@ && chmod +x $@
	$(Q)ln -sfn $(CURDIR)/build/skillromd $(@D)/skillromd

# In make test those parts in which it reads and writes files through its own half of WASI. The rest is of the same sources as natively.
NEEDS.wasm-pack := all build/wasm/pack/skillrom
RUN.wasm-pack   := tests/host/wasm/pack build/wasm/pack/skillrom /dev/null golden folders outputs

# ---- Longer tests: also the Inspector and the example, and every part of the pack tests ----

# The npm program passes every pack test except those in tests/host/wasm/not-here.txt, which has a reason for each.
test-long: wasm-long
wasm-long: all conformance-programs $(SUITE:%=build/wasm/twins/%) $(SUITE:%=build/wasm/bridged/%) build/wasm/pack/skillrom
	@tests/wire/conformance/run --suite build/wasm/twins
	@tests/wire/conformance/run --suite build/wasm/bridged
	@tests/host/wasm/pack build/wasm/pack/skillrom tests/host/wasm/not-here.txt golden folders skip outputs images json header commands
.PHONY: wasm-long
