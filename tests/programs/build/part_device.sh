# part_device.sh -- a user's own device, for PC and board, as port/posix/README.md says. It borrows what is already built.

guide=port/posix/README.md
mkdir -p "$tree/build" "$tree/my/device/tools"
cp -p build/skillrom build/pack build/libposix.a build/libskillrom.a "$tree/build/"
[ ! -d build/stm32vldiscovery ] || cp -pR build/stm32vldiscovery "$tree/build/"
device=$tree/my/device
block() { awk -v n="$1" '/^```c/ { k++; next } /^```/ { if (k == n) exit } k == n' $guide; }
block 1 >"$device/device.c"
block 2 >"$device/main.c"
cp tests/programs/set_label.c "$device/"
cp tests/programs/set_label.json "$device/tools/"
mkdir -p "$device/skills/turn-valve"
printf -- '---\nname: turn-valve\ndescription: Turns a valve by hand. Use it in tests.\n---\n\n# Turn a valve\n' >"$device/skills/turn-valve/SKILL.md"
echo '{"name":"valve","version":"1.0.0"}' >"$device/device.json"

sed -n '/^After `make`:/,/--http/p' $guide | sed -n '/--http/d; s/^    //p' >"$work/commands"
on_pc() { (cd "$tree" && sh -e "$work/commands"); }
list() { echo '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}' | "$tree/build/my/deviced" "$tree/build/my/device.rom" 2>&1; }
firmware() { make_there -o build/pack BOARD=stm32vldiscovery DEVICE="${1:-my/device}" DEVICE_NAME=my_device; }
in_firmware() { nm "$tree/build/stm32vldiscovery/skillrom.elf" | grep -q " $1\$"; }

check defect_20_a_device_for_PC_builds_as_told on_pc
check and_serves prints '1 tool on stdin and stdout' list
check defect_20_the_same_folder_is_a_firmware firmware
check with_its_handler in_firmware tool_set_label
check also_spelled_differently firmware "$tree/build/../my/device/"
check nothing_is_written_beside_it [ "$(ls "$tree/my")" = device ]

check defect_21_its_help_calls_it_by_its_name prints 'usage: deviced IMAGE' "$tree/build/my/deviced" --help
check defect_21_so_does_a_message prints 'deviced: unknown option --frob; see deviced --help' "$tree/build/my/deviced" --frob

# Handlers of the example do not stand in for those that are missing.
sed 's/set_label/stop_all/' "$device/tools/set_label.json" >"$device/tools/stop_all.json"
check defect_20_a_handler_that_is_missing_is_missing_on_a_PC prints 'undefined reference to `tool_stop_all' on_pc
check and_on_a_board prints 'undefined reference to `tool_stop_all' firmware

# A header beside the C would hide the one that is made.
touch "$device/tools.h"
check a_header_in_the_folder_is_told prints 'my/device/tools.h would be included instead of the header' firmware
check a_folder_without_a_device_is_told prints 'DEVICE=my/none: no C file of a device there' make_there BOARD=stm32vldiscovery DEVICE=my/none
check also_one_whose_path_has_spaces prints 'move it if its path has spaces' make_there twin DEVICE="$work/my device"
rm "$device/tools.h" "$device/tools/stop_all.json" "$device/set_label.c" "$device/tools/set_label.json"
check defect_4_a_tool_is_taken_out_of_a_firmware firmware
check defect_4_with_its_object fails in_firmware tool_set_label

# What `skillrom new --device` writes is a program and a firmware as it is.
fresh=$work/fresh/desk-lamp
new_device() { (cd "$tree" && build/skillrom new --device desk-lamp "$work/fresh") && [ -f "$fresh/Makefile" ]; }
fresh_make() { env -u MAKEFLAGS -u MAKELEVEL make -s -C "$fresh" SKILLROM="$tree" "$@"; }
fresh_firmware() { fresh_make firmware BOARD=stm32vldiscovery MAKE="make -o build/pack"; }
check a_new_device_is_written new_device
check it_is_a_program_whose_manual_is_true fresh_make test
check and_a_firmware fresh_firmware
check with_the_handler_of_its_tool in_firmware tool_set_lamp
fresh_twin() { fresh_make twin MAKE="make -o build/pack" && grep -q 'await unpack' "$fresh/build/desk-lamp.html" && [ -s "$fresh/build/desk-lamp.wasm" ]; }
check and_one_HTML_file fresh_twin
check without_a_folder_it_is_the_example prints 'TWIN_DEVICE=skr_example_device' make_there -n -B twin
fresh_cmake() {
	cmake -S "$fresh" -B "$fresh/build/firmware" -DSKILLROM="$tree" -DSKILLROM_TOOL="$tree/build/skillrom" -DBOARD=stm32vldiscovery &&
		cmake --build "$fresh/build/firmware" -j2 && nm "$fresh/build/firmware/desk-lamp.elf" | grep -q ' tool_set_lamp$'
}
check and_a_firmware_by_CMake fresh_cmake
printf 'int desk_lamp_further(void);\nint desk_lamp_further(void) { return 1; }\n' >"$fresh/further.c"
compiled() { prints further.c cmake --build "$fresh/build/firmware" && fails grep -q "$fresh/main.c" "$fresh/build/firmware/CMakeFiles/desk-lamp.elf.dir/build.make"; }
check defect_79_CMake_takes_every_source_beside_it_but_main compiled
rm "$fresh/further.c" && cmake --build "$fresh/build/firmware" >/dev/null 2>&1
check which_has_nothing_to_do_twice prints 'Built target desk-lamp.elf' cmake --build "$fresh/build/firmware"

# A board that stands outside of this folder, beside shared sources that stand here.
mkdir "$work/boards" && cp -r boards/stm32vldiscovery "$work/boards/mine" && sed -i 's/stm32vldiscovery/mine/g' "$work/boards/mine/"*
outside() { make_there -o build/pack BOARD="$work/boards/${1:-mine}" DEVICE=my/device DEVICE_NAME=my_device; }
check defect_79_a_board_outside_the_checkout outside
check it_is_built_of_its_own_files grep -q "$work/boards/mine/board.o" "$tree/build/mine/skillrom.map"
check one_that_is_not_there prints 'there are' outside other
check named_as_one_of_ours prints 'rename the folder' sh -c "cp -r '$work/boards/mine' '$work/boards/sifive-e'; make -s -C '$tree' BOARD='$work/boards/mine'; rm -r '$work/boards/sifive-e'"
outside_by_make() { (cd "$fresh" && env -u MAKEFLAGS -u MAKELEVEL make -s SKILLROM="$tree" firmware BOARD=../../boards/mine MAKE="make -o build/pack"); }
check from_the_Makefile_of_a_device outside_by_make
outside_by_cmake() {
	cmake -S "$fresh" -B "$fresh/build/outside" -DSKILLROM="$tree" -DSKILLROM_TOOL="$tree/build/skillrom" -DBOARD="$work/boards/mine" &&
		cmake --build "$fresh/build/outside" -j2 && nm "$fresh/build/outside/desk-lamp.elf" | grep -q ' tool_set_lamp$'
}
check and_by_CMake outside_by_cmake
