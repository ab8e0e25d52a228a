# Firmware: make BOARD=mps2-an385 builds build/mps2-an385/skillrom.elf. The Makefile includes this.
#
#   build/<board>/skillrom.elf   the firmware with a device's skills and tools: DEVICE, boards/device if not given
#   build/<board>/program.elf    the same with the tools of examples/device and without an image; tests append images
#   build/<board>/obj            objects; build/<board>/config.txt: every knob of skr_config.h and its value here
#
# A board's folder has board.c, board.ld, board_skr.h and board.mk, which sets CPU.<board>; FIRMWARE.<board> when the
# chip needs a file other than the ELF, AFTER_LINK.<board> when the ELF needs a further step. board.mk may add a second
# build of the same folder to BUILDS, with FOLDER, CPU, CONFIG and SCRIPT of its own.

BOARDS := $(notdir $(patsubst %/board.mk,%,$(wildcard boards/*/board.mk)))
BUILDS := $(BOARDS)
DEVICE ?= boards/device

# Normalised: relative if it is below this folder, otherwise absolute, so that objects stay below build/.
override DEVICE := $(patsubst $(CURDIR)/%,%,$(abspath $(DEVICE)))
$(if $(wildcard $(DEVICE)/tools.h),$(error $(DEVICE)/tools.h would be included instead of \
    the header that is made of $(DEVICE)/tools: remove it))
include $(BOARDS:%=boards/%/board.mk)

BOARD_COMMON := $(sort $(wildcard boards/common/*.c))

# The name of a device's struct skr_device; for a folder of your own: make BOARD=... DEVICE=my/device DEVICE_NAME=my_device
DEVICE_NAME.boards/device   := skr_board_device
DEVICE_NAME.examples/device := skr_example_device
DEVICE_NAME ?= $(or $(DEVICE_NAME.$(DEVICE)),skr_device)

DEVICE_C := $(filter-out %/main.c,$(sort $(wildcard $(DEVICE)/*.c)))

FLAGS.boards/common := -ffreestanding $(NO_HEAP) -Iport/uart
FLAGS.$(DEVICE) ?= -ffreestanding $(NO_HEAP) -Ibuild/gen/$(DEVICE)

# $(call board_...,BUILD)
board_folder  = boards/$(or $(FOLDER.$1),$1)
board_script  = $(board_folder)/$(or $(SCRIPT.$1),board.ld)
board_config  = -I$(board_folder) -DSKR_USER_CONFIG='"$(or $(CONFIG.$1),board_skr.h)"'
board_sources = $(BOARD_COMMON) $(sort $(wildcard $(board_folder)/*.c)) $(CORE_SRC) $(READER_SRC) $(UART_SRC)
board_flags   = $(CPU.$1) -Os -g -ffunction-sections -fdata-sections -fcallgraph-info=su -Iboards/common $(board_config)

# $(call board_link,BUILD,DEVICE NAME)
board_link    = $(ARM_CC) $(CPU.$1) --specs=nano.specs -nostartfiles -Wl,--gc-sections,--defsym=board_device=$2 \
                -Lboards/common -Wl,-T,$(board_script),-Map=$$(@:.elf=.map) -Wl,--no-warn-rwx-segments

# $(call image,FILE,FOLDER): an image as a C array, from a device's folder
define image
$1.c: build/skillrom build/gen/$2/inputs.list
	@mkdir -p $$(@D)
	@echo '  pack    $$@'
	$$(Q)build/skillrom pack --strict $2 -o $1.rom --c $1.c >/dev/null
endef

# $(call board,NAME)
define board
FLAGS.$(board_folder) := -ffreestanding $(NO_HEAP)
$(call flavour,build/$1,$(ARM_CC),$(board_flags))

build/$1/%.image.o: build/device/%.c
	@mkdir -p $$(@D)
	$$(Q)$(ARM_CC) $(CPU.$1) -fdata-sections -c $$< -o $$@

$(call objects,build/$1,$(DEVICE_C)): | build/gen/$(DEVICE)/tools.h
build/$1/skillrom.elf: $(call objects,build/$1,$(board_sources) $(DEVICE_C)) build/$1/obj/miniz.o \
                       build/$1/$(subst /,-,$(DEVICE)).image.o $(board_script) boards/common/sections.ld build/device/chosen \
                       build/sources.list
	@echo '  link    $$@'
	$$(Q)$(call board_link,$1,$(DEVICE_NAME)) $$(LINKED) -o $$@
	$(if $(AFTER_LINK.$1),$$(Q)$(AFTER_LINK.$1) $$@)

build/$1/program.elf: $(call objects,build/$1,$(board_sources) $(DEVICE_SRC)) build/$1/obj/miniz.o \
                      $(board_script) boards/common/sections.ld build/sources.list
	@echo '  link    $$@'
	$$(Q)$(call board_link,$1,skr_example_device) $$(LINKED) -o $$@
	$(if $(AFTER_LINK.$1),$$(Q)$(AFTER_LINK.$1) $$@)

# The same with something more in EXTRA: for the test that a budget fails the link.
link-$1: build/$1/skillrom.elf
	$$(Q)$(call board_link,$1,$(DEVICE_NAME)) -Wl,-Map=build/$1/extra.map \
	    $(call objects,build/$1,$(board_sources) $(DEVICE_C)) build/$1/obj/miniz.o \
	    build/$1/$(subst /,-,$(DEVICE)).image.o $(EXTRA) -o build/$1/extra.elf

build/$1/config.txt: core/skr_config.h $(board_folder)/$(or $(CONFIG.$1),board_skr.h) tools/list-config
	@mkdir -p $$(@D)
	$$(Q)tools/list-config core/skr_config.h $(ARM_CC) $(board_config) >$$@

# gcc has checked it by compiling it; the second compiler checks it, too.
build/$1/judged: $(BOARD_COMMON) $(wildcard $(board_folder)/*.c boards/device/*.c boards/common/*.h $(board_folder)/*.h) \
                 | build/gen/boards/device/tools.h
	@mkdir -p $$(@D)
	@echo '  judge   $$@'
	$$(Q)for c in $$(filter %.c,$$^); do $(CLANG) --target=arm-none-eabi $(CPU.$1) -fsyntax-only $(COMMON) -ffreestanding \
	    -Iboards/common -Iport/uart -Iboards/net -Ibuild/gen/boards/device $(board_config) $$$$c || exit 1; done
	@touch $$@
warnings: build/$1/judged

$1: $(or $(FIRMWARE.$1),build/$1/skillrom.elf)
.PHONY: $1 link-$1
endef

# Changes when another device is chosen, so that the firmware is linked again.
build/device/chosen: FORCE
	@$(call when_new,echo $(call quoted,$(DEVICE) $(DEVICE_NAME)))

$(eval $(call image,build/device/$(subst /,-,$(DEVICE)),$(DEVICE)))
$(foreach b,$(BUILDS),$(eval $(call board,$b)))
include boards/net/build.mk# those with Ethernet

firmware: $(BOARDS) ## build the firmware of every board; of one: make BOARD=mps2-an385, with a device of your own: DEVICE=folder DEVICE_NAME=its_struct
.PHONY: firmware

ifdef BOARD
$(if $(filter $(BOARD),$(BUILDS) $(NET_BUILDS)),,$(error BOARD=$(BOARD): no such board; there are $(BUILDS) $(NET_BUILDS)))
$(if $(CPU.$(BOARD)),,$(error boards/$(BOARD)/board.mk does not set CPU.$(BOARD), the flags of its processor))
.DEFAULT_GOAL := $(BOARD)
endif
