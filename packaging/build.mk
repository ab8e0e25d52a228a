# skillrom in other projects: packaging/README.md. The Makefile includes this.

VERSION := $(shell sed -n 's/^.define SKR_VERSION "\(.*\)"$$/\1/p' core/skillrom.h)
AMALGAMATION := build/amalgamation/skillrom.c build/amalgamation/skillrom.h

amalgamation: $(AMALGAMATION) ## write core and reader as two files, skillrom.c and skillrom.h, into build/amalgamation
.PHONY: amalgamation

$(AMALGAMATION) &: tools/amalgamate LICENSE $(CORE_SRC) $(READER_SRC) $(wildcard core/*.h core/*/*.h romfs/*.h) build/sources.list \
                   | $(JSMN_DIR)/jsmn.h
	@echo '  write   $(AMALGAMATION)'
	$(Q)tools/amalgamate build/amalgamation $(JSMN_DIR)

# One folder for every build system. Its name is that of the component, module or library.
LIBRARY := build/library/skillrom
URL        ?=# where it is published, for its manifests
REPOSITORY ?= $(URL)# where its sources are

library: build/library.done ## write a folder that CMake, Meson, ESP-IDF, Zephyr, PlatformIO, Arduino and the pico-sdk take: build/library/skillrom
.PHONY: library

build/library.done: $(AMALGAMATION) build/pack packaging/make-library packaging/build.mk LICENSE $(MINIZ_DIR)/miniz.c \
                    $(shell find packaging/library packaging/cmake examples/cmake port/uart port/sockets port/access port/zephyr port/esp_idf -type f) port/carrier.h port/pace.h
	@echo '  write   $(LIBRARY)'
	$(Q)VERSION='$(VERSION)' URL='$(URL)' REPOSITORY='$(REPOSITORY)' packaging/make-library $(LIBRARY) build/amalgamation $(MINIZ_DIR) build/pack
	@touch $@

# The samples for Zephyr; they need a Zephyr workspace.
BUILD_ZEPHYR  ?= build/zephyr
ZEPHYR_SAMPLE ?= uart
ZEPHYR_BOARD  ?= $(if $(filter http,$(ZEPHYR_SAMPLE)),mps2/an385,qemu_cortex_m3)
zephyr: build/library.done ## build the lamp with Zephyr: ZEPHYR_BASE=/path/to/zephyr, ZEPHYR_SAMPLE=uart or http, ZEPHYR_BOARD=qemu_cortex_m3
	$(if $(ZEPHYR_BASE),,$(error Zephyr is not part of this: make zephyr ZEPHYR_BASE=/path/to/zephyr))
	$(Q)PATH="$(abspath build):$$PATH" ZEPHYR_BASE='$(ZEPHYR_BASE)' cmake -S $(LIBRARY)/samples/$(ZEPHYR_SAMPLE) -B $(BUILD_ZEPHYR) -DBOARD=$(ZEPHYR_BOARD) $(ZEPHYR_CMAKE)
	$(Q)PATH="$(abspath build):$$PATH" cmake --build $(BUILD_ZEPHYR)
	@echo '  made    $(BUILD_ZEPHYR)/zephyr/zephyr.elf'
.PHONY: zephyr
