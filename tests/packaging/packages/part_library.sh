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
responds_to_typed() { prints 'The lamp is on.' "$1" <"$work/typed"; }

# for_chip: gcc for the processor of an ESP32-C3, which has no C library that we could link.
for_chip='-DCMAKE_SYSTEM_NAME=Generic -DCMAKE_C_COMPILER=riscv64-unknown-elf-gcc -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY'
idf() { # EXAMPLE OPTION...
	example=$1
	shift
	IDF_PATH=$stub/esp-idf cmake -S "$library/examples/esp-idf/$example" "$@"
}
esp_idf() { idf uart -B "$work/idf" -DCMAKE_C_FLAGS="$for_idf" && cmake --build "$work/idf"; }
for_idf='-Wall -Wextra -Wconversion -Wshadow -Werror' # in gnu17, ESP-IDF's own
esp_idf_for_the_chip() {
	idf uart -B "$work/chip" $for_chip -DCMAKE_C_FLAGS="-march=rv32imc -mabi=ilp32 --specs=picolibc.specs $for_idf" && cmake --build "$work/chip" &&
		riscv64-unknown-elf-readelf -h "$work"/chip/esp-idf/skillrom/lib__idf_skillrom.a | grep -q 'ELF32'
}
check ESP_IDF_takes_it_as_a_component esp_idf
check and_it_answers_on_its_UART responds_to_typed "$work/idf/lamp.elf"
check ESP_IDF_for_the_processor_of_an_ESP32_C3 esp_idf_for_the_chip
esp_idf_6() {
	mkdir -p "$work/tree/tests/packaging" && cp -r tests/packaging/packages "$work/tree/tests/packaging/" && mkdir -p "$work/tree/tests/packaging/packages/stub/esp-idf/components/esp_driver_uart" &&
		IDF_PATH=$work/tree/tests/packaging/packages/stub/esp-idf cmake -S "$library/examples/esp-idf/uart" -B "$work/idf6" && cmake --build "$work/idf6" && responds_to_typed "$work/idf6/lamp.elf"
}
check defect_71_ESP_IDF_6_with_the_component_of_its_UART esp_idf_6
chosen_in_its_menu() { # FOLDER EXAMPLE SETTING...: the example with more settings, in a folder of its own
	place=$work/$1 example=$2
	shift 2
	mkdir "$place" && cp -r "$library" "$place/skillrom" && project=$place/skillrom/examples/esp-idf/$example || return 1
	case $* in *PROFILE*) sed -i '/PROFILE/d' "$project/sdkconfig.defaults" ;; esac
	printf '%s\n' "$@" >>"$project/sdkconfig.defaults"
	IDF_PATH=$stub/esp-idf cmake -S "$project" -B "$place/build" -DCMAKE_C_FLAGS="$for_idf" && cmake --build "$place/build"
}
everything_chosen() { # for component and application alike, or they would not link
	chosen_in_its_menu full uart CONFIG_SKILLROM_PROFILE_FULL=y &&
		grep -q 'define CONFIG_SKILLROM_TASKS 1' "$work/full/build/config/sdkconfig.h" && responds_to_typed "$work/full/build/lamp.elf"
}
check with_everything_chosen_in_its_menu everything_chosen

# Wi-Fi: the component's sockets are this machine's, its NVS is a folder.
check ESP_IDF_takes_the_example_of_WiFi chosen_in_its_menu wifi wifi_http
on_the_network() { python3 tests/packaging/packages/network.py "$library" "$stub" "$work"; }
check and_it_serves_those_who_have_a_token on_the_network
tests_of_the_component() {
	port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("", 0)); print(s.getsockname()[1])')
	mkdir "$work/nvs-tests" && chosen_in_its_menu tests ../../test_apps "CONFIG_SKILLROM_HTTP_PORT=$port" &&
		NVS="$work/nvs-tests" prints '3 Tests 0 Failures 0 Ignored' "$work/tests/build/skillrom_test.elf"
}
check its_tests_for_the_chip_pass tests_of_the_component
# jsmn and miniz have names of their own; skr_, skri_ and romfs_ are ours.
linked() {
	[ "$(nm -g --defined-only "$work/wifi/build/esp-idf/skillrom/lib__idf_skillrom.a" 2>&1 | awk 'NF == 3 { print $3 }' | sort -u | tee "$work/linked" | wc -l)" -gt 100 ] &&
		! grep -v -e '^skri\?_' -e '^romfs_' "$work/linked"
}
check its_link_has_names_of_ours_alone linked
too_many() { ! chosen_in_its_menu many wifi_http CONFIG_SKILLROM_CONNECTIONS=8 2>"$work/why" && grep -q 'CONFIG_LWIP_MAX_SOCKETS' "$work/why"; }
sed -i 's/CONFIG_LWIP_MAX_SOCKETS=10/CONFIG_LWIP_MAX_SOCKETS=9/' "$work/tree/tests/packaging/packages/stub/esp-idf/tools/cmake/project.cmake"
stub_before=$stub stub=$work/tree/tests/packaging/packages/stub
check more_connections_than_sockets_do_not_compile too_many
stub=$stub_before

