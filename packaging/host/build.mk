# Hosts: install, a Debian package, static programs, a bundle for Claude Desktop. packaging/host/README.md explains them.
#
#   build/stage/    the installed files, as they lie below PREFIX; `install` copies them and `uninstall` removes them

PREFIX  ?= /usr/local
LIBDIR  ?= lib# below PREFIX, or absolute
ZSHDIR  ?= share/zsh/site-functions
UNITDIR ?= lib/systemd/system

# Headers that a program needs, in one folder.
INSTALLED_HEADERS := $(wildcard core/*.h romfs/*.h) port/posix/posix.h

build/manuals.done: build/skillrom build/skillromd packaging/host/manuals packaging/host/build.mk
	@echo '  manuals build/manuals'
	$(Q)packaging/host/manuals build/skillrom build/skillromd build/manuals
	@touch $@

stage: build/skillrom build/skillromd build/libskillrom.a build/libposix.a build/manuals.done build/library.done
	@PREFIX='$(PREFIX)' LIBDIR='$(LIBDIR)' ZSHDIR='$(ZSHDIR)' UNITDIR='$(UNITDIR)' VERSION='$(VERSION)' \
	    packaging/host/stage build/stage $(INSTALLED_HEADERS)

install: stage ## install programs, libraries, headers, manual pages, completion and unit; DESTDIR= PREFIX=/usr/local
	@packaging/host/install build/stage '$(DESTDIR)$(PREFIX)'

uninstall: stage ## remove the files that `make install` with the same DESTDIR and PREFIX has installed
	@packaging/host/install --remove build/stage '$(DESTDIR)$(PREFIX)'

deb: | $(JSMN_DIR)/jsmn.h $(MINIZ_DIR)/miniz.c $(BEARSSL_DIR)/inc/bearssl.h $(HTTP_PARSER_DIR)/http_parser.c ## make Debian packages of programs and library, in build/deb
	@packaging/host/make-deb build/deb '$(VERSION)' jsmn=$(JSMN_DIR) miniz=$(MINIZ_DIR) bearssl=$(BEARSSL_DIR) \
	    http_parser=$(HTTP_PARSER_DIR)

.PHONY: stage install uninstall deb

# ---- Programs that need no library, for this processor and others ----

# $(call alone,DIRECTORY,COMPILER,FLAGS): skillromd, pump, and skillrom without the image compiler
define alone
$(call flavour,$1,$2,$3)
$(call tls,$1,$2,$3)
$(call bridge,$1,$2,$3)
$(call mqtt,$1,host/mqtt/without.c)
$(call programs,$1,$2,$3)

$1/skillrom-bridge: $(call objects,$1,host/main/bridge.c) $1/libbridge.a $1/libmqtt.a $1/libskillrom.a $(call bearssl,$1) $(LISTS)
	@echo '  link    $$@'
	$$(Q)$2 $3 $$(LINKED) -Wl,--gc-sections -lresolv -o $$@
endef

# musl has no kernel headers, so the system's are used.
ALONE.static := musl-gcc -idirafter /usr/include -idirafter /usr/include/$(shell $(CC) -dumpmachine 2>/dev/null)
ALONE.arm64  := aarch64-linux-gnu-gcc
ALONE.armhf  := arm-linux-gnueabihf-gcc
$(eval $(call alone,build/static,$(ALONE.static),-O2 -g -static))
$(foreach k,arm64 armhf,$(eval $(call alone,build/$k,$(ALONE.$k),-O2 -g)))

# A program for another processor, which tests run with QEMU.
build/%/run/skillromd: build/%/skillromd packaging/host/build.mk
	@mkdir -p $(@D)
	$(Q)printf '#!/bin/sh\nexec qemu-%s -0 skillromd %s "$$@"\n' '$(QEMU.$*)' '$(abspath $<)' >$@ && chmod +x $@
QEMU.arm64 := aarch64-static -L /usr/aarch64-linux-gnu
QEMU.armhf := arm-static -L /usr/arm-linux-gnueabihf

static: build/static/skillromd build/static/skillrom-bridge ## skillromd, and skillrom without the image compiler, with musl and without any library
arm64: build/arm64/skillromd build/arm64/skillrom-bridge ## these programs for 64-bit ARM
armhf: build/armhf/skillromd build/armhf/skillrom-bridge ## these programs for 32-bit ARM
.PHONY: static arm64 armhf

# ---- Claude Desktop ----

mcpb: build/static/skillrom-bridge ## make a bundle for Claude Desktop with the bridge in it: build/mcpb/skillrom-bridge-VERSION.mcpb
	@packaging/mcpb/make-mcpb build/mcpb '$(VERSION)' $<
.PHONY: mcpb
