# part_images.sh -- compression, damage, C source.

for window in 256 4096 32768; do
    check "compressed with window $window" pack "$awkward" "$work/w$window.rom" --compress=$window
    check "everything comes back from window $window" holds_tree "$work/w$window.rom" "$awkward"
    check "the image of window $window is sound" "$SKILLROM" verify "$work/w$window.rom"
    check "its header asks for $window bytes" [ "$(word "$work/w$window.rom" 56)" -eq $window ]
done
smaller() { [ "$(wc -c <"$1")" -lt "$(wc -c <"$2")" ]; }
check 'compression saves space' smaller "$work/w4096.rom" "$work/awkward.rom"
check 'a larger window saves more' smaller "$work/w32768.rom" "$work/w4096.rom"
check '--compress alone means the largest window' pack "$awkward" "$work/default.rom" --compress
check 'which is 32768' cmp "$work/default.rom" "$work/w32768.rom"

# A small folder never asks for more window than its largest file needs.
small_window() { pack "$work/nested" "$work/tight.rom" --compress && [ "$(word "$work/tight.rom" 56)" -le 256 ]; }
check 'small files ask for a small window' small_window

# Damage. Behind meta_size lies file data, which mounting does not read.
damaged() {
    cp "$work/$1.rom" "$work/damaged.rom" && set_byte "$work/damaged.rom" "$2"
}
data_at=$(word "$work/golden.rom" 20)
damaged golden "$data_at"
check 'a changed data byte is noticed' exits 1 "$SKILLROM" verify "$work/damaged.rom"
check 'and the file is named' prints 'does not match its digest' "$SKILLROM" verify "$work/damaged.rom"
for command in info ls; do # defect 26
    check "$command refuses an image with another digest" exits 1 "$SKILLROM" $command "$work/damaged.rom"
done
check 'so does serve' exits 1 "$SKILLROM" serve "$work/damaged.rom"
check 'and cat says why' prints "the image's digest does not match" "$SKILLROM" cat "$work/damaged.rom" SKILL.md
damaged w4096 "$(($(word "$work/w4096.rom" 20) + 700))"
check 'so is one in a compressed file' exits 1 "$SKILLROM" verify "$work/damaged.rom"
damaged golden 200
for command in info ls verify; do
    check "$command refuses a changed table" exits 1 "$SKILLROM" $command "$work/damaged.rom"
done
check 'cat refuses a changed table' exits 1 "$SKILLROM" cat "$work/damaged.rom" SKILL.md
check 'and says why' prints 'checksum does not match' "$SKILLROM" info "$work/damaged.rom"
damaged golden 0
check 'a file that is not an image is refused' prints 'not a skill image' "$SKILLROM" ls "$work/damaged.rom"
every_prefix() {
    size=$(wc -c <"$work/golden.rom")
    for n in 0 1 7 8 100 143 144 500 $((size / 2)) $((size - 4)) $((size - 1)); do
        head -c "$n" "$work/golden.rom" >"$work/cut.rom"
        exits 1 "$SKILLROM" verify "$work/cut.rom" || return 1
    done
}
check 'an image cut short is refused' every_prefix

# forge ROM WORD VALUE: the number there becomes VALUE; forge ROM quote: a quote in its last text. Both with a digest and
# a checksum that fit, as an attacker would.
forge() {
    python3 - "$@" <<'PYTHON'
import hashlib, re, struct, sys, zlib
path, what, *value = sys.argv[1:]
image = bytearray(open(path, "rb").read())
if what == "quote":
    image[[m.start() for m in re.finditer(rb"(?<!\\)\\n", image)][-1]] = ord('"')
else:
    struct.pack_into("<I", image, int(what), int(value[0]))
meta = struct.unpack_from("<I", image, 20)[0]
image[24:56] = hashlib.sha256(image[56:]).digest()
struct.pack_into("<I", image, 8, zlib.crc32(image[12:meta]))
open(path, "wb").write(image)
PYTHON
}
older() { cp "$work/golden.rom" "$work/older.rom" && forge "$work/older.rom" 12 3; }
check 'an image of format 3' older
for command in info ls verify serve; do
    check "$command says what to do with it" prints 'made by another version of skillrom: pack it again' \
        "$SKILLROM" $command "$work/older.rom"
done
check 'so does skillromd' prints 'pack it again' "$skillromd" "$work/older.rom"
forged() { cp "$work/golden.rom" "$work/forged.rom" && forge "$work/forged.rom" quote; }
check 'an image with a text that would end its JSON string' forged
check 'mounts' exits 0 "$SKILLROM" info "$work/forged.rom"
check 'verify notices the text' prints 'the stored content is damaged' "$SKILLROM" verify "$work/forged.rom"
check 'skillromd does not serve it' exits 1 "$skillromd" "$work/forged.rom"
check 'and says why' prints 'not escaped as it claims' "$skillromd" "$work/forged.rom"

# Texts as they are.
check 'pack --raw-text' pack "$awkward" "$work/raw.rom" --raw-text
check 'everything comes back from it' holds_tree "$work/raw.rom" "$awkward"
check 'it is sound' "$SKILLROM" verify "$work/raw.rom"
check 'and smaller than with escaped texts' smaller "$work/raw.rom" "$work/awkward.rom"
check 'with --compress, too' pack "$awkward" "$work/raw.rom" --raw-text --compress=256
check 'everything comes back from that' holds_tree "$work/raw.rom" "$awkward"

# C source: compiled, and compared with the image.
as_c() {
    "$SKILLROM" pack "$work/golden" --emit-c "$work/as_c.c" "$@" >/dev/null && [ -f "$work/as_c.h" ]
}
check 'the image as C source' as_c
cat >"$work/print.c" <<'C'
#include <stdio.h>
#include "as_c.h"
int main(void)
{
    return fwrite(skills_image, 1, skills_image_size, stdout) != sizeof skills_image;
}
C
strict='-std=c99 -Wall -Wextra -Wpedantic -Wconversion -Werror'
c_equals() {
    # shellcheck disable=SC2086
    ${CC:-gcc} $strict -I"$work" "$work/print.c" "$work/as_c.c" -o "$work/print" && "$work/print" >"$work/printed.rom" &&
        cmp "$work/printed.rom" "$work/golden.rom"
}
check 'it compiles and holds the bytes of the image' c_equals
if command -v arm-none-eabi-gcc >/dev/null; then
    # shellcheck disable=SC2086
    check 'it compiles for a Cortex-M' arm-none-eabi-gcc $strict -mcpu=cortex-m0plus -mthumb -c "$work/as_c.c" -o "$work/as_c.o"
    check 'and is all constant data there' prints '.rodata' arm-none-eabi-objdump -h "$work/as_c.o"
fi
check 'the array may have another name' as_c --name tap_image
check 'which the header declares' grep -q 'extern const uint32_t tap_image\[' "$work/as_c.h"
check 'and no date or path is in it' [ -z "$(grep -F "$work" "$work/as_c.c" "$work/as_c.h")" ]
