# part_library.sh -- the folder of `make library` as ESP-IDF, Zephyr, PlatformIO and Arduino take it, which are not here: its
# structure, and each example compiled, linked and run with stand-ins for them (stub/README.md).

library=$root/build/library/skillrom
stub=$root/tests/packaging/packages/stub
typed_to_lamp >"$work/typed"
export PATH="$root/build:$PATH" # the installed skillrom

tests/packaging/packages/structure "$library" >"$work/structure"
sed -n '/^not ok/p' "$work/structure"
passed=$((passed + $(grep -c '^ok' "$work/structure"))) failed=$((failed + $(grep -c '^not ok' "$work/structure")))
check the_structure_was_looked_at [ "$(grep -c . "$work/structure")" -gt 30 ]

# answers PROGRAM: the lamp on standard input and output.
answers_typed() { says 'The lamp is on.' "$1" <"$work/typed"; }

# for_chip: gcc for the processor of an ESP32-C3, which has no C library that we could link.
for_chip='-DCMAKE_SYSTEM_NAME=Generic -DCMAKE_C_COMPILER=riscv64-unknown-elf-gcc -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY'
idf() { IDF_PATH=$stub/esp-idf cmake -S "$library/examples/esp-idf" "$@"; }
esp_idf() { idf -B "$work/idf" -DCMAKE_C_FLAGS="$warnings" && cmake --build "$work/idf"; }
esp_idf_for_the_chip() {
	idf -B "$work/chip" $for_chip -DCMAKE_C_FLAGS="-march=rv32imc -mabi=ilp32 --specs=picolibc.specs $warnings" && cmake --build "$work/chip" &&
		riscv64-unknown-elf-readelf -h "$work"/chip/esp-idf/skillrom/lib__idf_skillrom.a | grep -q 'ELF32'
}
check ESP_IDF_takes_it_as_a_component esp_idf
check and_it_answers_on_its_UART answers_typed "$work/idf/lamp.elf"
check ESP_IDF_for_the_processor_of_an_ESP32_C3 esp_idf_for_the_chip
esp_idf_6() {
	cp -r "$stub" "$work/stub" && mkdir -p "$work/stub/esp-idf/components/esp_driver_uart" &&
		IDF_PATH=$work/stub/esp-idf cmake -S "$library/examples/esp-idf" -B "$work/idf6" && cmake --build "$work/idf6" && answers_typed "$work/idf6/lamp.elf"
}
check defect_71_ESP_IDF_6_with_the_component_of_its_UART esp_idf_6
everything_chosen() { # for component and application alike, or they would not link
	mkdir "$work/full" && cp -r "$library" "$work/full/skillrom" && project=$work/full/skillrom/examples/esp-idf || return 1
	sed -i 's/PROFILE_TINY/PROFILE_FULL/' "$project/sdkconfig.defaults" && IDF_PATH=$stub/esp-idf cmake -S "$project" -B "$work/full/build" &&
		cmake --build "$work/full/build" && grep -q 'define CONFIG_SKILLROM_TASKS 1' "$work/full/build/config/sdkconfig.h" && answers_typed "$work/full/build/lamp.elf"
}
check with_everything_chosen_in_its_menu everything_chosen

# `make zephyr` as the page says, with the stand-in as ZEPHYR_BASE.
zephyr() { make -s zephyr ZEPHYR_BASE="$stub/zephyr" BUILD_ZEPHYR="$work/zephyr"; }
check Zephyr_takes_it_as_a_module zephyr
check and_it_answers_on_its_console answers_typed "$work/zephyr/zephyr/zephyr.elf"
# Of what was seen in Zephyr: 696 bytes are the server's.
leaves_stack() { [ "$(sed -n 's/^CONFIG_MAIN_STACK_SIZE=//p' "$library/examples/zephyr/prj.conf")" -ge $((696 + 1024)) ]; }
check defect_71_the_main_stack_of_Zephyr_leaves_a_kilobyte_to_tools leaves_stack
check without_ZEPHYR_BASE_make_says_what_is_missing says 'ZEPHYR_BASE=/path/to/zephyr' env -u ZEPHYR_BASE make -s zephyr

# arduino FOLDER FLAG...: compiles every source of a sketch's folder and of the library, each for itself, as Arduino's builder does.
arduino() {
	folder=$1
	shift
	rm -rf "$work/objects" && mkdir "$work/objects" || return 1
	for file in "$folder"/*.ino "$folder"/*.c "$folder"/*.cpp "$library"/src/*.c "$stub/arduino/start.cpp" "$stub/line.c"; do
		case $file in
		*'/*'*) continue ;;
		*.ino) set -- "$@" && g++ -std=gnu++17 -Wall -Wextra -Werror -DARDUINO=10819 "$@" -I"$stub/arduino" -I"$folder" -I"$library/src" -include Arduino.h -x c++ -c "$file" -o "$work/objects/sketch.o" ;;
		*.cpp) g++ -std=gnu++17 -Wall -Wextra -Werror -DARDUINO=10819 "$@" -I"$stub/arduino" -I"$stub" -I"$folder" -I"$library/src" -c "$file" -o "$work/objects/${file##*/}.o" ;;
		*) gcc -std=gnu17 -Wall -Wextra -Werror -DARDUINO=10819 "$@" -I"$stub" -I"$folder" -I"$library/src" -c "$file" -o "$work/objects/${file##*/}.o" ;;
		esac || return 1
	done
	g++ "$work"/objects/*.o -o "$work/sketch"
}
check Arduino_takes_it_as_a_library arduino "$library/examples/arduino/lamp"
check and_the_sketch_answers_on_Serial answers_typed "$work/sketch"
tiny() { ! nm "$work/objects/skillrom.c.o" | grep -q skri_http_; }
check it_has_profile_tiny tiny

# PlatformIO runs pack.py first, with what it calls env.
cp -r "$library/examples/platformio" "$work/platformio"
platformio() {
	(cd "$work/platformio" && python3 -c 'import os, sys
class Env:
    def Execute(self, command): return os.system(command + " >/dev/null")
    def Exit(self, code): sys.exit(code)
exec(open("pack.py").read(), {"Import": lambda name: None, "env": Env()})') &&
		arduino "$work/platformio/src" $(sed -n 's/^build_flags = //p' "$work/platformio/platformio.ini")
}
check PlatformIO_takes_it_as_a_library platformio
check and_that_answers_on_Serial_too answers_typed "$work/sketch"
refused() { rm "$work/platformio/device/tools/set_lamp.json" && printf x >"$work/platformio/device/device.json" && ! platformio; }
check a_device_that_cannot_be_packed_stops_it refused
