# Modules for browsers and Node: make wasm. README.md in this folder explains them.
#
#   build/wasm/twin.wasm       the example device with its handlers; make twin makes one of any DEVICE
#   build/wasm/serve.wasm      a device without handlers, for any image
#   build/wasm/bridge.wasm     the bridge for one serial port
#   build/wasm/skillrom.wasm   the image compiler
#
# The first two have no C library; the others are linked with wasi-libc, and JavaScript provides their imports.

WASM_CC    := $(CLANG) --target=wasm32 -mbulk-memory -nostdlibinc
WASI_CC    := $(CLANG) --target=wasm32-wasi -isystem /usr/include/wasm32-wasi -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_MMAN
WASM_FLAGS := -Oz -ffunction-sections -fdata-sections
WASI_FLAGS := $(WASM_FLAGS) -std=gnu11# wasi-libc's socket headers are not C99
WASM_LINK  := wasm-ld --gc-sections -s
WASI_LIBS  := -L/usr/lib/wasm32-wasi -lwasi-emulated-mman -lwasi-emulated-signal -lm -lc
WASI_BUILTINS = $(firstword $(wildcard $(shell $(CLANG) -print-resource-dir)/lib/wasi/libclang_rt.builtins-wasm32.a /usr/lib/llvm-*/lib/clang/*/lib/wasi/libclang_rt.builtins-wasm32.a))

FLAGS.port/wasm := -ffreestanding -fbuiltin $(NO_HEAP)
FLAGS.host/wasm := -D_GNU_SOURCE -Iromfs/mkromfs $(NO_HEAP)

# The page for people and a device both fit into these: HTTP, tools that take time, client requests. Your own device may have rules;
# the example has none.
TWIN_PROFILE ?= -DSKR_PROFILE_FULL -DSKR_GUARD=1
LIMITS.twin  := -DSKR_PROFILE_FULL
LIMITS.own    = $(TWIN_PROFILE)
LIMITS.serve := -DSKR_PROFILE_HOST -DLINKS=32

# Core and reader for devices: of a profile, and with the limits of a PC.
$(foreach of,twin serve,$(eval $(call flavour,build/wasm/$(of),$(WASM_CC),$(WASM_FLAGS) -Iport/wasm/include $(LIMITS.$(of)))))
$(eval $(call flavour,build/wasm/own,$(WASM_CC),$(WASM_FLAGS) -Iport/wasm/include $(LIMITS.own),build/wasm/own/chosen))
build/wasm/own/chosen: FORCE
	@$(call when_new,echo $(call quoted,$(TWIN_PROFILE)))

# $(call module,NAME,FLAVOUR,STRUCT SKR_DEVICE,SOURCES): a device as a module, of the objects of a flavour above
define module
build/wasm/$1/twin.o: port/wasm/twin.c build/wasm/$2/obj/port/wasm/links.o build/wasm/$1/chosen
	@mkdir -p $$(@D)
	$$(Q)$(WASM_CC) $(COMMON) $(WASM_FLAGS) -Iport/wasm/include $(LIMITS.$2) $(FLAGS.port/wasm) -DTWIN_DEVICE=$3 -c $$< -o $$@

build/wasm/$1/chosen: FORCE
	@$$(call when_new,echo $$(call quoted,$3))

build/wasm/$1.wasm: build/wasm/$1/twin.o $(call objects,build/wasm/$2,$4 port/wasm/links.c port/wasm/string.c $(CORE_SRC) $(READER_SRC)) \
                    build/wasm/$2/obj/miniz.o build/sources.list
	@echo '  link    $$@'
	$$(Q)$(WASM_LINK) --no-entry -z stack-size=65536 $$(LINKED) -o $$@
endef

$(eval $(call module,example,twin,skr_example_device,$(DEVICE_SRC)))
$(eval $(call module,none,serve,wasm_no_device,port/wasm/none.c))
$(call objects,build/wasm/twin,$(DEVICE_SRC)): | build/gen/examples/pump/tools.h
build/wasm/twin.wasm: build/wasm/example.wasm
	$(Q)cp $< $@
build/wasm/serve.wasm: build/wasm/none.wasm
	$(Q)cp $< $@

# ---- The bridge ----

WASM_BRIDGE_CONFIG := -DSKR_POLL=1 -DLINKS=16 -DSKR_USER_CONFIG='"../host/wasm/bridge_limits.h"'
WASM_BRIDGE_SRC := host/wasm/bridge.c port/wasm/links.c $(patsubst %,host/base/%.c,console json_edit) port/uart/frame.c $(CORE_SRC) $(READER_SRC) \
    $(patsubst %,host/transport/%.c,header_lines serial serial_error serial_text transport) \
    $(filter-out $(patsubst %,host/bridge/%.c,bridge cache loop options publish stdio_client timer),$(wildcard host/bridge/*.c))

$(eval $(call flavour,build/wasm/bridge,$(WASI_CC),$(WASI_FLAGS) $(WASM_BRIDGE_CONFIG)))

build/wasm/bridge.wasm: $(call objects,build/wasm/bridge,$(WASM_BRIDGE_SRC)) build/wasm/bridge/obj/miniz.o build/sources.list
	@echo '  link    $@'
	$(Q)$(WASM_LINK) --no-entry -z stack-size=131072 $(LINKED) $(WASI_LIBS) $(WASI_BUILTINS) -o $@

# ---- The image compiler, without the code that starts programs, watches folders or waits for descriptors ----

LIBFYAML_DIR ?= third_party/libfyaml
UTF8PROC_DIR ?= third_party/utf8proc
LIBFYAML_FLAGS := -DVERSION='"0.7.12"' -Ihost/wasm/include -I$(LIBFYAML_DIR)/include -I$(LIBFYAML_DIR)/src/lib -I$(LIBFYAML_DIR)/src/xxhash
WASM_COMPILER_FLAGS := $(WASI_FLAGS) -include host/wasm/system.h -isystem $(LIBFYAML_DIR)/include -isystem $(UTF8PROC_DIR) -DUTF8PROC_STATIC
WASM_COMPILER_SRC := $(patsubst %,host/wasm/%.c,skillrom system) $(TEXT_SRC) $(READER_SRC) $(filter-out host/base/system%.c host/base/private.c host/base/record_file.c,$(HOST_SRC)) \
    $(filter-out %/cmd_keys.c,$(COMPILER_SRC))

$(LIBFYAML_DIR)/include/libfyaml.h:
	@tools/fetch-deps libfyaml
$(UTF8PROC_DIR)/utf8proc.c:
	@tools/fetch-deps utf8proc

$(eval $(call flavour,build/wasm/skillrom,$(WASI_CC),$(WASM_COMPILER_FLAGS)))
$(eval $(call bearssl_rule,build/wasm/skillrom,$(WASI_CC),$(WASM_FLAGS)))
$(call objects,build/wasm/skillrom,$(WASM_COMPILER_SRC)): | $(LIBFYAML_DIR)/include/libfyaml.h $(UTF8PROC_DIR)/utf8proc.c

# The list of files is known only after they have been fetched.
build/wasm/skillrom/libraries.done: port/wasm/build.mk | $(LIBFYAML_DIR)/include/libfyaml.h $(UTF8PROC_DIR)/utf8proc.c
	@mkdir -p $(@D)/libraries
	@echo '  compile $(@D)/libraries'
	$(Q)cd $(@D)/libraries && for c in $(abspath $(LIBFYAML_DIR))/src/lib/*.c $(abspath $(LIBFYAML_DIR))/src/xxhash/*.c $(abspath $(UTF8PROC_DIR))/utf8proc.c; do \
	    $(WASI_CC) -w $(WASM_FLAGS) $(subst -I,-I$(CURDIR)/,$(LIBFYAML_FLAGS)) -DUTF8PROC_STATIC -D_GNU_SOURCE -c $$c || exit 1; done
	@touch $@

build/wasm/skillrom.wasm: $(call objects,build/wasm/skillrom,$(WASM_COMPILER_SRC)) $(call bearssl,build/wasm/skillrom) build/wasm/skillrom/obj/miniz.o build/wasm/skillrom/libraries.done build/sources.list
	@echo '  link    $@'
	$(Q)$(WASM_LINK) -z stack-size=1048576 /usr/lib/wasm32-wasi/crt1-command.o $(LINKED) build/wasm/skillrom/libraries/*.o $(WASI_LIBS) $(WASI_BUILTINS) -o $@

WASM := $(patsubst %,build/wasm/%.wasm,twin serve bridge skillrom)
wasm: $(WASM) build/wasm/twin.html build/wasm/serial.html ## modules for browsers and Node: the example device, any image, the bridge, the image compiler
	@for module in $^; do echo "  $$module $$(wc -c <$$module) bytes, $$(gzip -9c $$module | wc -c) compressed"; done
.PHONY: wasm

# ---- One HTML file: the example device, and a client for one on a serial port ----

PAGE_PARTS := $(patsubst %,core/wire/page/%,index.html common.css style.css common.js script.js) port/wasm/html.mjs port/wasm/links.mjs port/wasm/serial.mjs

build/wasm/twin.html: build/wasm/twin.wasm build/example.rom $(PAGE_PARTS)
	@echo '  write   $@'
	$(Q)node port/wasm/html.mjs twin $@ core/wire/page $< build/example.rom

# For your own device: its Makefile sets OUT, the path without suffix.
OUT ?= build/wasm/device
ifneq ($(filter twin,$(MAKECMDGOALS)),)
$(eval $(call module,device,own,$(DEVICE_NAME),$(DEVICE_C)))
$(call objects,build/wasm/own,$(DEVICE_C)): | build/gen/$(DEVICE)/tools.h
build/wasm/device.rom: build/pack build/gen/$(DEVICE)/inputs.list build/wasm/device/chosen
	@echo '  pack    $@'
	$(Q)build/pack pack $(DEVICE) -o $@ >/dev/null
endif
twin: build/wasm/device.wasm build/wasm/device.rom $(PAGE_PARTS) ## a device in one HTML file, and as a module: DEVICE=folder DEVICE_NAME=struct OUT=path/without-suffix; the example without these
	$(Q)node port/wasm/html.mjs twin build/wasm/device.html core/wire/page build/wasm/device.wasm build/wasm/device.rom
	$(Q)mkdir -p $(dir $(OUT))
	$(Q)$(if $(filter-out build/wasm/device,$(OUT)),cp build/wasm/device.html $(OUT).html && cp build/wasm/device.wasm $(OUT).wasm)
	@echo '  made    $(OUT).html and $(OUT).wasm'
.PHONY: twin

build/wasm/serial.html: build/wasm/bridge.wasm $(PAGE_PARTS)
	@echo '  write   $@'
	$(Q)node port/wasm/html.mjs serial $@ core/wire/page $<
