# part_sources.sh -- our sources in another project: another C library, no miniz, C++.

# compiles COMPILER FLAGS... -- FILES...: each by itself.
compiles() {
	command=''
	while [ "$1" != -- ]; do
		command="$command $1"
		shift
	done
	shift
	for file; do
		$command -Icore -Iromfs -Ihost/base -fsyntax-only "$file" || return 1
	done
}
# core/*/*.c never asks for it, and `make configs` links them without.
warnings='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror'
for profile in TINY NET; do
	check defect_20_romfs_compiles_without_miniz_$profile compiles gcc -std=c99 $warnings -DSKR_PROFILE_$profile -- romfs/*.c
done

# The loop that README and skillrom.h show, where unistd.h is included as well.
check defect_20_the_firmware_of_the_README_compiles readme_firmware gcc -std=c99 -D_GNU_SOURCE $warnings -DSKR_PROFILE_TINY -DSKR_TOOLS_PARTIAL -Icore -Iromfs -I"$work" -fsyntax-only
check where_it_is_shown grep -q 'skr_conn_open(&conn' "$work/firmware.c"

# C++: what is declared in a header is a function of C.
for header in core/skillrom.h core/skr_args.h romfs/romfs.h romfs/inflate.h romfs/archive.h romfs/unescape.h port/uart/uart.h port/uart/frame.h \
	port/posix/posix.h port/sockets/skr_sockets.h port/lwip/skr_lwip.h port/freertos_tcp/skr_freertos_tcp.h; do
	check defect_20_"$header"_declares_that_it_is_C prints 'extern "C"' cat "$header"
done
cat >"$work/handlers.cc" <<'CC'
#define SKR_TOOLS_TABLE
#include "tools.h"
#include "archive.h"
#include "posix.h"
#include "skills.h"
#include "uart.h"

int tool_line_status(struct skr_call *call, const struct tool_line_status_args *args)
{
    skr_put(call, args->has_line ? "one" : "all");
    return 0;
}
static const struct skr_device device = {skr_tools, SKR_TOOL_COUNT, nullptr, 0, skr_resources, SKR_RESOURCE_COUNT, nullptr, 0, false, nullptr, nullptr, nullptr, nullptr};
extern "C" const void *what_there_is(void);
const void *what_there_is(void)
{
    return skills_image_size > 0 ? static_cast<const void *>(&device) : nullptr;
}
CC
is_c() { # COMPILER STANDARD: and it links with handlers of C
	"$1" -std="$2" $warnings -Icore -Iromfs -Iport/posix -Iport/uart -I"$work" -c "$work/handlers.cc" -o "$work/handlers.o" &&
		nm "$work/handlers.o" | grep -q ' T tool_line_status$' && nm "$work/handlers.o" | grep -q ' U tool_stop_all$'
}
for compiler in g++ clang++; do
	for standard in c++11 c++17 c++20 c++2b; do
		check defect_20_handlers_may_be_${compiler}_$standard is_c $compiler $standard
	done
done

# What an application includes, in every profile, by the standards and warnings of others. C++20 has keywords that C has not.
cat >"$work/application.c" <<'C'
#include "port/access/skr_access.h"
#include "port/sockets/skr_sockets.h"
#include "port/uart/uart.h"
#include "romfs.h"
#include "skillrom.h"
int main(void)
{
    return 0;
}
C
strict='-Wall -Wextra -Wpedantic -Wundef -Wredundant-decls -Wcast-qual -Wwrite-strings -Werror'
application() { # COMPILER STANDARD LANGUAGE FLAG...
	compiler=$1 standard=$2 language=$3
	shift 3
	for profile in TINY NET FULL HOST; do
		"$compiler" -x "$language" -std="$standard" $strict "$@" -DSKR_PROFILE_$profile -I. -Icore -Iromfs -Ithird_party/jsmn -fsyntax-only "$work/application.c" || return 1
	done
}
for standard in c99 c11 gnu17 c2x; do
	check an_application_in_$standard application gcc $standard c -Wmissing-prototypes -Wstrict-prototypes
done
for standard in c++11 gnu++17 c++20 gnu++2b; do
	check an_application_in_$standard application g++ $standard c++ -Wold-style-cast
	check an_application_in_${standard}_by_clang application clang++ $standard c++
done

# A device all in C++, handlers and main, with a core compiled as C.
for compiler in g++ clang++; do
	for standard in c++11 c++17 c++20 c++2b; do
		check a_device_in_${compiler}_${standard}_links_with_the_core_and_answers tank_responds $compiler $standard -Icore -Iromfs build/libskillrom.a
	done
done

# musl, with the kernel's headers that this machine has for the other one.
musl="musl-gcc -std=c99 $warnings -D_GNU_SOURCE -Iport/posix -isystem third_party/miniz -idirafter /usr/include -idirafter /usr/include/$(gcc -dumpmachine)"
check defect_20_the_server_compiles_with_musl compiles $musl -- port/posix/*.c port/sockets/*.c
check defect_20_the_bridge_too compiles $musl '-DSKR_USER_CONFIG="../host/bridge/bridge_skr.h"' -DSKR_TLS=1 -isystem third_party/bearssl/inc -isystem third_party/http_parser -- host/bridge/*.c host/client/*.c host/transport/*.c

# The files that port/freertos_tcp names are enough: nothing of ours is undefined when they are linked.
named_for_freertos() { # what is left undefined
	list=$(sed -n '/^Add these, and your image/,/^all with/s/^    //p' port/freertos_tcp/README.md) && [ -n "$list" ] && mkdir -p "$work/freertos" || return 1
	for source in $list; do
		gcc -std=c99 -DSKR_PROFILE_NET -Icore -Iromfs -Ithird_party/jsmn -Itests/boards/freertos_tcp -c "$source" -o "$work/freertos/$(echo "$source" | tr / _).o" || return 1
	done
	ld -r -o "$work/freertos/all" "$work"/freertos/*.o && nm -u "$work/freertos/all" | grep -E ' (skri?_|romfs_|sha256|crc)' || echo nothing
}
check defect_71_the_files_that_FreeRTOS_is_told_to_take_link prints nothing named_for_freertos
snippet() {
	{
		printf '#include "skills.h"\n#include "skillrom.h"\nextern const struct skr_device my_device;\nvoid halt(void);\nvoid read_random_bytes(void *to, size_t n);\nvoid vTaskStartScheduler(void);\nvoid start(void);\n'
		sed -n '/^```c/,/^```$/p' port/freertos_tcp/README.md | sed '/^```/d'
	} >"$work/freertos.c" && build/pack pack examples/pump --emit-c "$work/skills.c" >/dev/null &&
		gcc -std=c99 $warnings -DSKR_PROFILE_NET -Icore -Iromfs -Ithird_party/jsmn -I"$work" -fsyntax-only "$work/freertos.c"
}
check and_its_code_compiles snippet
