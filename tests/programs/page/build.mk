NEEDS.page += $(PAGE_NPM) build/page/page.c build/asan/conformance-device build/conformance.rom build/stm32vldiscovery/program.elf \
              build/lm3s6965evb-net/program.elf build/wasm/twin.html

# The pictures in the documents. Plots are there when make size and make bench have drawn them.
pictures: $(NEEDS.page) all build/example.rom ## make the pictures in the documents: diagrams, the page, plots of make size and make bench
	@tools/draw-diagrams
	@tests/programs/page/run picture
	@cp build/page/desktop-light.png core/wire/page/desktop.png && cp build/page/phone-dark.png core/wire/page/phone.png
	@for plot in size/flash bench/share; do [ ! -f build/$$plot.svg ] || cp build/$$plot.svg tests/$${plot%/*}/; done
.PHONY: pictures
