NOTE.rp2040-pico     := its own USB plug is a serial port
CPU.rp2040-pico      := -mcpu=cortex-m0plus -mthumb
WIRE.rp2040-pico     := usb
EMULATOR.rp2040-pico := rp2040js usb
FLASH.rp2040-pico    := picotool
SCRIPT.rp2040-pico   := usb.ld
PARTS.rp2040-pico    := rp2040-pico/usb
TESTS.rp2040-pico    := checks few long

NOTE.rp2040-pico-uart     := a serial line on GPIO 0 and 1
FOLDER.rp2040-pico-uart   := rp2040-pico
EMULATOR.rp2040-pico-uart := rp2040js uart
PARTS.rp2040-pico-uart    := rp2040-pico/uart
TESTS.rp2040-pico-uart    := checks

NOTE.rp2040-pico-update    := its manual can be replaced over its USB plug, by releases that are signed
FOLDER.rp2040-pico-update  := rp2040-pico
WIRE.rp2040-pico-update    := usb
SCRIPT.rp2040-pico-update  := update.ld
CONFIG.rp2040-pico-update  := update_skr.h
PARTS.rp2040-pico-update   := rp2040-pico/usb
UPDATE.rp2040-pico-update  := rp2040-pico/update

# TinyUSB's driver for this chip, and the headers of the SDK that it includes; usb/sdk has the functions that it calls.
CONTROLLER.rp2040-pico  := portable/raspberrypi/rp2040/dcd_rp2040 portable/raspberrypi/rp2040/rp2040_usb
USB_FLAGS.rp2040-pico   := -DCFG_TUSB_MCU=OPT_MCU_RP2040 -DTUD_OPT_RP2040_USB_DEVICE_UFRAME_FIX=1 -DUSB_PRODUCT_TEXT='"rp2040-pico"'
SDK_HEADERS.rp2040-pico := rp2040/hardware_regs rp2040/hardware_structs rp2_common/hardware_base

# The file to drag onto the board. The boot ROM checks a checksum over the first 256 bytes, which the linker cannot make.
FIRMWARE.rp2040-pico   := uf2
AFTER_LINK.rp2040-pico := boards/rp2040-pico/uf2.py --checksum

build/rp2040-pico%.uf2: build/rp2040-pico%.elf boards/rp2040-pico/uf2.py
	@echo '  write   $@'
	$(Q)boards/rp2040-pico/uf2.py $< $@
