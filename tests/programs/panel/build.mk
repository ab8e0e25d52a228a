NEEDS.panel += $(PAGE_NPM) build/page/shell.c build/asan/conformance-device build/asan/dispenser build/conformance.rom build/netduinoplus2-full/program.elf \
               build/lm3s6965evb-net/program.elf build/pump

pictures: $(NEEDS.panel)
