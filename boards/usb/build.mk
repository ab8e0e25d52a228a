# Firmware whose USB plug is a serial port: make BOARD=rp2040-pico. boards/build.mk includes this.
#
#   build/<build>/tinyusb     TinyUSB's own objects, in addition to those of every build
#
# A board's board.mk describes such a build by WIRE.<build> := usb, and by PARTS for the folder with its part of USB, CONTROLLER for
# TinyUSB's driver of its chip, USB_FLAGS for settings of usb_config.h and of that driver, SDK_HEADERS for the headers of the pico-sdk
# that it includes; PARTS/sdk replaces the others. CMake also reads these and TINYUSB_SRC. UPDATE: boards/update/build.mk.

TINYUSB_SRC := tusb common/tusb_fifo device/usbd device/usbd_control class/cdc/cdc_device

FLAGS.port/usb   := -ffreestanding -fbuiltin $(NO_HEAP)
FLAGS.boards/usb := $(FLAGS.port/usb)

# $(call usb_...,BUILD)
usb_common  = $(filter-out %/main.c %/serial.c,$(board_common)) $(sort $(wildcard boards/usb/*.c port/usb/*.c))
usb_sources = $(usb_common) $(board_own) $(CORE_SRC) $(READER_SRC) $(board_update)
usb_sdk     = -I$(board_parts)/sdk $(patsubst %,-isystem $(PICOSDK_DIR)/src/%/include,$(call of,SDK_HEADERS,$1))
usb_flags   = $(board_flags) $(call of,USB_FLAGS,$1) $(usb_sdk) -Iboards/usb -Iport/usb -isystem $(TINYUSB_DIR)/src $(board_update_flags)
usb_tinyusb = $(patsubst %,build/$1/tinyusb/%.o,$(TINYUSB_SRC) $(call of,CONTROLLER,$1))

# $(call usb_board,BUILD)
define usb_board
FLAGS.$(board_parts) := -ffreestanding $(NO_HEAP)
$(call board_build,$1,$(call objects,build/$1,$(usb_sources)) $(usb_tinyusb) $(board_update_bearssl),$(usb_flags))
$(call objects,build/$1,$(usb_common)): | $(TINYUSB_DIR)/src/tusb.h $(PICOSDK_DIR)/pico_sdk_init.cmake

build/$1/tinyusb/%.o: $(TINYUSB_DIR)/src/%.c port/usb/tusb_config.h boards/usb/build.mk build/$1/chosen | $(PICOSDK_DIR)/pico_sdk_init.cmake
	@mkdir -p $$(@D)
	$$(Q)$(board_cc) -std=gnu11 -w -DNDEBUG $(usb_flags) -c $$< -o $$@

# TinyUSB's headers are for gcc and its library.
$(call judged,$1,$(sort $(wildcard port/usb/*.c boards/usb/*.c)) $(board_own) $(filter boards/%,$(board_update)),$(usb_flags) -isystem /usr/include/newlib)
build/$1/judged: $(wildcard port/usb/*.h boards/usb/*.h) | $(TINYUSB_DIR)/src/tusb.h $(PICOSDK_DIR)/pico_sdk_init.cmake
endef

$(patsubst %,$(TINYUSB_DIR)/src/%.c,$(TINYUSB_SRC) $(foreach b,$(USB_BUILDS),$(call of,CONTROLLER,$b))): | $(TINYUSB_DIR)/src/tusb.h

$(foreach b,$(USB_BUILDS),$(eval $(call usb_board,$b)))
$(foreach b,$(USB_BUILDS),$(if $(UPDATE.$b),$(eval $(call update_board,$b))))
