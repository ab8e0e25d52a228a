CPU.rp2040-pico := -mcpu=cortex-m0plus -mthumb

# What is dragged onto the board. The boot ROM wants a checksum over the first 256 bytes, which the linker cannot make.
FIRMWARE.rp2040-pico   := build/rp2040-pico/skillrom.uf2
AFTER_LINK.rp2040-pico  = boards/rp2040-pico/uf2.py --checksum

build/rp2040-pico/%.uf2: build/rp2040-pico/%.elf boards/rp2040-pico/uf2.py
	@echo '  write   $@'
	$(Q)boards/rp2040-pico/uf2.py $< $@
