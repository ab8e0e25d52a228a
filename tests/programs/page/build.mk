NEEDS.page += $(PAGE_NPM) build/page/page.c build/asan/conformance-device build/asan/dispenser build/conformance.rom build/stm32vldiscovery/program.elf \
              build/lm3s6965evb-net/program.elf build/wasm/twin.html build/wasm/serial.html

# The pictures in the documents. Plots need make size and make bench first.
pictures: $(NEEDS.page) all build/example.rom ## make the pictures in the documents: diagrams, the page, plots of make size and make bench
	@tools/draw-diagrams
	@tests/programs/page/run picture
	@tests/programs/page/run dialogue >build/page/dialogue.log || : # which reports that the one in docs differs
	@cp build/page/dialogue.svg docs/ && tests/programs/page/run dialogue
	@cp build/page/desktop-light.png core/wire/page/desktop.png && cp build/page/phone-dark.png core/wire/page/phone.png
	@tests/programs/panel/run picture
	@cp build/panel/light.png docs/guides/panel-light.png && cp build/panel/dark.png docs/guides/panel-dark.png
	@for plot in size/flash bench/share; do [ ! -f build/$$plot.svg ] || cp build/$$plot.svg tests/$${plot%/*}/; done
.PHONY: pictures
