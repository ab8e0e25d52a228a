# The page for people: make page turns the sources in this folder into core/wire/page.c, which is kept in the tree, so that
# whoever compiles core/*/*.c needs no further step. tests/programs/page fails when it is not what the sources make.

FLAGS.core/wire/page  := $(MINIZ)
MKPAGE_WITH := $(sort $(wildcard core/text/*.c)) romfs/crc32.c romfs/sha256.c
PAGE_NPM    := build/page/node_modules/.package-lock.json

build/mkpage: $(call objects,build,core/wire/page/mkpage.c $(MKPAGE_WITH)) build/obj/miniz.o $(LISTS)
	@echo '  link    $@'
	$(Q)$(LINK) $(GCC_FLAGS) $(LINKED) -Wl,--gc-sections -o $@

$(PAGE_NPM): tests/programs/page/package.json tests/programs/page/package-lock.json tests/programs/page/.npmrc
	@mkdir -p build/page
	$(Q)cp $^ build/page/ && cd build/page && npm ci >/dev/null

build/page/script.js: core/wire/page/script.js $(PAGE_NPM)
	$(Q)build/page/node_modules/.bin/terser $< --module --mangle --compress passes=3,ecma=2022 --output $@

build/page/page.c: build/mkpage core/wire/page/index.html core/wire/page/style.css build/page/script.js
	$(Q)$^ >$@

page: build/page/page.c ## make core/wire/page.c from page/
	$(Q)cmp -s $< core/wire/page.c || cp $< core/wire/page.c
.PHONY: page
