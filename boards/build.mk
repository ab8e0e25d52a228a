# Firmware: make BOARD=mps2-an385 builds build/mps2-an385/skillrom.elf. The Makefile includes this.
#
#   build/<build>/skillrom.elf   the firmware with a device's skills and tools: DEVICE, examples/board if not given
#   build/<build>/skillrom.bin   its bytes as they are in flash; skillrom.hex also has their addresses; some boards have another file
#   build/<build>/skillrom.use   how much of its memories it takes
#   build/<build>/program.elf    firmware with the tools of examples/pump and without an image; tests append images
#   build/<build>/obj            objects; build/<build>/config.txt: every switch and limit of skr_config.h with its value here
#
# Each folder here that has a board.mk is a board; its name is that of the board's first build. board.mk is
# also read by CMake (packaging/cmake) and by the tests (tests/client/boards.py), so it consists of lines
# KEY.<build> := value; those two cannot read functions or variables of make:
#
#   CPU        flags of the processor
#   ARCH       cortex-m (default) or riscv: the folder with the code for all such processors
#   WIRE       its transport: line (default); net, Ethernet (net/build.mk); usb (usb/build.mk)
#   EMULATOR   runs it: qemu-system-... with a machine, or rp2040js with the name of its serial line
#   FLASH      writes it to the board, for tools/flash; not given: only its emulator is supported
#   TESTS      how tests/boards/qemu runs it there: `checks`; all transcripts, or a few of them; `interactive`: transcripts about time, client
#              requests, tasks and prompts; `long`: all of them in make test-long.
#              lm3s6965evb is run by tests/boards/net
#   FOLDER     the board whose second build this is: its values are the defaults, except of the next row and TESTS
#   SCRIPT     instead of board.ld or, with Ethernet, net.ld; CONFIG: instead of board_skr.h or net_skr.h; PARTS: a folder with
#              sources that only this build has; NOTE: why there is such a build, for `make boards`
#   FIRMWARE   the suffix of a further file that is made from the ELF; AFTER_LINK: a command that completes the ELF
#   NET_FLAGS  with Ethernet: limits of port/lwip/lwip_config.h, such as SKR_LWIP_SLOTS, and settings of net/net_config.h; TLS: yes for
#              HTTPS. UPDATE: a manual that can be replaced (update/build.mk). USB: CONTROLLER, USB_FLAGS and SDK_HEADERS (usb/build.mk)
#
# Your own boards may be elsewhere: BOARD=/path/to/boards/mine adds the folders there that have a board.mk.

BOARDS := $(notdir $(patsubst %/board.mk,%,$(wildcard boards/*/board.mk)))
ifneq ($(findstring /,$(BOARD)),)
OUTSIDE := $(abspath $(dir $(abspath $(BOARD))))
override BOARD := $(notdir $(abspath $(BOARD)))
ifneq ($(OUTSIDE),$(CURDIR)/boards)
OUTSIDE_BOARDS := $(notdir $(patsubst %/board.mk,%,$(wildcard $(OUTSIDE)/*/board.mk)))
$(if $(OUTSIDE_BOARDS),,$(error BOARD=$(OUTSIDE)/$(BOARD): no folder of $(OUTSIDE) has a board.mk))
$(foreach b,$(filter $(BOARDS),$(OUTSIDE_BOARDS)),$(error $(OUTSIDE)/$b: there is a board of this name in boards/; rename the folder))
endif
endif
DEVICE ?= $(if $(filter twin,$(MAKECMDGOALS)),examples/pump,examples/board)

# Normalised: relative if it is below this folder, otherwise absolute, so that objects stay below build/.
override DEVICE := $(patsubst $(CURDIR)/%,%,$(abspath $(DEVICE)))
$(if $(wildcard $(DEVICE)/tools.h),$(error $(DEVICE)/tools.h would be included instead of \
    the header that is made of $(DEVICE)/tools: remove it))
include $(BOARDS:%=boards/%/board.mk) $(OUTSIDE_BOARDS:%=$(OUTSIDE)/%/board.mk)

# $(call of,KEY,BUILD); $(call builds_of,WIRE)
of         = $(or $($1.$2),$($1.$(FOLDER.$2)))
ALL_BUILDS := $(sort $(BOARDS) $(OUTSIDE_BOARDS) $(patsubst FOLDER.%,%,$(filter FOLDER.%,$(.VARIABLES))))
builds_of  = $(foreach b,$(ALL_BUILDS),$(if $(filter $1,$(or $(WIRE.$b),line)),$b))
BUILDS     := $(call builds_of,line)
NET_BUILDS := $(call builds_of,net)
USB_BUILDS := $(call builds_of,usb)

CC.cortex-m   := $(ARM_CC)
CC.riscv      := $(RISCV_CC)
LIBC.cortex-m := --specs=nano.specs

