# The page for people: make page turns the sources in this folder into core/wire/page.c, which is kept in the tree, so that
# a project that compiles core/*/*.c needs no further step. tests/programs/page fails if it differs from its sources.

FLAGS.core/wire/page  := $(MINIZ)
MKPAGE_WITH := $(sort $(wildcard core/text/*.c)) romfs/crc32.c romfs/sha256.c
PAGE_NPM    := build/page/node_modules/.package-lock.json

build/mkpage: $(call objects,build,core/wire/page/mkpage.c $(MKPAGE_WITH)) build/obj/miniz.o $(LISTS)
	@echo '  link    $@'
	$(Q)$(LINK) $(GCC_FLAGS) $(LINKED) $(DROP_UNUSED) -o $@

$(PAGE_NPM): tests/programs/page/package.json tests/programs/page/package-lock.json tests/programs/page/.npmrc
	@mkdir -p build/page
	$(Q)cp $^ build/page/ && cd build/page && npm ci >/dev/null

TERSER := build/page/node_modules/.bin/terser --module --mangle --compress passes=3,ecma=2022,unsafe_arrows

build/page/%.js: core/wire/page/common.js core/wire/page/%.js $(PAGE_NPM)
	$(Q)$(TERSER) $(filter core/%,$^) --output $@

build/page/page.c: build/mkpage core/wire/page/index.html build/page/script.js core/wire/page/common.css core/wire/page/style.css
	$(Q)$< page $(filter-out $<,$^) >$@

build/page/shell.c: build/mkpage core/wire/page/panel.html build/page/panel.js core/wire/page/common.css core/wire/page/panel.css
	$(Q)$< panel $(filter-out $<,$^) >$@

page: build/page/page.c build/page/shell.c ## make core/wire/page.c and the shell of panels from core/wire/page
	$(Q)cmp -s $< core/wire/page.c || cp $< core/wire/page.c
	$(Q)cmp -s build/page/shell.c romfs/mkromfs/load/panel_shell.c || cp build/page/shell.c romfs/mkromfs/load/panel_shell.c
.PHONY: page
