# Firmware in emulators: what tests/qemu/run needs, and the firmwares that measure themselves.

# Those whose line is all they have; lm3s6965evb has Ethernet, and tests/net runs it.
LINE_BOARDS := mps2-an385 stm32vldiscovery rp2040-pico
LINE_BUILDS := $(LINE_BOARDS) mps2-an385-full
STACK_BUDGET := 1536
UART_FLASH_BUDGET := 2048
UART_RAM_BUDGET := 300

# What is run: the firmware as it is flashed, and the one that takes any image.
qemu-programs: $(foreach b,$(LINE_BUILDS),build/$b/program.elf build/$b/skillrom.elf build/$b/config.txt) build/calls.txt \
               build/mps2-an385/measure.elf build/mps2-an385/line.elf build/mps2-an385/plain.elf \
               build/mps2-an385-full/conformance.elf
NEEDS.qemu := qemu-programs

build/calls.txt: tests/size/calls.txt boards/calls.txt
	@mkdir -p $(@D)
	$(Q)cat $^ >$@

qemu: qemu-programs build/asan/wire-runner ## boot each board in its emulator and run everything over its serial line
	@tests/qemu/run

size: size-boards
size-boards: $(LINE_BOARDS:%=build/%/skillrom.elf) build/calls.txt
	@tools/board-report.py --flash $(FLASH_BUDGET) --ram $(RAM_BUDGET) --stack $(STACK_BUDGET) --calls build/calls.txt \
	    --uart-flash $(UART_FLASH_BUDGET) --uart-ram $(UART_RAM_BUDGET) $(LINE_BOARDS:%=build/%)

# The conformance fixture as a firmware, without an image.
define line_fixture
build/$1/conformance.elf: $(call objects,build/$1,$(board_sources) $(filter-out %/main.c,$(FIXTURE_SRC))) \
                          build/$1/obj/miniz.o $(board_script) boards/common/sections.ld build/sources.list
	@echo '  link    $$@'
	$$(Q)$(call board_link,$1,conformance_device) $$(LINKED) -o $$@
endef
$(eval $(call line_fixture,mps2-an385-full))

# The firmware without the reliable mode, which only main.c knows of.
define line_plain
build/$1/plain-main.o: boards/common/main.c $(wildcard boards/common/*.h port/uart/*.h core/*.h core/*/*.h) Makefile
	$$(Q)$(ARM_CC) $(COMMON) $(board_flags) $$(FLAGS.boards/common) -DSKR_UART_RELIABLE=0 -c $$< -o $$@

build/$1/plain.elf: $(filter-out %/common/main.o,$(call objects,build/$1,$(board_sources) $(DEVICE_C))) build/$1/plain-main.o \
                    build/$1/obj/miniz.o build/$1/$(subst /,-,$(DEVICE)).image.o $(board_script) boards/common/sections.ld build/sources.list
	@echo '  link    $$@'
	$$(Q)$(call board_link,$1,$(DEVICE_NAME)) $$(LINKED) -o $$@
endef
$(eval $(call line_plain,mps2-an385))

# measure.c counts instructions, line.c how well the line is used; both are a board without its board.c.
FLAGS.tests/qemu := -ffreestanding $(NO_HEAP)
MEASURED_SRC := boards/mps2-an385/semihosting.c $(CORE_SRC) $(READER_SRC) $(UART_SRC) $(sort $(wildcard boards/device/*.c))

define measuring
build/mps2-an385/$1.elf: $(call objects,build/mps2-an385,tests/qemu/$1.c $2 $(MEASURED_SRC)) build/mps2-an385/obj/miniz.o \
                         build/mps2-an385/boards-device.image.o boards/mps2-an385/board.ld boards/common/sections.ld build/sources.list
	@echo '  link    $$@'
	$$(Q)$(call board_link,mps2-an385,skr_board_device) $$(LINKED) -o $$@
endef
$(eval $(call measuring,measure,$(filter-out %/main.c,$(BOARD_COMMON))))
$(eval $(call measuring,line,$(BOARD_COMMON)))
$(eval $(if $(filter boards/device,$(DEVICE)),,$(call image,build/device/boards-device,boards/device)))

bench: qemu-programs bench-boards
bench-boards: qemu-programs
	@tests/qemu/bench.py

.PHONY: qemu qemu-programs size-boards bench-boards
