# Whether everything compiles for macOS: by zig, which npm carries (400 MB), so only in make test-long. Nothing of it is run. What uses
# libmosquitto and the sandbox of Linux is left out, as `make` leaves them out there; so are the three files about mDNS, because zig has no
# <arpa/nameser.h>, which Apple's headers have.

ZIG     := build/macos/zig/node_modules/.bin/zig
MAC_CC  := $(ZIG) cc -target aarch64-macos
NO_MDNS := port/posix/announce.c host/client/mdns.c host/client/cmd_find.c

MAC_SRC := $(filter-out $(SANDBOX_SRC) $(NO_MDNS),$(SERVER_SRC) $(MAIN_SRC) $(COMPILER_SRC) $(CLI_SRC) $(MQTT_SRC) host/mqtt/without.c)
MAC_BRIDGE_SRC := $(filter-out $(NO_MDNS),$(BRIDGE_SRC) $(FLEET_SRC))

$(ZIG): $(patsubst %,tests/packaging/macos/%,package.json package-lock.json .npmrc)
	@mkdir -p build/macos/zig
	$(Q)cp $^ build/macos/zig/ && cd build/macos/zig && npm ci >/dev/null
	@touch $@

# Of its own copies: the headers of this machine's libraries lie beside those of its C library.
MAC_FLAGS := -O0 -isystem $(LIBFYAML_DIR)/include -isystem $(UTF8PROC_DIR)
$(eval $(call flavour,build/macos,$(MAC_CC),$(MAC_FLAGS)))
$(eval $(call flavour,build/macos/bridge,$(MAC_CC),$(MAC_FLAGS) $(BRIDGE_CONFIG)))
MAC_OBJECTS := $(call objects,build/macos,$(MAC_SRC)) $(call objects,build/macos/bridge,$(MAC_BRIDGE_SRC))
$(MAC_OBJECTS): | $(ZIG) $(LIBFYAML_DIR)/include/libfyaml.h $(UTF8PROC_DIR)/utf8proc.c $(HTTP_PARSER_DIR)/http_parser.c $(BEARSSL_DIR)/inc/bearssl.h $(FLEET_IMAGE)

# What systems other than Linux have of `skillrom serve`, here.
poll-serve: all build/poll/skillrom build/poll/skillromd
	@tests/host/wasm/pack build/poll/skillrom tests/packaging/macos/not-there.txt golden folders skip outputs images json header commands serve
.PHONY: poll-serve

test-long: macos poll-serve
macos: $(MAC_OBJECTS)
	@echo '$(words $(MAC_OBJECTS)) passed, 0 failed'
.PHONY: macos
