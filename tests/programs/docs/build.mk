# What the pages' commands use, and what makes pages. The Makefile includes this.

NEEDS.docs += build/stm32vldiscovery/skillrom.elf $(AMALGAMATION) build/swarm fleet-images

docs: all ## make the parts of pages that repeat the sources: command line, configuration, file maps, figures
	@tools/make-pages --cc $(CC)

figures: ## measure what pages quote, into docs/figures.txt, and put it into pages
	@mkdir -p build/figures
	@$(MAKE) size >build/figures/size.log
	@$(MAKE) stack >build/figures/stack.log
	@$(MAKE) BOARD=netduinoplus2-full >/dev/null
	@tools/figures build/figures/size.log build/figures/stack.log build/netduinoplus2-full/skillrom.use >build/figures/figures.txt
	@cp build/figures/figures.txt docs/figures.txt
	@cp build/size/flash.svg tests/quality/size/flash.svg
	@tools/draw-diagrams
	@$(MAKE) docs
.PHONY: docs figures
