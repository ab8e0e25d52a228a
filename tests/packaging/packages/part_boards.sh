# part_boards.sh -- CMake: firmware for boards that are not alike, on USB, on pins, with another processor. For `make test-long`.

firmware() { # BOARD COMPILER: the lamp for it
	mkdir -p "$work/boards/$1" && cp -r examples/cmake/device "$work/boards/$1" || return 1
	cat >"$work/boards/$1/CMakeLists.txt" <<-CMAKE
		cmake_minimum_required(VERSION 3.16)
		set(CMAKE_SYSTEM_NAME Generic)
		set(CMAKE_C_COMPILER $2)
		set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
		project(lamp C)
		add_subdirectory($root skillrom)
		add_executable(lamp.elf device/lamp.c)
		skillrom_add_board(lamp.elf $1 DEVICE lamp_device)
		skillrom_add_device(lamp.elf device)
	CMAKE
	cmake -S "$work/boards/$1" -B "$work/boards/$1/build" && cmake --build "$work/boards/$1/build" -j2
}
responds_on() { # BOARD: in its emulator
	printf '{"jsonrpc":"2.0","id":1,"method":"ping"}\n' >"$work/ping"
	tests/packaging/packages/type "tests/boards/qemu/boot $1 $work/boards/$1/build/lamp.elf --stdio 2>&1" ready "$work/ping" '{"jsonrpc":"2.0","id":1,"result":{}}'
}
check the_emulator_of_the_Pico_is_installed tests/boards/qemu/install
for board in rp2040-pico rp2040-pico-uart sifive-e; do
	compiler=arm-none-eabi-gcc
	[ $board != sifive-e ] || compiler=riscv64-unknown-elf-gcc
	check "${board}_is_built" firmware $board $compiler
	check "${board}_responds" responds_on $board
	check "${board}_has_a_binary" [ -s "$work/boards/$board/build/lamp.bin" ]
	check "${board}_has_addresses" grep -q '^:' "$work/boards/$board/build/lamp.hex"
done
check the_Pico_can_be_dragged_onto [ -s "$work/boards/rp2040-pico/build/lamp.uf2" ]
