# Firmware in emulators: prerequisites of tests/boards/qemu/run, and builds that measure themselves.

# Boards that are run, and boards whose sizes are reported here.
LINE_BUILDS := $(foreach b,$(ALL_BUILDS),$(if $(TESTS.$b),$b))
LINE_BOARDS := $(foreach b,$(filter $(BUILDS),$(LINE_BUILDS)),$(if $(filter checks,$(TESTS.$b)),$b))
FULL_BUILDS := mps2-an385-full netduinoplus2-full# they have all switches that a serial line can use
STACK_BUDGET := 1536
UART_FLASH_BUDGET := 2048
RISCV_UART_FLASH_BUDGET := 2432# its counters have 16 bits, to which RISC-V cuts the result of every step
UART_RAM_BUDGET := 300

# Limit of TinyUSB, its driver and the code between it and the core; without the connection.
USB_FLASH_BUDGET := 10240
USB_RAM_BUDGET := 2048

# Tests run each as the firmware that is flashed, and as firmware that takes any image.
qemu-programs: $(foreach b,$(LINE_BUILDS),build/$b/program.elf build/$b/skillrom.elf build/$b/config.txt) build/calls.txt \
               build/mps2-an385/measure.elf build/sifive-e/measure.elf build/mps2-an385/line.elf build/mps2-an385/plain.elf \
               $(FULL_BUILDS:%=build/%/conformance.elf) build/mps2-an385-full/dispenser.elf
NEEDS.qemu := qemu-programs

build/calls.txt: tests/quality/size/calls.txt boards/calls.txt
	@mkdir -p $(@D)
	$(Q)cat $^ >$@

qemu: qemu-programs build/asan/wire-runner ## boot each board in its emulator and run everything over its serial line
	@tests/boards/qemu/run

# All transcripts where make test runs a few, and boards that CMake builds.
LONG_BUILDS := $(foreach b,$(LINE_BUILDS),$(if $(filter long,$(TESTS.$b)),$b))
test-long: boards-long
boards-long: build/asan/wire-runner build/example.rom build/skillrom $(foreach b,$(LONG_BUILDS),build/$b/program.elf build/$b/config.txt)
	@for build in $(LONG_BUILDS); do build/asan/wire-runner --board $$build || exit 1; done
	@tests/packaging/packages/run boards

size: size-boards size-usb
SIZED := $(or $(BOARD),$(LINE_BOARDS))# make size-boards BOARD=mine
size-boards: $(SIZED:%=build/%/skillrom.elf) build/calls.txt
	@tools/board-report.py --flash $(FLASH_BUDGET) --flash-riscv $(RISCV_FLASH_BUDGET) --ram $(RAM_BUDGET) --stack $(STACK_BUDGET) --calls build/calls.txt \
	    --uart-flash $(UART_FLASH_BUDGET) --uart-flash-riscv $(RISCV_UART_FLASH_BUDGET) --uart-ram $(UART_RAM_BUDGET) $(SIZED:%=build/%)

size-usb: $(USB_BUILDS:%=build/%/skillrom.elf) build/calls.txt
	@tools/usb-report.py --flash $(USB_FLASH_BUDGET) --ram $(USB_RAM_BUDGET) --stack $(STACK_BUDGET) $(USB_BUILDS:%=build/%)

# The conformance fixture as a firmware, without an image: its handlers send client requests, report progress and become tasks.
$(foreach b,$(FULL_BUILDS),$(eval $(call board_firmware,$b,conformance,conformance_device,\
    $(call objects,build/$b,$(call board_sources,$b) $(filter-out %/main.c,$(FIXTURE_SRC))))))

# The dispenser as a firmware, whose tools have rules, where SKR_GUARD is on.
$(eval $(call board_firmware,mps2-an385-full,dispenser,dispenser_device,\
    $(call objects,build/mps2-an385-full,$(call board_sources,mps2-an385-full) $(GUARDED_SRC))))

# The firmware without the reliable mode, which only main.c uses.
build/mps2-an385/plain-main.o: boards/common/main.c $(wildcard boards/common/*.h port/uart/*.h core/*.h core/*/*.h) build/mps2-an385/chosen
	$(Q)$(ARM_CC) $(COMMON) $(call board_flags,mps2-an385) $(FLAGS.boards/common) -DSKR_UART_RELIABLE=0 -c $< -o $@
$(eval $(call board_firmware,mps2-an385,plain,$(DEVICE_NAME),build/mps2-an385/plain-main.o $(call board_image,mps2-an385) \
    $(filter-out %/common/main.o,$(call objects,build/mps2-an385,$(call board_sources,mps2-an385) $(DEVICE_C)))))

# measure.c counts instructions, line.c how well the line is used; both are a board without its board.c.
FLAGS.tests/boards/qemu := -ffreestanding $(NO_HEAP)

# $(call measuring,BUILD,NAME[,BUT FOR])
measuring = $(call board_firmware,$1,$2,skr_board_device,build/$1/examples-board.image.o \
    $(call objects,build/$1,tests/boards/qemu/$2.c $(filter-out $3,$(board_common)) $(CORE_SRC) $(READER_SRC) $(UART_SRC) $(sort $(wildcard examples/board/*.c))))
$(eval $(call measuring,mps2-an385,measure,%/main.c))
$(eval $(call measuring,sifive-e,measure,%/main.c))
$(eval $(call measuring,mps2-an385,line))
$(eval $(if $(filter examples/board,$(DEVICE)),,$(call image,build/device/tiny/examples-board,examples/board,--no-panel)))

bench: qemu-programs bench-boards
bench-boards: qemu-programs
	@tests/boards/qemu/bench.py

.PHONY: qemu boards-long qemu-programs size-boards size-usb bench-boards
