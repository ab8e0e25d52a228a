# part_amalgamation.sh -- skillrom.c and skillrom.h, which are all that is on the include path here but for miniz.

files=$root/build/amalgamation
miniz=$root/third_party/miniz

# A selection, of every method and of both wires; clang runs all of them with the two files (tests/wire/build.mk).
check transcripts_with_two_files_by_gcc prints ' 0 failed' "$files/wire-runner" --core \
	$(printf 'tests/wire/%s.txt ' discover handshake tools resources skills prompts tasks http-sse)

for compiler in gcc clang; do
	for profile in TINY NET; do
		check profile_${profile}_by_${compiler}_needs_no_miniz "$compiler" -std=c99 $warnings -DSKR_PROFILE_$profile -fsyntax-only "$files/skillrom.c"
	done
	for profile in FULL HOST; do
		check profile_${profile}_by_$compiler "$compiler" -std=c99 $warnings -DSKR_PROFILE_$profile -isystem "$miniz" -fsyntax-only "$files/skillrom.c"
	done
done
check a_profile_that_inflates_says_that_it_needs_miniz prints 'add miniz.h and miniz.c to the project' gcc -std=c99 -fsyntax-only "$files/skillrom.c"

# Names that another project may also have.
for what in headers amalgamation sources; do
	check defect_71_names_of_$what "$root/tests/packaging/packages/names" $what
done
printf '#define STRINGIFY(x) #x\n#define STEP 1\n#define OPEN 2\n#define INDEX 3\n#define IS(x) x\n' >"$work/project.h"
check beside_a_header_with_short_names gcc -std=c99 $warnings -DSKR_PROFILE_NET -include "$work/project.h" -fsyntax-only "$files/skillrom.c"

# Every switch is where it was.
compiles() { gcc -std=c99 $warnings "$@" -isystem "$miniz" -fsyntax-only "$files/skillrom.c"; }
for switch in HTTP AUTH EXTRAS JOBS INTERACTIVE TASKS CHANGES DIALECTS DEFLATE READ_ONLY ASSERTS; do
	case $switch in
	AUTH) needs=-DSKR_HTTP=1 ;;
	INTERACTIVE) needs=-DSKR_JOBS=1 ;;
	TASKS) needs='-DSKR_JOBS=1 -DSKR_INTERACTIVE=1' ;;
	*) needs='' ;;
	esac
	check profile_HOST_without_$switch compiles -DSKR_PROFILE_HOST -DSKR_$switch=0
	check profile_TINY_with_$switch compiles -DSKR_PROFILE_TINY $needs -DSKR_$switch=1
done

# What the image compiler writes fits them.
for compiler in g++ clang++; do
	check a_device_in_${compiler}_links_with_two_files_and_answers tank_responds $compiler c++17 -I"$files" "$files/skillrom.o" build/obj/miniz.o
done
check the_firmware_of_the_README_compiles_with_two_files readme_firmware gcc -std=c99 -D_GNU_SOURCE $warnings -DSKR_PROFILE_TINY -DSKR_TOOLS_PARTIAL -I"$files" -I"$work" -fsyntax-only

# Headers that are installed into one folder.
flat() {
	mkdir "$work/flat" && cp core/*.h romfs/*.h "$work/flat" && readme_firmware gcc -std=c99 -D_GNU_SOURCE -DSKR_PROFILE_FULL -I"$work/flat" -I"$work" -fsyntax-only
}
check headers_in_one_folder_find_each_other flat

# On a microcontroller they take little more than the many: a compiler that sees all of it together inlines more, and keeps the strings of one
# file together, so that the linker cannot leave out those of functions that are not linked.
size_of() { arm-none-eabi-size "$1" | awk 'NR == 2 { print $1 }'; }
fits() {
	arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -std=c99 $warnings -ffreestanding -DSKR_PROFILE_TINY -Os -ffunction-sections -fdata-sections -I"$files" \
		--specs=nano.specs -nostartfiles -Wl,--gc-sections,-e,main "$files/skillrom.c" tests/quality/size/main.c -o "$work/two.elf" || return 1
	two=$(size_of "$work/two.elf") many=$(size_of build/size/cortex-m3-tiny/firmware.elf)
	echo "two files: $two bytes of flash; many: $many"
	[ "$two" -gt 10000 ] && [ "$two" -le $((many * 105 / 100)) ]
}
check two_files_take_5_percent_more_at_most_on_a_Cortex_M3 fits