# `make zephyr` as the page says, with the stand-in as ZEPHYR_BASE.
zephyr() { make -s zephyr ZEPHYR_BASE="$stub/zephyr" BUILD_ZEPHYR="$work/zephyr" ZEPHYR_CMAKE="-DCMAKE_C_FLAGS='$for_idf'"; }
check Zephyr_takes_it_as_a_module zephyr
check and_it_answers_on_its_console responds_to_typed "$work/zephyr/zephyr/zephyr.elf"
zephyr_http() { # FLAG...: compiled, for Zephyr's sockets as they are
	rm -rf "$work/zephyr-http" && cmake -S "$library/samples/http" -B "$work/zephyr-http" -DZephyr_ROOT="$stub/zephyr" -DCMAKE_C_FLAGS="$for_idf $*" && cmake --build "$work/zephyr-http"
}
check Zephyr_takes_the_sample_of_HTTP zephyr_http
check and_before_4_4_where_sockets_have_the_names_of_POSIX zephyr_http -DZEPHYR_PREFIXES=0
# Of what was seen in Zephyr: a kilobyte is the server's.
leaves_stack() { [ "$(sed -n 's/^CONFIG_MAIN_STACK_SIZE=//p' "$library/samples/uart/prj.conf")" -ge 2048 ]; }
check defect_71_the_main_stack_of_Zephyr_leaves_a_kilobyte_to_tools leaves_stack
check without_ZEPHYR_BASE_make_says_what_is_missing prints 'ZEPHYR_BASE=/path/to/zephyr' env -u ZEPHYR_BASE make -s zephyr

# arduino FOLDER FLAG...: compiles every source of a sketch's folder and of the library, each for itself, as Arduino's builder does.
arduino() {
	folder=$1
	shift
	rm -rf "$work/objects" && mkdir "$work/objects" || return 1
	for file in "$folder"/*.ino "$folder"/*.c "$folder"/*.cpp "$library"/src/*.c "$stub"/arduino/*.cpp "$stub/line.c"; do
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
check and_the_sketch_answers_on_Serial responds_to_typed "$work/sketch"
tiny() { ! nm "$work/objects/skillrom.c.o" | grep -q skri_http_; }
check it_has_profile_tiny tiny

# The sketch for Wi-Fi, whose WiFiServer and WiFiClient are this machine's sockets.
wifi_sketch() {
	cp -r "$library/examples/arduino/lamp_wifi" "$work/" && rm "$work/lamp_wifi/tokens.h" && made=$(skillrom token alice --emit-c "$work/lamp_wifi/tokens.h") &&
		arduino "$work/lamp_wifi" -DARDUINO_ARCH_ESP32 && cp "$work/sketch" "$work/wifi-sketch"
}
check Arduino_takes_the_sketch_for_WiFi wifi_sketch
on_WiFi() { "$root/tests/packaging/packages/sketch" "$work/wifi-sketch" "$made"; }
check and_it_serves_who_has_a_token on_WiFi
without_HTTP() { ! arduino "$library/examples/arduino/lamp_wifi" -DARDUINO_ARCH_ESP32 -DSKR_PROFILE_TINY && grep -q 'add -DSKR_PROFILE_NET' "$work/log"; }
check a_board_without_a_profile_for_it_is_told_so without_HTTP

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
check and_that_answers_on_Serial_too responds_to_typed "$work/sketch"
refused() { rm "$work/platformio/device/tools/set_lamp.json" && printf x >"$work/platformio/device/device.json" && ! platformio; }
check a_device_that_cannot_be_packed_stops_it refused