# The name of a device's struct skr_device; for a folder of your own: make BOARD=... DEVICE=my/device DEVICE_NAME=my_device
DEVICE_NAME.examples/board   := skr_board_device
DEVICE_NAME.examples/pump := skr_example_device
DEVICE_NAME ?= $(or $(DEVICE_NAME.$(DEVICE)),skr_device)

DEVICE_C := $(filter-out %/main.c,$(sort $(wildcard $(DEVICE)/*.c)))
ifneq ($(BOARD)$(filter twin,$(MAKECMDGOALS)),)
$(if $(DEVICE_C),,$(error DEVICE=$(DEVICE): no C file of a device there; name its folder, and move it if its path has spaces, which make cannot handle))
endif

FLAGS.boards/common   := -ffreestanding $(NO_HEAP) -Iport/uart
FLAGS.boards/cortex-m := $(FLAGS.boards/common)
FLAGS.boards/riscv    := $(FLAGS.boards/common)
FLAGS.$(DEVICE) ?= -ffreestanding $(NO_HEAP) -Ibuild/gen/$(DEVICE)

# $(call board_...,BUILD)
board_folder  = $(call board_place,$(or $(FOLDER.$1),$1))
board_place   = $(if $(filter $1,$(OUTSIDE_BOARDS)),$(OUTSIDE),boards)/$1
board_arch    = $(or $(call of,ARCH,$1),cortex-m)
board_cc      = $(CC.$(board_arch))
board_tool    = $(patsubst %gcc,%,$(firstword $(board_cc)))
board_cpu     = $(call of,CPU,$1)
board_net     = $(filter net,$(WIRE.$1))
board_script  = $(board_folder)/$(or $(SCRIPT.$1),$(if $(board_net),net.ld,board.ld))
board_config  = -I$(board_folder) $(if $(board_net),-Iboards/net) -DSKR_USER_CONFIG='"$(or $(CONFIG.$1),$(if $(board_net),net_skr.h,board_skr.h))"'
board_common  = $(sort $(wildcard boards/common/*.c boards/$(board_arch)/*.c))
board_parts   = $(if $(PARTS.$1),$(patsubst %/,%,$(firstword $(wildcard boards/$(PARTS.$1)/ $(OUTSIDE:%=%/$(PARTS.$1)/)))))
board_own     = $(sort $(wildcard $(board_folder)/*.c $(board_parts:%=%/*.c)))
board_sources = $(board_common) $(board_own) $(CORE_SRC) $(READER_SRC) $(UART_SRC)
board_flags   = $(board_cpu) -Os -g -ffunction-sections -fdata-sections -fcallgraph-info=su -Iboards/common -Iboards/$(board_arch) $(board_config)
board_image   = build/$1/$(subst /,-,$(DEVICE)).image.o
# Profile tiny, which has no SKR_PANEL, is the board_skr.h of boards without Ethernet: its images have no panel either.
board_images  = build/device$(if $(or $(CONFIG.$1),$(board_net)),,/tiny)

# $(call board_link,BUILD,DEVICE NAME)
board_link    = $(board_cc) $(board_cpu) $(LIBC.$(board_arch)) -nostartfiles -Wl,--gc-sections,--defsym=board_device=$2 \
                -Lboards/common -Lboards/net -T $(board_script) -Wl,-Map=$$(@:.elf=.map),--no-warn-rwx-segments

# $(call image,FILE,FOLDER,OPTIONS): an image as a C array, from a device's folder
define image
$1.c: build/pack build/gen/$2/inputs.list
	@mkdir -p $$(@D)
	@echo '  pack    $$@'
	$$(Q)build/pack pack --strict $3 $2 -o $1.rom --emit-c $1.c >/dev/null
endef

# $(call board_firmware,BUILD,NAME,STRUCT SKR_DEVICE,OBJECTS): a firmware of these objects
define board_firmware
build/$1/$2.elf: $4 build/$1/obj/miniz.o $(board_script) boards/common/sections.ld boards/net/page.ld build/$1/chosen build/sources.list
	@echo '  link    $$@'
	$$(Q)$(call board_link,$1,$3) -Wl,--print-memory-usage $$(LINKED) -o $$@ >$$(@:.elf=.use)
	$(if $(call of,AFTER_LINK,$1),$$(Q)$(call of,AFTER_LINK,$1) $$@)
endef

# $(call board_build,BUILD,OBJECTS,FLAGS): the rules of every build. FLAGS are those of its objects.
define board_build
$(call flavour,build/$1,$(board_cc),$3,build/$1/chosen)

# Changes with the flags, so that everything is compiled again.
build/$1/chosen: FORCE
	@$$(call when_new,echo $$(call quoted,$3 $(board_script)))

build/$1/%.image.o: $(board_images)/%.c
	@mkdir -p $$(@D)
	$$(Q)$(board_cc) $(board_cpu) -fdata-sections -c $$< -o $$@

$(call objects,build/$1,$(DEVICE_C)): | build/gen/$(DEVICE)/tools.h
$(call board_firmware,$1,skillrom,$(DEVICE_NAME),$2 $(call objects,build/$1,$(DEVICE_C)) $(board_image) build/device/chosen)
$(call board_firmware,$1,program,skr_example_device,$2 $(call objects,build/$1,$(DEVICE_SRC)))

# The flash between program and skills stays erased. From the ELF objcopy would fill everything up to RAM if .data is empty.
build/$1/skillrom.hex: build/$1/skillrom.elf
	$$(Q)$(board_tool)objcopy -O ihex $$< $$@
build/$1/skillrom.bin: build/$1/skillrom.hex
	$$(Q)$(board_tool)objcopy -I ihex -O binary --gap-fill 0xff $$< $$@

build/$1/config.txt: core/skr_config.h $(wildcard $(board_folder)/*_skr.h boards/net/net_skr.h) tools/list-config build/$1/chosen
	@mkdir -p $$(@D)
	$$(Q)tools/list-config core/skr_config.h $(board_cc) $(board_config) >$$@

$1: $(patsubst %,build/$1/skillrom.%,elf bin hex $(call of,FIRMWARE,$1))
	@echo '  made    $$^'
	@cat build/$1/skillrom.use
.PHONY: $1
endef

# $(call judged,BUILD,SOURCES,FLAGS): clang also checks sources that gcc compiles.
TARGET.cortex-m := arm-none-eabi
TARGET.riscv    := riscv32-unknown-elf
define judged
build/$1/judged: $2 $(wildcard boards/common/*.h boards/$(board_arch)/*.h $(board_folder)/*.h) build/$1/chosen | build/gen/examples/board/tools.h
	@mkdir -p $$(@D)
	@echo '  judge   $$@'
	$$(Q)for c in $$(filter %.c,$$^); do $(CLANG) --target=$(TARGET.$(board_arch)) -fsyntax-only $(COMMON) -ffreestanding \
	    $(filter-out -fcallgraph% -fno-%,$(board_cpu) -Iboards/common -Iboards/$(board_arch) $(board_config) $3) $$$$c || exit 1; done
	@touch $$@
warnings: build/$1/judged
endef

# $(call board,BUILD): one that serves a serial line
define board
FLAGS.$(board_folder) := -ffreestanding $(NO_HEAP)
$(if $(PARTS.$1),FLAGS.$(board_parts) := -ffreestanding $(NO_HEAP))
$(call board_build,$1,$(call objects,build/$1,$(board_sources)),$(board_flags))

# Firmware with additional objects in EXTRA, for the test that a link fails when a budget is exceeded.
link-$1: build/$1/skillrom.elf
	$$(Q)$(call board_link,$1,$(DEVICE_NAME)) -Wl,-Map=build/$1/extra.map \
	    $(call objects,build/$1,$(board_sources) $(DEVICE_C)) build/$1/obj/miniz.o $(board_image) $(EXTRA) -o build/$1/extra.elf
.PHONY: link-$1

$(call judged,$1,$(board_common) $(board_own) $(wildcard examples/board/*.c),-Iport/uart -Iboards/net -Ibuild/gen/examples/board)
endef

# Changes when another device is chosen, so that the firmware is linked again.
build/device/chosen: FORCE
	@$(call when_new,echo $(call quoted,$(DEVICE) $(DEVICE_NAME)))

$(eval $(call image,build/device/$(subst /,-,$(DEVICE)),$(DEVICE)))
$(eval $(call image,build/device/tiny/$(subst /,-,$(DEVICE)),$(DEVICE),--no-panel))
$(foreach b,$(BUILDS),$(eval $(call board,$b)))
include boards/update/build.mk# those whose manual can be replaced
include boards/net/build.mk# those with Ethernet
include boards/usb/build.mk# those whose USB plug is a serial port

boards: ## list the boards and their builds, for make BOARD=...
	@printf '%-24s %-10s %s\n' $(foreach b,$(ALL_BUILDS),$b $(or $(WIRE.$b),line) $(call quoted,$(or $(NOTE.$b),$(call of,EMULATOR,$b))))

firmware: $(BOARDS) ## build the firmware of every board; of one: make BOARD=mps2-an385, with a device of your own: DEVICE=folder DEVICE_NAME=its_struct

flash: $(BOARD) ## build the firmware and write it to the connected board: make flash BOARD=stm32vldiscovery; DRY=1 only prints the commands
	$(if $(BOARD),,$(error which board? make flash BOARD=...; there are $(ALL_BUILDS)))
	@tools/flash $(if $(DRY),-n) $(BOARD) $(call of,FLASH,$(BOARD))
.PHONY: boards firmware flash

ifdef BOARD
$(if $(filter $(BOARD),$(ALL_BUILDS)),,$(error BOARD=$(BOARD): no such board; there are $(ALL_BUILDS)))
$(if $(call of,CPU,$(BOARD)),,$(error $(call board_folder,$(BOARD))/board.mk does not set CPU.$(BOARD), the flags of its processor))
.DEFAULT_GOAL := $(BOARD)
endif
