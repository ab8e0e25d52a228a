# The npm package: make npm writes build/npm/skillrom-VERSION.tgz. README.md in this folder is the package's own.

NPM         := build/npm/package
# Licences of the libraries in the modules.
NPM_LICENCES := libfyaml=$(LIBFYAML_DIR)/LICENSE utf8proc=$(UTF8PROC_DIR)/LICENSE.md wasi-libc=/usr/share/doc/wasi-libc/copyright
NPM_FILES   := $(patsubst %,build/wasm/%,serve.wasm bridge.wasm skillrom.wasm.br) $(patsubst %,port/wasm/%.mjs,links serial) \
               $(patsubst %,host/wasm/%.mjs,wasi skillrom) $(patsubst %,packaging/npm/%,index.mjs index.d.ts README.md) LICENSE

# Files that only skillrom.mjs reads, compressed as far as possible: npm's own compression leaves 60 KB more.
%.wasm.br: %.wasm
	$(Q)node -e "const [, from, to] = process.argv, {readFileSync, writeFileSync} = require('fs'); writeFileSync(to, require('zlib').brotliCompressSync(readFileSync(from)))" $< $@

build/npm/program.done: $(NPM_FILES) packaging/npm/package.json packaging/npm/build.mk
	@rm -rf $(NPM) && mkdir -p $(NPM)
	$(Q)cp $(NPM_FILES) $(NPM)/ && chmod +x $(NPM)/skillrom.mjs
	$(Q){ cat packaging/host/debian/copyright; $(foreach part,$(NPM_LICENCES),printf '\n---- %s ----\n\n' '$(firstword $(subst =, ,$(part)))'; cat $(lastword $(subst =, ,$(part)));) \
	    printf '\n---- xxHash, in libfyaml ----\n\n'; sed '/\*\//q' $(LIBFYAML_DIR)/src/xxhash/xxhash.c; } >$(NPM)/COPYRIGHT
	$(Q)sed 's/@VERSION@/$(VERSION)/' packaging/npm/package.json >$(NPM)/package.json
	@touch $@

build/npm/skillrom-$(VERSION).tgz: build/npm/program.done
	$(Q)cd $(NPM) && npm pack --silent --pack-destination .. >/dev/null

npm: build/npm/skillrom-$(VERSION).tgz ## make the npm package: build/npm/skillrom-VERSION.tgz
	@echo "  made    $< $$(wc -c <$<) bytes"
.PHONY: npm

# ---- Claude Desktop, on every system with Node ----

# The optional dependency of the package, pinned, in the folder where the program finds it.
NPM_SERIAL := build/npm/node_modules/.package-lock.json
$(NPM_SERIAL): $(patsubst %,packaging/npm/serial/%,package.json package-lock.json .npmrc)
	@mkdir -p build/npm
	$(Q)cp $^ build/npm/ && cd build/npm && npm ci >/dev/null

mcpb-serial: build/npm/program.done $(NPM_SERIAL) ## make a bundle for Claude Desktop on Windows, macOS and Linux, for serial ports: build/mcpb/skillrom-serial-VERSION.mcpb
	@packaging/mcpb/make-mcpb build/mcpb '$(VERSION)' $(NPM) build/npm
.PHONY: mcpb-serial
