# Firmware in emulators: what tests/qemu/run needs, and the firmwares that measure themselves.

QEMU_BOARDS := $(BOARDS)
STACK_BUDGET := 1536

# What is run: the firmware as it is flashed, and the one that takes any image.
qemu-programs: $(foreach b,$(BUILDS),build/$b/program.elf build/$b/skillrom.elf build/$b/config.txt) build/calls.txt \
               build/mps2-an385/measure.elf build/mps2-an385/line.elf

build/calls.txt: tests/size/calls.txt boards/calls.txt
	@mkdir -p $(@D)
	$(Q)cat $^ >$@

qemu: qemu-programs build/asan/wire-runner ## boot each board in its emulator and run everything over its serial line
	@tests/qemu/run

size-boards: $(foreach b,$(BOARDS),build/$b/skillrom.elf build/$b/program.elf) build/calls.txt
	@tools/board-report.py --flash $(FLASH_BUDGET) --ram $(RAM_BUDGET) --stack $(STACK_BUDGET) --calls build/calls.txt \
	    $(BOARDS:%=build/%)

# measure.c counts instructions, line.c how well the line is used; both are a board without its board.c.
FLAGS.tests/qemu := -ffreestanding $(NO_HEAP)
MEASURED_SRC := boards/mps2-an385/semihosting.c $(CORE_SRC) $(READER_SRC) $(sort $(wildcard boards/device/*.c))

define measuring
build/mps2-an385/$1.elf: $(call objects,build/mps2-an385,tests/qemu/$1.c $2 $(MEASURED_SRC)) build/mps2-an385/obj/miniz.o \
                         build/mps2-an385/boards-device.image.o boards/mps2-an385/board.ld boards/common/sections.ld
	@echo '  link    $$@'
	$$(Q)$(call board_link,mps2-an385,skr_board_device) $$(filter %.o,$$^) -o $$@
endef
$(eval $(call measuring,measure,$(filter-out %/main.c,$(BOARD_COMMON))))
$(eval $(call measuring,line,$(BOARD_COMMON)))
$(eval $(if $(filter boards/device,$(DEVICE)),,$(call image,build/device/boards-device,boards/device)))

bench: qemu-programs bench-boards
bench-boards: qemu-programs
	@tests/qemu/bench.py

.PHONY: qemu qemu-programs size-boards bench-boards
