# Programs for the commands of pages, and targets that make pages. The Makefile includes this.

NEEDS.docs += build/dispenser build/stm32vldiscovery/skillrom.elf $(AMALGAMATION) build/swarm fleet-images

docs: all ## make the parts of pages that repeat the sources: command line, configuration, file maps, figures
	@tools/make-pages --cc $(CC)

figures: bench-programs ## measure the figures that pages quote, into docs/figures.txt, and insert them into pages
	@mkdir -p build/figures
	@$(MAKE) size >build/figures/size.log
	@$(MAKE) stack >build/figures/stack.log
	@$(MAKE) BOARD=netduinoplus2-full >/dev/null
	@tests/quality/bench/run instructions >build/figures/pc.log
	@$(MAKE) bench-boards bench-net >build/figures/boards.log
	@tools/figures build/figures/*.log build/netduinoplus2-full/skillrom.use >build/figures/figures.txt
	@cp build/figures/figures.txt docs/figures.txt
	@cp build/size/flash.svg tests/quality/size/flash.svg
	@tools/draw-diagrams
	@$(MAKE) docs

# The step `size` of `make test`: budgets, and whether pages quote what is measured.
measured:
	@mkdir -p build/measured
	@{ $(MAKE) size BRIEF=1 && $(MAKE) stack; } >build/measured/log 2>&1; status=$$?; cat build/measured/log; \
	    tools/figures --check docs/figures.txt build/measured/log && exit $$status

.PHONY: docs figures measured
