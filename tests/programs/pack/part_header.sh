# part_header.sh -- the header of a device's tools: whatever pack lets through compiles.

strict='-std=c99 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror'
devices=0

# tool NAME PROPERTIES: of the device in $device.
tool() {
    printf '{"name":"%s","description":"A tool.","inputSchema":{"type":"object","properties":{%s}}}\n' "$1" "$2" \
        >"$device/tools/$1.json"
}

# new_device: an empty one, in $device.
new_device() {
    devices=$((devices + 1))
    device=$work/device$devices
    mkdir -p "$device/tools" "$device/resources"
    make_skill "$device/skills" manual
    printf '{"name":"d","version":"1"}\n' >"$device/device.json"
}

cat >"$work/table.c" <<'C'
#define SKR_TOOLS_TABLE
#include "header.h"
extern const struct skr_device device;
const struct skr_device device = {
    skr_tools, SKR_TOOL_COUNT, NULL, 0, skr_resources, SKR_RESOURCE_COUNT, NULL, 0, false, NULL, NULL, NULL, NULL,
};
C
# compiles: the header of $device, for each compiler that is there.
compiles() {
    "$SKILLROM" pack "$device" --header "$work/header.h" >/dev/null || return 1
    for compiler in gcc clang arm-none-eabi-gcc; do
        # shellcheck disable=SC2086
        ! command -v $compiler >/dev/null || $compiler $strict "$@" -Icore -Iromfs -I"$work" -c "$work/table.c" -o "$work/table.o" || return 1
    done
    for compiler in 'g++ -std=c++11' 'g++ -std=c++17' 'clang++ -std=c++11' 'clang++ -std=c++17'; do
        $compiler ${strict#-std=c99} -Icore -Iromfs -I"$work" -fsyntax-only -x c++ "$work/table.c" || { echo "defect 20: $compiler" && return 1; }
    done
}

# resource NAME MEMBERS: of the device in $device.
resource() { printf '{"name":"%s","mimeType":"text/plain",%s}\n' "$1" "$2" >"$device/resources/$1.json"; }

new_device
check 'a device without tools and resources compiles' compiles
resource level '"uri":"tank://level/*/","description":"What \"is\" it\\n??/ \\ é","x-skillrom":{"subscribe":true}'
resource 2.level-of '"uriTemplate":"tank://{n}/level","x-skillrom":{"values":["1","2"]}'
resource class '"uri":"tank://class"'
tool level ''
check 'resources compile' compiles
check 'their handlers are declared' prints 'int resource_2_level_of(struct skr_call *call, struct skr_span var);' cat "$work/header.h"
check 'and the number that counts their changes' prints 'extern uint32_t resource_level_version;' cat "$work/header.h"
check 'what JSON says of one is a string of C' prints '"{\"name\":\"class\",\"mimeType\":\"text/plain\",\"uri\":\"tank://class\"}",' cat "$work/header.h"

new_device
tool pump '"a":{"type":"integer","minimum":1}'
tool pump_run ''
tool pump_args_shape ''
tool pump_args_members ''
tool pump_args_a_range ''
check 'handlers are named as nothing else in the header' compiles

# 15 * 4 + 4 bytes for each of 1024 are 65536, which lint counts on a device of 32 bits; a host needs more.
grid() { printf '"p":{"type":"array","maxItems":%s,"items":{"type":"array","maxItems":15,"items":{"type":"integer","minimum":0,"maximum":9}}}' "$1"; }
new_device
tool t "$(grid 900)"
check 'a struct of 60 KB compiles' compiles
tool t "$(grid 1000)"
too_large() { ! compiles && grep -q 'skr_fits_tool_t_p' "$work/out"; }
check 'one that padding makes larger than 65535 bytes does not' too_large
tool t "$(grid 1024)"
check 'one that is larger anywhere is refused by pack' prints 't.json:1:86: error: its C struct would have 65540 bytes' "$SKILLROM" pack "$device" --header "$work/header.h"

# Every word of C, and every macro that the header itself brings.
new_device
printf '#include "skr_args.h"\n' >"$work/empty.c"
{
    gcc -std=gnu99 -Icore -Iromfs -dM -E "$work/empty.c" | sed -n 's/^#define \([A-Za-z][A-Za-z0-9_]*\) .*/\1/p'
    printf '%s\n' _Bool __LINE__ asm typeof int while offsetof int32_t size_t errno nullptr thread_local constexpr
    # Defect 20: and of C++.
    printf '%s\n' class new delete this template operator namespace private public try catch throw typename using virtual and or \
        not xor compl wchar_t char8_t concept requires co_await consteval static_cast friend mutable export
} | sort -u | split -l 30 - "$work/words."
for words in "$work"/words.*; do
    tool "t${words##*.}" "$(sed 's/.*/"&":{"type":"boolean","default":true}/' "$words" | paste -s -d ,)"
done
check 'a property may have any name: C99' compiles -include errno.h
check 'a property may have any name: C17 with extensions' compiles -std=gnu17 -Wno-pedantic

new_device
for number in 9007199254740993 1000000000000000000000000000000 -0 0 1e30 1.5 -2E-3; do
    n=$((${n:-0} + 1))
    tool "n$n" '"d":{"type":"number","default":'$number'},"f":{"type":"number","x-skillrom":"float","default":'$number'}'
done
check 'defaults of numbers compile' compiles

# Defect 20: every kind of member before one with a default, which an initializer has to go through.
new_device
tool mixed '"a":{"type":"array","maxItems":2,"items":{"type":"object","properties":{"e":{"type":"string","enum":["x","y"]}}}},
    "b":{"type":"object","properties":{"n":{"type":"number"},"m":{"type":"string","enum":["x","y"],"default":"y"}}},
    "c":{"type":"object","properties":{}},"d":{"type":"object","x-skillrom":"raw"},"e":{"type":"string","enum":["x","y"]},
    "f":{"type":"number","x-skillrom":"float"},"g":{"type":"string"},"h":{"type":"boolean"},"i":{"type":"integer"},
    "j":{"type":"string","default":"last"},"k":{"type":"string","enum":["x","y"],"default":"y"}'
check 'defaults behind members of every kind compile' compiles

# Interface ids, computed by a second program from FORMAT.md alone.
identified() { "$SKILLROM" pack "$1" -o "$work/identified.rom" --header "$work/identified.h" >/dev/null && tests/programs/pack/interface.py "$1" "$work/identified.rom" "$work/identified.h"; }
for device in examples/pump examples/board tests/wire/conformance/device tests/unit/args/device host/fleet/device examples/dispenser; do
    check "defect 78: image and header of $device have the interface ids that FORMAT.md says" identified "$device"
done
