# part_pico.sh -- the pico-sdk: what the page says, with the SDK of tools/fetch-deps; then the firmware in rp2040js.

typed_to_lamp >"$work/typed"
# The page's commands: our SDK, which has no picotool, and no C++ library for it either.
as_on_the_page_for_pico() {
	mkdir "$work/pico" && cd "$work/pico" || return 1
	fenced pico-sdk sh | sed "s|/path/to/pico-sdk|$root/third_party/picosdk|; s|-B lamp|& -DPICO_NO_PICOTOOL=1 -DPICO_SDK_PRE_LIST_FILES=$root/tests/packaging/packages/stub/pico_without_cxx.cmake|; s|--build lamp|& -j2|" >commands
	[ "$(wc -l <commands)" -eq 4 ] && PATH="$root/build:$PATH" sh -e ./commands
}
check the_pico_sdk_as_on_the_page as_on_the_page_for_pico
cd "$root" || exit 1

rom() { # what the SDK looks for in the chip's boot ROM
	arm-none-eabi-gcc -mcpu=cortex-m0plus -mthumb -std=c99 $warnings -Wno-pedantic -Os -ffreestanding -fno-tree-loop-distribute-patterns -nostdlib -Wl,--section-start=.first=0,-Ttext=0x100,-e,0 \
		tests/packaging/packages/stub/rom.c -o "$work/rom.elf" && arm-none-eabi-objcopy -O binary "$work/rom.elf" "$work/rom.bin"
}
responds_in_rp2040js() {
	tests/boards/qemu/install && rom && "$root/tests/packaging/packages/type" "node build/pico/pico.mjs uart $work/pico/lamp/lamp.elf $work/rom.bin 0" 'lamp: ready' "$work/typed" 'The lamp is on.'
}
check its_firmware_answers_in_rp2040js responds_in_rp2040js
fits_as_on_the_page() { # text, and what is in RAM
	set -- $(arm-none-eabi-size "$work/pico/lamp/lamp.elf" | tail -1)
	echo "$1 bytes of flash, $(($2 + $3)) of RAM" && [ "$1" -le 44032 ] && [ $(($2 + $3)) -le 4500 ]
}
check it_takes_what_the_page_says fits_as_on_the_page
