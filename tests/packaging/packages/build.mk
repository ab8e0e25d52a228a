# Prerequisites of tests/packaging/packages/run: the runner of transcripts with the two files of `make amalgamation` instead of core and reader.

build/amalgamation/skillrom.o: $(AMALGAMATION) build/flags.list | $(MINIZ_DIR)/miniz.c
	@echo '  compile $@'
	$(Q)$(CC) -std=c99 -O2 -g $(WARNINGS) $(CORE_FLAGS) -Ibuild/amalgamation -isystem $(MINIZ_DIR) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

build/amalgamation/wire-runner: build/amalgamation/skillrom.o $(call objects,build,$(WIRE_SRC) $(DEVICE_SRC)) build/obj/miniz.o $(LISTS)
	@echo '  link    $@'
	$(Q)$(LINK) $(CFLAGS) $(LINKED) -o $@

NEEDS.packages := build/amalgamation/wire-runner build/size/cortex-m3-tiny/firmware.elf build/library.done $(UNITY_DIR)/src/unity.c
