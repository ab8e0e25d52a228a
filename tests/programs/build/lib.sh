# lib.sh -- what tests/programs/build and tests/packaging/packages share. Read by their `run`, which have $work, $passed and $failed.

# check NAME COMMAND...: the command succeeds.
check() {
	name=$1
	shift
	if "$@" >"$work/log" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "not ok $name"
		tail -20 "$work/log" | sed 's/^/    /'
	fi
}

# prints TEXT COMMAND...: its output has the text.
prints() {
	text=$1
	shift
	"$@" >"$work/said" 2>&1
	grep -qF -e "$text" "$work/said" || { cat "$work/said" && return 1; }
}
prints_not() { ! prints "$@"; }
fails() { ! "$@"; }

# tank_responds COMPILER STANDARD WORD...: tank.cc, a device in C++, answers when it is linked with a core that was compiled as C;
# the words are where that and its headers are.
tank_responds() {
	tank=$work/tank
	mkdir -p "$tank/tools" "$tank/resources"
	printf '{"name":"tank","version":"1"}\n' >"$tank/device.json"
	printf '{"name":"fill","description":"Fills.","inputSchema":{"type":"object","required":["litres"],"properties":{"litres":{"type":"integer","minimum":1,"maximum":90},"how":{"type":"string","enum":["slow","fast"],"default":"slow"}}}}\n' >"$tank/tools/fill.json"
	printf '{"uriTemplate":"tank://{n}/level","name":"level","mimeType":"text/plain"}\n' >"$tank/resources/level.json"
	cxx=$1 standard=$2
	shift 2
	build/skillrom pack "$tank" --emit-c "$tank/skills.c" --header "$tank/tools.h" >/dev/null &&
		gcc -std=c99 -c "$tank/skills.c" -o "$tank/skills.o" &&
		"$cxx" -std="$standard" $warnings -I"$tank" tests/programs/build/tank.cc "$tank/skills.o" "$@" -o "$tank/tank" &&
		prints 'as expected: 2 answers' "$tank/tank"
}

# readme_firmware COMMAND...: with the firmware of the README as its last word, and what it includes in $work.
readme_firmware() {
	{
		printf '#include <unistd.h>\nsize_t uart_read(void *to, size_t n);\nsize_t uart_write(const void *from, size_t n);\nvoid halt(void);\nvoid serve(void);\n'
		sed -n '/^#include "skills.h"/,/^```/p' README.md | sed '/^```/d'
	} >"$work/firmware.c" &&
		build/skillrom pack examples/pump --emit-c "$work/skills.c" --header "$work/tools.h" && "$@" "$work/firmware.c"
}
