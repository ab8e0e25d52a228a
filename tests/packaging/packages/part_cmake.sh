# part_cmake.sh -- CMake: what the page says, for a microcontroller; then on this machine by FetchContent and find_package.

# The commands as they stand there; the emulator goes on until it has answered what the page says to type.
as_on_the_page() {
	mkdir "$work/page" && cd "$work/page" || return 1
	fenced CMake sh >commands
	[ "$(wc -l <commands)" -eq 5 ] && typed_to_lamp >typed && [ "$(wc -l <typed)" -eq 2 ] || return 1
	sed -n 1,2p commands >first && . ./first &&
		fenced CMake cmake >CMakeLists.txt && [ "$(grep -c . CMakeLists.txt)" -le 20 ] &&
		sed -n 3,4p ../commands >../second && . ../second >../built 2>&1 &&
		"$root/tests/packaging/packages/type" "$(sed -n 5p ../commands)" ready ../typed 'The lamp is on.'
}
check the_firmware_of_the_page_is_built_and_answers_in_QEMU as_on_the_page
cd "$root" || exit 1
check its_memory_is_printed_after_the_link grep -q 'FLASH: .* 32 KB' "$work/page/built"

# With everything a serial line can carry, so with miniz, and without a build type, so with assertions.
everything() {
	mkdir "$work/whole" && cp -r "$work/page/lamp/device" "$work/whole" && sed 's/stm32vldiscovery/mps2-an385-full/' "$work/page/lamp/CMakeLists.txt" >"$work/whole/CMakeLists.txt" &&
		cmake -S "$work/whole" -B "$work/whole/build" -DSKILLROM="$root" && cmake --build "$work/whole/build" -j2
}
check defect_79_a_board_with_everything_links_without_a_build_type everything

responds() { # PROGRAM: the lamp on standard input and output
	prints 'The lamp is on.' "$1" <"$work/page/typed"
}
builds() { # FOLDER OPTION...: the example in a folder of its own
	mkdir "$work/$1" && cp -r examples/cmake "$work/$1/lamp" || return 1
	folder=$work/$1
	shift
	cmake -S "$folder/lamp" -B "$folder/build" "$@" && cmake --build "$folder/build" -j2
}
check FetchContent builds fetched -DSKILLROM="$root" -DCMAKE_C_FLAGS="-std=c99 -D_GNU_SOURCE $warnings"
check and_it_responds responds "$work/fetched/build/lamp"

# What changes in the folder of the device is packed again, and nothing else is.
packs() { cmake --build "$work/fetched/build" | grep 'skillrom pack' || echo nothing; }
check nothing_is_packed_twice prints nothing packs
printf 'More.\n' >>"$work/fetched/lamp/device/skills/use-lamp/SKILL.md"
check a_changed_skill_is_packed prints 'skillrom pack' packs
mkdir "$work/fetched/lamp/device/skills/new" && sed 's/use-lamp/new/' examples/cmake/device/skills/use-lamp/SKILL.md >"$work/fetched/lamp/device/skills/new/SKILL.md"
check a_new_one_is_packed prints 'skillrom pack' packs
check and_served prints '"name":"new"' "$work/fetched/build/lamp" <<'JSON'
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"me","version":"1"}}}
{"jsonrpc":"2.0","id":2,"method":"skills/list"}
JSON

# Another program packs.
printf '#!/bin/sh\necho packed by another\nexec "%s/build/skillrom" "$@"\n' "$root" >"$work/another" && chmod +x "$work/another"
by_another() { cmake "$work/fetched/build" -DSKILLROM_TOOL="$work/another" >/dev/null && cmake --build "$work/fetched/build" -j2; }
check SKILLROM_TOOL_packs prints 'packed by another' by_another

installs() { cmake -S . -B "$work/installing" && cmake --build "$work/installing" && cmake --install "$work/installing" --prefix "$work/prefix"; }
check cmake_installs installs
check find_package_takes_what_is_installed builds found -DCMAKE_PREFIX_PATH="$work/prefix"
check and_it_also_responds responds "$work/found/build/lamp"
check it_is_packed_by_the_installed_program grep -q "$work/prefix/bin/skillrom" "$work/found/build/CMakeCache.txt"

# Mistakes.
mistaken() { # LINE...: instead of the last of the example
	rm -rf "$work/mistaken" && cp -r examples/cmake "$work/mistaken" || return 1
	sed -i '$d' "$work/mistaken/CMakeLists.txt" && printf '%s\n' "$@" >>"$work/mistaken/CMakeLists.txt"
	cmake -S "$work/mistaken" -B "$work/mistaken/build" -DSKILLROM="$root"
}
check no_such_folder prints 'no folder' mistaken 'skillrom_add_device(lamp devise)'
check no_such_profile prints 'there are TINY, NET, FULL and HOST' mistaken 'skillrom_add_device(lamp device PROFILE SMALL)'
check no_such_board_outside prints '/nowhere/mine/board.mk' mistaken 'skillrom_add_board(lamp /nowhere/mine)'
check no_such_board prints 'stm32vldiscovery' mistaken 'skillrom_add_board(lamp pico)'
check a_board_with_Ethernet prints 'make BOARD=mps2-an385-net' mistaken 'skillrom_add_board(lamp mps2-an385-net)'
check the_compiler_of_another_processor prints 'compiled by riscv64-unknown-elf-gcc' mistaken 'skillrom_add_board(lamp sifive-e)'
printf '%s\n' 'find_package(skillrom 0.9)' 'message("refused: ${skillrom_CONSIDERED_VERSIONS}")' >"$work/version.cmake"
check another_version_is_not_taken prints 'refused: 0.' env CMAKE_PREFIX_PATH="$work/prefix" cmake -P "$work/version.cmake"
check ESP_IDF_is_told_which_folder_it_takes prints 'build/library/skillrom' cmake -S . -B "$work/esp" -DESP_PLATFORM=1
